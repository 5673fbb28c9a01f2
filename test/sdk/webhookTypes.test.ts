import { complaintsOf } from './compiler.ts';

const complaints = (body: string): string[] =>
  complaintsOf(`import { createReceiver, eventNames, type WebhookEvent } from './webhooks/index.ts';
declare const receiver: ReturnType<typeof createReceiver>;
declare const event: WebhookEvent;
void eventNames;
${body}`);

it('a handler is given the record of its event', () => {
  expect(
    complaints("receiver.on('BOOKING_CREATED', ({ record }) => record.invitee_email).on('CONTACT_CREATED', ({ record }) => record.phone);"),
  ).toEqual([]);
  expect(complaints("receiver.on('CONTACT_CREATED', ({ record }) => record.invitee_email);")).toEqual([
    expect.stringContaining("'invitee_email' does not exist"),
  ]);
  expect(complaints("receiver.on(['BOOKING_CREATED', 'BOOKING_DENIED'], ({ event, record }) => [event, record.invitee_email]);")).toEqual(
    [],
  );
});

it('a misspelt event does not compile', () => {
  expect(complaints("receiver.on('BOOKING_CREATE', () => undefined);")).toEqual([expect.stringContaining('"BOOKING_CREATE"')]);
});

it('a table of handlers that leaves out an event does not compile, and neither does a switch that does so', () => {
  const all = [
    'BOOKING_CREATED',
    'BOOKING_CANCELLED',
    'BOOKING_RESCHEDULED',
    'BOOKING_APPROVED',
    'BOOKING_DENIED',
    'CONTACT_CREATED',
    'CONTACT_UPDATED',
  ];
  const table = (names: string[]): string => `receiver.onEvery({ ${names.map((name) => `${name}: () => undefined`).join(', ')} });`;
  expect(complaints(table(all))).toEqual([]);
  expect(complaints(table(all.slice(1)))).toEqual([expect.stringContaining('BOOKING_CREATED')]);
  const cases = (names: string[]): string =>
    `switch (event.event) { ${names.map((name) => `case '${name}': break;`).join(' ')} default: { const never: never = event; void never; } }`;
  expect(complaints(cases(all))).toEqual([]);
  expect(complaints(cases(all.slice(1)))).toEqual([expect.stringContaining("not assignable to type 'never'")]);
});

it('the event determines the type of its record', () => {
  expect(complaints("if (event.event === 'CONTACT_UPDATED') void event.record.phone;")).toEqual([]);
  expect(complaints('void event.record.phone;')).toEqual([expect.stringContaining("'phone' does not exist")]);
});

it('the handler of a poll is given the record of its event, and can also be the handler of deliveries', () => {
  const polled = (body: string): string[] =>
    complaintsOf(`import { createPoller, type ChangeEvent } from './changes/index.ts';
import { createReceiver } from './webhooks/index.ts';
declare const poller: ReturnType<typeof createPoller>;
declare const receiver: ReturnType<typeof createReceiver>;
const handle = ({ event, record, change_key }: ChangeEvent): void => void [event, record.id, change_key];
receiver.on('BOOKING_CREATED', handle);
${body}`);
  expect(polled("poller.on('BOOKING_CREATED', ({ record }) => record.invitee_email).on('CONTACT_CREATED', handle);")).toEqual([]);
  expect(polled("poller.on('CONTACT_CREATED', ({ record }) => record.invitee_email);")).toEqual([
    expect.stringContaining("'invitee_email' does not exist"),
  ]);
  expect(polled('poller.onEvery({ BOOKING_CREATED: handle });')).toEqual([expect.stringContaining('BOOKING_CANCELLED')]);
  expect(polled("poller.on('BOOKING_CREATED', ({ delivery_key }) => delivery_key);")).toEqual([expect.stringContaining('delivery_key')]);
});
