import { ServiceError } from '../serviceError.ts';
import { latestCommit } from '../assumptions.ts';
import type { Client } from '../client/client.ts';
import type { PendingWrite } from '../client/pendingWrites.ts';
import type { EffectLookup, Sent } from './write.ts';

/** How long to look for the effect if the service itself responded with an error. Milliseconds. */
const shortlyMs = 1_000;

/** How much too early a creation time may be, by the service's clock or, if that is unknown, by ours. Milliseconds. */
const clockMarginMs = { service: 5 * 60_000, ours: 15 * 60_000 };

/** The latest time at which the effect of a write can appear, counted from its sending (G29). Milliseconds. */
export const settledAfterMs = latestCommit.seconds * 1000;

/** The result of a search, or why it failed. */
export interface Seen<Result> extends EffectLookup<Result> {
  failure?: ServiceError;
}

export const nothingRead: Seen<never> = { isComplete: false, candidates: [] };

/** Searches once. This also shows the service's clock. */
export async function look<Result, Content>(client: Client, write: Sent<Result, Content>, pending: PendingWrite): Promise<Seen<Result>> {
  try {
    return await write.find({ content: write.content, sentAfter: earliest(client, pending), by: write.by });
  } catch (error) {
    if (error instanceof ServiceError) return { ...nothingRead, failure: error };
    // Every other error belongs to the platform, such as its signal to refresh the token and run the step again. The next run must then
    // find the write.
    const isKept = await client.writes.keep(write.keys, pending, write.content, write.by);
    if (isKept || write.isIdempotent) throw error;
    return nothingRead;
  }
}

/** Looks for what was just sent: at once, and then at the times that the platform allows. */
export async function lookFor<Result, Content>(
  client: Client,
  write: Sent<Result, Content>,
  pending: PendingWrite,
  isServiceError: boolean,
): Promise<Seen<Result>> {
  const { clock, retryPolicy } = client;
  const moments = write.isIdempotent ? [0] : isServiceError ? [0, shortlyMs] : retryPolicy.readBackMs;
  let seen: Seen<Result> = nothingRead;
  let waitedMs = 0;
  for (const at of moments) {
    if (at - waitedMs >= (retryPolicy.leftMs?.() ?? Infinity)) break;
    if (at > waitedMs) await clock.sleep(at - waitedMs);
    waitedMs = at;
    seen = await look(client, write, pending);
    const now = client.serviceNow();
    // Every response shows the service's clock.
    if (now !== undefined) pending.serviceSentBefore ??= now - (clock.now() - pending.sentBefore);
    if (seen.found !== undefined || isFinal(seen.failure)) break;
  }
  return seen;
}

const passing: readonly ServiceError['kind'][] = ['server', 'unreachable', 'rateLimited'];

/** Whether looking again is pointless, because a permission is missing or the address is wrong. */
export const isFinal = (failure: ServiceError | undefined): boolean => failure !== undefined && !passing.includes(failure.kind);

/**
 * How long ago a write was sent, at least, in milliseconds. If one clock has been set forward since, the other still shows the right time.
 */
export function sinceSent(client: Client, { sentBefore, serviceSentBefore }: PendingWrite): number {
  const now = client.serviceNow();
  // If the clock was set back, the step must not be held for longer.
  const ours = Math.max(0, client.clock.now() - sentBefore);
  return now === undefined || serviceSentBefore === undefined ? ours : Math.min(ours, Math.max(0, now - serviceSentBefore));
}

/**
 * Anything created before this time was certainly created before the write was sent. Milliseconds since the epoch, by the service's clock.
 */
const earliest = (client: Client, { sentAfter, sentBefore, serviceSentBefore }: PendingWrite): number =>
  serviceSentBefore === undefined
    ? Math.min(sentAfter, (client.serviceNow() ?? Infinity) - (client.clock.now() - sentAfter)) - clockMarginMs.ours
    : serviceSentBefore - Math.max(0, sentBefore - sentAfter) - clockMarginMs.service;
