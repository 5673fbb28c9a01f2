import { idempotencyKey, latestCommit } from '../assumptions.ts';
import type { Call, WriteResult } from '../call.ts';
import type { IdempotencyKey } from '../client/pendingWrites.ts';
import type { Clock } from '../client/ports.ts';
import type { ErrorKind, ServiceError } from '../serviceError.ts';
import { sortedJson } from '../values.ts';

const requestOf = ({ method, path, query, body }: Call): string => sortedJson({ method, path, query, body });

/** The key for a new write: a random UUID (version 4). `undefined` if the service is not known to support keys. */
export function newKey(call: Call, clock: Clock): IdempotencyKey | undefined {
  if (!idempotencyKey.isHeeded) return undefined;
  const digit = (from = 0, count = 16): string => (from + Math.floor(clock.random() * count)).toString(16);
  const value = 'xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx'.replace(/[xv]/g, (place) => (place === 'x' ? digit() : digit(8, 4)));
  return { value, request: requestOf(call), since: clock.now() };
}

/** Whether a call can be sent again with the key of an earlier attempt, so that it gets that attempt's response. */
export const isRepeatable = (key: IdempotencyKey | undefined, call: Call, clock: Clock): key is IdempotencyKey =>
  key !== undefined &&
  idempotencyKey.isHeeded &&
  key.request === requestOf(call) &&
  Math.abs(clock.now() - key.since) < idempotencyKey.keptForHours * 3_600_000;

/** The words with which a service says that another request with the key is unfinished, or was different. */
const keyWords = /idempoten|\b(?:in progress|outstanding|concurrent)\b|(?:still|already|currently) (?:being )?process/i;
const isAboutKey = ({ status, code, message }: ServiceError): boolean =>
  [400, 409, 422].includes(status ?? 0) && keyWords.test(`${code} ${message}`);

/**
 * A repeat that was refused because of its key says nothing about the write: the first attempt may have been done, or may still be in
 * progress.
 */
export const readRepeat = (sent: WriteResult): WriteResult =>
  sent.state === 'rejected' && isAboutKey(sent.error) ? { state: 'unknown', error: sent.error, isServiceError: true } : sent;

/** Refusals that a service may repeat for the same key, even once their reason no longer applies. */
const remembered: readonly ErrorKind[] = ['invalid', 'slotTaken', 'conflict', 'notFound', 'alreadyCancelled', 'subscriptionLimit'];

/** Whether repeating with this key can no longer bring a new result. The next attempt then looks for the write instead. */
export function isSpent({ since }: IdempotencyKey, sent: Exclude<WriteResult, { state: 'succeeded' }>, clock: Clock): boolean {
  if (sent.state === 'rejected') return remembered.includes(sent.error.kind);
  // A request that was in progress a minute ago has ended by now (G29).
  return sent.isReplay === true || (isAboutKey(sent.error) && Math.abs(clock.now() - since) > latestCommit.seconds * 1000);
}
