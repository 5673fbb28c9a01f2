import { ServiceError } from '../serviceError.ts';
import { latestCommit } from '../assumptions.ts';
import { brand } from '../brand.ts';
import type { Client } from '../client/client.ts';
import { NotSent } from '../client/ports.ts';
import { isSpent, readRepeat } from './idempotencyKey.ts';
import { journalOf } from './journal.ts';
import { judgeWrite } from './judge.ts';
import type { PendingWrite, StoredWrite } from '../client/pendingWrites.ts';
import type { EffectLookup, Sent, Write } from './write.ts';

/** How often an idempotent write is sent again, and after how long. */
const repeats = { max: 2, afterMs: 1_000 };

/** How long the effect is looked for if the service itself answered with an error. */
const shortlyMs = 1_000;

/** A creation time may be this much too early, judged by the service's clock or, if that is not known, by ours. */
const clockMarginMs = { service: 5 * 60_000, ours: 15 * 60_000 };

/** The latest moment at which the effect of a write can appear, counted from its sending (G29). */
const settledAfterMs = latestCommit.seconds * 1000;

/** How long after the time that is on record a write may still be sent: well before anybody else sends it in its place. Milliseconds. */
const graceMs = settledAfterMs / 2;

/** What to do after an uncertain idempotent write. */
const tryAgain = 'Try again: if it has been done, nothing more happens.';

/** What to do if something is there that may be what was sent, or if there is too much to say whether it is there. */
const lookAtIt = `Look at it in ${brand.name}. If it is what you wanted, you are done. If it is something else, enter yours there by hand.`;
const lookForIt = `Look for it in ${brand.name}. If it is not there, enter it there by hand: there are too many records to look through all of them.`;

/**
 * Does a write and returns what it made. The one place for create, cancel, subscribe and unsubscribe.
 *
 * - A 2xx of the API is believed: what its record says differently from what was sent is what the service made of it. If it shows no
 *   record, the record is looked for at once, once.
 * - A write is sent once in a run. After an answer that may hide an effect (none, a web page, a redirect, a server error), the effect is
 *   looked for: at once, and then for as long as the platform can wait; only shortly if the service itself answered with an error. An
 *   idempotent write is repeated instead.
 * - A write that remains uncertain is kept. The next try looks for it until a minute has passed since it was sent (G29), and then sends it.
 *   Only if something there may be it, the person is told which, with the service's words.
 * - With an idempotency key (G48), what was lost is sent again under the same key instead: once in a run, and first of all by the next try.
 *   Nothing is looked for, unless the next try wants something else or the key is of no more use.
 * - What was done is kept until its result was told, where the platform can say so (`ClientPorts.onDone`).
 * - A write that is under way is not a lost one: one that comes meanwhile, and differs, waits its turn and is sent.
 *
 * @throws ServiceError the service's refusal; or `unknownOutcome`, with `retryAfterSeconds` if the platform should hold the step and run it
 *   again
 */
export async function runWrite<Result, Content>(client: Client, given: Write<Result, Content>): Promise<Result> {
  const { lockKey, keys } = given;
  const { writes, clock } = client;
  const cameAt = clock.now();
  // Another process may be doing the same: this one gets its result, although nothing is left open when its turn comes.
  const shared = writes.store.coordination === undefined ? undefined : await writes.recall(writes.certain(keys), clock);
  return writes.coordination.run(lockKey, clock, async () => {
    const by = [lockKey, keys?.item ?? keys?.identical ?? keys?.content, clock.now()].join(' ');
    const write = { ...given, by };
    const earlier = (await leftOpen(client, write, cameAt)) ?? (shared && endedBy(shared, clock.now()));
    const journal = journalOf(client, write, earlier);
    if (earlier === undefined) return send(client, write, journal);
    const sought = { ...write, content: earlier.content as Content, by: earlier.by ?? '' };
    try {
      if (!write.isIdempotent && !journal.isRepeat) {
        const made = await findEarlier(client, sought, earlier.pending);
        if (made !== undefined) return await journal.done(made);
      }
      // What an earlier try left is cleaned up, as between two requests of one try.
      if (write.repeatsOnlyAfterSearch === true && !journal.isRepeat) await look(client, sought, earlier.pending);
      return await send(client, write, journal);
    } catch (error) {
      if (!(error instanceof NotSent)) throw error;
      // This try changed nothing, so what the earlier one did is as uncertain as before.
      throw await uncertain(client, sought, earlier.pending, { seen: nothingRead, isHeld: false });
    }
  });
}

/** What an earlier try of the same write left open. What differs, and was under way when this one came, is another write. */
async function leftOpen({ writes, clock }: Client, { keys }: Write<unknown>, cameAt: number): Promise<StoredWrite | undefined> {
  const earlier = await writes.recall(keys, clock);
  const isIdentical = earlier?.request === undefined || earlier.request === keys?.identical;
  return isIdentical || cameAt >= (earlier.pending.endedAt ?? earlier.pending.sentBefore) ? earlier : undefined;
}

/** What another process has just ended. */
const endedBy = ({ pending, ...write }: StoredWrite, now: number): StoredWrite => ({
  ...write,
  pending: { ...pending, sentBefore: Math.min(pending.sentBefore, now) },
});

async function send<Result, Content>(client: Client, write: Sent<Result, Content>, journal: ReturnType<typeof journalOf>): Promise<Result> {
  const begun = await journal.begin();
  const isAhead = client.writes.store.writesAhead === true && !write.isIdempotent;
  const { key } = begun;
  const call = { ...write.call, ...(isAhead && { notAfter: begun.sentBefore + graceMs }), ...(key && { idempotencyKey: key.value }) };
  for (let repeated = 0; ; repeated += 1) {
    const came = await client.write(call, judgeWrite).catch(async (error: unknown) => {
      // It is not known whether the platform's own error, such as its signal to refresh the token, came before or after sending.
      if (error instanceof NotSent || journal.lost() !== undefined) await journal.restore();
      throw error;
    });
    const lost = journal.lost();
    const sent = key !== undefined && lost !== undefined ? readRepeat(came) : came;
    if (sent.state === 'rejected') {
      let refusal: unknown = sent.error;
      const result = await write.rejected?.(sent.error, lost !== undefined).catch((error: unknown) => void (refusal = error));
      if (result !== undefined) return journal.done(result);
      await journal.restore(key !== undefined && isSpent(key, sent, client.clock));
      if (lost === undefined || !(refusal instanceof ServiceError)) throw refusal;
      // With a key, nobody has looked, and a service may refuse before it looks at the key: for its pace, a token, a time that is past by now.
      throw refusedAfter(write, lost, refusal, key === undefined || sent.isReplay === true);
    }
    if (sent.state === 'succeeded') {
      const answer = await journal.done(sent.answer);
      const shown = await write.read(answer, write.by);
      if (shown !== undefined) return shown;
      const seen = await look(client, write, begun);
      const pending = { ...begun, reason: 'The answer did not show the record.', sentBefore: client.clock.now() };
      // Something else answers in place of the service, and so perhaps it did before.
      if (seen.failure?.kind === 'unreadable') throw await uncertain(client, write, pending, { seen, isHeld: false });
      return seen.found ?? write.unseen();
    }
    const { error, isServiceError } = sent;
    const pending = await journal.lose(begun, error);
    if (key !== undefined) {
      if (repeated === 0 && repeats.afterMs < (client.retryPolicy.leftMs?.() ?? Infinity)) {
        await client.clock.sleep(repeats.afterMs);
        continue;
      }
      const left = isSpent(key, sent, client.clock) ? { ...pending, key: undefined } : pending;
      throw await uncertain(client, write, left, { seen: nothingRead, status: error.status, isHeld: false });
    }
    const seen = await lookFor(client, write, pending, isServiceError);
    if (seen.found !== undefined) return journal.done(seen.found);
    const isReady = write.repeatsOnlyAfterSearch !== true || seen.failure === undefined;
    const mayRepeat = write.isIdempotent && isReady && !isFinal(seen.failure) && repeated < (isServiceError ? 1 : repeats.max);
    if (!mayRepeat || repeats.afterMs >= (client.retryPolicy.leftMs?.() ?? Infinity))
      throw await uncertain(client, write, pending, { seen, status: error.status, isHeld: !isServiceError });
    await client.clock.sleep(repeats.afterMs);
  }
}

/** What a search showed, or why nobody could look. */
interface Seen<Result> extends EffectLookup<Result> {
  failure?: ServiceError;
}

const nothingRead: Seen<never> = { isComplete: false, candidates: [] };

/** One search. It also shows the service's clock. */
async function look<Result, Content>(client: Client, write: Sent<Result, Content>, pending: PendingWrite): Promise<Seen<Result>> {
  try {
    return await write.find({ content: write.content, sentAfter: earliest(client, pending), by: write.by });
  } catch (error) {
    if (error instanceof ServiceError) return { ...nothingRead, failure: error };
    // Every other error is the platform's own, such as its signal to refresh the token and run the step again: then it must find the write.
    const isKept = await client.writes.keep(write.keys, pending, write.content, write.by);
    if (isKept || write.isIdempotent) throw error;
    return nothingRead;
  }
}

/** Looks for what was just sent: at once, and then at the times that the platform's patience allows. */
async function lookFor<Result, Content>(
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
    // Any answer shows the service's clock.
    if (now !== undefined) pending.serviceSentBefore ??= now - (clock.now() - pending.sentBefore);
    if (seen.found !== undefined || isFinal(seen.failure)) break;
  }
  return seen;
}

/**
 * Looks for what an earlier try sent, until a minute has passed since then.
 *
 * @returns what it made; `undefined` if nothing there can be it, so that the write is sent
 * @throws ServiceError `unknownOutcome` if something may be it, or if nobody can look
 */
async function findEarlier<Result, Content>(
  client: Client,
  write: Sent<Result, Content>,
  pending: PendingWrite,
): Promise<Result | undefined> {
  const { clock, retryPolicy } = client;
  let waitedMs = 0;
  for (let pauseMs = 1_000; ; pauseMs *= 2) {
    const startedAt = clock.now();
    const seen = await look(client, write, pending);
    if (seen.found !== undefined) return seen.found;
    const tookMs = clock.now() - startedAt;
    const leftMs = settledAfterMs - Math.max(waitedMs, sinceSent(client, pending) - tookMs);
    if (leftMs <= 0 && seen.isComplete && seen.candidates.length === 0) return undefined;
    const pause = Math.min(pauseMs, leftMs);
    if (leftMs <= 0 || isFinal(seen.failure) || pause >= (retryPolicy.leftMs?.() ?? Infinity))
      throw await uncertain(client, write, pending, { seen, isHeld: leftMs > 0 });
    await clock.sleep(pause);
    waitedMs += pause;
  }
}

const passing: readonly ServiceError['kind'][] = ['server', 'unreachable', 'rateLimited'];

/** Whether looking again cannot help, because a permission is missing or the address is wrong. */
const isFinal = (failure: ServiceError | undefined): boolean => failure !== undefined && !passing.includes(failure.kind);

/** How long ago a write was sent, at least, in milliseconds. If either clock was set forward since, the other one still shows it. */
function sinceSent(client: Client, { sentBefore, serviceSentBefore }: PendingWrite): number {
  const now = client.serviceNow();
  // A clock that was set back must not hold a step for longer.
  const ours = Math.max(0, client.clock.now() - sentBefore);
  return now === undefined || serviceSentBefore === undefined ? ours : Math.min(ours, Math.max(0, now - serviceSentBefore));
}

/** Whatever was made before this time was certainly made before the write was sent. Milliseconds since the epoch, by the service's clock. */
const earliest = (client: Client, { sentAfter, sentBefore, serviceSentBefore }: PendingWrite): number =>
  serviceSentBefore === undefined
    ? Math.min(sentAfter, (client.serviceNow() ?? Infinity) - (client.clock.now() - sentAfter)) - clockMarginMs.ours
    : serviceSentBefore - Math.max(0, sentBefore - sentAfter) - clockMarginMs.service;

/** Keeps the write for the next try. @returns the error that says so */
async function uncertain<Result, Content>(
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

const noAnswer = 'The program ended before an answer came.';

/** The refusal of a write that was sent again after its result was unknown. The first try may be the reason. */
function refusedAfter<Content>(
  write: Write<unknown, Content>,
  { reason, sentBefore }: PendingWrite,
  refusal: ServiceError,
  isSettled: boolean,
): ServiceError {
  // A new record is only made if nothing was there. If it was refused for another reason, the first try was as well.
  const mayBeDone = !isSettled || write.isIdempotent || refusal.kind === 'slotTaken' || refusal.kind === 'conflict';
  if (!mayBeDone) return refusal.adding(`An earlier request for it had failed: ${reason || noAnswer}`);
  return refusal.adding(`${write.uncertain(write.content, new Date(sentBefore))} What came of that request: ${reason || noAnswer}`);
}
