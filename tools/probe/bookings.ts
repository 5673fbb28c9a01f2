import { randomUUID } from 'node:crypto';
import { hasStatus, type Question, readQuestions, recordIn } from '../../shared/reading/index.ts';
import { cancelRequest, statusTransitions } from '../../shared/assumptions.ts';
import type { JsonObject } from '../../shared/client/ports.ts';
import { asText, isObject } from '../../shared/values.ts';
import type { Findings } from './findings.ts';
import { type ReceivedRecord, canonical, fields, judgeRefusal, list, single } from './recognise.ts';
import { type Probing, type Reply, isSuccess, shapeOf } from './wire.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How many starts are tried until one is free: mid-mornings of weekdays, a month ahead or later. */
const STARTS = 15;

/**
 * The invitee of everything that a probe books, with an address in a domain that cannot exist. Name and address are of a kind that many
 * services change.
 */
const invitee = { name: "Zoë  O'Probe of the connector", email: 'Probe+Connector@Example.invalid' };

export interface MadeBooking {
  id: string;
  input: JsonObject;
  /** Its invitee's address as the service shows it. */
  shownEmail: string;
  /** The idempotency key under which it was made. Absent if the answer did not show it. */
  key: string | undefined;
}

/**
 * Books one of the event types and checks the answer (G12), the status (G21) and the answers to its questions (G28).
 *
 * @param made receives the id at once, so that the booking is cancelled in the end, whatever happens later
 */
export async function book(probing: Probing, eventTypes: readonly ReceivedRecord[], made: string[]): Promise<MadeBooking | undefined> {
  const { findings, wire, now } = probing;
  const candidates = eventTypes.filter(({ active, requires_approval: approval }) => active !== false && approval !== true);
  const byQuestions = [...candidates].sort(
    (a, b) => readQuestions(canonical('eventType', b)).length - readQuestions(canonical('eventType', a)).length,
  );
  let last: Reply | undefined;
  for (const eventType of byQuestions.slice(0, 3)) {
    const asked = readQuestions(canonical('eventType', eventType));
    for (let day = 0; day < STARTS; day += 1) {
      const input = {
        event_type_id: asText(canonical('eventType', eventType)['id']),
        start_time: start(now(), day),
        invitee_name: invitee.name,
        invitee_email: invitee.email,
        question_responses: answersTo(asked),
      };
      const key = randomUUID();
      const reply = await wire('POST', '/bookings', { body: input, key });
      last = reply;
      if (isSuccess(reply)) return judgeMade(probing, reply, { input, key }, made);
      // If the service does not accept the answers to the questions, another start does not help.
      if (/question/i.test(JSON.stringify(reply.body ?? ''))) break;
    }
  }
  if (last !== undefined)
    findings.differs('answersToWrites', `no booking could be made; the last answer was ${last.status} with ${shapeOf(last.body)}`);
  return undefined;
}

async function judgeMade(
  probing: Probing,
  reply: Reply,
  { input, key }: Pick<MadeBooking, 'input' | 'key'>,
  made: string[],
): Promise<MadeBooking | undefined> {
  const { findings, now } = probing;
  const isAnswered = recordIn('booking', reply.body) !== undefined;
  const raw = isAnswered
    ? single(findings, 'booking', reply)
    : (await listedFor(probing, invitee.email)).find((each) => isAt(canonical('booking', each)['start_time'], input['start_time']));
  if (raw === undefined) {
    findings.differs(
      'answersToWrites',
      `POST /v1/bookings was answered with ${reply.status} and ${shapeOf(reply.body)}. If a booking of ${invitee.email} was made, cancel it by hand`,
    );
    return undefined;
  }
  fields(findings, 'booking', raw);
  const shown = canonical('booking', raw);
  const { id, status, question_responses: given } = shown;
  made.push(asText(id));
  asSent(findings, input, shown);
  clocks(findings, shown, reply, now());
  const otherwise = `creating is answered with ${reply.status} and ${shapeOf(reply.body)}`;
  findings.judge('answersToWrites', isAnswered, 'creating is answered with the booking', otherwise);
  findings.judge('statusTransitions', status === 'CONFIRMED', `a booking that needs no approval is ${JSON.stringify(status)}`);
  if (isObject(given)) {
    const kept = Object.entries(input['question_responses'] as ReceivedRecord).every(
      ([key, value]) => JSON.stringify(given[key]) === JSON.stringify(value),
    );
    findings.judge('answerTypes', kept, 'answers come back as they were sent', 'answers come back in other types than they were sent');
  }
  return { id: asText(id), input, shownEmail: asText(shown.invitee_email), key: isAnswered ? key : undefined };
}

function start(now: number, day: number): string {
  const date = new Date(Math.floor(now / DAY_MS) * DAY_MS + (30 + day * 3) * DAY_MS + 10 * 60 * 60_000);
  while (date.getUTCDay() === 0 || date.getUTCDay() === 6) date.setTime(date.getTime() + DAY_MS);
  return date.toISOString();
}

function answersTo(questions: readonly Question[]): JsonObject {
  const plain: JsonObject = { number: 3, boolean: true, phone: '+1 202 555 0100', email: invitee.email, date: '2030-01-31' };
  return Object.fromEntries(
    questions.map(({ key, control, choices }) => {
      const values = choices.map(({ value }) => value);
      return [key, control === 'choice' ? values[0] : control === 'choices' ? values.slice(0, 2) : (plain[control] ?? 'A probe')];
    }),
  );
}

/** Which requests about bookings are refused, and with which code (G17, G18). Nothing is created here. */
export async function refuseBookings({ findings, wire }: Probing, made: MadeBooking, ids: string[]): Promise<void> {
  judgeRefusal(findings, await wire('POST', '/bookings', { body: {} }), 'VALIDATION_ERROR');
  const again = await wire('POST', '/bookings', { body: made.input });
  if (!isSuccess(again)) {
    judgeRefusal(findings, again, 'SLOT_UNAVAILABLE');
    return;
  }
  const second = single(findings, 'booking', again);
  if (second !== undefined) ids.push(asText(canonical('booking', second)['id']));
  findings.alsoRead('errorCodes', 'a booked time can be booked again, so its error code was not seen');
}

const listedFor = async ({ findings, wire }: Probing, email: string): Promise<ReceivedRecord[]> =>
  list(findings, 'booking', await wire('GET', '/bookings', { query: { email, limit: '100' } }))?.items ?? [];

/** How long lists are waited for, in seconds after the booking. */
const LOOKS = [0, 2, 10, 60];

/** Whether a booking can be found by its invitee, which is needed after a lost answer (G30), and how soon (G43). */
export async function findAgain(probing: Probing, { id, shownEmail }: MadeBooking): Promise<void> {
  const { findings, sleep } = probing;
  const isFoundBy = async (email: string): Promise<boolean> =>
    (await listedFor(probing, email)).some((raw) => canonical('booking', raw)['id'] === id);
  const forms = [...new Set([invitee.email, invitee.email.toLowerCase(), shownEmail])].filter((each) => each !== '');
  let waited = 0;
  for (const seconds of LOOKS) {
    await sleep((seconds - waited) * 1000);
    waited = seconds;
    for (const form of forms) {
      if (!(await isFoundBy(form))) continue;
      const asTyped = form === invitee.email;
      findings.judge(
        'emailFilter',
        asTyped,
        'a booking is found by its invitee',
        "a booking is found by its invitee's email address only in the form that is stored",
      );
      if (waited > 0) findings.alsoRead('recordsAsSent', `a booking was listed only after ${waited} seconds`);
      return;
    }
  }
  findings.differs(
    'emailFilter',
    "a booking is not found by its invitee's email address, so after a lost answer nobody could tell whether it exists",
  );
}

/** Cancels with a reason and checks the answer (G12), the reason (G11) and the status (G21); then cancels again (G18). */
export async function cancel({ findings, wire }: Probing, { id }: MadeBooking): Promise<void> {
  const reason = 'A probe of the connector';
  const reply = await wire('POST', '/bookings/:id/cancel', { id, body: cancelRequest.body(reason) });
  if (!isSuccess(reply)) {
    findings.differs('cancelRequest', `cancelling with a reason was refused with ${reply.status} and ${shapeOf(reply.body)}`);
    return;
  }
  const isAnswered = recordIn('booking', reply.body) !== undefined;
  const otherwise = 'cancelling is answered without the booking';
  findings.judge('answersToWrites', isAnswered, 'cancelling is answered with the booking', otherwise);
  const raw = single(findings, 'booking', await wire('GET', '/bookings/:id', { id }));
  const { status, cancellation_reason: kept } = raw === undefined ? {} : canonical('booking', raw);
  if (status !== undefined)
    findings.judge(
      'statusTransitions',
      status === statusTransitions.cancelled,
      `a cancelled booking is ${JSON.stringify(status)}`,
      undefined,
      hasStatus({ status }, 'cancelled') ? 'also read' : 'differs',
    );
  if (kept !== undefined)
    findings.must(
      'cancelRequest',
      kept === reason,
      'the reason is in `cancellation_reason`',
      `the reason was sent as \`reason\`, and \`cancellation_reason\` is ${JSON.stringify(kept)}`,
    );
  const again = await wire('POST', '/bookings/:id/cancel', { id, body: {} });
  judgeRefusal(findings, again, 'ALREADY_CANCELLED');
}

/** Whether both are one instant; a time without an offset is none. */
const isAt = (came: unknown, sent: unknown): boolean =>
  /(?:Z|[+-]\d\d:?\d\d)$/.test(asText(came)) && Date.parse(asText(came)) === Date.parse(asText(sent));

/** What the service makes of what it is sent (G43). */
function asSent(findings: Findings, input: JsonObject, shown: ReceivedRecord): void {
  for (const field of ['event_type_id', 'start_time', 'invitee_name', 'invitee_email']) {
    const [sent, came] = [asText(input[field]), asText(shown[field])];
    const isSame = field === 'start_time' ? isAt(came, sent) : came === sent;
    const how =
      came === '' ? 'does not come back' : came === sent.toLowerCase() ? 'comes back in lower case' : 'comes back in another form';
    findings.judge('recordsAsSent', isSame, `\`${field}\` comes back as it was sent`, `\`${field}\` ${how}`);
  }
}

/** Whether the service's records, the header Date and this machine agree about the time (G43). */
function clocks(
  findings: Findings,
  { created_at: told, created_at_as_sent: created = told }: ReceivedRecord,
  { headers }: Reply,
  now: number,
): void {
  const made = typeof created === 'string' ? Date.parse(created) : NaN;
  const header = Date.parse(asText(headers['date']));
  const apart = (a: number, b: number) => Math.round(Math.abs(a - b) / 60_000);
  if (Number.isNaN(made)) findings.alsoRead('recordsAsSent', '`created_at` is not a date and time');
  else if (apart(made, header) > 0)
    findings.alsoRead('recordsAsSent', `\`created_at\` and the header Date are ${apart(made, header)} minutes apart`);
  if (apart(header, now) > 0)
    findings.alsoRead('recordsAsSent', `the service's clock and that of this machine are ${apart(header, now)} minutes apart`);
}
