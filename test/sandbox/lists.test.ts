import { afterEach, describe, expect, it } from '@jest/globals';
import { at, caller, listAt, start, stopAll, textAt, type Call } from './support.ts';

afterEach(stopAll);

/** Every id of a list, read page by page. */
async function walk(call: Call, path: string, limit?: number): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let cursor = '';
  for (let pages = 1; ; pages++) {
    const query = new URLSearchParams({ ...(limit === undefined ? {} : { limit: String(limit) }), ...(cursor === '' ? {} : { cursor }) });
    const { status, body } = await call('GET', `${path}?${query.toString()}`);
    expect(status).toBe(200);
    ids.push(...listAt(body, 'data').map((item) => textAt(item, 'id')));
    if (at(body, 'next_cursor') === null) return { ids, pages };
    cursor = textAt(body, 'next_cursor');
  }
}

describe('pages', () => {
  it('hold 25 by default, and lead through everything once, newest first', async () => {
    const sandbox = await start();
    const newestFirst = sandbox
      .contacts()
      .map(({ id }) => id)
      .reverse();
    expect(listAt((await caller(sandbox)('GET', '/contacts')).body, 'data').map((item) => textAt(item, 'id'))).toEqual(
      newestFirst.slice(0, 25),
    );
    expect(newestFirst.length).toBeGreaterThan(25);
    expect(await walk(caller(sandbox), '/contacts')).toEqual({ ids: newestFirst, pages: 2 });
    expect(await walk(caller(sandbox), '/contacts', 7)).toEqual({ ids: newestFirst, pages: Math.ceil(newestFirst.length / 7) });
    expect(await walk(caller(sandbox), '/contacts', 100)).toEqual({ ids: newestFirst, pages: 1 });
    expect(await walk(caller(sandbox), '/contacts', newestFirst.length)).toEqual({ ids: newestFirst, pages: 1 });
  });

  it('do not shift when something is created during the walk', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    const first = await call('GET', '/bookings?limit=10');
    sandbox.host.book();
    const second = await call('GET', `/bookings?limit=10&cursor=${textAt(first.body, 'next_cursor')}`);
    const ids = [...listAt(first.body, 'data'), ...listAt(second.body, 'data')].map((item) => textAt(item, 'id'));
    expect(new Set(ids).size).toBe(20);
  });

  it('keep their filter over the walk', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    const expected = sandbox.bookings().filter(({ status }) => status === 'CONFIRMED').length;
    const first = await call('GET', '/bookings?status=CONFIRMED&limit=20');
    const second = await call('GET', `/bookings?status=CONFIRMED&limit=20&cursor=${textAt(first.body, 'next_cursor')}`);
    expect(listAt(first.body, 'data').length + listAt(second.body, 'data').length).toBe(expected);
  });

  it('refuse the cursor of another list', async () => {
    const call = caller(await start());
    const cursor = textAt((await call('GET', '/contacts?limit=1')).body, 'next_cursor');
    expect((await call('GET', `/bookings?cursor=${cursor}`)).status).toBe(400);
  });
});

describe('contacts, booking types and the user', () => {
  it('find a contact by email, ignoring case, and get it by id', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    const found = listAt((await call('GET', '/contacts?email=ANA.Ruiz@example.com')).body, 'data');
    expect(found).toEqual([expect.objectContaining({ name: 'Ana Ruiz', email: 'ana.ruiz@example.com', phone: '+34 600 000 100' })]);
    expect((await call('GET', `/contacts/${textAt(found, 0, 'id')}`)).body).toEqual({ data: found[0] });
    expect(listAt((await call('GET', '/contacts?email=nobody@example.com')).body, 'data')).toEqual([]);
  });

  it('list the booking types, inactive ones included, with questions of every type', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    const types = listAt((await call('GET', '/event-types')).body, 'data');
    expect(types.filter((type) => at(type, 'active') === false)).toHaveLength(1);
    expect(types.some((type) => at(type, 'requires_approval') === true)).toBe(true);
    const questions = types.flatMap((type) => listAt(type, 'questions'));
    expect(new Set(questions.map((question) => at(question, 'type')))).toEqual(
      new Set(['text', 'textarea', 'number', 'boolean', 'select', 'multiselect', 'phone', 'email', 'date']),
    );
    expect((await call('GET', `/event-types/${textAt(types, 0, 'id')}`)).body).toEqual({ data: types[0] });
  });

  it('show who is connected', async () => {
    const sandbox = await start();
    const { id, name, email, timezone, locale, plan } = sandbox.account;
    expect((await caller(sandbox)('GET', '/me')).body).toEqual({ data: { id, name, email, timezone, locale, plan } });
  });
});
