import * as z from 'zod/v4';
import { ignoreRefusal, ServiceError } from '../../serviceError.ts';
import { addressForms, addressOfNobody, isAboutSlot, recordIn, showsAddress } from '../../reading/index.ts';
import type { BookingRecord } from '../../records/fields.ts';
import type { Client } from '../../client/client.ts';
import type { JsonObject } from '../../client/ports.ts';
import { maxScanned, paginate } from '../../client/pages.ts';
import { bookingLists, everyBooking } from '../../client/bookingLists.ts';
import { fetchOne } from '../../client/fetchOne.ts';
import { defineWrite, field, required, type WriteOf } from '../define.ts';
import { answering } from '../answering.ts';
import { labelsOf } from '../form.ts';
import { emailAddress, idText, optionalKeyed, optionalText, optionalZone } from '../commonSchemas.ts';
import { ofEventType } from '../idFields.ts';
import { booking } from '../../records/samples.ts';
import { inZone } from '../../time/time.ts';
import { hasValue, sortedJson } from '../../values.ts';
import type { EffectLookup, SearchFor } from '../../writes/index.ts';
import { matchBooking, mayShow, type Match, type SentBooking } from './match.ts';

/** The languages of section 2. */
const languages = ['en', 'es', 'fr'] as const;
const languageNames: Record<(typeof languages)[number], string> = { en: 'English', es: 'Spanish', fr: 'French' };

/** The heading above the fields about the invitee. */
const group = 'Invitee';

const input = {
  event_type_id: field(idText, { ...ofEventType, help: 'The kind of meeting to book' }),
  start_time: field(z.string().trim().min(1, required), {
    label: 'Start',
    help: 'When the meeting starts',
    control: 'dateTime',
    example: '2030-01-31T09:00:00+01:00',
  }),
  invitee_name: field(z.string().trim().min(1, required), {
    label: 'Invitee Name',
    group,
    help: "The invitee's full name",
    control: 'text',
    example: 'Ada Lovelace',
  }),
  invitee_email: field(emailAddress, {
    label: 'Invitee Email',
    group,
    help: "The invitee's email address, for the confirmation and reminders",
    control: 'email',
    example: 'ada@example.com',
  }),
  invitee_timezone: field(optionalZone, {
    label: 'Invitee Time Zone',
    group,
    help: "The invitee's time zone. Defaults to the host's",
    control: 'timeZone',
    example: 'Europe/Berlin',
    lookup: 'timeZones',
  }),
  notes: field(optionalText, { label: 'Notes', group, help: 'What the invitee wants the host to know', control: 'multiline' }),
  question_responses: field(optionalKeyed, {
    label: 'Answers',
    help: "Answers to the event type's questions: the key or the text of each question, with its answer",
    control: 'answers',
  }),
  locale: field(z.enum(languages, `is not one of the languages ${languages.join(', ')}`).optional(), {
    label: 'Language',
    group,
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
  isIdempotent: false,
  scope: 'bookings:write',
  endpoint: 'POST /v1/bookings',
  input,
  answering,
  output: 'booking',
  sample: booking,

  /**
   * Books once (G12, G29, G43). After a lost response, the booking is looked for among this person's bookings: under each form that
   * services make of the invitee's email, and in each status. A zone that was used only to read the start is not sent as the invitee's
   * (section 2).
   */
  write(client, wanted, { item, timeZone: platformZone, labelOf = labelsOf(input) }): WriteOf<SentBooking> {
    const { event_type_id, start_time, invitee_name, invitee_email } = wanted;
    const when = inZone(start_time, wanted.invitee_timezone ?? platformZone) ?? start_time;
    const key = [event_type_id, start_time, invitee_email.toLowerCase()].join(' ');
    return {
      lockKey: `booking ${key}`,
      keys: { content: `booking ${key} ${invitee_name.toLowerCase()}`, identical: `booking ${sortedJson(wanted)}`, item },
      content: { event_type_id, start_time, invitee_name, invitee_email },
      call: {
        method: 'POST',
        path: ['bookings'],
        body: wanted as JsonObject,
        scope: 'bookings:write',
        resourceName: 'event type',
        id: event_type_id,
        slot: { when, isTaken: isAboutSlot },
        // With the zone in which the start was read, because it may not be the one that was meant.
        labelOf: (name) => (name === 'start_time' ? `${labelOf(name)} (${when})` : labelOf(name)),
      },
      async read({ body, headers }, by) {
        const shown = recordIn('booking', body);
        const record = shown ?? (await recordAt(client, headers['location'], wanted));
        await client.writes.assign(record?.id, by, client.clock);
        return record;
      },
      unseen: () => ({ ...wanted }),
      find: (search) => findSent(client, search),
      uncertain: (content, sentAt) =>
        `The booking for ${content.invitee_email} at ${content.start_time}, sent at ${sentAt.toISOString()}, may or may not exist.`,
    };
  },
});

/**
 * The booking whose address the response gives instead of a record. If it cannot be read now, the sent fields with its id, because some
 * services show a new record only after a moment. An address outside the API may be that of a page for people, so there a "not found" means
 * that there is no booking.
 */
async function recordAt(client: Client, location: string | undefined, sent: object): Promise<BookingRecord | undefined> {
  const [, api, written] = /(\/v1)?\/bookings\/([^/?#]+?)(?:\.json)?\/?(?:[?#]|$)/.exec(location ?? '') ?? [];
  if (written === undefined) return undefined;
  let id = written;
  try {
    id = decodeURIComponent(written);
    return await fetchOne(client, 'booking', id);
  } catch (error) {
    // The booking exists, so a failure to read it must not cause another run.
    return api === undefined && error instanceof ServiceError && error.kind === 'notFound' ? undefined : { ...sent, id };
  }
}

/** How many bookings one search reads by id, because the list shows too little of them. */
const maxRead = 10;

/** Whether a booking shows enough to be judged: whose it is and, if the match is uncertain, everything that decides. */
const isJudged = ({ invitee_email: email, invitee_name: name, created_at: made, event_type_id: type }: BookingRecord, match: Match) =>
  match === 'other' || (showsAddress(email) && hasValue(name) && (match === 'ours' || (hasValue(made) && hasValue(type))));

/** Looks once for a booking that was sent, in every list that may show it: one for each status and each form of the email. */
async function findSent(client: Client, { content, sentAfter, by }: SearchFor<SentBooking>): Promise<EffectLookup<BookingRecord>> {
  /** The possible matches, by id, and whether each shows by itself that it may be this person's. */
  const candidates = new Map<string, boolean>();
  const list = everyBooking(client, { emails: addressForms(content.invitee_email) }, maxScanned);
  let read = 0;
  for await (const listed of list) {
    if (await client.writes.isAssigned(listed.id, by)) continue;
    let [record, match] = [listed, matchBooking(listed, content, sentAfter)];
    // A list may show less than a single record.
    if (!isJudged(listed, match) && listed.id !== '' && (read += 1) <= maxRead) {
      record = (await fetchOne(client, 'booking', listed.id).catch(ignoreRefusal)) ?? listed;
      match = matchBooking(record, content, sentAfter);
    }
    if (match === 'ours') {
      await client.writes.assign(record.id, by, client.clock);
      return { found: record, candidates: [], isComplete: true };
    }
    if (match === 'maybe') candidates.set(listed.id === '' ? 'one that is listed without an id' : listed.id, mayShow(record, content));
  }
  // If only the service's filter shows whose a booking is, that filter must list nothing for an address that nobody has (G30).
  const ofNobody = paginate(client, bookingLists({ emails: [addressOfNobody(content.invitee_email)] }), 1);
  const isFiltered = [...candidates.values()].every(Boolean) || !(await ofNobody.all().catch(ignoreRefusal))?.length;
  const theirs = [...candidates].filter(([, isShown]) => isShown || isFiltered);
  return { candidates: theirs.map(([id]) => id), isComplete: !list.isTruncated };
}
