import { latestCommit } from '../assumptions.ts';
import type { Client, Sent } from './client.ts';
import { ServiceError } from './errors.ts';
import type { Pending, WriteKeys } from './pendingWrites.ts';
import { NotSent } from './transport.ts';

/** What one look at the service showed. */
export interface Look<Result> {
  /** What was written; absent where it was not seen. */
  found?: Result | undefined;
  /** What it left behind was taken away: nothing is there, and nothing can appear any more. */
  isUndone?: boolean;
  /** Whether not seen means not there: everything came, and nothing of it could be what was looked for. */
  isComplete: boolean;
  /** Ids of records that might be it: nothing known speaks against them, and too little for them. */
  candidates?: readonly string[];
}

/** What a look has to go by. */
export interface Sending<Content> {
  /** What was sent: by an earlier try of the same item perhaps something else than this one would. */
  content: Content;
  /** When it was sent at the earliest, by the service's clock. Milliseconds. */
  since: number;
  /** Whatever was made before this was surely made before we sent: the same by a clock that is surely right, else a day earlier. */
  before: number;
}

/** Something that changes the service: how it is sent, how its effect is looked for, and what may be done about a lost answer. */
export interface Write<Result, Content = unknown> {
  /** Writes with the same one go one after another. */
  turn: string;
  /** Under which it stays known while it is open; absent where no later run can go on with it. */
  keys?: WriteKeys;
  /** What is sent, so that a later try can look for it. */
  content: Content;
  /** Sending it twice ends as sending it once: it may be sent again as soon as the service answers. */
  isHarmless: boolean;
  /** @param isAgain whether the same may have been carried out by an earlier try */
  send(isAgain: boolean): Promise<Sent<Result>>;
  /** @param sending to be asked once an answer has come, which tells the time at the service */
  look(sending: () => Sending<Content>): Promise<Look<Result>>;
  /** It was looked for and surely was not carried out. */
  notDone(reason: string): ServiceError;
  /** Nobody knows, and what a person has to look for. */
  unknown(open: { reason: string; since: Date; candidates: readonly string[]; content: Content }): { message: string; advice: string };
}

/** How often a write whose effect is surely not there is sent again. */
export const mostResent = 2;

/** Longer than one request may take: so much earlier than reckoned it may have been sent. Milliseconds. */
const margin = 60_000;
/** More than the clock of any machine in use is wrong by. Milliseconds. */
const wrongClock = 24 * 60 * 60 * 1000;

/**
 * Carries out a write and knows what became of it, or says that it does not: the one place for create, cancel, subscribe and
 * unsubscribe.
 *
 * An answer that holds what was asked for is the end, and so is a refusal. Everything else – no answer, a fault, a page, a
 * success without a record – is looked for, patiently and past the latest moment at which it can still be carried out (G29).
 * Seen: done. Surely not there: sent again, a few times, then told as not done. Else it is told as unknown, and kept for the
 * next run of the same step, which looks before it sends.
 *
 * @throws ServiceError the refusal; what {@link Write.notDone} says; `unknownOutcome`, with `retryAfterSeconds` where the host
 * is to run the step again
 */
export function reconcile<Result, Content>(client: Client, write: Write<Result, Content>): Promise<Result> {
  return client.writes.inTurn(write.turn, client.clock, async () => {
    const earlier = await recalled(client, write);
    if (earlier === undefined) return send(client, write, { resent: 0, holds: 0 });
    return settle(client, write, earlier, { sendAgain: (resent) => send(client, write, { resent, holds: earlier.holds }) });
  });
}

/**
 * Only what an earlier run of the step left open: what it made, or nothing where it surely made nothing. For a step that cannot
 * go on to send.
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
  // What is kept was put down below, by a write of the same operation. What does no harm each run may send anew.
  return earlier && { ...earlier, content: (earlier.content ?? content) as Content, ...(isHarmless && { resent: 0 }) };
}

/** @param open an earlier try that may still be carried out, which is why a refusal of this one does not settle it */
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

/** Sends it, put down before where the store wants that, and taken back once its end is known. */
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
  /** What is done when it surely is not there. */
  sendAgain?: (resent: number) => Promise<Result>;
  /** What the service said to the last try. */
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
    // The host ends the step by a signal of its own, such as to renew the token, and may run it again: that run has to look.
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
  /** It was looked for past the latest moment at which it can still appear, and surely is not there. */
  isAbsent: boolean;
  /** Whether the service answered the last look. */
  isAnswered: boolean;
  candidates: readonly string[];
  waitedMs: number;
  serviceSentAt?: number | undefined;
}

/**
 * Looks for the effect of a write at the moments that the platform's patience gives; once, where sending it again does no harm.
 *
 * Time is counted by what was slept, never by the clock: a clock that is set forward in between would end the wait before
 * what was asked for can appear, and it would then be asked for twice. What was waited by an earlier run counts.
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
      // A look that did not work tells nothing; the next one may.
      if (!(error instanceof ServiceError)) throw error;
      fate = { isAbsent: false, isAnswered: false, candidates: [] };
    }
  }
  return { ...fate, waitedMs, serviceSentAt };
}

/** When it was sent at the earliest, by the service's clock, which the last answer told. */
function serviceTimeOf(client: Client, { sentAt, waitedMs }: Pending): number | undefined {
  const now = client.serviceNow();
  // Our clock may have been set in between: of the two ways to reckon, the one that goes further back is right.
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
