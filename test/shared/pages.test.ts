import { allOf, fetchPage, paginate, type Listing } from '../../shared/client/pages.ts';
import { FORMS } from '../../sandbox/service.ts';
import { all, refusal, serve, type TestService } from '../support/service.ts';

const bookings: Listing = { path: ['bookings'], scope: 'bookings:read', resourceName: 'bookings', record: 'booking' };

let service: TestService;
const begin = async (...given: Parameters<typeof serve>) => void (service = await serve(...given));

/** An answer to the list, as a fault of the sandbox. */
const page = (body: unknown) => ({
  route: 'GET /v1/bookings',
  kind: 'status' as const,
  status: 200,
  headers: { 'content-type': 'application/json' } as Record<string, string>,
  body,
});
type Answer = ReturnType<typeof page>;
/** A service that answers with these, one after another. */
async function answering(...answers: Answer[]): Promise<void> {
  await begin();
  for (const answer of answers) service.sandbox.faults.add(answer);
}
const one = { data: [{ id: 'a' }] };
const fetchFirst = (size = 10) => fetchPage(service.client, bookings, { size });
const listed = (max?: number) => paginate(service.client, bookings, max);
const ids = async (max?: number) => (await allOf(listed(max))).map(({ id }) => id);
const limits = () => service.sandbox.requests().map(({ query }) => query['limit']);
const newestFirst = () =>
  service.sandbox
    .bookings()
    .map(({ id }) => id)
    .reverse();

const combinations = FORMS.list.values
  .filter((list) => list !== 'array')
  .flatMap((list) => FORMS.cursor.values.filter((cursor) => cursor !== 'none').map((cursor) => ({ list, cursor })))
  .flatMap((form) => FORMS.cursorPlace.values.map((cursorPlace) => ({ ...form, cursorPlace })))
  .flatMap((form) => FORMS.end.values.map((end) => ({ ...form, end })));

it.each(combinations)('reads a whole list as $list with $cursor at $cursorPlace, ended by $end (G1)', async (forms) => {
  await begin({ forms });
  const found = [];
  for (let cursor: string | undefined; ; ) {
    const { records, cursor: next } = await fetchPage(service.client, bookings, { size: 10, cursor });
    found.push(...records.map(({ id }) => id));
    if (next === undefined) break;
    cursor = next;
  }
  expect(found.sort()).toEqual(newestFirst().sort());
});

describe('how much is asked for', () => {
  it.each([
    [Infinity, ['100']],
    [3, ['3']],
    [0, []],
  ])('if %p are wanted: pages of %j, read one by one or all at once', async (max, sizes) => {
    await begin();
    for (const read of [all, allOf]) {
      service.sandbox.forgetRequests();
      const records = listed(max);
      expect(await read(records)).toHaveLength(Math.min(max, service.sandbox.bookings().length));
      expect(limits()).toEqual(sizes);
    }
  });

  it('the same number on every page, and no page after the one that has enough', async () => {
    const pair = (name: string) => page({ data: [{ id: `${name} a` }, { id: `${name} b` }], next_cursor: name });
    await answering(pair('one'), pair('two'), pair('three'));
    expect(await ids(3)).toEqual(['one a', 'one b', 'two a']);
    expect(limits()).toEqual(['3', '3']);
  });

  it('as few pages as possible of a service whose cursors count pages', async () => {
    await begin({ forms: { cursors: 'page' }, limits: false });
    while (service.sandbox.bookings().length < 140) service.sandbox.host.book();
    expect(await ids(130)).toEqual(newestFirst().slice(0, 130));
    expect(service.sandbox.requests()).toHaveLength(2);
  });

  it('whole pages, as many as it takes, if only some records are kept', async () => {
    const mixed = (name: string, next_cursor: string | null) =>
      page({ data: ['x', 'y'].map((of) => ({ id: `${of} ${name}`, of })), next_cursor });
    await answering(mixed('1', 'one'), mixed('2', 'two'), mixed('3', null));
    const records = paginate(service.client, { ...bookings, keep: ({ of }) => of === 'y' }, 2);
    expect([(await allOf(records)).map(({ id }) => id), records.isTruncated]).toEqual([['y 1', 'y 2'], true]);
    expect(limits()).toEqual(['100', '100']);
  });
});

describe('the list', () => {
  it.each([
    ['an unusual name', { collection: [{ id: 'a' }], pagination: { next_page_token: 'two' } }],
    ['`value`, as OData has it', { value: [{ id: 'a' }], '@odata.nextLink': 'https://elsewhere.example/bookings?cursor=two' }],
    ['its own name inside `data`', { status: 'success', data: { bookings: [{ id: 'a' }], nextCursor: 'two' } }],
    ['`_embedded`, as HAL has it', { _embedded: { bookings: [{ id: 'a' }] }, _links: { next: { href: '/bookings?cursor=two' } } }],
    ['a name that nobody knows', { appointments: [{ id: 'a' }], next: 'two', total: 2 }],
    ['`bookings`, with its cursor among metadata', { ok: true, bookings: [{ id: 'a' }], response_metadata: { next_cursor: 'two' } }],
    ['`data`, with its cursor in a place of its own', { ...one, page: { size: 1, next_cursor: 'two' } }],
    ['`data`, with several cursors in its metadata', { ...one, meta: { cursor: { current: 'one', prev: null, next: 'two' } } }],
    ['`data`, with the cursors before and after it', { ...one, paging: { cursors: { before: 'one', after: 'two' } } }],
    ['`data` beside a page info', { ...one, pageInfo: { hasNextPage: true, endCursor: 'two' } }],
    ['`data`, with the address of the next page', { ...one, next: 'https://elsewhere.example/bookings?cursor=two' }],
    ['`data`, with the cursor among others in that address', { ...one, _links: { next: { href: '/bookings?limit=1&cursor=two' } } }],
    ['`data`, with a cursor under another name', { ...one, next_page_token: 'two' }],
    ['`data`, with another name among what is said of the pages', { ...one, paging: { next: 'two' } }],
    ['`data`, with one of two places that can be a cursor', { ...one, next_cursor: true, page_info: { next_cursor: 'two' } }],
    ['`data`, with a number as cursor', { ...one, next_cursor: 2 }, '2'],
  ])('is read under %s', async (_, body, cursor = 'two') => {
    await answering(page(body));
    expect(await fetchFirst(1)).toEqual({ records: [{ id: 'a' }], cursor });
  });

  it('continues at the cursor in a Link header', async () => {
    const link =
      '<https://elsewhere.example/v1/bookings?limit=1&cursor=two>; rel="next", <https://elsewhere.example/v1/bookings>; rel="first"';
    await answering({ ...page([{ id: 'a' }]), headers: { 'content-type': 'application/json', link } });
    expect(await fetchFirst()).toEqual({ records: [{ id: 'a' }], cursor: 'two' });
  });

  it.each([
    ['null in place of the list', page({ data: null, next_cursor: null })],
    ['null in place of a bare list', page('null')],
    ['status 204', { ...page(''), status: 204 }],
    ['a 404 that says so', { ...page({ error: 'No bookings found', code: 'NOT_FOUND' }), status: 404 }],
    ['a 404 about the invitee', { ...page({ error: 'Not Found', message: 'Invitee not found' }), status: 404 }],
    ['a 404 with such a code', { ...page({ error: 'Not Found', code: 'BOOKINGS_NOT_FOUND' }), status: 404 }],
  ])('is empty with %s', async (_, answer) => {
    await answering(answer);
    expect(await ids()).toEqual([]);
  });

  it.each<[string, Answer, string, string]>([
    ['null beside an error', page({ data: null, error: 'The database is away' }), 'invalid', 'The database is away'],
    ['a 404 without such words', { ...page({ error: 'No route matches GET /v1/bookings' }), status: 404 }, 'notFound', ''],
    ['a 404 about anything', { ...page({ error: 'Not Found', code: 'NOT_FOUND' }), status: 404 }, 'notFound', 'The list of bookings'],
    ['a list inside a record', page({ data: { id: 'a', items: [] } }), 'unreadable', ''],
    ...(
      [
        ['an object without a list', { ok: true }, 'the keys "ok"'],
        ['a text', 'hello', 'text that is not JSON'],
        ['nothing', '', 'an empty body'],
        ['a list with an id whose bytes were no UTF-8', { data: [{ id: 'bkg_1\uFFFD(\uFFFD' }] }, 'the keys "id"'],
        ['a list of things without an id', { data: [{ name: 'no id' }, { name: 'none either' }] }, 'the keys "name"'],
      ] as const
    ).map(([what, body, got]): [string, Answer, string, string] => [
      what,
      page(body),
      'unreadable',
      `expected a list of records with an id under "data", but got ${got}`,
    ]),
  ])('is no empty list with %s: it is refused, saying what came', async (_, answer, kind, words) => {
    await answering(answer);
    const error = await refusal(ids());
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(words);
  });

  it.each([null, '', 2 ** 53, '\uFFFD'])('with one record whose id is %j is given whole, with that id empty', async (id) => {
    await answering(
      page({ data: [{ id: 'a' }, { id, status: 'PENDING' }, null], next_cursor: 'two' }),
      page({ data: [{ id }, { id: 'b', event_type_id: 2 ** 53 }], next_cursor: 'three' }),
      page({ data: [{ id }] }),
    );
    expect(await allOf(listed())).toEqual([{ id: 'a' }, { id: '', status: 'PENDING' }, { id: '' }, { id: 'b' }, { id: '' }]);
  });
});

describe('the last page', () => {
  it.each([
    ['a cursor of null', { next_cursor: null }],
    ['a cursor of false', { nextCursor: false }],
    ['an empty cursor', { next_cursor: '' }],
    ['an empty cursor in an object', { page: { size: 1, next_cursor: '' } }],
    [
      'null beside things that only look like a cursor',
      { next_cursor: null, rate: { limit: 1_000, next: '12:01' }, filters: { cursor: 'x' } },
    ],
    ['an empty address of the next page in an object', { links: { next: { href: '' } } }],
    ['has_more: false, although there is a cursor', { next_cursor: 'later', has_more: false }],
    ['a page info that says so', { pageInfo: { hasNextPage: false, endCursor: 'two' } }],
    ['has_more: "false"', { next_cursor: 'later', has_more: 'false' }],
    ['a cursor of 0', { next_cursor: 0 }],
    ['a cursor of 0 as text', { next_cursor: '0' }],
  ])('is known by %s, although it is full, and costs no further request', async (_, end) => {
    await answering(page({ ...one, ...end }));
    expect(await fetchFirst(1)).toEqual({ records: [{ id: 'a' }] });
    expect(service.sandbox.requests()).toHaveLength(1);
  });

  it('is an empty one whose cursor leads to itself, of a service that always sends one', async () => {
    await answering(page({ ...one, next_cursor: 'end' }), page({ data: [], next_cursor: 'end' }));
    expect(await ids()).toEqual(['a']);
    expect(service.sandbox.requests()).toHaveLength(2);
  });
});

it.each([
  [410, 'The next page was not found'],
  [404, 'The next page was not found'],
  [400, 'rejected the request'],
])('a cursor that is refused with %i says to begin again, and not that the address is wrong', async (status, words) => {
  const gone = { ...page({ error: 'Gone', message: 'The cursor has expired' }), status };
  await answering(page({ ...one, next_cursor: 'two' }), gone);
  const error = await refusal(ids());
  expect(error).toMatchObject({ status, advice: 'Read the list again from its first page.' });
  expect(error.message).toContain(words);
  expect(error.message).toContain('says: "The cursor has expired"');
});

describe('a list that contradicts itself', () => {
  const more = 'because the answer says that there is more';

  it.each(['link', 'other'] as const)('is read on if another key names the cursor: %s', async (contradiction) => {
    await begin({ forms: { contradiction }, limits: false });
    while (service.sandbox.bookings().length < 110) service.sandbox.host.book();
    expect(await ids()).toEqual(newestFirst());
  });

  it.each(['more', 'unnamed'] as const)('is refused if no key does, unless one page has enough: %s', async (contradiction) => {
    await begin({ forms: { contradiction }, limits: false });
    while (service.sandbox.bookings().length < 110) service.sandbox.host.book();
    expect((await refusal(ids())).message).toContain(`${more}, but got the keys "data"`);
    expect(service.sandbox.requests()).toHaveLength(1);
    const records = listed(50);
    expect([await allOf(records), records.isTruncated]).toMatchObject([{ length: 50 }, true]);
  });

  it.each([
    ['has_more', page({ ...one, has_more: true })],
    ['an address without a cursor', page({ ...one, next_page_url: '/v1/bookings?page=2' })],
    [
      'a Link without a cursor',
      { ...page(one.data), headers: { 'content-type': 'application/json', link: '</v1/bookings?page=2>; rel=next' } },
    ],
  ])('is refused with %s, and not taken for its end', async (_, answer) => {
    await answering(answer);
    expect((await refusal(fetchFirst())).message).toContain(more);
  });

  it.each([{ cursor: 'none' }, { cursor: 'none', hasMore: 'present' }] as const)('is never cut off: %j', async (forms) => {
    await begin({ forms });
    const error = await refusal(fetchFirst());
    expect(error.kind).toBe('unreadable');
    for (const part of ['GET /v1/bookings', '"next_cursor"', 'but got the keys "data"']) expect(error.message).toContain(part);
  });

  it.each([
    ['more records than its page', { total: 37 }],
    ['several pages', { total_pages: 2 }],
    ['a page size that is reached', { per_page: 2 }],
  ])('is never cut off if it has %s and no cursor', async (_, meta) => {
    await answering(...Array<Answer>(3).fill(page({ data: [{ id: 'a' }, { id: 'b' }], meta })));
    expect((await refusal(ids())).message).toContain('expected a cursor under');
  });

  it('ends with a page that is full by its own size, where shorter ones have a cursor', async () => {
    const full = { data: [{ id: 'a' }, { id: 'b' }], meta: { per_page: 2, total_pages: 1 } };
    await answering(page(full), page({ ...one, next_cursor: 'two' }));
    expect(await ids()).toEqual(['a', 'b']);
  });
});

describe('a list without end', () => {
  const empty = (index: number) => page({ data: [], next_cursor: `c${index}` });
  const pagesOf = (count: number, each: (index: number) => Answer) => Array.from({ length: count }, (_, index) => each(index));

  it('is refused if a cursor comes again, instead of walking in a circle', async () => {
    await answering(...pagesOf(3, () => page({ ...one, next_cursor: 'one' })));
    expect((await refusal(ids())).message).toContain('repeats itself');
    expect(service.sandbox.requests()).toHaveLength(2);
  });

  it('is refused if it sends new cursors forever and nothing else', async () => {
    await answering(...pagesOf(150, empty));
    expect((await refusal(ids())).message).toContain('100 pages in a row had nothing new');
    expect(service.sandbox.requests()).toHaveLength(100);
  });

  it('is refused after a thousand pages if it always has something new', async () => {
    let asked = 0;
    const transport = () => Promise.resolve({ status: 200, headers: {}, body: { data: [{ id: ++asked }], next_cursor: asked } });
    const { clientWith } = await serve();
    const client = clientWith({ transport: () => transport });
    expect((await refusal(allOf(paginate(client, bookings)))).message).toContain('does not end after 1,000 pages');
    expect(asked).toBe(1_000);
  });

  it.each<[string, Answer[], string[]]>([
    ['40 empty pages, of a service that filters a page after reading it', pagesOf(40, empty), ['a']],
    ['equal pages with other cursors, each record once', pagesOf(3, (index) => page({ ...one, next_cursor: `c${index}` })), ['a']],
    ['a `cursor` that repeats the one sent, which is an echo', [page({ items: [{ id: 'b' }], cursor: 'next' })], ['b', 'a']],
  ])('is none with %s', async (_, before, found) => {
    await answering(...before, page({ items: [{ id: 'a' }], ...(found[0] === 'b' ? { cursor: 'next' } : { next_cursor: null }) }));
    expect(await ids()).toEqual(found);
  });
});

describe('a list that was cut', () => {
  it('says so once it was read, by whole pages and one by one, and costs no further request', async () => {
    await begin();
    const count = service.sandbox.bookings().length;
    for (const [max, isCut] of [
      [count - 1, true],
      [count, false],
      [count + 1, false],
      [0, false],
    ] as const) {
      for (const read of [allOf, all]) {
        const records = listed(max);
        expect(records.isTruncated).toBe(false);
        service.sandbox.forgetRequests();
        await read(records);
        expect([max, records.isTruncated, service.sandbox.requests().length]).toEqual([max, isCut, Math.ceil(max / 100)]);
      }
    }
  });

  it('may continue if the service does not mark the end, and does if more records came than were wanted', async () => {
    await begin({ forms: { list: 'array' } });
    const unmarked = listed(5);
    expect([await allOf(unmarked), unmarked.isTruncated]).toMatchObject([{ length: 5 }, true]);
    await answering(page({ data: [{ id: 'a' }, { id: 'b' }], next_cursor: null }));
    const records = listed(1);
    expect([await allOf(records), records.isTruncated]).toEqual([[{ id: 'a' }], true]);
  });
});
