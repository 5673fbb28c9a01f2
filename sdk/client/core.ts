import type { Client as CoreClient } from '../../shared/api/client.ts';
import type { Client } from './api/methods.ts';

const inside = Symbol('the core of a client');

/** Lets the other entries of the package call the core with what this client was made with. */
export const withCore = <Made extends object>(client: Made, core: () => CoreClient): Made =>
  Object.defineProperty(client, inside, { value: core });

/** @throws Error where the client is none of `createClient` */
export function coreOf(client: Client): CoreClient {
  const core = (client as { [inside]?: () => CoreClient })[inside];
  if (core === undefined) throw new Error('Hand over a client as createClient gives it.');
  return core();
}
