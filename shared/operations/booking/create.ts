import * as z from 'zod/v4';
import type { Client } from '../../api/client.ts';
import type { JsonObject } from '../../api/transport.ts';
import { walk } from '../../api/pages.ts';
import type { WriteKeys } from '../../api/pendingWrites.ts';
import type { Look, Sending, Write } from '../../api/reconcile.ts';
import { ServiceError } from '../../api/errors.ts';
import { recordIn, type BookingRecord } from '../../api/records.ts';
import { fetchOne, listingOf } from '../../api/resources.ts';
import { listScan, statusTransitions } from '../../assumptions.ts';
import { brand } from '../../brand.ts';
import { defineWrite, field, labelsOf, required, type Filled } from '../../define.ts';
import { emailAddress, idText, optionalKeyed, optionalText } from '../../inputs.ts';
import { limits } from '../../limits.ts';
import { booking } from '../../samples/records.ts';
import { instantOf, isZone } from '../../time.ts';
import { inZone } from '../../wallClock.ts';

/** The languages of section 2. */
const languages = ['en', 'es', 'fr'] as const;
const languageNames: Record<(typeof languages)[number], string> = { en: 'English', es: 'Spanish', fr: 'French' };

const input = {
  event_type_id: field(idText, {
    label: 'Event Type',
    help: 'The kind of meeting to book',
    control: 'text',
    lookup: 'eventTypes',
  }),
  start_time: field(z.string().trim().min(1, required), {
    label: 'Start',
    help: 'When the meeting starts',
    offsetHelp: 'Without a UTC offset, it is read in the invitee time zone below, or in the time zone of this automation',
    control: 'dateTime',
    example: '2030-01-31T09:00:00+01:00',
  }),
  invitee_name: field(z.string().trim().min(1, required), {
    label: 'Invitee Name',
    help: "The invitee's full name",
    control: 'text',
    example: 'Ada Lovelace',
  }),
  invitee_email: field(emailAddress, {
    label: 'Invitee Email',
    help: 'Where the confirmation and reminders go',
    control: 'email',
    example: 'ada@example.com',
  }),
  invitee_timezone: field(z.string().refine(isZone, 'is not a time zone such as Europe/Berlin').optional(), {
    label: 'Invitee Time Zone',
    help: "The invitee's time zone. Defaults to the host's",
    control: 'timeZone',
    example: 'Europe/Berlin',
    lookup: 'timeZones',
  }),
  notes: field(optionalText, {
    label: 'Notes',
    help: 'What the invitee wants the host to know',
    control: 'multiline',
  }),
  question_responses: field(optionalKeyed, {
    label: 'Answers',
    help: "Answers to the event type's questions, keyed by question",
    control: 'answers',
  }),
  locale: field(z.enum(languages, `is not one of the languages ${languages.join(', ')}`).optional(), {
    label: 'Language',
    help: "The language of the invitee's confirmation and reminders. Defaults to English",
    control: 'choice',
    choices: languages.map((value) => ({ value, label: languageNames[value] })),
  }),
};

export const createBooking = defineWrite({
  resource: 'booking',
  name: 'create',
  action: 'Create',
  description: 'Creates a new booking for an invitee',
  effect: 'write',
  scope: 'bookings:write',
  endpoint: 'POST /v1/bookings',
  input,
  output: 'booking',
  sample: booking,

  /** Books once: see {@link bookingWrite}. */
  write: (client, given, { item, timeZone }) => bookingWrite(client, given, item, timeZone),
});

/** How a booking is recognised. */
interface Wanted {
  event_type_id: string;
  /** ISO 8601 with an offset. */
  start_time: string;
  invitee_name: string;
  invitee_email: string;
}

/**
 * A booking as one write. After a lost answer, it is looked for by email, type, start and name, among the bookings made since it was sent.
 * The zone that was only used to read the start is not sent as the invitee's (section 2).
 */
function bookingWrite(
  client: Client,
  given: Filled<typeof input>,
  item: WriteKeys['item'],
  platformZone: string | undefined,
): Write<BookingRecord, Wanted> {
  const { event_type_id, start_time, invitee_name, invitee_email } = given;
  const wanted = { event_type_id, start_time, invitee_name, invitee_email };
  let another: string | undefined;
  const key = [event_type_id, instantOf(start_time), invitee_email.toLowerCase()].join(' ');
  return {
    turn: `booking ${key}`,
    keys: { content: `booking ${key} ${folded(invitee_name)}`, item },
    content: wanted,
    isHarmless: false,

    async send() {
      const call = {
        method: 'POST',
        path: ['bookings'],
        body: given as JsonObject,
        scope: 'bookings:write',
        thing: 'event type',
        id: event_type_id,
        when: inZone(start_time, given.invitee_timezone ?? platformZone) ?? start_time,
        labelOf: labelsOf(input),
      } as const;
      const sent = await client.write(call, ({ body }) => recordIn('booking', body));
      if (sent.end !== 'done') return sent;
      const { id } = sent.result;
      const says = identity(sent.result, wanted);
      if (says.some(differs)) {
        another = id;
        return { end: 'unconfirmed', reason: `it returned another booking, ${id}` };
      }
      const isBooking = says.some(({ isKnown }) => isKnown) || (await isThere(client, id));
      if (!isBooking) return { end: 'unconfirmed', reason: 'it returned a record that is not a booking' };
      client.writes.take(id, client.clock);
      return sent;
    },

    async look(sending) {
      const seen = await look(client, sending);
      // As long as this answer is unexplained, no booking is certainly absent.
      return another === undefined || seen.found !== undefined ? seen : { isComplete: false, candidates: [another, ...seen.candidates] };
    },

    notDone: (reason) =>
      new ServiceError('server', {
        message: `The booking for ${toLookFor(wanted)} was not created (${reason}): ${brand.name} has no such booking.`,
        advice: 'Try again in a few minutes.',
      }),

    unknown: ({ reason, since, candidates, content }) => ({
      message: `${brand.name} did not confirm the booking that was sent at ${since.toISOString()} (${reason}), so it may or may not exist. It is for ${toLookFor(content)}.${candidates.length > 0 ? ` It may be ${candidates.slice(0, 5).join(' or ')}.` : ''}`,
      advice: 'Look for it in the service, or search bookings by that email address, before you create it again.',
    }),
  };
}

const toLookFor = ({ invitee_email: email, start_time: start }: Wanted): string => `${email} at ${start}`;

/** Looks once. Ignores cancelled bookings, and those that belong to someone else. */
async function look(client: Client, sending: () => Sending<Wanted>): Promise<Look<BookingRecord> & { candidates: string[] }> {
  const most = listScan.pages * limits.pageSize;
  const candidates: string[] = [];
  let read = 0;
  for await (const record of walk(client, listingOf('booking', { email: sending().content.invitee_email }), most)) {
    read += 1;
    const { id, status } = record;
    if (status === statusTransitions.cancelled || client.writes.isTaken(id)) continue;
    const says = [...identity(record, sending().content), ...origin(record, sending())];
    if (says.some(differs)) continue;
    if (!says.every(({ isKnown }) => isKnown)) {
      candidates.push(id);
      continue;
    }
    // Claimed at once, so that a simultaneous look for another item cannot take it too.
    client.writes.take(id, client.clock);
    return { found: record, isComplete: true, candidates };
  }
  return { isComplete: candidates.length === 0 && read < most, candidates };
}

/**
 * What a field of a record says about whether it is the sent booking. One field that differs rules the record out, whatever else is
 * missing.
 */
interface Evidence {
  isKnown: boolean;
  fits: boolean;
}

const differs = ({ isKnown, fits }: Evidence): boolean => isKnown && !fits;

function identity({ invitee_email: email, event_type_id: type, start_time: start }: BookingRecord, wanted: Wanted): Evidence[] {
  const begins = instantOf(start);
  return [
    { isKnown: typeof email === 'string', fits: String(email).toLowerCase() === wanted.invitee_email.toLowerCase() },
    { isKnown: typeof type === 'string', fits: type === wanted.event_type_id },
    { isKnown: !Number.isNaN(begins), fits: begins === instantOf(wanted.start_time) },
  ];
}

/** Who requested it, by the name and the creation time. If the time lies between the two limits, this is unknown. */
function origin({ invitee_name: name, created_at: created }: BookingRecord, { content, since, before }: Sending<Wanted>): Evidence[] {
  const made = instantOf(created);
  return [
    { isKnown: typeof name === 'string', fits: folded(String(name)) === folded(content.invitee_name) },
    { isKnown: made < before || made >= since, fits: made >= since },
  ];
}

/** Whether the service has a booking with this id. */
async function isThere(client: Client, id: string): Promise<boolean> {
  try {
    return (await fetchOne(client, 'booking', id)).id === id;
  } catch {
    // Even if the platform ends the step with a signal of its own: the booking was sent and must be looked for.
    return false;
  }
}

/** A name in a form in which two spellings by services are equal. */
const folded = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
