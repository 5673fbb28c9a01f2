import type { EventType, Sandbox } from '../../sandbox/service.ts';
import { formFields, type FormField } from '../../shared/operations/form.ts';
import type { Operation } from '../../shared/operations/define.ts';

/** The address of every invitee in the suite. A requirement that counts bookings uses another one. */
export const email = 'contract@example.com';

/** An address where nothing listens. */
export const nowhere = 'http://127.0.0.1:9/';

/** A start that every booking of the suite can use, because the suite's service allows several bookings at a time. */
export const start = '2059-03-05T15:00:00Z';

export const typeNamed = (sandbox: Pick<Sandbox, 'eventTypes'>, name: string): EventType => {
  const found = sandbox.eventTypes().find((each) => each.name === name);
  if (found === undefined) throw new Error(`The sandbox has no event type ${name}.`);
  return found;
};

/** The values for fields that ask for a record. The booking starts earlier, so that a form with a start moves it. */
const chosen: Record<string, (sandbox: Sandbox) => string> = {
  bookings: (sandbox) => sandbox.host.book({ start_time: '2059-03-05T13:00:00Z', invitee_email: email }).id,
  eventTypes: (sandbox) => typeNamed(sandbox, 'Intro Call').id,
  contacts: (sandbox) => sandbox.contacts().find((each) => each.email === email)?.id ?? '',
  timeZones: () => 'Europe/London',
};

/** The values for each kind of field. */
const typed: Partial<Record<FormField['control'], (field: FormField, sandbox: Sandbox) => unknown>> = {
  email: () => email,
  dateTime: () => start,
  timeZone: () => 'Europe/London',
  url: () => `${nowhere}contract`,
  events: ({ choices }) => choices?.slice(0, 1).map(({ value }) => value),
  choice: ({ choices }) => choices?.[0]?.value,
  boolean: () => true,
};

/** The values for fields with these keys: a window around {@link start}, and ids that no list offers. */
const named: Record<string, (sandbox: Sandbox) => unknown> = {
  from: () => '2059-03-05T00:00:00Z',
  to: () => '2059-03-06T00:00:00Z',
  subscription_id: ({ host }) => host.addSecretlessSubscription({ url: `${nowhere}theirs`, events: ['BOOKING_CREATED'] }).id,
};

function valueFor(field: FormField, sandbox: Sandbox): unknown {
  const make =
    named[field.key] ?? (field.lookup === undefined ? undefined : chosen[field.lookup]) ?? ((each) => typed[field.control]?.(field, each));
  return make(sandbox) ?? 'Ada Lovelace';
}

/**
 * A form for any operation, filled in according to its fields, so that an operation added to the core needs no code here.
 *
 * @param isWhole fills in every field; otherwise only the required fields and email addresses, without which nothing would be found
 */
export function formFor({ input }: Operation, sandbox: Sandbox, isWhole: boolean): Record<string, unknown> {
  const fields = formFields(input).filter(({ control, required }) => control !== 'answers' && (isWhole || required || control === 'email'));
  return Object.fromEntries(fields.map((field) => [field.key, valueFor(field, sandbox)]));
}

/** The form of a booking at {@link start}. */
export const bookingForm = (sandbox: Sandbox, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  event_type_id: typeNamed(sandbox, 'Intro Call').id,
  start_time: start,
  invitee_name: 'Ada Lovelace',
  invitee_email: email,
  ...more,
});

let people = 0;
/** The address of a person who has not booked before. */
export const somebody = (): string => `somebody-${(people += 1)}@example.com`;

/** An answer to every question of an event type. */
export const answersTo = ({ questions }: EventType): Record<string, unknown> => {
  const sample: Record<string, unknown> = {
    text: 'x',
    textarea: 'y',
    number: 3,
    boolean: true,
    phone: '+4930123456',
    email: 'a@example.com',
    date: '2059-03-05',
  };
  return Object.fromEntries(
    questions.map(({ key, type, options }) => [
      key,
      type === 'select' ? options[0] : type === 'multiselect' ? options.slice(0, 2) : sample[type],
    ]),
  );
};
