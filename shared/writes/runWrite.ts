import { ServiceError } from '../serviceError.ts';
import type { Client } from '../client/client.ts';
import { NotSent } from '../client/ports.ts';
import { isSpent, readRepeat } from './idempotencyKey.ts';
import { journalOf } from './journal.ts';
import { judgeWrite } from './judge.ts';
import type { PendingWrite, StoredWrite } from '../client/pendingWrites.ts';
import { isFinal, look, lookFor, nothingRead, settledAfterMs, sinceSent } from './lookFor.ts';
import { refusedAfter, uncertain } from './uncertain.ts';
import type { Sent, Write } from './write.ts';

/** How often an idempotent write is sent again, and after how long. Milliseconds. */
const repeats = { max: 2, afterMs: 1_000 };

/** How long after the recorded time a write may still be sent: well before anyone else sends it instead. Milliseconds. */
const graceMs = settledAfterMs / 2;

/**
 * Does a write and returns its result. The one place for create, cancel, subscribe and unsubscribe.
 *
 * - A 2xx response of the API is trusted: where its record differs from what was sent, that is how the service changed it. If it shows no
 *   record, the record is looked for at once, once.
 * - A write is sent once per run. After a response that may hide an effect (none, a web page, a redirect, a server error), the effect is
 *   looked for: at once, and then for as long as the platform can wait, but only briefly if the service itself responded with an error. An
 *   idempotent write is repeated instead.
 * - A write that remains uncertain is recorded. The next attempt looks for it until a minute has passed since it was sent (G29), and then
 *   sends it. Only if an existing record may be it, the person is told which one, with the service's words.
 * - With an idempotency key (G48), a lost write is instead sent again with the same key: once per run, and first by the next attempt.
 *   Nothing is looked for, unless the next attempt wants something different or the key is no longer useful.
 * - A completed write stays recorded until its result has been reported, if the platform can tell (`ClientPorts.onDone`).
 * - A write in progress is not lost: a different one that comes in the meantime waits its turn and is then sent.
 *
 * @throws ServiceError the service's refusal; or `unknownOutcome`, with `retryAfterSeconds` if the platform should hold the step and run it
 * again
 */
export async function runWrite<Result, Content>(client: Client, given: Write<Result, Content>): Promise<Result> {
  const { lockKey, keys } = given;
  const { writes, clock } = client;
  const cameAt = clock.now();
  // Another process may be doing the same write. This call then gets its result, even if no write is open any more when its turn comes.
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
      // What an earlier attempt left is cleaned up first, as between two requests of one attempt.
      if (write.repeatsOnlyAfterSearch === true && !journal.isRepeat) await look(client, sought, earlier.pending);
      return await send(client, write, journal);
    } catch (error) {
      if (!(error instanceof NotSent)) throw error;
      // This attempt changed nothing, so the outcome of the earlier one is as uncertain as before.
      throw await uncertain(client, sought, earlier.pending, { seen: nothingRead, isHeld: false });
    }
  });
}

/** The open write of an earlier attempt. A different write that was in progress when this call came is not an earlier attempt. */
async function leftOpen({ writes, clock }: Client, { keys }: Write<unknown>, cameAt: number): Promise<StoredWrite | undefined> {
  const earlier = await writes.recall(keys, clock);
  const isIdentical = earlier?.request === undefined || earlier.request === keys?.identical;
  return isIdentical || cameAt >= (earlier.pending.endedAt ?? earlier.pending.sentBefore) ? earlier : undefined;
}

/** The record of a write that another process has just finished. */
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
      // The platform's own error, such as its signal to refresh the token, may have come before or after the request was sent.
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
      // With a key, nobody has searched. And a service may refuse before it looks at the key: because of the rate limit, a token, or a time
      // that has since passed.
      throw refusedAfter(write, lost, refusal, key === undefined || sent.isReplay === true);
    }
    if (sent.state === 'succeeded') {
      const answer = await journal.done(sent.answer);
      const shown = await write.read(answer, write.by);
      if (shown !== undefined) return shown;
      const seen = await look(client, write, begun);
      const pending = { ...begun, reason: 'The response did not contain the record.', sentBefore: client.clock.now() };
      // Something else responds instead of the service, so it may also have sent the earlier response.
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

/**
 * Looks for what an earlier attempt sent, until a minute has passed since then.
 *
 * @returns what it created; `undefined` if no existing record can be it, so that the write is sent
 * @throws ServiceError `unknownOutcome` if an existing record may be it, or if the search fails
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
