import { allOf, fetchPage, paginate, type Listing } from '../../shared/client/pages.ts';
import { type ServiceRecord } from '../../shared/records/records.ts';
import { FORMS } from '../../sandbox/service.ts';
import { all, refusal } from '../support/refusal.ts';
import { serve, type TestService } from '../support/service.ts';

const bookings: Listing = { path: ['bookings'], scope: 'bookings:read', resourceName: 'bookings', record: 'booking' };

let service: TestService | undefined;
afterEach(async () => {
  await service?.sandbox.stop();
  service = undefined;
});

const combinations = FORMS.list.values
  .filter((list) => list !== 'array')
  .flatMap((list) => FORMS.cursor.values.filter((cursor) => cursor !== 'none').map((cursor) => ({ list, cursor })))
  .flatMap((form) => FORMS.cursorPlace.values.map((cursorPlace) => ({ ...form, cursorPlace })))
  .flatMap((form) => FORMS.end.values.map((end) => ({ ...form, end })));

it.each(combinations)('reads a whole list as $list with $cursor at $cursorPlace, ended by $end (G1)', async (forms) => {
  service = await serve({ forms });
  const { client, sandbox } = service;
  const found = [];
  for (let cursor: string | undefined; ; ) {
    const page = await fetchPage(client, bookings, { size: 10, cursor });
    found.push(...page.records);
    if (page.cursor === undefined) break;
    cursor = page.cursor;
  }
  expect(found.map(({ id }) => id).sort()).toEqual(
    sandbox
      .bookings()
      .map(({ id }) => id)
      .sort(),
  );
});

it('asks for 100 a page if all are wanted, and for no more than are wanted', async () => {
  service = await serve();
  const { client, sandbox } = service;
  sandbox.forgetRequests();
  await all(paginate(client, bookings));
  expect(sandbox.requests().map(({ query }) => query['limit'])).toEqual(['100']);
  sandbox.forgetRequests();
  expect(await all(paginate(client, bookings, 3))).toHaveLength(3);
  expect(sandbox.requests().map(({ query }) => query['limit'])).toEqual(['3']);
});

it('gives the same all at once and one by one, and no more than are wanted', async () => {
  service = await serve();
  const { client, sandbox } = service;
  for (const most of [0, 1, 7, Infinity]) {
    const oneByOne = await all(paginate(client, bookings, most));
    expect(oneByOne).toHaveLength(Math.min(most, sandbox.bookings().length));
    expect(await allOf(paginate(client, bookings, most))).toEqual(oneByOne);
  }
  const bare = (async function* () {
    yield* await all(paginate(client, bookings, 2));
  })();
  expect(await allOf(bare)).toHaveLength(2);
});

it('gives the result of mapping each record, if that is asked for, by pages and one by one', async () => {
  service = await serve();
  const { client } = service;
  const shown = (record: ServiceRecord) => ({ id: `shown ${String(record['id'])}` });
  const [{ id } = {}] = await all(paginate(client, bookings, 1));
  expect(await allOf(paginate(client, bookings, 1), shown)).toEqual([{ id: `shown ${String(id)}` }]);
  const bare = (async function* () {
    yield* await all(paginate(client, bookings, 1));
  })();
  expect(await allOf(bare, shown)).toEqual([{ id: `shown ${String(id)}` }]);
});

it('treats a full page without a cursor key as the last one if a page of one shows that cursors are sent', async () => {
  service = await serve({ forms: { end: 'absent' } });
  const { client, sandbox } = service;
  const size = sandbox.bookings().length;
  sandbox.forgetRequests();
  const page = await fetchPage(client, bookings, { size });
  expect(page.records).toHaveLength(size);
  expect(page.cursor).toBeUndefined();
  expect(sandbox.requests().map(({ query }) => query['limit'])).toEqual([String(size), '1']);
});

it('refuses to cut off a list if no cursor is ever sent, naming the keys that came', async () => {
  service = await serve({ forms: { cursor: 'none' } });
  const error = await refusal(fetchPage(service.client, bookings, { size: 10 }));
  expect(error.kind).toBe('unreadable');
  expect(error.message).toContain('GET /v1/bookings');
  expect(error.message).toContain('"next_cursor"');
  expect(error.message).toContain('but got the keys "data"');
});

it('refuses a page that says there is more without saying where', async () => {
  service = await serve({ forms: { cursor: 'none', hasMore: 'present' } });
  expect((await refusal(fetchPage(service.client, bookings, { size: 10 }))).kind).toBe('unreadable');
});

it('reads a bare array, and does not look for a next page that is not wanted', async () => {
  service = await serve({ forms: { list: 'array' } });
  expect(await all(paginate(service.client, bookings))).toHaveLength(service.sandbox.bookings().length);
  service.sandbox.forgetRequests();
  expect(await all(paginate(service.client, bookings, 5))).toHaveLength(5);
  expect(service.sandbox.requests()).toHaveLength(1);
});

const page = (body: unknown) => ({
  route: 'GET /v1/bookings',
  kind: 'status' as const,
  status: 200,
  headers: { 'content-type': 'application/json' },
  body,
});

it('stops at a cursor that was seen before instead of walking in a circle', async () => {
  service = await serve();
  service.sandbox.faults.add({ ...page({ data: [{ id: 'a' }], next_cursor: 'one' }), times: 3 });
  const error = await refusal(all(paginate(service.client, bookings)));
  expect(error.message).toContain('repeats itself');
  expect(service.sandbox.requests().filter(({ path }) => path === '/v1/bookings')).toHaveLength(2);
});

it('stops at a list that sends new cursors forever and nothing else', async () => {
  service = await serve();
  for (let index = 0; index < 150; index += 1) service.sandbox.faults.add(page({ data: [], next_cursor: `c${index}` }));
  expect((await refusal(all(paginate(service.client, bookings)))).message).toContain('100 pages in a row had nothing new');
  expect(service.sandbox.requests().filter(({ path }) => path === '/v1/bookings')).toHaveLength(100);
});

it('reads on over the empty pages of a service that filters a page after reading it', async () => {
  service = await serve();
  for (let index = 0; index < 40; index += 1) service.sandbox.faults.add(page({ data: [], next_cursor: `c${index}` }));
  service.sandbox.faults.add(page({ data: [{ id: 'a' }], next_cursor: null }));
  expect(await all(paginate(service.client, bookings))).toEqual([{ id: 'a' }]);
});

it.each([
  ['null in place of the list', page({ data: null, next_cursor: null })],
  ['status 204', { ...page(''), status: 204 }],
  ['a 404 that says so', { ...page({ error: 'No bookings found', code: 'NOT_FOUND' }), status: 404 }],
])('takes %s for an empty list', async (_, answer) => {
  service = await serve();
  service.sandbox.faults.add(answer);
  expect(await all(paginate(service.client, bookings))).toEqual([]);
});

it.each([
  ['null beside an error', page({ data: null, error: 'The database is away' }), 'unreadable'],
  ['a 404 without such words', { ...page({ error: 'No route matches GET /v1/bookings' }), status: 404 }, 'notFound'],
])('takes %s for no list', async (_, answer, kind) => {
  service = await serve();
  service.sandbox.faults.add(answer);
  expect((await refusal(all(paginate(service.client, bookings)))).kind).toBe(kind);
});

it.each([
  ['an unusual name', { collection: [{ id: 'a' }], pagination: { next_page_token: 'two' } }],
  ['`value`, as OData has it', { value: [{ id: 'a' }], '@odata.nextLink': 'https://elsewhere.example/bookings?cursor=two' }],
  ['its own name inside `data`', { status: 'success', data: { bookings: [{ id: 'a' }], nextCursor: 'two' } }],
  ['`_embedded`, as HAL has it', { _embedded: { bookings: [{ id: 'a' }] }, _links: { next: { href: '/bookings?cursor=two' } } }],
  ['a name that nobody knows', { appointments: [{ id: 'a' }], next: 'two', total: 2 }],
  ['numbers as names', { data: { 0: { id: 'a' } }, next_cursor: 'two' }],
  ['`data`, with its cursor in a place of its own', { data: [{ id: 'a' }], page: { size: 1, next_cursor: 'two' } }],
  ['`bookings`, with its cursor among metadata', { ok: true, bookings: [{ id: 'a' }], response_metadata: { next_cursor: 'two' } }],
  ['`data`, with several cursors in its metadata', { data: [{ id: 'a' }], meta: { cursor: { current: 'one', prev: null, next: 'two' } } }],
  ['`data`, with the cursors before and after it', { data: [{ id: 'a' }], paging: { cursors: { before: 'one', after: 'two' } } }],
  ['`results`, with a cursor in an object', { results: [{ id: 'a' }], paging: { next: { after: 'two', link: '/x?after=two' } } }],
  ['`data`, with links to the pages around it', { data: [{ id: 'a' }], links: { prev: { cursor: 'one' }, next: { cursor: 'two' } } }],
  ['`data`, with its cursor two objects deep', { data: [{ id: 'a' }], meta: { pagination: { total: 9, next_cursor: 'two' } } }],
  ['`data` beside a page info', { data: [{ id: 'a' }], pageInfo: { hasNextPage: true, endCursor: 'two' } }],
])('reads a list under %s', async (_, body) => {
  service = await serve();
  service.sandbox.faults.add(page(body));
  expect(await fetchPage(service.client, bookings, { size: 10 })).toEqual({ records: [{ id: 'a' }], cursor: 'two' });
});

it.each([
  { meta: { cursor: { current: 'one', prev: null, next: null } } },
  { cursors: { before: 'one', after: null } },
  { page: { size: 1, next_cursor: '' } },
  { next_cursor: null, rate: { limit: 1_000, next: '12:01' }, filters: { cursor: 'x' } },
])('believes %j, which says that this page is the last one', async (end) => {
  service = await serve();
  service.sandbox.faults.add(page({ data: [{ id: 'a' }], ...end }));
  expect(await fetchPage(service.client, bookings, { size: 1 })).toEqual({ records: [{ id: 'a' }] });
});

it('refuses to cut off a list that has more records than its page, if no cursor is ever sent', async () => {
  service = await serve();
  service.sandbox.faults.add({ ...page({ data: [{ id: 'a' }, { id: 'b' }], meta: { total: 37 } }), times: 'always' });
  expect((await refusal(all(paginate(service.client, bookings)))).message).toContain('expected a cursor under');
});

it('believes a page info that says that this page is the last one', async () => {
  service = await serve();
  service.sandbox.faults.add(page({ data: [{ id: 'a' }], pageInfo: { hasNextPage: false, endCursor: 'two' } }));
  expect(await fetchPage(service.client, bookings, { size: 1 })).toEqual({ records: [{ id: 'a' }] });
});

it('takes no list inside a record for the list', async () => {
  service = await serve();
  service.sandbox.faults.add(page({ data: { id: 'a', items: [] } }));
  expect((await refusal(fetchPage(service.client, bookings, { size: 10 }))).kind).toBe('unreadable');
});

it('continues as long as pages hold anything new, however many', async () => {
  service = await serve();
  for (let index = 0; index < 60; index += 1)
    service.sandbox.faults.add(page({ data: [{ id: `r${index}` }], next_cursor: index < 59 ? `c${index}` : null }));
  expect(await all(paginate(service.client, bookings))).toHaveLength(60);
});

it('continues past empty pages to those that follow', async () => {
  service = await serve();
  for (let index = 0; index < 9; index += 1) service.sandbox.faults.add(page({ data: [], next_cursor: `c${index}` }));
  service.sandbox.faults.add(page({ data: [{ id: 'a' }], next_cursor: null }));
  expect(await all(paginate(service.client, bookings))).toEqual([{ id: 'a' }]);
});

it('continues past equal pages as long as the cursors differ, and gives a repeated record once', async () => {
  service = await serve();
  for (const next_cursor of ['one', 'two', 'three', null]) service.sandbox.faults.add(page({ data: [{ id: 'a' }], next_cursor }));
  expect(await all(paginate(service.client, bookings))).toEqual([{ id: 'a' }]);
  expect(service.sandbox.requests().filter(({ path }) => path === '/v1/bookings')).toHaveLength(4);
});

it('asks for the same number on every page, and for no page after the one that has enough', async () => {
  service = await serve();
  for (const next_cursor of ['one', 'two', 'three'])
    service.sandbox.faults.add(page({ data: [{ id: `${next_cursor} a` }, { id: `${next_cursor} b` }], next_cursor }));
  expect((await allOf(paginate(service.client, bookings, 3))).map(({ id }) => id)).toEqual(['one a', 'one b', 'two a']);
  expect(service.sandbox.requests().map(({ query }) => query['limit'])).toEqual(['3', '3']);
});

it('asks for nothing if nothing is wanted', async () => {
  service = await serve();
  const records = paginate(service.client, bookings, 0);
  expect([await allOf(records), records.isTruncated, service.sandbox.requests()]).toEqual([[], false, []]);
});

it('does not look for a next page that is not wanted, also after the first one', async () => {
  service = await serve();
  const hundred = (name: string) => Array.from({ length: 100 }, (_, index) => ({ id: `${name}${index}` }));
  service.sandbox.faults.add(page({ data: hundred('a'), next_cursor: 'two' }));
  service.sandbox.faults.add(page({ data: hundred('b') }));
  const records = paginate(service.client, bookings, 150);
  expect([await allOf(records), records.isTruncated]).toMatchObject([{ length: 150 }, true]);
  expect(service.sandbox.requests()).toHaveLength(2);
});

it('gives the list by pages, and is not cut as long as more is to come', async () => {
  service = await serve();
  for (const [index, next_cursor] of ['one', 'two', null].entries())
    service.sandbox.faults.add(page({ data: [{ id: index }, { id: 0 }], next_cursor }));
  const records = paginate(service.client, bookings, 9);
  const found: unknown[] = [];
  for await (const each of records.pages()) {
    expect(records.isTruncated).toBe(false);
    found.push(each.map(({ id }) => id));
  }
  expect(found).toEqual([['0'], ['1'], ['2']]);
});

describe('a list that was cut', () => {
  it('says so once it was read, by whole pages and one by one, and costs no further request', async () => {
    service = await serve();
    const { client, sandbox } = service;
    const count = sandbox.bookings().length;
    for (const [most, isCut] of [
      [count - 1, true],
      [count, false],
      [count + 1, false],
      [1, true],
    ] as const) {
      for (const read of [allOf, all]) {
        const records = paginate(client, bookings, most);
        expect(records.isTruncated).toBe(false);
        sandbox.forgetRequests();
        await read(records);
        expect([most, records.isTruncated, sandbox.requests().length]).toEqual([most, isCut, Math.ceil(most / 100)]);
      }
    }
  });

  it('may continue, if the service does not mark the end', async () => {
    service = await serve({ forms: { list: 'array' } });
    const records = paginate(service.client, bookings, 5);
    await allOf(records);
    expect(records.isTruncated).toBe(true);
  });

  it('continues, if more records came than were wanted', async () => {
    service = await serve();
    service.sandbox.faults.add(page({ data: [{ id: 'a' }, { id: 'b' }], next_cursor: null }));
    const records = paginate(service.client, bookings, 1);
    expect([await allOf(records), records.isTruncated]).toEqual([[{ id: 'a' }], true]);
  });
});

it('gives only the records to keep, as many as are wanted, over as many pages as that takes', async () => {
  service = await serve();
  for (const [index, next_cursor] of ['one', 'two', null].entries())
    service.sandbox.faults.add(
      page({
        data: [
          { id: `a${index}`, of: 'x' },
          { id: `b${index}`, of: 'y' },
        ],
        next_cursor,
      }),
    );
  const records = paginate(service.client, { ...bookings, keep: ({ of }) => of === 'y' }, 2);
  expect([(await allOf(records)).map(({ id }) => id), records.isTruncated]).toEqual([['b0', 'b1'], true]);
  expect(service.sandbox.requests().map(({ query }) => query['limit'])).toEqual(['100', '100']);
});

it('treats a `cursor` that repeats the one sent as an echo, not as a next page', async () => {
  service = await serve();
  service.sandbox.faults.add(page({ items: [{ id: 'a' }], cursor: 'next' }));
  service.sandbox.faults.add(page({ items: [{ id: 'b' }], cursor: 'next' }));
  expect((await all(paginate(service.client, bookings))).map(({ id }) => id)).toEqual(['a', 'b']);
});

it.each([
  ['an object without a list', { ok: true }, 'the keys "ok"'],
  ['a text', 'hello', 'text that is not JSON'],
  ['nothing', '', 'an empty body'],
  ['a list with an id whose bytes were no UTF-8', { data: [{ id: 'bkg_1\uFFFD(\uFFFD' }] }, 'the keys "id"'],
  ['a list of things without an id', { data: [{ name: 'no id' }, { name: 'none either' }] }, 'the keys "name"'],
  ['a list that also holds something else', { data: [{ id: 'a' }, 'bkg_1'] }, 'text that is not JSON'],
  ['null', null, 'the value null'],
])('refuses %s as a list, saying what came, and never gives an empty list for it', async (_, body, got) => {
  service = await serve();
  service.sandbox.faults.add(page(body));
  const error = await refusal(all(paginate(service.client, bookings)));
  expect(error.kind).toBe('unreadable');
  expect(error.message).toContain('expected a list of records with an id under "data"');
  expect(error.message).toContain(got);
});

describe('a list with one record whose id cannot be used', () => {
  const unusable = ['null', '""', '9007199254740993', '"\uFFFD"'];
  const raw = (json: string) => ({ ...page(JSON.parse(json)) });

  it.each(unusable)('is given whole, with that id empty, so that nobody acts on another record: %s', async (id) => {
    service = await serve();
    service.sandbox.faults.add(raw(`{"data": [{"id": "a"}, {"id": ${id}, "status": "PENDING"}, null], "next_cursor": "two"}`));
    service.sandbox.faults.add(raw(`{"data": [{"id": ${id}}, {"id": "b", "event_type_id": 9007199254740993}]}`));
    const expected = [{ id: 'a' }, { id: '', status: 'PENDING' }, { id: '' }, { id: 'b' }];
    expect(await allOf(paginate(service.client, bookings))).toEqual(expected);
  });

  it('is given whole if that record is alone on the last page', async () => {
    service = await serve();
    service.sandbox.faults.add(page({ data: [{ id: 'a' }], next_cursor: 'two' }));
    service.sandbox.faults.add(page({ data: [{ id: null }] }));
    expect((await allOf(paginate(service.client, bookings))).map(({ id }) => id)).toEqual(['a', '']);
  });

  it('is refused if none of its records can be read', async () => {
    service = await serve();
    service.sandbox.faults.add(raw('{"data": [{"id": 9007199254740993}, {"id": 9007199254740995}]}'));
    expect((await refusal(allOf(paginate(service.client, bookings)))).message).toContain('too large to read exactly');
  });
});

it('stops at a list that always has something new', async () => {
  let asked = 0;
  const transport = () => Promise.resolve({ status: 200, headers: {}, body: { data: [{ id: ++asked }], next_cursor: asked } });
  service = await serve();
  const client = service.clientWith({ transport: () => transport });
  expect((await refusal(allOf(paginate(client, bookings)))).message).toContain('does not end after 1,000 pages');
  expect(asked).toBe(1_000);
});

describe('a page with as many records as were asked for', () => {
  const asked = () => service?.sandbox.requests().filter(({ path }) => path === '/v1/bookings').length;

  it.each([
    ['a cursor of null', { next_cursor: null }],
    ['a cursor of false', { nextCursor: false }],
    ['an empty cursor', { next_cursor: '' }],
    ['an empty address of the next page', { next: '' }],
    ['an empty address of the next page in an object', { links: { next: { href: '' } } }],
    ['has_more: false', { has_more: false }],
    ['has_more: false beside the records', { pagination: { has_more: false } }],
    ['has_more: false, although there is a cursor', { next_cursor: 'later', has_more: false }],
    ['has_more: false after an invalid has_more', { has_more: 'unknown', meta: { has_more: false } }],
  ])('is the last one with %s, and no further request is needed to find out', async (_, end) => {
    service = await serve();
    service.sandbox.faults.add(page({ data: [{ id: 'a' }], ...end }));
    expect(await fetchPage(service.client, bookings, { size: 1 })).toEqual({ records: [{ id: 'a' }] });
    expect(asked()).toBe(1);
  });

  it.each([
    ['a number', { next_cursor: 2 }, '2'],
    ['the cursor in the address of the next page', { next: 'https://elsewhere.example/bookings?cursor=two' }, 'two'],
    ['the cursor among others in that address', { _links: { next: { href: '/bookings?limit=1&cursor=two' } } }, 'two'],
    ['a cursor under another name', { next_page_token: 'two' }, 'two'],
    ['a cursor under another name among what is said of the pages', { paging: { next: 'two' } }, 'two'],
    ['the one of two keys that can be a cursor', { next_cursor: { page: 2 }, nextCursor: 'two' }, 'two'],
    ['the one of two places that can be a cursor', { next_cursor: true, page_info: { next_cursor: 'two' } }, 'two'],
  ])('continues at %s', async (_, next, cursor) => {
    service = await serve();
    service.sandbox.faults.add(page({ data: [{ id: 'a' }], ...next }));
    expect(await fetchPage(service.client, bookings, { size: 1 })).toEqual({ records: [{ id: 'a' }], cursor });
  });
});

it('continues at the cursor in a Link header, and refuses a list that says it continues elsewhere', async () => {
  service = await serve();
  const linked = (link: string) =>
    service?.sandbox.faults.add({ ...page([{ id: 'a' }]), headers: { 'content-type': 'application/json', link } });
  linked('<https://elsewhere.example/v1/bookings?limit=1&cursor=two>; rel="next", <https://elsewhere.example/v1/bookings>; rel="first"');
  expect(await fetchPage(service.client, bookings, { size: 10 })).toEqual({ records: [{ id: 'a' }], cursor: 'two' });
  linked('</v1/bookings?page=2>; rel=next');
  expect((await refusal(fetchPage(service.client, bookings, { size: 10 }))).message).toContain(
    'because the answer says that there is more',
  );
  service.sandbox.faults.add(page({ data: [{ id: 'a' }], next_page_url: '/v1/bookings?page=2' }));
  expect((await refusal(fetchPage(service.client, bookings, { size: 10 }))).message).toContain(
    'because the answer says that there is more',
  );
});

it.each([
  ['at the root', { has_more: true }],
  ['beside the records', { meta: { has_more: true } }],
])('believes has_more %s, and not the end that a missing cursor would mean', async (_, more) => {
  service = await serve();
  service.sandbox.faults.add(page({ data: [{ id: 'a' }], ...more }));
  expect((await refusal(fetchPage(service.client, bookings, { size: 10 }))).kind).toBe('unreadable');
});

it('gives no more than were asked for if the service sends more', async () => {
  service = await serve();
  service.sandbox.faults.add(page({ data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }));
  expect(await all(paginate(service.client, bookings, 1))).toEqual([{ id: 'a' }]);
});
