import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { SandboxClock } from './clock.ts';
import type { Account, Token } from './records.ts';
import type { Presenter } from './serialize.ts';
import type { SandboxStore } from './store.ts';
import type { Forms } from './variants.ts';

/** The foundation of every part of a running sandbox. */
export interface SandboxBasis {
  store: SandboxStore;
  clock: SandboxClock;
  forms: Forms;
  present: Presenter;
  log: (line: string) => void;
  /** How many active subscriptions an account may have. */
  maxSubscriptions: number;
  anywhere: boolean;
}

/** One request that reached the sandbox. */
export interface RequestEntry {
  method: string;
  /** With the published prefix: `/v1/bookings`, `/api/oauth/token`, `/oauth/authorize`, `/host/...`. */
  path: string;
  query: Record<string, string>;
  /** The parsed JSON body, or a form's fields, with secrets replaced; null if there was none. */
  body: unknown;
  /** Headers by lowercase name; secret ones without their value. */
  headers: Record<string, string>;
  /** The status of the response; null if there is none yet, or if the connection was broken. */
  status: number | null;
  at: string;
  /** Whether the request changed any data. */
  committed: boolean;
}

/** What is known about a request: set by the request log (body, entry), the guard (account, token), and the host page (account). */
export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: {
    body: Uint8Array;
    entry: RequestEntry;
    account: Account;
    token: Token;
  };
}

export type Request = Context<SandboxEnv>;
