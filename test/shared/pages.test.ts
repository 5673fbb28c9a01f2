import type { ApiRequest } from '../../shared/client/ports.ts';
import type { Client } from '../../shared/client/client.ts';
import { limits as documented } from '../../shared/limits.ts';
import type { Listing } from '../../shared/call.ts';
import { allOf, fetchPage, paginate } from '../../shared/client/pages.ts';
import { FORMS, type Forms } from '../../sandbox/service.ts';
import { all, answered, refusal, serve } from '../support/service.ts';
import { listOf, oneOf, places, unmarkedList } from '../support/wire.ts';
import { getManyContacts } from '../../shared/operations/contact.ts';
import { compareLists } from '../../shared/polling/poll.ts';
import { sha256 } from '../../shared/webhooks/nodeCrypto.ts';
import { readListPage, readSortedPage, type Cursor } from '../../shared/operations/listPage.ts';

const bookings: Listing = { path: ['bookings'], scope: 'bookings:read', resourceName: 'bookings', record: 'booking' };

let client: Client;
let asked: ApiRequest[];

/** The sandbox with these forms, and with at least so many bookings. @returns their ids, the newest first */
async function begin(forms: Partial<Forms> = {}, count = 0): Promise<string[]> {
  const { sandbox, clientWith } = await serve({ forms, limits: false });
  for (let left = count - sandbox.bookings().length; left > 0; left -= 1) sandbox.host.book();
  asked = [];
  client = clientWith({ transport: (inner) => (request) => inner(asked[asked.push(request) - 1] ?? request) });
  return sandbox
    .bookings()
    .map(({ id }) => id)
    .reverse();
}

/** An answer to the list. */
const page = (body: unknown) => ({ status: 200, headers: {}, body });
type Answer = Parameters<typeof answered>[0][number];
/** A service that answers with these, one after another. */
const answering = (...answers: Answer[]): void => void ({ client, asked } = answered(answers));
const one = unmarkedList([{ id: 'a' }]);
const fetchFirst = (size = 10) => fetchPage(client, bookings, { size });
const listed = (max?: number) => paginate(client, bookings, max);
const ids = async (max?: number) => (await allOf(listed(max))).map(({ id }) => id);
const limits = () => asked.map(({ query }) => query?.['limit']);

const forms = (['list', 'cursor', 'cursors', 'end'] as const).flatMap((name) =>
  FORMS[name].values.filter((value) => value !== 'array' && value !== 'none').map((value) => ({ name, value })),
);

it.each(forms)('reads a whole list with $name = $value (G1)', async ({ name, value }) => {
  const there = await begin({ [name]: value });
  const found = [];
  for (let cursor: string | undefined; ; ) {
    const { records, cursor: next } = await fetchPage(client, bookings, { size: 10, cursor });
    found.push(...records.map(({ id }) => id));
    if (next === undefined) break;
    cursor = next;
  }
  expect(found.sort()).toEqual(there.sort());
});

describe('how much is asked for', () => {
  it('the same number on every page, and no page after the one that has enough', async () => {
    const pair = (name: string) => page(listOf([{ id: `${name} a` }, { id: `${name} b` }], name));
    answering(pair('one'), pair('two'), pair('three'));
    expect(await ids(3)).toEqual(['one a', 'one b', 'two a']);
    expect(limits()).toEqual(['3', '3']);
  });

  it('as few pages as possible of a service whose cursors count pages', async () => {
    const there = await begin({ cursors: 'page' }, 140);
    expect(await ids(130)).toEqual(there.slice(0, 130));
    expect(asked).toHaveLength(2);
  });

  it('whole pages, as many as it takes, if only some records are kept', async () => {
    const mixed = (name: string, next: string | null) =>
      page(
        listOf(
          ['x', 'y'].map((of) => ({ id: `${of} ${name}`, of })),
          next,
        ),
      );
    answering(mixed('1', 'one'), mixed('2', 'two'), mixed('3', null));
    const records = paginate(client, { ...bookings, keep: ({ of }) => of === 'y' }, 2);
    expect([(await allOf(records)).map(({ id }) => id), records.isTruncated]).toEqual([['y 1', 'y 2'], true]);
    expect(limits()).toEqual(['100', '100']);
  });
});

describe('the list', () => {
  it('continues at a cursor that is a number', async () => {
    answering(page(listOf([{ id: 'a' }], 2)));
    expect(await fetchFirst(1)).toEqual({ records: [{ id: 'a' }], cursor: '2' });
  });

  // RFC 8288: a relation is one of several words in any case, with or without quotation marks, and other parameters may stand before it.
  it.each([
    'U; rel="next", <https://elsewhere.example/v1/bookings>; rel="first"',
    '<https://elsewhere.example/v1/bookings?cursor=one>; rel="prev", U;rel=next',
    'U; title="page 2, of 3"; rel="next"',
    'U; title="the <last> \\"; one"; rel="next"',
    'U; rel="last next"',
    'U; Rel = "Next"',
  ])('continues at the cursor in a Link header: %s', async (form) => {
    const link = form.replace('U', '<https://elsewhere.example/v1/bookings?limit=1,2&cursor=two>');
    answering({ ...page([{ id: 'a' }]), headers: { link } });
    expect(await fetchFirst()).toEqual({ records: [{ id: 'a' }], cursor: 'two' });
  });

  it.each([
    'U; rel="prev"; title="rel=next"',
    'U; rel="prev"; rel="next"',
    'U; rel="next-archive"',
    'U; rel="prev", <?limit=1>; title="next"',
  ])('ends with a Link header about another page: %s', async (form) => {
    const link = form.replace('U', '<https://elsewhere.example/v1/bookings?cursor=two>');
    answering({ ...page([{ id: 'a' }]), headers: { link } });
    expect(await fetchFirst()).toEqual({ records: [{ id: 'a' }], cursor: undefined });
  });

  it.each([
    ['null in place of the list', page(listOf(null))],
    ['null in place of a bare list', page(null)],
    ['status 204', { ...page(''), status: 204 }],
    ['a 404 that says so', { ...page({ error: 'No bookings found', code: 'NOT_FOUND' }), status: 404 }],
    ['a 404 about the invitee', { ...page({ error: 'Not Found', message: 'Invitee not found' }), status: 404 }],
    ['a 404 about the email', { ...page({ error: 'Not Found', message: 'There is no invitee with this email' }), status: 404 }],
    ['a 404 with such a code as its message', { ...page({ message: 'no_bookings_found' }), status: 404 }],
    ['a 404 with such a code', { ...page({ error: 'Not Found', code: 'BOOKINGS_NOT_FOUND' }), status: 404 }],
  ])('is empty with %s', async (_, answer) => {
    answering(answer);
    expect(await ids()).toEqual([]);
  });

  it.each<[string, Answer, string, string]>([
    ['null beside an error', page({ ...unmarkedList(null), error: 'The database is away' }), 'invalid', 'The database is away'],
    ['a 404 without such words', { ...page({ error: 'No route matches GET /v1/bookings' }), status: 404 }, 'notFound', ''],
    ['a 404 about anything', { ...page({ error: 'Not Found', code: 'NOT_FOUND' }), status: 404 }, 'notFound', 'The list of bookings'],
    ['a list inside a record', page(oneOf({ id: 'a', items: [] })), 'unreadable', ''],
    ...(
      [
        ['an object without a list', { ok: true }, 'the keys "ok"'],
        ['a text', 'hello', 'text that is not JSON'],
        ['nothing', '', 'an empty body'],
        ['a list with an id whose bytes were no UTF-8', unmarkedList([{ id: 'bkg_1\uFFFD(\uFFFD' }]), 'the keys "id"'],
        ['a list of things without an id', unmarkedList([{ name: 'no id' }, { name: 'none either' }]), 'the keys "name"'],
      ] as const
    ).map(([what, body, got]): [string, Answer, string, string] => [
      what,
      page(body),
      'unreadable',
      `expected a list of records with an id under "${places.items}", but got ${got}`,
    ]),
  ])('is no empty list with %s: it is refused, saying what came', async (_, answer, kind, words) => {
    answering(answer);
    const error = await refusal(ids());
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(words);
  });

  it.each([null, '', 2 ** 53, '\uFFFD'])('with one record whose id is %j is given whole, with that id empty', async (id) => {
    answering(
      page(listOf([{ id: 'a' }, { id, status: 'PENDING' }, null], 'two')),
      page(listOf([{ id }, { id: 'b', event_type_id: 2 ** 53 }], 'three')),
      page(unmarkedList([{ id }])),
    );
    expect(await allOf(listed())).toEqual([{ id: 'a' }, { id: '', status: 'PENDING' }, { id: '' }, { id: 'b' }, { id: '' }]);
  });
});

it.each([null, { data: null }, { data: null, next_cursor: 'two' }, { data: [{ id: 'a' }, null] }, { data: 'none' }, { data: { id: 'a' } }])(
  'a poll refuses %j in place of a list, because nobody sees what it reads',
  async (body) => {
    answering(page(body));
    const error = await refusal(compareLists(client, undefined, { events: ['BOOKING_CREATED'] }, sha256));
    expect([error.kind, error.message]).toEqual(['unreadable', expect.stringContaining('expected a list of records')]);
  },
);

describe('the last page', () => {
  it.each<[string, unknown, object?]>([
    ['a cursor of null', null],
    ['a cursor of false', false],
    ['an empty cursor', ''],
    ['a blank cursor', ' '],
    ['an empty list in place of the cursor', []],
    ['null beside things that only look like a cursor', null, { rate: { limit: 1_000, next: '12:01' }, filters: { cursor: 'x' } }],
    ['a page info that says so', undefined, { pageInfo: { hasNextPage: false, endCursor: 'two' } }],
    ['has_more: "false", although there is a cursor', 'later', { has_more: 'false' }],
    ['a cursor of 0', 0],
    ['a cursor of 0 as text', '0'],
  ])('is known by %s, although it is full, and costs no further request', async (_, next, more = {}) => {
    answering(page({ ...(next === undefined ? one : listOf([{ id: 'a' }], next)), ...more }));
    expect(await fetchFirst(1)).toEqual({ records: [{ id: 'a' }] });
    expect(asked).toHaveLength(1);
  });

  it('is an empty one whose cursor leads to itself, of a service that always sends one', async () => {
    answering(page(listOf([{ id: 'a' }], 'end')), page(listOf([], 'end')));
    expect(await ids()).toEqual(['a']);
    expect(asked).toHaveLength(2);
    expect(await readListPage(client, getManyContacts, { fields: {} }, { size: 1, cursor: 'end' })).toEqual({ records: [] });
    expect(asked).toHaveLength(3);
  });
});

it.each([
  [410, 'The next page was not found'],
  [404, 'The next page was not found'],
  [404, 'The next page was not found', 'No results for this cursor'],
  [400, 'rejected the request'],
])(
  'a cursor that is refused with %i says to begin again, and not that the address is wrong',
  async (status, words, message = 'The cursor has expired') => {
    const gone = { ...page({ error: 'Gone', message }), status };
    answering(page(listOf([{ id: 'a' }], 'two')), gone);
    const error = await refusal(ids());
    expect(error).toMatchObject({ status, advice: 'Read the list again from its first page.' });
    expect(error.message).toContain(words);
    expect(error.message).toContain(`says: "${message}"`);
  },
);

describe('a list that contradicts itself', () => {
  const more = 'because the response says that there is more';

  it('is refused if no key names the cursor, unless one page has enough', async () => {
    await begin({ contradiction: 'more' }, 110);
    expect((await refusal(ids())).message).toContain(`${more}, but got the keys "${places.items.split('.')[0]}"`);
    expect(asked).toHaveLength(1);
    for (const records of [listed(50), paginate(client, { ...bookings, keep: () => true }, 50)])
      expect([await allOf(records), records.isTruncated]).toMatchObject([{ length: 50 }, true]);
  });

  it.each([
    ['has_more', page({ ...one, has_more: true })],
    ['an address without a cursor', page({ ...one, next_page_url: '/v1/bookings?page=2' })],
    ['a Link without a cursor', { ...page([{ id: 'a' }]), headers: { link: '</v1/bookings?page=2>; rel=next' } }],
  ])('is refused with %s, and not taken for its end', async (_, answer) => {
    answering(answer);
    expect((await refusal(fetchFirst())).message).toContain(more);
  });

  it.each([{ cursor: 'none' }, { cursor: 'none', hasMore: 'present' }] as const)('is never cut off: %j', async (forms) => {
    await begin(forms);
    const error = await refusal(fetchFirst());
    expect(error.kind).toBe('unreadable');
    for (const part of ['GET /v1/bookings', `"${places.cursor}"`, 'but got the keys']) expect(error.message).toContain(part);
  });

  it.each([
    ['more records than its page', { total: 37 }],
    ['several pages', { total_pages: 2 }],
    ['a page size that is reached', { per_page: 2 }],
  ])('is never cut off if it has %s and no cursor', async (_, meta) => {
    answering(...Array<Answer>(3).fill(page({ ...unmarkedList([{ id: 'a' }, { id: 'b' }]), meta })));
    expect((await refusal(ids())).message).toContain('expected a cursor under');
  });

  it('comes whole if the service sends all of it however few are asked for, unless that is a usual page', async () => {
    const numbered = (count: number) => page(Array.from({ length: count }, (_, id) => ({ id })));
    answering(numbered(12));
    expect(await fetchFirst()).toMatchObject({ records: { length: 12 } });
    answering(numbered(documented.defaultPageSize));
    for (const size of [10, 100]) expect((await refusal(fetchFirst(size))).message).toContain('expected a cursor under');
  });

  it('ends with a page that is full by its own size, where shorter ones have a cursor', async () => {
    const full = { ...unmarkedList([{ id: 'a' }, { id: 'b' }]), meta: { per_page: 2, total_pages: 1 } };
    answering(page(full), page(listOf([{ id: 'a' }], 'two')));
    expect(await ids()).toEqual(['a', 'b']);
  });
});

describe('a list without end', () => {
  const empty = (index: number) => page(listOf([], `c${index}`));
  const pagesOf = (count: number, each: (index: number) => Answer) => Array.from({ length: count }, (_, index) => each(index));

  it('is refused if a cursor comes again, instead of walking in a circle, also page by page', async () => {
    answering(...pagesOf(3, () => page(listOf([{ id: 'a' }], 'one'))));
    expect((await refusal(ids())).message).toContain('repeats itself');
    expect(asked).toHaveLength(2);
    const { next: cursor } = await readListPage(client, getManyContacts, { fields: {} }, { size: 1 });
    expect((await refusal(readListPage(client, getManyContacts, { fields: {} }, { size: 1, cursor }))).message).toContain('repeats itself');
  });

  it('is refused if it sends new cursors forever and nothing else', async () => {
    answering(...pagesOf(150, empty));
    expect((await refusal(ids())).message).toContain('100 pages in a row were empty');
    expect(asked).toHaveLength(100);
  });

  it('is refused after ten thousand pages if it always has something new', async () => {
    answering(...pagesOf(10_001, (index) => page(listOf([{ id: index }], `c${index}`))));
    expect((await refusal(ids())).message).toContain('does not end after 10,000 pages');
    expect(asked).toHaveLength(10_000);
  });

  it.each<[string, Answer[], string[]]>([
    ['40 empty pages, of a service that filters a page after reading it', pagesOf(40, empty), ['a']],
    ['equal pages with other cursors, each record once', pagesOf(3, (index) => page(listOf([{ id: 'a' }], `c${index}`))), ['a']],
  ])('is none with %s', async (_, before, found) => {
    answering(...before, page(listOf([{ id: 'a' }])));
    expect(await ids()).toEqual(found);
  });
});

describe('a list that was cut', () => {
  it('says so once it was read, by whole pages and one by one, and costs no further request', async () => {
    const { length: count } = await begin();
    for (const [max, isCut] of [
      [Infinity, false],
      [count - 1, true],
      [count, false],
      [count + 1, false],
      [0, false],
    ] as const) {
      for (const read of [allOf, all]) {
        const records = listed(max);
        expect(records.isTruncated).toBe(false);
        asked.length = 0;
        expect(await read(records)).toHaveLength(Math.min(max, count));
        expect([max, records.isTruncated, limits()]).toEqual([max, isCut, max === 0 ? [] : [String(Math.min(max, 100))]]);
      }
    }
  });

  it.each([
    [1, true],
    [2, false],
  ])('may continue in the next list, and never after the last: %i of two', async (max, isCut) => {
    answering(page(listOf([{ id: 'a' }], null)), page(listOf([{ id: 'b' }], null)));
    const records = paginate(client, [{ ...bookings }, bookings], max);
    expect([(await allOf(records)).length, records.isTruncated]).toEqual([max, isCut]);
  });

  it('may continue if the service does not mark the end, and does if more records came than were wanted', async () => {
    await begin({ list: 'array' });
    const unmarked = listed(5);
    expect([await allOf(unmarked), unmarked.isTruncated]).toMatchObject([{ length: 5 }, true]);
    answering(page(listOf([{ id: 'a' }, { id: 'b' }], null)));
    const records = listed(1);
    expect([await allOf(records), records.isTruncated]).toEqual([[{ id: 'a' }], true]);
  });
});

describe('pages of a sorted list', () => {
  type Place = Exclude<Cursor, string>;
  const start: Place = { count: 0, last: [] };

  /** A list of records, which may change between two pages, and how much of it was read. */
  function listOf(ids: string) {
    const list = { ids: ids.split(''), reads: [] as number[] };
    const read = (limit: number) => {
      list.reads.push(limit);
      return Promise.resolve(list.ids.slice(0, limit).map((id) => ({ id })));
    };
    const page = async (place: Place, size = 2) => {
      const { records, next } = await readSortedPage(place, size, read);
      return { ids: records.map(({ id }) => id).join(''), next };
    };
    /** The pages from a place on, until the list ends. */
    const pages = async (from: Place | undefined, size = 2) => {
      const found: string[] = [];
      for (let place = from; place !== undefined; ) {
        const { ids: shown, next } = await page(place, size);
        found.push(shown);
        place = next;
      }
      return found;
    };
    return Object.assign(list, { page, pages });
  }

  it('shows a list in pages, and reads no more than a page and one record needs', async () => {
    expect(await Promise.all(['', 'a', 'ab', 'abc'].map((ids) => listOf(ids).pages(start)))).toEqual([[''], ['a'], ['ab'], ['ab', 'c']]);
    const list = listOf('abcdefgh');
    await list.pages(start, 3);
    expect(list.reads).toEqual([4, 7, 10]);
  });

  describe('between two pages', () => {
    const seen = 'abcdefgh';
    it.each([
      ['a record that was shown left the list', 'bcdefgh', ['de', 'fg', 'h']],
      ['all shown ones left it: it goes on at the same place', 'defgh', ['gh']],
      ['so many left it that all of it was read', 'cdefg', ['de', 'fg']],
      ['one that is still to come left it', 'abcdfgh', ['df', 'gh']],
      ['a new one is at its beginning', 'zabcdefgh', ['de', 'fg', 'h']],
      ['more new ones than a page has are at its beginning', 'wxyzabcdefgh', ['', 'de', 'fg', 'h']],
      ['everything else left it', 'abc', ['']],
    ])('%s', async (_, now, pages) => {
      const list = listOf(seen);
      const { ids, next } = await list.page(start, 3);
      expect(ids).toBe('abc');
      list.ids = now.split('');
      const shown = await list.pages(next);
      expect(shown.filter((page) => page !== '')).toEqual(pages.filter((page) => page !== ''));
    });

    it('remembers five shown records, the latest first, also over several short pages', async () => {
      const list = listOf(seen);
      expect((await list.page(start, 6)).next).toEqual({ count: 6, last: ['f', 'e', 'd', 'c', 'b'] });
      const one = await list.page(start, 1);
      expect((await list.page(one.next ?? start, 1)).next).toEqual({ count: 2, last: ['b', 'a'] });
    });
  });
});
