import { ServiceError } from '../serviceError.ts';
import { brand } from '../brand.ts';
import type { Client } from '../client/client.ts';
import type { PendingWrite } from '../client/pendingWrites.ts';
import { isFinal, nothingRead, settledAfterMs, sinceSent, type Seen } from './lookFor.ts';
import type { Sent, Write } from './write.ts';

/** What to do after an uncertain idempotent write. */
const tryAgain = 'Try again: if it has been done, nothing more happens.';

/** What to do if an existing record may be the one that was sent, or if there are too many records to search. */
const lookAtIt = `Look at it in ${brand.name}. If it is what you wanted, you are done. If it is something else, enter yours there by hand.`;
const lookForIt = `Look for it in ${brand.name}. If it is not there, enter it there by hand: there are too many records to look through all of them.`;

/** Records the write for the next attempt. @returns the error that reports it as uncertain */
export async function uncertain<Result, Content>(
  client: Client,
  write: Sent<Result, Content>,
  pending: PendingWrite,
  { seen, status, isHeld }: { seen: Seen<Result>; status?: number | undefined; isHeld: boolean },
): Promise<ServiceError> {
  const { writes } = client;
  const { failure, candidates } = seen;
  const mayHold = isHeld && writes.store.canHold === true && pending.holds === 0 && !isFinal(failure);
  const ended = { ...pending, holds: pending.holds + (mayHold ? 1 : 0), endedAt: client.clock.now() };
  const isKept = await writes.keep(write.keys, ended, write.content, write.by);
  const parts = [pending.reason || noAnswer, write.uncertain(write.content, new Date(pending.sentBefore))];
  if (candidates.length > 0) parts.push(`It may be ${candidates.slice(0, 5).join(' or ')}.`);
  if (isFinal(failure)) parts.push(`The search for it failed: ${failure?.message}`);
  const isCut = !seen.isComplete && failure === undefined && seen !== nothingRead;
  const advice = candidates.length > 0 ? (write.ifThere ?? lookAtIt) : isCut ? lookForIt : isKept ? writes.store.advice : undefined;
  return new ServiceError('unknownOutcome', {
    message: parts.join(' '),
    advice:
      (isFinal(failure) ? failure?.advice : write.isIdempotent ? tryAgain : advice) ?? 'Look for it in the service before you try again.',
    status,
    ...(mayHold && isKept && { retryAfterSeconds: Math.max(1, Math.ceil((settledAfterMs - sinceSent(client, pending)) / 1000) + 1) }),
  });
}

const noAnswer = 'The program ended before a response came.';

/** The refusal of a write that was sent again because its outcome was unknown. The first attempt may be the reason. */
export function refusedAfter<Content>(
  write: Write<unknown, Content>,
  { reason, sentBefore }: PendingWrite,
  refusal: ServiceError,
  isSettled: boolean,
): ServiceError {
  // A new record is sent again only if none was found. If that is refused for another reason, the first attempt was refused too.
  const mayBeDone = !isSettled || write.isIdempotent || refusal.kind === 'slotTaken' || refusal.kind === 'conflict';
  if (!mayBeDone) return refusal.adding(`An earlier request for it had failed: ${reason || noAnswer}`);
  return refusal.adding(`${write.uncertain(write.content, new Date(sentBefore))} The result of that request: ${reason || noAnswer}`);
}
