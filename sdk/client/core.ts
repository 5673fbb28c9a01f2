import type { Client as CoreClient } from '../../shared/client/client.ts';
import type { Client } from './api/methods.ts';
import type { Call } from './calls.ts';

const inside = Symbol('the core of a client');

type Begin = (name: string, over: AbortSignal | undefined) => Call;

/** Lets the package's other entries call the core with this client's settings. */
export const withCore = <Made extends object>(client: Made, begin: Begin): Made => Object.defineProperty(client, inside, { value: begin });

/**
 * A call of the core that a signal can cancel.
 *
 * @param name what the application called
 * @throws Error if the client was not made by `createClient`
 */
export function callOf(client: Client, name: string, over?: AbortSignal): Call {
  const begin = (client as { [inside]?: Begin })[inside];
  if (begin === undefined) throw new Error('Pass a client made by createClient.');
  return begin(name, over);
}

/** @throws Error if the client was not made by `createClient` */
export const coreOf = (client: Client, name: string): CoreClient => callOf(client, name).client;
