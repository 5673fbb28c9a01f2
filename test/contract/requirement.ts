import type { RequestEntry, Sandbox, SandboxOptions } from '../../sandbox/service.ts';
import type { Operation } from '../../shared/define.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import type { EventRow } from '../../shared/events.ts';
import type { Ability, Connection, Listening, Platform } from './platform.ts';

/** What a requirement is held on. */
export interface Stage {
  sandbox: Sandbox;
  platform: Platform;
  connection: Connection;
  /** The core over `fetch`, before the same service. */
  core: Connection;
  /** One more connection to the same service, of somebody else; it ends with the stage. */
  another(zone?: string): Promise<Connection>;
  /** Who listens to an event for as long as the stage stands, and the secret: to start costs some of a limit of ten in a minute. */
  listener(row: EventRow): Promise<{ listening: Listening; secret: string }>;
  /** A connection that may start to listen at once. */
  unhurried(): Promise<Connection>;
}

/** Something that must hold on every platform. */
export interface Requirement {
  /** What it is about, when, and what has to come of it: `create:answer-lost:looked-for`. */
  id: string;
  /** What a platform needs for it. */
  needs?: readonly Ability[];
  /** What a platform has to offer for it. */
  uses?: readonly Operation[];
  /**
   * The service that it needs for itself, and a connection of its own: where the service is of another form, or where half a minute
   * is waited in real time. All that are so are held at once.
   */
  alone?: SandboxOptions;
  hold(stage: Stage): Promise<void>;
}

/** All that the core can do. */
export const offered: readonly Operation[] = [...operations, ...searches];

/** Why a requirement does not apply to a platform; nothing where it does. */
export function whyNot({ needs = [], uses = [] }: Requirement, { lacks, offers }: Platform): string | undefined {
  const missing = uses.find((operation) => !offers(operation));
  if (missing !== undefined) return `it does not offer ${nameOf(missing)}`;
  return needs.map((ability) => lacks[ability]).find((reason) => reason !== undefined);
}

/** An operation by its place in the core: `booking.create`. */
export const nameOf = ({ resource, name }: Operation): string => `${resource}.${name}`;

/** The requests of one endpoint, such as `POST /v1/bookings/:id/cancel`, since they were last forgotten. */
export function requestsTo(sandbox: Sandbox, endpoint: string): RequestEntry[] {
  const pattern = new RegExp(`^${endpoint.replace(/:id/g, '[^/]+')}$`);
  return sandbox.requests().filter(({ method, path }) => pattern.test(`${method} ${path}`));
}

/** A page in answer to a request: a proxy's, which asks to sign in. */
export const page = {
  kind: 'status',
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html><html><body>Sign in</body></html>',
} as const;
