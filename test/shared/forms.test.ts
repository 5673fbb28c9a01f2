import { eventRows } from '../../shared/events.ts';
import type { ServiceRecord } from '../../shared/records/records.ts';
import { present } from '../../shared/records/outputs.ts';
import {
  cancelBooking,
  createBooking,
  createSubscription,
  getBooking,
  getContact,
  getCurrentUser,
  getEventType,
  getManyBookings,
  getManyContacts,
  getManyEventTypes,
  getManySubscriptions,
} from '../../shared/operations/index.ts';
import { questionsOf } from '../../shared/operations/questions.ts';
import { FORMS, type FormName } from '../../sandbox/service.ts';
import { all, serve, type TestService } from '../support/service.ts';

let service: TestService;

/** One value of each form that affects an answer to a read, a create or a cancel. */
const shaping: FormName[] = [
  ...(['list', 'single', 'hookName', 'bookingEventType', 'bookingInvitee', 'questions', 'questionKey', 'questionType'] as const),
  ...(['options', 'subscriptionUrl', 'subscriptionEvents', 'deleted', 'cancelled'] as const),
];
const cases = shaping.flatMap((name) => FORMS[name].values.map((value) => ({ name, value, forms: { [name]: value } })));

it.each(cases)('every record reads the same as in the canonical form: $name = $value', async ({ forms }) => {
  service = await serve({ forms });
  const { client, sandbox } = service;
  const context = {};
  const [someType] = sandbox.eventTypes();
  const [someContact] = sandbox.contacts();
  if (someType === undefined || someContact === undefined) throw new Error('The seed has no event type or no contact.');

  const form = {
    event_type_id: someType.id,
    start_time: '2030-01-09T09:00:00Z',
    invitee_name: 'Ada Lovelace',
    invitee_email: 'ada@example.com',
  };
  const bare = await createBooking.run(client, { ...form, invitee_timezone: 'Europe/London' }, context);
  const made = present('booking', bare);
  const canonical = present('booking', { ...sandbox.bookings().find(({ id }) => id === made['id']) });
  const fields = 'event_type_id event_type_name invitee_name invitee_email invitee_timezone start_time status invitee_start_time';
  const shown = (record: ServiceRecord) => fields.split(' ').map((field) => record[field]);
  expect(shown(made)).toEqual(shown(canonical));
  expect(shown(made)).not.toContain(undefined);
  expect(await getBooking.run(client, { booking_id: String(made['id']) }, context)).toEqual(bare);
  expect((await all(getManyBookings.run(client, { email: 'ada@example.com' }, context)))[0]).toEqual(bare);

  const cancelled = await cancelBooking.run(client, { booking_id: String(made['id']), reason: 'a test' }, context);
  expect(cancelled).toMatchObject({ id: made['id'], status: 'CANCELLED', cancellation_reason: 'a test', already_cancelled: false });

  const types = await all(getManyEventTypes.run(client, {}, context));
  expect(new Set(types.map(({ id }) => id))).toEqual(new Set(sandbox.eventTypes().map(({ id }) => id)));
  const { id, email } = someContact;
  expect(await getEventType.run(client, { event_type_id: someType.id }, context)).toMatchObject({ id: someType.id, name: someType.name });
  expect(await all(getManyContacts.run(client, {}, context))).toHaveLength(sandbox.contacts().length);
  expect(await getContact.run(client, { contact_id: id }, context)).toMatchObject({ id, email });
  expect(await getCurrentUser.run(client, {}, context)).toMatchObject({ email: sandbox.account.email });

  const subscription = await createSubscription.run(
    client,
    { url: 'http://127.0.0.1:9/hooks', events: [eventRows[0]?.name as 'BOOKING_CREATED'] },
    context,
  );
  expect(subscription['signing_secret']).toEqual(expect.any(String));
  const [listed] = await all(getManySubscriptions.run(client, {}, context));
  expect(listed).toMatchObject({ id: subscription['id'], url: 'http://127.0.0.1:9/hooks' });
  expect([listed?.['events']].flat()).toEqual(['BOOKING_CREATED']);
  expect(listed).not.toHaveProperty('signing_secret');
});

it.each(FORMS.user.values)('reads a user of any subset with an id or an email: %s (G4)', async (user) => {
  service = await serve({ forms: { user } });
  const record = await getCurrentUser.run(service.client, {}, {});
  expect(record['id'] ?? record['email']).toEqual(expect.any(String));
});

it('reads records that have an id and nothing else (G5 to G7)', async () => {
  service = await serve({ forms: { records: 'sparse' } });
  const { client, sandbox } = service;
  const bookings = await all(getManyBookings.run(client, {}, {}));
  expect(bookings).toHaveLength(sandbox.bookings().length);
  expect(Object.keys(bookings[0] ?? {})).toEqual(['id']);
  expect(await questionsOf(client, sandbox.eventTypes()[0]?.id ?? '')).toBeUndefined();
});
