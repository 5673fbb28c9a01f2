import type { Client } from '@modelcontextprotocol/client';
import { call, somebody, Stage, textOf } from './stage.ts';

let stage: Stage;
let client: Client;
beforeAll(async () => {
  stage = await Stage.open();
  client = await stage.served();
});
afterAll(() => stage.close());

const answered = async (name: string, given: Record<string, unknown>) => {
  const result = await call(client, name, given);
  return { refused: result.isError === true ? textOf(result) : undefined, shown: result.structuredContent as Record<string, unknown> };
};

describe('the arguments of a call', () => {
  const lengthOf = (given: Record<string, unknown>): number => JSON.stringify(given).length;

  test('may have a hundred thousand characters, and not one more', async () => {
    const given = { booking_id: 'bkg_1', long: '' };
    const fill = 100_000 - lengthOf(given);
    expect((await answered('get_booking', { ...given, long: 'x'.repeat(fill) })).refused).toContain('get_booking has no argument "long".');
    expect((await answered('get_booking', { ...given, long: 'x'.repeat(fill + 1) })).refused).toBe(
      'The arguments are longer than 100000 characters: nothing was sent. Shorten them and call this again.',
    );
  });

  test('that a tool does not take are named, shortened; those that are null count as left out', async () => {
    const long = 'x'.repeat(81);
    const { refused } = await answered('get_current_user', { [long]: 1, other: 2 });
    expect(refused).toContain(`get_current_user has no argument "${long.slice(1)}", "other". It takes none.`);
    expect((await answered('create_booking', { ...stage.wanted, invitee_timezone: null })).shown).toMatchObject({ status: 'CONFIRMED' });
  });
});

describe('what a model may write otherwise than the schema says', () => {
  test("is the start in local time, with the invitee's time zone: the tool says so", async () => {
    const { tools } = await client.listTools();
    const start = tools.find(({ name }) => name === 'create_booking')?.inputSchema.properties?.['start_time'];
    expect((start as { description: string }).description).toContain('ISO 8601 with a UTC offset, or local time with invitee_timezone.');
    const { shown } = await answered('create_booking', {
      ...stage.wanted,
      start_time: '2059-07-01T09:00',
      invitee_timezone: 'Europe/Berlin',
    });
    expect(shown['start_time']).toMatch(/^2059-07-01T07:00:00/);
  });

  test('is a status', async () => {
    const { shown } = await answered('list_bookings', { status: ' Confirmed ' });
    expect(shown['records']).toEqual((await answered('list_bookings', { status: 'CONFIRMED' })).shown['records']);
  });
});

describe('a refusal says what a model can do about it', () => {
  const takeType = 'Take event_type_id from list_event_types.';
  test.each<[string, Record<string, unknown>, string]>([
    ['get_booking', { booking_id: 'bkg_no' }, 'It may be deleted, or in another account. Take booking_id from list_bookings.'],
    ['create_booking', { event_type_id: 'evt_no' }, takeType],
    ['create_booking', { event_type_id: 'Intro Call' }, takeType],
    ['create_booking', { invitee_email: undefined }, 'Correct it and call this again. Ask the person for what they have not said.'],
    ['create_booking', { invitee_timezone: 'EST' }, '"invitee_timezone" is ambiguous; use a name such as America/New_York: it is "EST".'],
    [
      'create_booking',
      { start_time: '2059-07-01T09:00' },
      `"start_time" has no UTC offset, and no time zone is set: it is "2059-07-01T09:00". Add the offset of the time zone that is meant, or pass invitee_timezone if the time is the invitee's. If you do not know it, ask the person.`,
    ],
    ['list_bookings', { from: '2059-07-01' }, 'Add the offset of the time zone that is meant. If you do not know it, ask the person.'],
    [
      'get_busy_times',
      { from: '2059-07-02T00:00Z', to: '2059-07-01T00:00Z' },
      '"to" must be later than "from". Correct it and call this again.',
    ],
    ['list_bookings', { status: 'ACTIVE', limit: 1 }, '"status" is not one of CONFIRMED, CANCELLED, PENDING: it is "ACTIVE".'],
  ])('%s %j', async (name, given, said) => {
    expect((await answered(name, { ...(name === 'create_booking' && stage.wanted), ...given })).refused).toContain(said);
  });

  test('after a time that is taken: that the person decides, and that this invitee has it already', async () => {
    const wanted = stage.wanted;
    const { id } = (await answered('create_booking', wanted)).shown;
    const again = await answered('create_booking', wanted);
    expect(again.refused).toMatch(
      /\nAsk the person for another start\.\nArguments: start_time\.\nThis invitee already has that booking; make another only if the person wants two:\n/,
    );
    expect(again.refused).toContain(`"id":"${String(id)}"`);
    const other = await answered('create_booking', { ...wanted, invitee_email: somebody() });
    expect(other.refused).toMatch(/\nAsk the person for another start\.\nArguments: start_time\.\nIt is now /);
    const ofTheSameFamily = await answered('create_booking', { ...wanted, invitee_name: 'Somebody Else' });
    expect(ofTheSameFamily.refused).not.toContain('already has that booking');
  });
});

describe('the number of records of a page', () => {
  test.each<[unknown, number]>([
    [null, 10],
    ['', 10],
    ['2', 2],
  ])('%j is also the number that the service is asked for', async (limit, count) => {
    stage.sandbox.forgetRequests();
    expect((await answered('list_contacts', { limit })).shown['records']).toHaveLength(count);
    const asked = stage.sandbox.requests().filter(({ path }) => path === '/v1/contacts');
    expect(asked.map(({ query }) => query['limit'])).toEqual([String(count)]);
  });

  test.each([0, 1.5, 51, 'many', {}])('is not %j', async (limit) => {
    expect((await answered('list_contacts', { limit })).refused).toContain('"limit" must be a whole number from 1 to 50.');
  });
});

describe('the cursor of a page', () => {
  const given = { limit: 2 };
  const inside = (cursor: unknown): unknown[] => JSON.parse(Buffer.from(String(cursor), 'base64url').toString()) as unknown[];
  const cursorOf = (parts: unknown): string => Buffer.from(typeof parts === 'string' ? parts : JSON.stringify(parts)).toString('base64url');

  test('keeps the size of the first page, because a cursor may count pages; an empty one begins the list', async () => {
    const { next_cursor: cursor } = (await answered('list_contacts', { limit: 3, cursor: '' })).shown;
    expect((await answered('list_contacts', { limit: 9, cursor })).shown).toMatchObject({ records: { length: 3 } });
  });

  test('belongs to the list with the same arguments', async () => {
    const { shown } = await answered('list_bookings', { ...given, status: 'CONFIRMED' });
    const cursor = shown['next_cursor'];
    expect((await answered('list_bookings', { ...given, status: 'CONFIRMED', cursor })).refused).toBeUndefined();
    expect((await answered('list_bookings', { ...given, status: 'CANCELLED', cursor })).refused).toContain(
      'does not come from the last page',
    );
  });

  test.each<[string, (genuine: unknown[]) => unknown]>([
    ['no JSON', () => 'no JSON'],
    ['no list', () => ({})],
    ['the list of another tool', ([, ...rest]) => ['another', ...rest]],
    ['a size in words', ([name, , place]) => [name, '2', place]],
    ['pages that are too long for a model', ([name, , place]) => [name, 51, place]],
    ['a place before the first record', ([name, size]) => [name, size, -1]],
  ])('that contains %s is refused', async (_, change) => {
    const genuine = (await answered('list_contacts', given)).shown['next_cursor'];
    const { refused } = await answered('list_contacts', { ...given, cursor: cursorOf(change(inside(genuine))) });
    expect(refused).toContain(
      '"cursor" does not come from the last page of this list: leave it out to start from the first page, and keep the other arguments.',
    );
  });
});
