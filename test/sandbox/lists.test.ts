import { afterEach, describe, expect, it } from '@jest/globals';
import { at, caller, listAt, start, stopAll, textAt, type Call } from './support.ts';

afterEach(stopAll);

const ids = (records: unknown[]) => records.map((record) => textAt(record, 'id'));
const listed = async (call: Call, path: string) => listAt((await call('GET', path)).body, 'data');

/** Every id of a list, read page by page. */
async function walk(call: Call, path: string): Promise<{ ids: string[]; pages: number }> {
  const found: string[] = [];
  let cursor = '';
  for (let pages = 1; ; pages++) {
    const { body } = await call('GET', `${path}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    found.push(...ids(listAt(body, 'data')));
    if (at(body, 'next_cursor') === null) return { ids: found, pages };
    cursor = textAt(body, 'next_cursor');
  }
}

describe('pages', () => {
  it('hold 25 by default, and lead through everything once, newest first', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    const newestFirst = ids(sandbox.contacts()).reverse();
    expect(ids(await listed(call, '/contacts'))).toEqual(newestFirst.slice(0, 25));
    for (const [limit, pages] of [
      [7, 5],
      [25, 2],
      [newestFirst.length, 1],
      [100, 1],
    ])
      expect(await walk(call, `/contacts?limit=${limit}`)).toEqual({ ids: newestFirst, pages });
  });

  it('do not shift when something is created during the walk, and keep their filter', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    const confirmed = ids(sandbox.bookings().filter(({ status }) => status === 'CONFIRMED'));
    const first = await call('GET', '/bookings?status=CONFIRMED&limit=20');
    sandbox.host.book();
    const rest = await listed(call, `/bookings?status=CONFIRMED&limit=20&cursor=${textAt(first.body, 'next_cursor')}`);
    expect(ids([...listAt(first.body, 'data'), ...rest])).toEqual(confirmed.reverse());
  });
});

describe('filters', () => {
  it('of bookings: by status, by email ignoring case, and by both', async () => {
    const sandbox = await start();
    const all = sandbox.bookings();
    const [{ invitee_email: email } = { invitee_email: '' }] = all;
    const expected: [query: string, holds: (booking: (typeof all)[number]) => boolean][] = [
      ...(['CONFIRMED', 'CANCELLED', 'PENDING'] as const).map((status): (typeof expected)[number] => [
        `status=${status}`,
        (booking) => booking.status === status,
      ]),
      [`email=${email.toUpperCase()}`, ({ invitee_email }) => invitee_email === email],
      [`email=${email}&status=CONFIRMED`, ({ invitee_email, status }) => invitee_email === email && status === 'CONFIRMED'],
      [`email=${email.slice(1)}`, () => false],
    ];
    for (const [query, holds] of expected)
      expect([query, ids(await listed(caller(sandbox), `/bookings?limit=100&${query}`))]).toEqual([
        query,
        ids(all.filter(holds)).reverse(),
      ]);
  });

  it('of contacts: by email, ignoring case', async () => {
    const call = caller(await start());
    const found = await listed(call, '/contacts?email=ANA.Ruiz@example.com');
    expect(found).toMatchObject([{ name: 'Ana Ruiz', email: 'ana.ruiz@example.com', phone: '+34 600 000 100' }]);
    expect((await call('GET', `/contacts/${textAt(found, 0, 'id')}`)).body).toEqual({ data: found[0] });
    expect(await listed(call, '/contacts?email=nobody@example.com')).toEqual([]);
  });

  it.each([
    ['status', 'DENIED'],
    ['status', 'PENDING&status=CANCELLED'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'ten'],
    ['limit', '1e1'],
    ['email', ''],
    ['cursor', 'nonsense'],
    ['cursor', ''],
    ['cursor', Buffer.from('contacts:3').toString('base64url')],
  ])('refuse %s=%s with 400', async (name, value) => {
    const reply = await caller(await start())('GET', `/bookings?${name}=${value}`);
    expect([reply.status, at(reply.body, 'details', 0, 'field')]).toEqual([400, name]);
  });
});

it('the booking types are listed, inactive ones included, with questions of every type', async () => {
  const call = caller(await start());
  const types = await listed(call, '/event-types');
  expect(types.filter((type) => at(type, 'active') === false)).toHaveLength(1);
  expect(types.some((type) => at(type, 'requires_approval') === true)).toBe(true);
  const questions = types.flatMap((type) => listAt(type, 'questions'));
  expect(new Set(questions.map((question) => at(question, 'type')))).toEqual(
    new Set(['text', 'textarea', 'number', 'boolean', 'select', 'multiselect', 'phone', 'email', 'date']),
  );
  expect((await call('GET', `/event-types/${textAt(types, 0, 'id')}`)).body).toEqual({ data: types[0] });
});
