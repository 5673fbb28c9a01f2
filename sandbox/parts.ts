import type { SandboxBasis } from './context.ts';
import type { Deliveries } from './deliveries.ts';
import type { Faults } from './faults.ts';
import type { Grants } from './grants.ts';
import type { HostActions } from './hostActions.ts';
import type { IdempotencyKeys } from './idempotencyKeys.ts';
import type { RateLimits } from './limits.ts';
import type { ShownStore } from './replica.ts';
import type { RequestLog } from './requestLog.ts';
import type { Scheduling } from './scheduling.ts';

/** The parts of one running sandbox, as its routes see them. */
export interface SandboxParts extends SandboxBasis {
  /** The records that lists and reads by id show. */
  shown: ShownStore;
  limits: RateLimits;
  deliveries: Deliveries;
  scheduling: Scheduling;
  grants: Grants;
  host: HostActions;
  faults: Faults;
  idempotencyKeys: IdempotencyKeys;
  requests: RequestLog;
}
