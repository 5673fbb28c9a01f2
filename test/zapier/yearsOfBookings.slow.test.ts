import { pagesAsked, withYears, type Years } from '../support/years.ts';
import { startSources } from './inProcess.ts';
import { book, find, introCall, refused, startOn, typeNamed, type Stage } from './stage.ts';

const regular = 'regular@example.com';

/** A Zap of an account with more bookings than a step can read, in no order. 1,100 of them are of one person. */
let years: Years;
let stage: Stage;
beforeAll(async () => {
  const change = (_: unknown, index: number) => (index >= 8_900 ? { invitee_email: regular } : {});
  years = await withYears({ order: 'none' }, { change });
  stage = { sandbox: years.sandbox, zapier: await startOn(years.sandbox, startSources) };
  // On a machine with other work, the requests may take longer than a step may read, or than the step itself.
  for (const clock of [Date, performance]) jest.spyOn(clock, 'now').mockImplementation(() => years.sandbox.clock.now());
});
beforeEach(() => years.sandbox.forgetRequests());
afterAll(async () => {
  jest.restoreAllMocks();
  await stage.zapier.stop();
  await years.end();
});

const part = 'bookings were read in the time for one search, and there are more.';

/** The ids of the bookings that are to come and were not cancelled, soonest first. */
const toCome = (isWanted: (booking: ReturnType<Years['sandbox']['bookings']>[number]) => boolean) =>
  years.sandbox
    .bookings()
    .filter((each) => Date.parse(each.start_time) >= years.sandbox.clock.now() && each.status !== 'CANCELLED' && isWanted(each))
    .sort((a, b) => a.start_time.localeCompare(b.start_time))
    .map(({ id }) => id);

test('a search of all bookings ends in an error if it read a part, where "nothing found", or which one comes first, depends on the rest', async () => {
  const type = { event_type_id: typeNamed(stage, 'Intro Call') };
  const first = await refused(find(stage, 'booking', type), 'AppError', 'Nobody can tell yet which of these bookings comes first', part);
  expect(first.message).toContain('Add an email, a start or a status to the search, or use the ID.');
  expect(pagesAsked(years.sandbox)).toBeLessThanOrEqual(100);
  const none = find(stage, 'booking', { start_time: '2030-01-02T03:07:00Z' });
  await refused(none, 'AppError', 'Nobody can tell yet whether there is such a booking', part, 'Add an email or a status');
});

test('a booking that starts when it was asked for is found for certain, and its first field says that not all were read', async () => {
  // Few wait for approval, so they are among those that were read.
  const [waiting = {}] = await find(stage, 'booking', { status: 'PENDING' });
  expect(Object.keys(waiting)).not.toContain('search_note');
  const [found = {}] = await find(stage, 'booking', { start_time: waiting['start_time'] });
  expect([Object.keys(found)[0], found['id']]).toEqual(['search_note', waiting['id']]);
  expect(found['search_note']).toMatch(
    /^This is not the whole answer: only [\d,]+ bookings .* Add an email or a status to the search, or use the ID\.$/,
  );
});

test('a search that is read to the end begins with the next booking, whoever has many', async () => {
  for (const [fields, isWanted] of [
    [{ status: 'CONFIRMED' }, ({ status }: { status: string }) => status === 'CONFIRMED'],
    [{ email: regular }, ({ invitee_email: email }: { invitee_email: string }) => email === regular],
  ] as const) {
    const found = await find(stage, 'booking', fields);
    const expected = toCome(isWanted);
    expect([found.length, found.slice(0, expected.length).map(({ id }) => id)]).toEqual([25, expected.slice(0, 25)]);
  }
});

test('find or create creates nothing if it read a part and found nothing there', async () => {
  const raw = introCall(stage, { invitee_email: regular });
  const before = years.sandbox.bookings().length;
  const made = find(stage, 'booking', raw).then(async ([found]) => found ?? book(stage, raw));
  await refused(made, 'AppError', 'Nobody can tell yet whether there is such a booking: only 1,000', 'use a step that only creates');
  expect(years.sandbox.bookings()).toHaveLength(before);
});
