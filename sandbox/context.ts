import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Clock } from './clock.ts';
import type { Deliveries } from './deliveries.ts';
import type { Faults } from './faults.ts';
import type { Forms } from './variants.ts';
import type { Grants } from './grants.ts';
import type { Host } from './hostActions.ts';
import type { IdempotencyKeys } from './idempotencyKeys.ts';
import type { Shown } from './replica.ts';
import type { RequestEntry, RequestLog } from './requestLog.ts';
import type { RateLimits } from './limits.ts';
import type { Presenter } from './serialize.ts';
import type { Account, Token } from './records.ts';
import type { Scheduling } from './scheduling.ts';
import type { Store } from './store.ts';

/** The parts of one running sandbox, as its routes see them. */
export interface Parts {
  store: Store;
  /** Where lists and reads by id look. */
  shown: Shown;
  clock: Clock;
  forms: Forms;
  limits: RateLimits;
  /** How many active subscriptions an account may have. */
  maxSubscriptions: number;
  anywhere: boolean;
  present: Presenter;
  deliveries: Deliveries;
  scheduling: Scheduling;
  grants: Grants;
  host: Host;
  faults: Faults;
  idempotencyKeys: IdempotencyKeys;
  requests: RequestLog;
  log: (line: string) => void;
}

/** What is known about a request: set by the log of requests (body, entry), the guard (account, token), and the host page (account). */
export interface Env {
  Bindings: HttpBindings;
  Variables: {
    body: Uint8Array;
    entry: RequestEntry;
    account: Account;
    token: Token;
  };
}

export type Request = Context<Env>;
