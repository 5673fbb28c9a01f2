import type { Basis } from './context.ts';
import type { Deliveries } from './deliveries.ts';
import type { Faults } from './faults.ts';
import type { Grants } from './grants.ts';
import type { Host } from './hostActions.ts';
import type { IdempotencyKeys } from './idempotencyKeys.ts';
import type { RateLimits } from './limits.ts';
import type { Shown } from './replica.ts';
import type { RequestLog } from './requestLog.ts';
import type { Scheduling } from './scheduling.ts';

/** The parts of one running sandbox, as its routes see them. */
export interface Parts extends Basis {
  /** Where lists and reads by id look. */
  shown: Shown;
  limits: RateLimits;
  deliveries: Deliveries;
  scheduling: Scheduling;
  grants: Grants;
  host: Host;
  faults: Faults;
  idempotencyKeys: IdempotencyKeys;
  requests: RequestLog;
}
