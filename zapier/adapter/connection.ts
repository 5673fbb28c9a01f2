import type { ZObject } from 'zapier-platform-core';
import { brand } from '../../shared/brand.ts';
import { createClient, type Client, zapierStepPolicy, type Clock, checkBaseUrl } from '../../shared/client/index.ts';
import { limits } from '../../shared/limits.ts';
import { copied } from '../../shared/values.ts';
import { pendingWritesOf } from './store.ts';
import { stepTime, transportOf } from './transport.ts';

/**
 * Reads `CLIENT_ID`, `CLIENT_SECRET` and, for a test system, `BASE_URL`. Zapier sets them with each event, after the app was loaded, so
 * they are read when needed and never at the top of a file.
 *
 * @throws ServiceError if `BASE_URL` is not a usable address
 */
export function environment(): { clientId: string; clientSecret: string; baseUrl: string } {
  const { CLIENT_ID = '', CLIENT_SECRET = '', BASE_URL = '' } = process.env;
  return { clientId: copied(CLIENT_ID), clientSecret: copied(CLIENT_SECRET), baseUrl: checkBaseUrl(copied(BASE_URL) || brand.baseUrl) };
}

/**
 * The number of steps of a connection that Zapier starts in a minute; it queues the rest. A thousand replayed runs wait there rather than
 * within their 30 seconds. It is half of the account's limit (section 8), because a step may need a second request. All steps share it, so
 * their `scope` has no `action` and they use the same values.
 */
export const throttle = { window: 60, limit: limits.requestsPerMinute / 2, scope: ['auth' as const] };

/** The clock of every step. */
export const clock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: () => Math.random(),
};

/**
 * A client for one step of a Zap, with the step's connection and within Zapier's 30 seconds.
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
    isManaged: true,
  });
}
