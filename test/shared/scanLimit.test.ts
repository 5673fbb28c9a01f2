import { maxScanned, allOf } from '../../shared/client/pages.ts';
import { findBooking, findContact } from '../../shared/operations/index.ts';
import { refusal, startService, type TestService, testStart } from '../support/service.ts';

const hour = 3_600_000;

let service: TestService;
/** A year from now, one after the other, because looking for the next free time takes longer with each booking. */
let nextStart = testStart + 365 * 24 * hour;
const book = (invitee_email: string) =>
  service.sandbox.host.book({ invitee_email, start_time: new Date((nextStart += hour)).toISOString() });

beforeAll(async () => {
  service = await startService({ limits: false });
  const { sandbox } = service;
  for (let number = sandbox.bookings().length + 1; number < maxScanned; number += 1) book('many@example.com');
  book('last@example.com');
});
afterAll(() => service.sandbox.stop());

const notes: string[] = [];
beforeEach(() => void notes.splice(0));
const found = async (fields: Record<string, string>) =>
  (await allOf(findBooking.run(service.client, fields, { note: (sentence) => notes.push(sentence) }))).length;

// The tests depend on each other: the second adds the record that is one too many.
it('a search looks through a thousand records, including the last', async () => {
  expect(service.sandbox.bookings()).toHaveLength(maxScanned);
  expect(await found({ status: 'CONFIRMED' })).toBeGreaterThan(900);
  expect(notes).toEqual([]);
});

it('a search among more gives the best of those that it read, and says so (G31)', async () => {
  const latest = service.sandbox.bookings().at(-1)?.event_type_id ?? '';
  book('one-more@example.com');
  expect(await found({ event_type_id: latest })).toBeGreaterThan(0);
  expect(notes).toEqual([
    'Only the first 1,000 bookings were searched, so there may be others that fit. Add an email or a status to the search, or use the ID.',
  ]);
  expect(await found({ email: 'one-more@example.com' })).toBe(1);
});

it('a search that something may be created on is refused if it found nothing among those', async () => {
  for (let number = 0; number < 100; number += 1) book('many@example.com');
  const { event_type_id = '', start_time = '' } = service.sandbox.bookings().at(-1) ?? {};
  expect(await found({ email: 'many@example.com' })).toBe(maxScanned);
  expect(await found({ email: 'many@example.com', event_type_id, start_time })).toBe(1);
  const error = await refusal(found({ email: 'many@example.com', event_type_id, start_time: '2040-01-01T09:00:00Z' }));
  expect([error.kind, error.message]).toEqual(['invalid', expect.stringContaining('has more than 1,000 bookings with this email')]);
  expect(error.advice).toBe('Use the ID, or add a status to the search.');
  await expect(allOf(findContact.run(service.client, { email: 'last@example.com' }, {}))).resolves.toHaveLength(1);
});
