import type { Client as CoreClient } from '../../shared/api/client.ts';
import type { Client } from './api/methods.ts';
import type { Call } from './calls.ts';

const inside = Symbol('the core of a client');

type Begin = (over: AbortSignal | undefined) => Call;

/** Lets the other entries of the package call the core with what this client was made with. */
export const withCore = <Made extends object>(client: Made, begin: Begin): Made => Object.defineProperty(client, inside, { value: begin });

/**
 * A call of the core that a signal gives up.
 *
 * @throws Error where the client is none of `createClient`
 */
export function callOf(client: Client, over?: AbortSignal): Call {
  const begin = (client as { [inside]?: Begin })[inside];
  if (begin === undefined) throw new Error('Pass a client made by createClient.');
  return begin(over);
}

/** @throws Error where the client is none of `createClient` */
export const coreOf = (client: Client): CoreClient => callOf(client).client;
