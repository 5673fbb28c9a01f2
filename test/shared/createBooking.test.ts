import { parseInput } from '../../shared/operations/define.ts';
import { cancelBooking, createBooking } from '../../shared/operations/index.ts';
import type { Fault } from '../../sandbox/service.ts';
import { refusal } from '../support/refusal.ts';
import { serve, type TestService } from '../support/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await serve();
});
afterEach(() => service.sandbox.stop());

const form = (change: Record<string, unknown> = {}) => ({
  event_type_id: service.sandbox.eventTypes()[0]?.id,
  start_time: '2030-01-09T09:00:00',
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
  ...change,
});
const create = (change: Record<string, unknown> = {}, client = service.client, timeZone?: string) =>
  createBooking.run(client, parseInput(createBooking, form(change), { timeZone }), {});
const made = () => service.sandbox.bookings().filter(({ invitee_email: email }) => email === 'ada@example.com');
const posts = () => service.sandbox.requests().filter(({ method, path }) => method === 'POST' && path === '/v1/bookings');
const fault = (given: Partial<Fault>) => service.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', ...given });

it('sends the documented names, and nothing that was left empty', async () => {
  await create({ start_time: '2030-01-09T09:00:00Z', notes: '', invitee_timezone: undefined, locale: null });
  expect(posts()).toHaveLength(1);
  expect(posts()[0]?.body).toEqual({
    event_type_id: form().event_type_id,
    start_time: '2030-01-09T09:00:00Z',
    invitee_name: 'Ada Lovelace',
    invitee_email: 'ada@example.com',
  });
});

it("reads a wall-clock start in the platform's zone without sending that zone as the invitee's", async () => {
  await create({}, service.client, 'America/New_York');
  expect(posts()[0]?.body).toMatchObject({ start_time: '2030-01-09T14:00:00Z' });
  expect(posts()[0]?.body).not.toHaveProperty('invitee_timezone');
});

it('reads a start with spaces around it', async () => {
  await create({ start_time: ' 2030-01-09T09:00:00Z ' });
  expect(posts()[0]?.body).toMatchObject({ start_time: '2030-01-09T09:00:00Z' });
});

it.each([
  [{ start_time: '2030-01-09T09:00:00' }, '"Start" has no UTC offset, and no time zone is set'],
  [{ invitee_email: 'ada' }, '"Invitee Email" is not an email address'],
  [{ locale: 'de' }, '"Language" is not one of the languages en, es, fr'],
  [{ invitee_timezone: 'Mars/Olympus' }, '"Invitee Time Zone" is not a time zone such as Europe/Berlin'],
  [{ event_type_id: '' }, '"Event Type" is required'],
  [{ start_time: '  ' }, '"Start" is required'],
  [{ invitee_name: '   ' }, '"Invitee Name" is required'],
])('refuses %j before anything is sent, naming the field', async (change, sentence) => {
  const error = await refusal(Promise.resolve().then(() => create(change)));
  expect(error.kind).toBe('invalid');
  expect(error.message).toContain(sentence);
  expect(posts()).toEqual([]);
  expect(made()).toEqual([]);
});

const start = { start_time: '2030-01-09T10:00:00+01:00' };

it('sends again at once what the rate limit refused, because it cannot have been carried out', async () => {
  fault({ status: 429, headers: { 'retry-after': '3' }, times: 2 });
  await create(start);
  expect(made()).toHaveLength(1);
  expect(posts().map(({ status }) => status)).toEqual([429, 429, 201]);
});

it('refuses ids that would leave their place in the path', async () => {
  for (const id of ['..', '.', 'a/b', 'a\\b', 'a\nb', 'x'.repeat(513)]) {
    expect((await refusal(cancelBooking.run(service.client, { booking_id: id }, {}))).kind).toBe('invalid');
  }
  expect(service.sandbox.requests()).toEqual([]);
  expect((await refusal(cancelBooking.run(service.client, { booking_id: '%2e%2e?x=1#y' }, {}))).kind).toBe('notFound');
  expect(service.sandbox.requests()[0]?.path).toContain('/cancel');
});
