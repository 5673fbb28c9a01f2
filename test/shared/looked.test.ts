import { looked, mostLooked } from '../../shared/api/looked.ts';
import { listingOf } from '../../shared/api/resources.ts';
import { findBooking, findContact } from '../../shared/operations/index.ts';
import { allOf } from '../../shared/api/pages.ts';
import { refusal } from '../support/refusal.ts';
import { serve, testStart, type TestService } from '../support/service.ts';

const hour = 3_600_000;

let service: TestService;
/** A year from now, one after the other, because looking for the next free time takes longer with each booking. */
let nextStart = testStart + 365 * 24 * hour;
const book = (invitee_email: string) =>
  service.sandbox.host.book({ invitee_email, start_time: new Date((nextStart += hour)).toISOString() });

beforeAll(async () => {
  service = await serve({ limits: false });
  const { sandbox } = service;
  for (let number = sandbox.bookings().length + 1; number < mostLooked; number += 1) book('many@example.com');
  book('last@example.com');
});
afterAll(() => service.sandbox.stop());

const found = async (fields: Record<string, string>) => (await allOf(findBooking.run(service.client, fields, {}))).length;

// The tests depend on each other: the second adds the record that is one too many.
it('a search looks through a thousand records, including the last', async () => {
  expect(service.sandbox.bookings()).toHaveLength(mostLooked);
  expect(await found({ status: 'CONFIRMED' })).toBeGreaterThan(900);
  expect(await allOf(looked(service.client, listingOf('booking', {})))).toHaveLength(mostLooked);
});

it('a search that would have to look through more is refused, with advice on what to add (G31)', async () => {
  const oldest = service.sandbox.bookings()[0]?.event_type_id ?? '';
  book('one-more@example.com');
  service.sandbox.forgetRequests();
  const error = await refusal(found({ event_type_id: oldest }));
  expect(error.kind).toBe('invalid');
  expect(error.message).toContain('has more than 1,000 bookings, too many for this search.');
  expect(error.advice).toBe('Add an email or a status to the search, or use the ID.');
  expect(await found({ email: 'one-more@example.com' })).toBe(1);
});

it('a search by email that matches too many says what else can narrow it', async () => {
  for (let number = 0; number < 100; number += 1) book('many@example.com');
  const error = await refusal(found({ email: 'many@example.com' }));
  expect(error.message).toContain('has more than 1,000 bookings with this email');
  expect(error.advice).toBe('Use the ID, or add a status to the search.');
  await expect(allOf(findContact.run(service.client, { email: 'last@example.com' }, {}))).resolves.toHaveLength(1);
});
