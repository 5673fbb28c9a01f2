import type { Client as CoreClient } from '../../shared/client/client.ts';
import type { Client } from './api/methods.ts';
import type { Call } from './calls.ts';

const inside = Symbol('the core of a client');

type Begin = (over: AbortSignal | undefined) => Call;

/** Lets the package's other entries call the core with this client's settings. */
export const withCore = <Made extends object>(client: Made, begin: Begin): Made => Object.defineProperty(client, inside, { value: begin });

/**
 * A call of the core that a signal can cancel.
 *
 * @throws Error if the client was not made by `createClient`
 */
export function callOf(client: Client, over?: AbortSignal): Call {
  const begin = (client as { [inside]?: Begin })[inside];
  if (begin === undefined) throw new Error('Pass a client made by createClient.');
  return begin(over);
}

/** @throws Error if the client was not made by `createClient` */
export const coreOf = (client: Client): CoreClient => callOf(client).client;
