import type { RequestEntry, Sandbox, SandboxOptions } from '../../sandbox/service.ts';
import type { Operation } from '../../shared/operations/define.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import type { EventRow } from '../../shared/events.ts';
import type { Ability, Connection, Listening, Platform } from './platform.ts';

/** What a requirement runs on. */
export interface Stage {
  sandbox: Sandbox;
  platform: Platform;
  connection: Connection;
  /** The core over `fetch`, before the same service. */
  core: Connection;
  /** One more connection to the same service, for another user. It ends with the stage. */
  another(zone?: string): Promise<Connection>;
  /** A listener for an event, kept as long as the stage, and its secret. Starting one uses up part of a limit of ten a minute. */
  listener(row: EventRow): Promise<{ listening: Listening; secret: string }>;
  /** A connection that may start to listen immediately. */
  unhurried(): Promise<Connection>;
}

/** Something that must hold on every platform. */
export interface Requirement {
  /** What it is about, when, and what has to come of it: `create:answer-lost:looked-for`. */
  id: string;
  /** The abilities of a platform that it needs. */
  needs?: readonly Ability[];
  /** The operations that it needs. */
  uses?: readonly Operation[];
  /**
   * The requirement needs a service and a connection of its own, because the service has another form or because it waits. All such
   * requirements run at the same time.
   */
  alone?: SandboxOptions;
  /** The requirement waits for half a minute or more, in which the connector looks for what became of a lost request. */
  waits?: true;
  hold(stage: Stage): Promise<void>;
}

/** All that the core can do. */
export const offered: readonly Operation[] = [...operations, ...searches];

/** Why a requirement does not apply to a platform; nothing if it applies. */
export function whyNot({ needs = [], uses = [] }: Requirement, { lacks, offers }: Platform): string | undefined {
  const missing = uses.find((operation) => !offers(operation));
  if (missing !== undefined) return `it does not offer ${nameOf(missing)}`;
  return needs.map((ability) => lacks[ability]).find((reason) => reason !== undefined);
}

/** An operation by its place in the core: `booking.create`. */
export const nameOf = ({ resource, name }: Operation): string => `${resource}.${name}`;

/** The requests to one endpoint, such as `POST /v1/bookings/:id/cancel`, since the requests were last forgotten. */
export function requestsTo(sandbox: Sandbox, endpoint: string): RequestEntry[] {
  const pattern = new RegExp(`^${endpoint.replace(/:id/g, '[^/]+')}$`);
  return sandbox.requests().filter(({ method, path }) => pattern.test(`${method} ${path}`));
}

/** An HTML page as the answer to a request: a proxy's page that asks the user to sign in. */
export const page = {
  kind: 'status',
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html><html><body>Sign in</body></html>',
} as const;
