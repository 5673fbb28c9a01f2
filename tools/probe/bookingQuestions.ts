import { randomUUID } from 'node:crypto';
import { cancelRequest, idempotencyKey, statusTransitions } from '../../shared/assumptions.ts';
import type { JsonObject } from '../../shared/client/ports.ts';
import { hasStatus, readQuestions } from '../../shared/reading/index.ts';
import { asText, isObject } from '../../shared/values.ts';
import { canonical, idOf } from './answers.ts';
import { differs, isSuccess, shapeOf } from './asking.ts';
import type { Ask, Asking, Question, ReceivedRecord, Reply, Said, Seen } from './asking.ts';
import { eventTypes, get } from './readingQuestions.ts';
import { arrives, retried, subscribing, unsubscribing } from './hookQuestions.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The maximum number of starts to try: weekday mornings, a month ahead or later. */
const STARTS = 15;
/** When to look for the booking in lists, in seconds after the first look. */
const LOOKS = [0, 2, 10, 60];

/**
 * The invitee of every booking that a probe makes, with an address in a domain that cannot exist. Many services change names and addresses
 * like these.
 */
const invitee = { invitee_name: "Zoë  O'Probe of the connector", invitee_email: 'Probe+Connector@Example.invalid' };
const reason = 'A probe of the connector';

const post = (path: string, body: JsonObject, more: Partial<Ask> = {}): Ask => ({ what: `POST ${path}`, body, ...more });

const lookedFor = (email: string, more: Partial<Ask>): Ask => get('/bookings', { email, limit: '100' }, more);

interface Made {
  id: string;
  input: JsonObject;
  reply: Reply;
  /** Under its canonical names. */
  shown: ReceivedRecord;
}

/** The booking that the probe made; `undefined` if the service shows none. */
function made({ replies }: Seen): Made | undefined {
  const reply = replies.find((each) => each.ask.name === 'book' && isSuccess(each));
  if (reply === undefined) return undefined;
  const input = reply.ask.body ?? {};
  const isIt = (raw: ReceivedRecord) => isAt(canonical('booking', raw).start_time, input['start_time']);
  const raw = reply.record ?? replies.find(({ ask }) => ask.name === 'look for it')?.items?.find(isIt);
  return raw && { id: idOf('booking', raw), input, reply, shown: canonical('booking', raw) };
}

/** The ids of all bookings that the probe made, even by mistake. */
export const madeIds = (seen: Seen): string[] => {
  const shown = seen.replies.filter(({ ask }) => ask.what === 'POST /bookings').map(({ record }) => idOf('booking', record));
  return [...new Set([made(seen)?.id ?? '', ...shown])].filter((id) => id !== '');
};

const ifMade = (question: Question): Question => ({ ...question, ask: (seen) => made(seen) && question.ask(seen) });

/** A question about that booking. */
const ofMade = (ask: (booked: Made, seen: Seen) => ReturnType<Question['ask']>, says?: Question['says']): Question => ({
  ask: (seen) => {
    const booked = made(seen);
    return booked && ask(booked, seen);
  },
  ...(says && { says }),
});

/** The same, once it is cancelled. */
const ofCancelled = (ask: (booked: Made) => Ask, says?: Question['says']): Question =>
  ofMade((booked, { replies }) => (replies.some((each) => each.ask.name === 'cancel' && isSuccess(each)) ? ask(booked) : undefined), says);

/** Books, cancels, subscribes and unsubscribes. Everything created here is removed at the end, whatever happens. */
export const writing: readonly Question[] = [
  subscribing,
  {
    *ask(seen) {
      for (const eventType of bookable(seen)) {
        for (let day = 0; day < STARTS; day += 1) {
          const reply = yield post('/bookings', bookingOf(eventType, seen.now(), day), { name: 'book', key: randomUUID() });
          if (isSuccess(reply)) {
            if (reply.record === undefined) yield lookedFor(invitee.invitee_email, { name: 'look for it' });
            return;
          }
          // If the service rejects the answers to the questions, another start does not help.
          if (/question/i.test(JSON.stringify(reply.body ?? ''))) break;
        }
      }
    },
    says: booked,
  },
  ifMade(arrives('BOOKING_CREATED')),
  // Whether, and how soon, a booking can be found by its invitee, which is needed if the response to a write was lost.
  ofMade(
    function* ({ id, shown }): Asking {
      const { invitee_email: email } = invitee;
      for (const after of LOOKS) {
        for (const form of new Set([email, email.toLowerCase(), asText(shown['invitee_email']) || email])) {
          const { items = [] } = yield lookedFor(form, { after });
          if (items.some((each) => idOf('booking', each) === id)) return;
        }
      }
    },
    ({ ask: { query, after = 0 }, items = [] }, seen) => {
      const isFound = items.some((each) => idOf('booking', each) === made(seen)?.id);
      const isTyped = query?.['email'] === invitee.invitee_email;
      const words = 'a booking is found by its invitee';
      const never = "not found by its invitee's email address, so after a lost answer nobody could tell whether it exists";
      const otherwise = isFound ? "found by its invitee's email address only in the form that is stored" : never;
      return [
        ['emailFilter', isFound && isTyped, words, `a booking is ${otherwise}`, isFound ? 'also read' : 'differs'],
        isFound && after > 0 && ['recordsAsSent', false, `a booking was listed only after ${after} seconds`],
      ];
    },
  ),
  ofMade(() => post('/bookings', {}, { refused: 'VALIDATION_ERROR' })),
  ofMade(({ input }) => post('/bookings', input, { refused: 'SLOT_UNAVAILABLE' })),
  // Two creates with one key should make one booking. If responses show no booking, this cannot be tested.
  ofMade(
    function* ({ id, input, reply }): Asking {
      const { key = '' } = reply.ask;
      if (reply.record === undefined) return;
      const again = yield post('/bookings', input, { key });
      if (idOf('booking', again.record) === id) yield post('/bookings', { ...input, notes: 'Another request of the probe' }, { key });
    },
    ({ ask, record, status }, seen) => {
      // A client that trusts in ignored keys books twice.
      const ignored = `a key is ignored: a second create was answered with ${status}`;
      if (ask.body?.['notes'] === undefined) return [['idempotencyKey', !idempotencyKey.isHeeded, ignored, ignored, 'differs']];
      const end = idOf('booking', record) === made(seen)?.id ? 'gets the same answer' : `is answered with ${status}`;
      return [['idempotencyKey', idempotencyKey.isHeeded, `one key and two creates made one booking; another request with the key ${end}`]];
    },
  ),
  ofMade(
    ({ id }, seen) => {
      seen.receiver?.failNext();
      return post('/bookings/:id/cancel', cancelRequest.body(reason), { id, name: 'cancel' });
    },
    (reply) => {
      const words = 'cancelling is answered';
      const isShown = reply.record !== undefined;
      return [
        isSuccess(reply)
          ? ['answersToWrites', isShown, `${words} with the booking`, `${words} without the booking`]
          : differs('cancelRequest'),
      ];
    },
  ),
  ofCancelled(({ id }) => get('/bookings/:id', undefined, { id }), cancelled),
  ofCancelled(({ id }) => post('/bookings/:id/cancel', {}, { id, refused: 'ALREADY_CANCELLED' })),
  ifMade(arrives('BOOKING_CANCELLED')),
  retried,
  ...unsubscribing,
];

/** Up to three event types that can be booked, those with the most questions first. */
function bookable(seen: Seen): ReceivedRecord[] {
  const types = eventTypes(seen).filter(({ active, requires_approval: approval }) => active !== false && approval !== true);
  const shown = types.map((each) => canonical('eventType', each));
  return shown.sort((a, b) => readQuestions(b).length - readQuestions(a).length).slice(0, 3);
}

function bookingOf(eventType: ReceivedRecord, now: number, day: number): JsonObject {
  const date = new Date(Math.floor(now / DAY_MS) * DAY_MS + (30 + day * 3) * DAY_MS + 10 * 60 * 60_000);
  while (date.getUTCDay() === 0 || date.getUTCDay() === 6) date.setTime(date.getTime() + DAY_MS);
  const plain: JsonObject = { number: 3, boolean: true, phone: '+1 202 555 0100', email: invitee.invitee_email, date: '2030-01-31' };
  const answers = readQuestions(eventType).map(({ key, control, choices }) => {
    const values = choices.map(({ value }) => value);
    return [key, control === 'choice' ? values[0] : control === 'choices' ? values.slice(0, 2) : (plain[control] ?? 'A probe')];
  });
  const question_responses = Object.fromEntries(answers) as JsonObject;
  return { event_type_id: asText(eventType['id']), start_time: date.toISOString(), ...invitee, question_responses };
}

function booked(last: Reply, seen: Seen): (Said | false)[] {
  const { input, reply, shown } = made(seen) ?? {};
  if (input === undefined || reply === undefined || shown === undefined) {
    const unclear = seen.replies.find((each) => each.ask.name === 'book' && isSuccess(each));
    const came = ({ status, body }: Reply) => `${status} and ${shapeOf(body)}`;
    const byHand = `If a booking of ${invitee.invitee_email} was made, cancel it by hand`;
    const words =
      unclear === undefined
        ? `no booking could be made; the last answer was ${came(last)}`
        : `POST /v1/bookings was answered with ${came(unclear)}. ${byHand}`;
    return [differs('answersToWrites', words)];
  }
  const { status, question_responses: given, created_at: told, created_at_as_sent: created = told } = shown;
  const sent = Object.entries((input['question_responses'] ?? {}) as JsonObject);
  const isKept = isObject(given) && sent.every(([key, value]) => JSON.stringify(given[key]) === JSON.stringify(value));
  const header = ({ headers }: Reply) => Date.parse(asText(headers['date']));
  const minutes = (one: number, other: number) => Math.round(Math.abs(one - other) / 60_000);
  const at = typeof created === 'string' ? Date.parse(created) : NaN;
  const [apart, off] = [minutes(at, header(reply)), minutes(header(last), seen.now())];
  const answers = 'answers come back';
  const otherwise = `creating is answered with ${reply.status} and ${shapeOf(reply.body)}`;
  return [
    ...['event_type_id', 'start_time', 'invitee_name', 'invitee_email'].map((field) => asSent(field, input, shown)),
    Number.isNaN(at) && ['recordsAsSent', false, '`created_at` is not a date and time'],
    apart > 0 && ['recordsAsSent', false, `\`created_at\` and the header Date are ${apart} minutes apart`],
    off > 0 && ['recordsAsSent', false, `the service's clock and that of this machine are ${off} minutes apart`],
    ['answersToWrites', reply.record !== undefined, 'creating is answered with the booking', otherwise],
    ['statusTransitions', status === 'CONFIRMED', `a booking that needs no approval is ${JSON.stringify(status)}`],
    isObject(given) && ['answerTypes', isKept, `${answers} as they were sent`, `${answers} in other types than they were sent`],
  ];
}

/** Whether both are the same instant; a time without an offset is not an instant. */
const isAt = (came: unknown, sent: unknown): boolean =>
  /(?:Z|[+-]\d\d:?\d\d)$/.test(asText(came)) && Date.parse(asText(came)) === Date.parse(asText(sent));

/** Whether a field comes back as it was sent. */
function asSent(field: string, input: JsonObject, shown: ReceivedRecord): Said {
  const [sent, came] = [asText(input[field]), asText(shown[field])];
  const isSame = field === 'start_time' ? isAt(came, sent) : came === sent;
  const how = came === '' ? 'does not come back' : `comes back in ${came === sent.toLowerCase() ? 'lower case' : 'another form'}`;
  return ['recordsAsSent', isSame, `\`${field}\` comes back as it was sent`, `\`${field}\` ${how}`];
}

function cancelled(reply: Reply): (Said | false)[] {
  const { record } = reply;
  const { status, cancellation_reason: kept } = record === undefined ? {} : canonical('booking', record);
  const isAssumed = status === statusTransitions.cancelled;
  const unknown = hasStatus({ status }, 'cancelled') ? 'also read' : 'differs';
  const otherwise = `the reason was sent as \`reason\`, and \`cancellation_reason\` is ${JSON.stringify(kept)}`;
  return [
    !isSuccess(reply) && differs('recordEnvelope'),
    status !== undefined && ['statusTransitions', isAssumed, `a cancelled booking is ${JSON.stringify(status)}`, undefined, unknown],
    kept !== undefined && ['cancelRequest', kept === reason, 'the reason is in `cancellation_reason`', otherwise, 'differs'],
  ];
}
