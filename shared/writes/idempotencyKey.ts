import { idempotencyKey, latestCommit } from '../assumptions.ts';
import type { Call, WriteResult } from '../call.ts';
import type { IdempotencyKey } from '../client/pendingWrites.ts';
import type { Clock } from '../client/ports.ts';
import type { ErrorKind, ServiceError } from '../serviceError.ts';
import { sortedJson } from '../values.ts';

const requestOf = ({ method, path, query, body }: Call): string => sortedJson({ method, path, query, body });

/** The key for a new write: a random UUID (version 4). `undefined` if the service is not known to heed keys. */
export function newKey(call: Call, clock: Clock): IdempotencyKey | undefined {
  if (!idempotencyKey.isHeeded) return undefined;
  const digit = (from = 0, count = 16): string => (from + Math.floor(clock.random() * count)).toString(16);
  const value = 'xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx'.replace(/[xv]/g, (place) => (place === 'x' ? digit() : digit(8, 4)));
  return { value, request: requestOf(call), since: clock.now() };
}

/** Whether a call can be sent again under the key of an earlier try, so that it gets the answer of that try. */
export const isRepeatable = (key: IdempotencyKey | undefined, call: Call, clock: Clock): key is IdempotencyKey =>
  key !== undefined &&
  idempotencyKey.isHeeded &&
  key.request === requestOf(call) &&
  Math.abs(clock.now() - key.since) < idempotencyKey.keptForHours * 3_600_000;

/** What a service says if another request with the key is not finished, or was a different one. */
const keyWords = /idempoten|\b(?:in progress|outstanding|concurrent)\b|(?:still|already|currently) (?:being )?process/i;
const isAboutKey = ({ status, code, message }: ServiceError): boolean =>
  [400, 409, 422].includes(status ?? 0) && keyWords.test(`${code} ${message}`);

/** A refusal of a repeat for the sake of its key says nothing about the write: its first try may have been done, or is still on its way. */
export const readRepeat = (sent: WriteResult): WriteResult =>
  sent.state === 'rejected' && isAboutKey(sent.error) ? { state: 'unknown', error: sent.error, isServiceError: true } : sent;

/** Refusals that a service may give again for the same key, even once their reason is gone. */
const remembered: readonly ErrorKind[] = ['invalid', 'slotTaken', 'conflict', 'notFound', 'alreadyCancelled', 'subscriptionLimit'];

/** Whether a repeat under this key can bring nothing else any more. Then the next try looks for the write instead. */
export function isSpent({ since }: IdempotencyKey, sent: Exclude<WriteResult, { state: 'succeeded' }>, clock: Clock): boolean {
  if (sent.state === 'rejected') return remembered.includes(sent.error.kind);
  // What was under way a minute ago is not under way any more (G29).
  return sent.isReplay === true || (isAboutKey(sent.error) && Math.abs(clock.now() - since) > latestCommit.seconds * 1000);
}
