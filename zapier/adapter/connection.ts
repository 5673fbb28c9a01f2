import type { ZObject } from 'zapier-platform-core';
import { createClient, type Client, zapierStepPolicy, type Clock } from '../../shared/client/index.ts';
import { environment } from './environment.ts';
import { stepTime, transportOf } from './transport.ts';
import { pendingWritesOf } from './pendingWrites.ts';

/** The time of every step. */
export const clock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: () => Math.random(),
};

/**
 * A client for one step of a Zap: with the step's connection, and within Zapier's 30 seconds.
 *
 * @param canHold see {@link pendingWritesOf}
 */
export function clientFor(z: ZObject, canHold = true): Client {
  const leftMs = stepTime();
  return createClient({
    baseUrl: environment().baseUrl,
    transport: transportOf(z, leftMs),
    clock,
    retryPolicy: { ...zapierStepPolicy, leftMs },
    writes: pendingWritesOf(z, canHold),
  });
}
