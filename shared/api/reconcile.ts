import { latestCommit } from '../assumptions.ts';
import type { Client, Sent } from './client.ts';
import { ServiceError } from './errors.ts';
import type { Pending, WriteKeys } from './pendingWrites.ts';
import { NotSent } from './transport.ts';

/** What one look at the service showed. */
export interface Look<Result> {
  /** The written record; absent if it was not seen. */
  found?: Result | undefined;
  /** What the write left behind was removed: nothing exists, and nothing can appear later. */
  isUndone?: boolean;
  /** Whether "not seen" means "not there": the whole list was read, and no record in it could be the one. */
  isComplete: boolean;
  /** Ids of records that might be the one: no known field rules them out, but too little is known to be sure. */
  candidates?: readonly string[];
}

/** What a look needs to know about a sent write. */
export interface Sending<Content> {
  /** What was sent. An earlier try of the same item may have sent something else than this one would. */
  content: Content;
  /** The earliest time when it was sent, by the service's clock. Milliseconds. */
  since: number;
  /**
   * Everything that was made before this time was certainly made before the write was sent. The same as `since` if the clock is certainly
   * right, otherwise a day earlier.
   */
  before: number;
}

/** Something that changes the service: how it is sent, how its effect is looked for, and what to do about a lost answer. */
export interface Write<Result, Content = unknown> {
  /** Writes with the same value are sent one after another. */
  turn: string;
  /** The names under which an open write is saved; absent if no later run can continue it. */
  keys?: WriteKeys;
  /** What is sent, so that a later try can look for it. */
  content: Content;
  /** Sending it twice has the same result as sending it once, so it may be sent again as soon as the service answers. */
  isHarmless: boolean;
  /** @param isAgain whether an earlier try may have done the same */
  send(isAgain: boolean): Promise<Sent<Result>>;
  /** @param sending call it after an answer has come, because the answer shows the service's time */
  look(sending: () => Sending<Content>): Promise<Look<Result>>;
  /** The error if it was looked for and was certainly not done. */
  notDone(reason: string): ServiceError;
  /** The error if nobody knows, with what a person should look for. */
  unknown(open: { reason: string; since: Date; candidates: readonly string[]; content: Content }): { message: string; advice: string };
}

/** How often a write that certainly had no effect is sent again. */
export const mostResent = 2;

/** Longer than one request may take: it may have been sent this much earlier than calculated. Milliseconds. */
const margin = 60_000;
/** More than the error of any clock in use. Milliseconds. */
const wrongClock = 24 * 60 * 60 * 1000;

/**
 * Does a write and finds out its result, or says that it cannot. The one place for create, cancel, subscribe and unsubscribe.
 *
 * An answer with the requested record ends it, and so does a refusal. After everything else (no answer, a server error, a web page, a
 * success without a record), the result is looked for, until after the latest moment at which it can still appear (G29). If it is seen, the
 * write is done. If it is certainly not there, the write is sent again, a few times, and then reported as not done. Otherwise it is
 * reported as unknown, and saved for the next run of the same step, which looks before it sends.
 *
 * @throws ServiceError the refusal; the error of {@link Write.notDone}; `unknownOutcome`, with `retryAfterSeconds` if the host should run
 *   the step again
 */
export function reconcile<Result, Content>(client: Client, write: Write<Result, Content>): Promise<Result> {
  return client.writes.inTurn(write.turn, client.clock, async () => {
    const earlier = await recalled(client, write);
    if (earlier === undefined) return send(client, write, { resent: 0, holds: 0 });
    return settle(client, write, earlier, { sendAgain: (resent) => send(client, write, { resent, holds: earlier.holds }) });
  });
}

/**
 * Only settles what an earlier run of the step left open: returns what it made, or nothing if it certainly made nothing. For a step that
 * cannot send anything itself.
 *
 * @throws ServiceError as {@link reconcile}
 */
export function settleEarlier<Result, Content>(client: Client, write: Write<Result, Content>): Promise<Result | undefined> {
  return client.writes.inTurn(write.turn, client.clock, async () => {
    const earlier = await recalled(client, write);
    return earlier && settle<Result | undefined, Content>(client, write, earlier, { sendAgain: () => Promise.resolve(undefined) });
  });
}

interface Open<Content> extends Pending {
  content: Content;
}

async function recalled<Content>(
  { writes, clock }: Client,
  { keys, content, isHarmless }: Write<unknown, Content>,
): Promise<Open<Content> | undefined> {
  const earlier = keys && (await writes.recall(keys, clock));
  // The saved write comes from the same operation, see below. A harmless write may simply be sent again by each run.
  return earlier && { ...earlier, content: (earlier.content ?? content) as Content, ...(isHarmless && { resent: 0 }) };
}

/** @param open an earlier try that may still take effect, so a refusal of this one does not settle it */
async function send<Result, Content>(
  client: Client,
  write: Write<Result, Content>,
  { resent, holds, open }: { resent: number; holds: number; open?: Open<Content> },
): Promise<Result> {
  const sentAt = client.clock.now();
  const sent = await announced(client, write, { resent, holds }, open !== undefined);
  switch (sent.end) {
    case 'done':
      return sent.result;
    case 'refused':
      if (open === undefined) throw sent.error;
      return settle(client, write, { ...open, resent: mostResent }, { refusal: sent.error });
    case 'unconfirmed':
      return settle(
        client,
        write,
        { reason: sent.reason, sentAt, content: write.content, waitedMs: 0, resent, holds },
        { sendAgain: (again) => send(client, write, { resent: again, holds }) },
      );
  }
}

/** Sends it. If the store wants that, saves it first and removes it when its outcome is known. */
async function announced<Result, Content>(
  { writes, clock, patience }: Client,
  write: Write<Result, Content>,
  state: { resent: number; holds: number },
  isOpen: boolean,
): Promise<Sent<Result>> {
  const { keys, content } = write;
  if (keys === undefined) return write.send(state.resent > 0);
  // One try may wait for its turn and for another one.
  await writes.announce(keys, content, state, clock, patience.totalWaitMs * 2);
  try {
    const sent = await write.send(state.resent > 0);
    if (sent.end === 'done' || (sent.end === 'refused' && !isOpen)) await writes.withdraw(keys);
    return sent;
  } catch (error) {
    if (error instanceof NotSent && !isOpen) await writes.withdraw(keys);
    throw error;
  }
}

interface Afterwards<Result> {
  /** Called if it is certainly not there. */
  sendAgain?: (resent: number) => Promise<Result>;
  /** The service's refusal of the last try. */
  refusal?: ServiceError;
}

async function settle<Result, Content>(
  client: Client,
  write: Write<Result, Content>,
  open: Open<Content>,
  { sendAgain, refusal }: Afterwards<Result>,
): Promise<Result> {
  let fate: Fate<Result>;
  try {
    fate = await lookedFor(client, write, open);
  } catch (error) {
    // The host ends the step with a signal of its own, for example to refresh the token, and may run it again. That run must look.
    const kept = await keep(client, write, open);
    throw kept.isKept || write.isHarmless ? error : unknownOutcome(write, open, kept, []);
  }
  const { found, isAbsent, isAnswered, candidates, ...seen } = fate;
  const known = { ...open, ...seen };
  if (found !== undefined || isAbsent) await forget(client, write);
  if (found !== undefined) return found;
  if (sendAgain !== undefined && open.resent < mostResent) {
    if (isAbsent) return sendAgain(open.resent + 1);
    if (write.isHarmless && isAnswered) {
      const result = await send(client, write, { resent: open.resent + 1, holds: open.holds, open: known });
      await forget(client, write);
      return result;
    }
  }
  if (isAbsent) throw refusal ?? write.notDone(open.reason);
  throw unknownOutcome(write, known, await keep(client, write, known), candidates);
}

interface Fate<Result> {
  found?: Result | undefined;
  /** It was looked for until after the latest moment at which it can appear, and it is certainly not there. */
  isAbsent: boolean;
  /** Whether the service answered the last look. */
  isAnswered: boolean;
  candidates: readonly string[];
  waitedMs: number;
  serviceSentAt?: number | undefined;
}

/**
 * Looks for the effect of a write at the times that the platform's patience allows; only once if sending it again does no harm.
 *
 * Time is counted as time slept, not by the clock. If the clock was set forward, the wait would otherwise end before the result can appear,
 * and the write would be sent twice. Time that an earlier run waited counts.
 */
async function lookedFor<Result, Content>(client: Client, write: Write<Result, Content>, open: Open<Content>): Promise<Fate<Result>> {
  const { clock, patience } = client;
  const maySendAgain = write.isHarmless && open.resent < mostResent;
  let { waitedMs, serviceSentAt } = open;
  let fate = { isAbsent: false, isAnswered: false, candidates: [] as readonly string[] };
  const moments = waitedMs === 0 ? patience.readBackMs : [waitedMs, ...patience.readBackMs.filter((at) => at > waitedMs)];
  for (const at of moments) {
    if (at - waitedMs >= (patience.leftMs?.() ?? Infinity)) break;
    await clock.sleep(at - waitedMs);
    waitedMs = at;
    try {
      const look = await write.look(() => sendingOf(client, { ...open, waitedMs, serviceSentAt }));
      serviceSentAt ??= serviceTimeOf(client, { ...open, waitedMs });
      if (look.found !== undefined) return { ...fate, found: look.found, waitedMs, serviceSentAt };
      const isUndone = look.isUndone === true;
      fate = {
        isAbsent: isUndone || (look.isComplete && waitedMs > latestCommit.seconds * 1000),
        isAnswered: true,
        candidates: look.candidates ?? [],
      };
      if (isUndone || maySendAgain) break;
    } catch (error) {
      // A failed look says nothing; the next one may succeed.
      if (!(error instanceof ServiceError)) throw error;
      fate = { isAbsent: false, isAnswered: false, candidates: [] };
    }
  }
  return { ...fate, waitedMs, serviceSentAt };
}

/** The earliest time when it was sent, by the service's clock, which the last answer showed. */
function serviceTimeOf(client: Client, { sentAt, waitedMs }: Pending): number | undefined {
  const now = client.serviceNow();
  // Our clock may have been set in between. Of the two calculations, the one that gives the earlier time is safe.
  return now === undefined ? undefined : now - Math.max(waitedMs, client.clock.now() - sentAt) - margin;
}

function sendingOf<Content>(client: Client, open: Open<Content>): Sending<Content> {
  const { content, sentAt } = open;
  const since = open.serviceSentAt ?? serviceTimeOf(client, open);
  return since === undefined ? { content, since: sentAt - margin, before: sentAt - wrongClock } : { content, since, before: since };
}

const forget = async ({ writes }: Client, { keys }: Named): Promise<void> => keys && writes.forget(keys);

async function keep<Content>({ writes, clock }: Client, { keys }: Named, open: Open<Content>): Promise<Held> {
  const { content, ...pending } = open;
  return keys === undefined ? { isKept: false } : writes.keep(keys, pending, content, clock);
}

type Named = Pick<Write<unknown>, 'keys'>;

interface Held {
  isKept: boolean;
  retryAfterSeconds?: number;
}

function unknownOutcome<Content>(
  write: Pick<Write<unknown, Content>, 'unknown'>,
  open: Open<Content>,
  { isKept, retryAfterSeconds }: Held,
  candidates: readonly string[],
): ServiceError {
  const { message, advice } = write.unknown({ reason: open.reason, since: new Date(open.sentAt), candidates, content: open.content });
  const next = isKept ? 'The next run of this step looks for it first, and sends it again only if it is not there.' : advice;
  return new ServiceError('unknownOutcome', { message, advice: next, retryAfterSeconds });
}
