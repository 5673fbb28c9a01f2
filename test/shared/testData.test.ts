import { eventRows } from '../../shared/events.ts';
import { recentRecords } from '../../shared/webhooks/testData.ts';
import { serve, type TestService } from '../support/served.ts';

let service: TestService;
beforeEach(async () => (service = await serve({ limits: false })));

const rowOf = (name: string) => {
  const row = eventRows.find((each) => each.name === name);
  if (row === undefined) throw new Error(`There is no event ${name}.`);
  return row;
};
const shown = (name: string, eventTypeIds: string[] = []) => recentRecords(service.client, rowOf(name), { eventTypeIds });

/** One booking for each event, the matching ones first. Being the newest is no reason to show a record. */
function happen() {
  const { sandbox } = service;
  const { host } = sandbox;
  const approval = sandbox.eventTypes().find(({ requires_approval: needs, active }) => needs && active)?.id ?? '';
  const simple = sandbox.eventTypes().find(({ name }) => name === 'Intro Call')?.id ?? '';
  const ask = (day: number) =>
    host.book({
      event_type_id: approval,
      start_time: `2030-03-${day}T09:00:00Z`,
      invitee_email: 'ada@example.com',
      question_responses: { link: 'https://example.com/drafts' },
    });
  const book = (day: number) =>
    host.book({ event_type_id: simple, start_time: `2030-03-${day}T12:00:00Z`, invitee_email: 'bob@example.com' });
  const denied = host.deny(ask(11).id, { reason: 'That week is full' });
  const approved = host.approve(ask(12).id);
  const moved = host.reschedule(book(13).id, { start_time: '2030-03-14T12:00:00Z' });
  host.cancel(book(15).id, { reason: 'Ill' });
  for (const day of [18, 19, 20]) book(day);
  return { simple, denied, approved, moved };
}

const ids = (records: Record<string, unknown>[]) => records.map(({ id }) => id);

it("shows a denied booking for Booking Denied, with the host's words, and a rescheduled one with its previous start", async () => {
  const { denied, moved, approved } = happen();
  const [one, ...more] = await shown('BOOKING_DENIED');
  expect(one).toMatchObject({ id: denied.id, status: 'CANCELLED', cancellation_reason: 'That week is full', event: 'BOOKING_DENIED' });
  for (const record of more) expect(record).toMatchObject({ status: 'CANCELLED', cancellation_reason: expect.any(String) as string });
  const rescheduled = await shown('BOOKING_RESCHEDULED');
  expect(ids(rescheduled)).toContain(moved.id);
  for (const record of rescheduled) expect(record['previous_start_time']).toEqual(expect.any(String));
  const confirmed = await shown('BOOKING_APPROVED');
  expect(ids(confirmed)).toContain(approved.id);
  const needing = service.sandbox.eventTypes().flatMap(({ id, requires_approval: needs }) => (needs ? [id] : []));
  for (const { status, event_type_id: type } of confirmed) expect([status, needing.includes(String(type))]).toEqual(['CONFIRMED', true]);
});

it('knows a status in lower case, and shows no cancelled booking for Booking Created', async () => {
  const booking = (id: string, status: string) => ({ id, status, updated_at: `2030-03-${id}T09:00:00Z` });
  const body = { data: [booking('12', 'cancelled'), booking('11', 'confirmed')] };
  service.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 200, body, times: 'always' });
  expect(ids(await shown('BOOKING_CREATED'))).toEqual(['11']);
  expect(ids(await shown('BOOKING_CANCELLED'))).toEqual(['12']);
});

it('finds the only match among those of a chosen event type, whatever happened to it since', async () => {
  const { moved, simple } = happen();
  service.sandbox.host.cancel(moved.id, { reason: 'Moved, and cancelled' });
  const [record] = await shown('BOOKING_RESCHEDULED', [simple]);
  expect(record).toMatchObject({ id: moved.id, status: 'CANCELLED' });
});

it('shows records even if event types cannot be read, because they only say what matches better', async () => {
  const { denied } = happen();
  service.sandbox.faults.add({
    route: 'GET /v1/event-types',
    kind: 'status',
    status: 403,
    body: { error: 'No', code: 'INSUFFICIENT_SCOPE' },
    times: 'always',
  });
  expect(ids(await shown('BOOKING_DENIED'))).toContain(denied.id);
});

it('gives each record a key like that of a delivery, which stays the same', async () => {
  happen();
  const [first, again, other] = [await shown('BOOKING_CREATED'), await shown('BOOKING_CREATED'), await shown('BOOKING_DENIED')];
  expect(first.map((record) => record['delivery_key'])).toEqual(again.map((record) => record['delivery_key']));
  const keys = [...first, ...other].map((record) => record['delivery_key']);
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
});
