import { checkBaseUrl } from '../../shared/client/baseUrl.ts';
import type { Tokens } from '../../shared/oauth/oauth.ts';
import { hasStatus, recordIn } from '../../shared/reading/index.ts';
import { hasValue } from '../../shared/values.ts';
import { sentenceOf } from '../process/sentence.cjs';
import { held } from './answers.ts';
import { answerTo, isSuccess, type Ask, type ProbePorts, type Question, type Reply, type Seen } from './asking.ts';
import { consented } from './connect.ts';
import { reading } from './readingQuestions.ts';
import type { ProbeReceiver } from './receiver.ts';
import { Findings, type Report } from './report.ts';
import { tokens } from './tokenQuestions.ts';
import { pacing, subscription } from './hookQuestions.ts';
import { madeIds, writing } from './bookingQuestions.ts';

export interface Choices {
  /** Whether to book, cancel, subscribe and unsubscribe as well, and clean up afterwards. */
  write: boolean;
  /** Where the service can reach `receiver`. Deliveries are only checked if both are given. */
  deliverTo?: string | undefined;
  receiver?: ProbeReceiver | undefined;
  /** Whether to use up the subscription requests of one minute as well. */
  limits: boolean;
  /** A connection whose tokens to use up as well. */
  connection?: Seen['connection'];
  /** The tokens of the probe's own connection, if it made one. */
  tokens?: Tokens | undefined;
}

/** An address that the service accepts but that leads nowhere. */
const nowhere = 'https://probe.example.invalid/hooks';

/** Checks a real service against every assumption. It only reads, unless more is chosen. */
export async function probe(given: ProbePorts, choices: Choices): Promise<Report> {
  const findings = new Findings();
  const { deliverTo: url = nowhere, connection } = choices;
  const receiver = url === nowhere ? undefined : choices.receiver;
  const seen: Seen = { ...given, baseUrl: checkBaseUrl(given.baseUrl), replies: [], url, receiver, connection };
  const asked = async (said: string, questions: readonly Question[]): Promise<void> => {
    seen.say(said);
    for (const question of questions) await ask(question, seen, findings);
  };
  await asked('reading', reading);
  let left: string[] = [];
  if (choices.write)
    try {
      await asked('booking, cancelling, subscribing. The bookings stay as cancelled ones; everything else is removed at the end', writing);
    } finally {
      left = await cleanUp(seen);
    }
  if (choices.limits) await asked('using up the subscription requests of this minute', [pacing]);
  if (choices.tokens !== undefined) consented(choices.tokens).forEach((each) => findings.say(each));
  if (connection !== undefined) await asked("using up the connection's tokens", tokens);
  return { findings: findings.all(), left, came: findings.came };
}

/** Asks one question, and notes what the replies show. */
async function ask(question: Question, seen: Seen, findings: Findings): Promise<void> {
  const asked = question.ask(seen);
  const asking = asked !== undefined && 'next' in asked ? asked : [asked].filter((each) => each !== undefined).values();
  let last: Reply | undefined;
  let waited = 0;
  for (let next = asking.next(last as Reply); next.done !== true; next = asking.next(last)) {
    const { after = 0 } = next.value;
    await seen.sleep((after - waited) * 1000);
    waited = after;
    last = held(findings, await answerTo(next.value, seen));
    seen.replies.push(last);
  }
  if (last !== undefined) for (const each of question.says?.(last, seen) ?? []) if (each !== false) findings.say(each, last);
}

const isGone = (reply: Reply): boolean => isSuccess(reply) || reply.status === 404 || reply.status === 410;

/**
 * Removes everything that the probe made. Some of it may be gone already: removing it again does no harm. If cancelling is refused, the
 * booking itself shows whether it is cancelled.
 *
 * @returns descriptions of what could not be removed
 */
async function cleanUp(seen: Seen): Promise<string[]> {
  const cancelled = async (id: string): Promise<boolean> => {
    const shown = recordIn('booking', (await answerTo({ what: 'GET /bookings/:id', id }, seen)).body);
    return shown !== undefined && (!hasValue(shown.status) || hasStatus(shown, 'cancelled'));
  };
  const removals: [what: string, ask: Ask, isDone?: () => Promise<boolean>][] = madeIds(seen).map((id) => [
    `the booking ${id}`,
    { what: 'POST /bookings/:id/cancel', id, body: {} },
    () => cancelled(id),
  ]);
  const { id } = subscription(seen) ?? {};
  if (id !== undefined) removals.push([`the webhook subscription ${id}`, { what: 'DELETE /hooks/:id', id }]);
  const left: string[] = [];
  for (const [what, ask, isDone] of removals) {
    const problem = await answerTo(ask, seen).then(
      async (reply) => !isGone(reply) && (await isDone?.()) !== true && reply.status,
      sentenceOf,
    );
    if (problem !== false) left.push(`${what} (${problem})`);
  }
  return left;
}
