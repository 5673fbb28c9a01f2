import * as z from 'zod/v4';
import { instantOf, isZone, resolveStart } from '../../time.ts';
import { LostAnswer, type Client } from '../../api/client.ts';
import { ServiceError } from '../../api/errors.ts';
import { limits } from '../../limits.ts';
import type { JsonObject } from '../../api/transport.ts';
import { asText } from '../../values.ts';
import { readBack, type Look } from '../../api/readBack.ts';
import { patient } from '../../api/retry.ts';
import type { Lost } from '../../api/unsettled.ts';
import { readOne, type ServiceRecord } from '../../api/records.ts';
import { walk } from '../../api/pages.ts';
import { statusTransitions, listScan } from '../../assumptions.ts';
import { brand } from '../../brand.ts';
import { defineOne, field, labelsOf, required, type RunContext } from '../../define.ts';
import { emailAddress, filledText, optionalKeyed, optionalText } from '../../inputs.ts';
import { present } from '../../outputs.ts';
import { booking } from '../../samples/records.ts';

/** The languages of section 2. */
const languages = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Spanish' },
  { value: 'fr', label: 'French' },
] as const;

const startLabel = 'Start';

export const createBooking = defineOne({
  resource: 'booking',
  name: 'create',
  action: 'Create',
  description: 'Creates a new booking for an invitee',
  effect: 'write',
  scope: 'bookings:write',
  endpoint: 'POST /v1/bookings',
  input: {
    event_type_id: field(filledText, {
      label: 'Event Type',
      help: 'The kind of meeting to book',
      control: 'text',
      lookup: 'eventTypes',
    }),
    start_time: field(filledText, {
      label: startLabel,
      help: 'When the meeting begins. A time with an offset is taken as it is; one without is read in the time zone chosen below, else in that of this automation',
      control: 'dateTime',
      example: '2030-01-31T09:00:00+01:00',
    }),
    invitee_name: field(z.string().trim().min(1, required), {
      label: 'Invitee Name',
      help: 'The full name of the person who is invited',
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
      help: "The zone in which the invitee reads times. Left empty, the service takes the host's",
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
      help: "Answers to the event type's own questions, each under its question's key",
      control: 'answers',
    }),
    locale: field(z.enum(languages.map(({ value }) => value), 'is not one of the languages en, es, fr').optional(), {
      label: 'Language',
      help: "The language of the invitee's confirmation and reminders. Left empty, they are in English",
      control: 'choice',
      choices: languages,
    }),
  },
  output: 'booking',
  sample: booking,

  /**
   * Books once. After a lost answer it looks for the booking instead of sending again (see {@link lookedFor}).
   *
   * An answer that is no booking does not end the step: the booking exists, and failing would make people book twice.
   * It is then handed on as it came.
   */
  async run(client, input, context) {
    const body = bodyOf(input, context);
    const made = await book(client, body);
    if (typeof made['id'] === 'string') client.made.add(made['id']);
    return present('booking', made);
  },

  async resume(client, input, context) {
    const body = bodyOf(input, context);
    const earlier = await client.unsettled?.recall(keyOf(body), client.clock);
    const found = earlier === undefined ? undefined : await lookedFor(client, body, earlier);
    return found && present('booking', found);
  },
});

/** What is sent. The zone that merely reads a wall-clock start is not sent in place of the invitee's (section 2). */
function bodyOf({ start_time: start, ...rest }: { start_time: string; invitee_timezone?: string | undefined }, { timeZone }: RunContext): JsonObject {
  return { ...(rest as JsonObject), start_time: resolveStart(start, { zone: rest.invitee_timezone, platformZone: timeZone, label: startLabel }) };
}

/** Books, unless an earlier run of the same step did, or may have done, and could not see the end of it. */
async function book(client: Client, body: JsonObject): Promise<ServiceRecord> {
  const earlier = await client.unsettled?.recall(keyOf(body), client.clock);
  return earlier === undefined ? send(client, body) : settle(client, body, earlier);
}

async function send(client: Client, body: JsonObject, before = { recreated: 0, holds: 0 }): Promise<ServiceRecord> {
  let answer: unknown;
  try {
    answer = await client.send({ method: 'POST', path: ['bookings'], body, scope: 'bookings:write', thing: 'event type', id: asText(body['event_type_id']), labelOf: labelsOf(createBooking.input) });
  } catch (error) {
    if (!(error instanceof LostAnswer)) throw error;
    return settle(client, body, { ...before, reason: error.reason, waitedMs: 0 });
  }
  try {
    return readOne('booking', answer, 'POST /v1/bookings');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { warning: `${error.message} The booking was made all the same.`, answer };
  }
}

/** After a lost answer. Found: done. Surely not there: created again as often as the platform's patience allows, then told as not made. */
async function settle(client: Client, body: JsonObject, lost: Lost): Promise<ServiceRecord> {
  const found = await lookedFor(client, body, lost);
  if (found !== undefined) return found;
  const { recreate } = client.unsettled === undefined ? client.patience : patient;
  if (lost.recreated < recreate) return send(client, body, { recreated: lost.recreated + 1, holds: lost.holds });
  throw new ServiceError('server', {
    message: `${brand.name} did not make the booking for ${toLookFor(body)} (${lost.reason}): it was looked for and is not there.`,
    advice: 'Try again in a few minutes.',
  });
}

/**
 * The booking whose answer was lost, `undefined` where it is surely not there: looks for it by e-mail, type and start,
 * patiently, and past the latest time at which it can still appear (G29). A record that lacks one of the three cannot be
 * compared and looks like "not there"; then nothing is sure.
 *
 * @throws ServiceError that it is unknown, with what to look for. Where the step's next run will go on here, it says so.
 */
async function lookedFor(client: Client, body: JsonObject, lost: Lost): Promise<ServiceRecord | undefined> {
  const { clock, unsettled } = client;
  const { found, isAbsent, waitedMs } = await readBack(client, () => look(client, body), lost.waitedMs);
  if (found !== undefined || isAbsent) {
    if (lost.holds > 0) await unsettled?.forget(keyOf(body));
    return found;
  }
  const { isKept = false, retryAfterSeconds } = (await unsettled?.keep(keyOf(body), { ...lost, waitedMs }, clock)) ?? {};
  throw new ServiceError('unknownOutcome', {
    message: `${brand.name} did not confirm the booking (${lost.reason}), so it may or may not exist. It would be for ${toLookFor(body)}.`,
    advice: isKept ? 'The next run of this step looks for it first, and books only if it is not there.' : 'Look for it in the service, or search bookings by that e-mail address, before you create it again.',
    retryAfterSeconds,
  });
}

const toLookFor = (body: JsonObject): string => `${asText(body['invitee_email'])} at ${asText(body['start_time'])}`;

/** Under which one booking is known from one run to the next. */
const keyOf = (body: JsonObject): string => [asText(body['event_type_id']), instantOf(body['start_time']), asText(body['invitee_email']).toLowerCase()].join(' ');

/** Looks once. Cancelled bookings do not count, nor do those that this run made for other items. */
async function look(client: Client, body: JsonObject): Promise<Look<ServiceRecord>> {
  const email = asText(body['invitee_email']).toLowerCase();
  const start = instantOf(body['start_time']);
  const most = listScan.pages * limits.pageSize;
  let read = 0;
  let comparable = true;
  const listing = { path: ['bookings'], scope: 'bookings:read', thing: 'bookings', record: 'booking', query: { email: asText(body['invitee_email']) } } as const;
  for await (const record of walk(client, listing, most)) {
    read += 1;
    const { id, status, event_type_id: type, invitee_email: at, start_time: begins } = record;
    if (status === statusTransitions.cancelled || client.made.has(String(id))) continue;
    const instant = instantOf(begins);
    if (typeof at !== 'string' || typeof type !== 'string' || Number.isNaN(instant)) {
      comparable = false;
      continue;
    }
    if (at.toLowerCase() === email && type === body['event_type_id'] && instant === start) {
      // Claimed at once, so that a look-up for another item that runs beside this one cannot take it too.
      client.made.add(String(id));
      return { found: record, complete: true };
    }
  }
  return { complete: comparable && read < most };
}
