import type { Client } from '../../shared/client/client.ts';
import type { Listing } from '../../shared/call.ts';
import { allOf, fetchPage, paginate } from '../../shared/client/pages.ts';
import { recordIn } from '../../shared/reading/index.ts';
import { answered, serve } from '../support/service.ts';

// The forms of a list (G1) that are read as long as nobody knows which one the service has. Settling G1 deletes this file.

const bookings: Listing = { path: ['bookings'], scope: 'bookings:read', resourceName: 'bookings', record: 'booking' };
const page = (body: unknown) => ({ status: 200, headers: {}, body });
const idsIn = async (client: Client) => (await allOf(paginate(client, bookings))).map(({ id }) => id);
const one = { data: [{ id: 'a' }] };
const at = '2032-05-04T10:00:00Z';

it.each([
  ['an unusual name', { collection: [{ id: 'a' }], pagination: { next_page_token: 'two' } }],
  [
    '`edges`, as GraphQL has it',
    { data: { appointments: { edges: [{ node: { id: 'a', startAt: at } }], pageInfo: { hasNextPage: true, endCursor: 'two' } } } },
  ],
  ['a name inside two that nobody knows', { response: { returnvalue: { response: [{ id: 'a', startAt: at }], next: 'two' } } }],
  ['`value`, as OData has it', { value: [{ id: 'a' }], '@odata.nextLink': 'https://elsewhere.example/bookings?cursor=two' }],
  [
    '`result`, beside the id of a request, as JSON-RPC has it',
    { jsonrpc: '2.0', id: 1, result: [{ visit: { id: 'a', start: at } }], next: 'two' },
  ],
  ['`content`, as Spring has it', { content: [{ id: 'a', startTime: at }], totalPages: 2, totalElements: 2, next: 'two' }],
  ['its own name inside `data`', { status: 'success', data: { bookings: [{ id: 'a' }], nextCursor: 'two' } }],
  ['`_embedded`, as HAL has it', { _embedded: { bookings: [{ id: 'a' }] }, _links: { next: { href: '/bookings?cursor=two' } } }],
  ['a name that nobody knows', { appointments: [{ id: 'a' }], next: 'two', total: 2 }],
  [
    'a name that nobody knows, beside a status of the request',
    { requestStatus: { success: true, version: 'v1' }, appts: [{ id: 'a' }], next: 'two' },
  ],
  ['`bookings`, with its cursor among metadata', { ok: true, bookings: [{ id: 'a' }], response_metadata: { next_cursor: 'two' } }],
  ['`data`, with its cursor in a place of its own', { ...one, page: { size: 1, next_cursor: 'two' } }],
  ['`data`, with several cursors in its metadata', { ...one, meta: { cursor: { current: 'one', prev: null, next: 'two' } } }],
  ['`data`, with the cursors before and after it', { ...one, paging: { cursors: { before: 'one', after: 'two' } } }],
  ['`data`, with the cursor among others in that address', { ...one, _links: { next: { href: '/bookings?limit=1&cursor=two' } } }],
  ['`data`, with another name among what is said of the pages', { ...one, paging: { next: 'two' } }],
  ['`data`, with one of two places that can be a cursor', { ...one, next_cursor: true, page_info: { next_cursor: 'two' } }],
  ['`data`, with that address as the cursor', { ...one, cursor: 'https://elsewhere.example/bookings?limit=1&cursor=two' }],
])('is read under %s', async (_, body) => {
  const { client } = answered([page(body)]);
  const { records, cursor } = await fetchPage(client, bookings, { size: 1 });
  expect([records.map(({ id }) => id), cursor]).toEqual([['a'], 'two']);
});

it('tells of a booking in a list what stands beside it', async () => {
  const { client } = answered([page({ result: [{ visit: { id: 'a', start: at }, client: { name: 'Bo Lind' } }], next: null })]);
  expect((await fetchPage(client, bookings, { size: 1 })).records).toEqual([
    { id: 'a', start: at, start_time: at, invitee_name: 'Bo Lind' },
  ]);
});

it('a list far inside is empty only under a name of lists, and never that of a record', async () => {
  const pageOf = (body: unknown) => fetchPage(answered([page(body)]).client, bookings, { size: 1 });
  const connection = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
  expect(await pageOf({ data: { visits: connection } })).toEqual({ records: [] });
  expect(await pageOf({ content: [], pageable: { offset: 0 }, totalElements: 0, empty: true })).toEqual({ records: [] });
  expect(await pageOf({ status: 'success', body: [] })).toEqual({ records: [] });
  expect(await pageOf({ list: [], pageInfo: { isLastPage: true } })).toEqual({ records: [] });
  expect(await pageOf({ visits: [], pagination: { next: null } })).toEqual({ records: [] });
  // What is named wins over what is nearer.
  const [products, appointments] = [[{ id: 'p' }], [{ id: 'a', start_time: at }]];
  expect((await pageOf({ products, data: { results: { appointments } }, next: null })).records).toEqual(appointments);
  for (const beside of [{ filters: { order: ['asc'] } }, { stats: { sessions: [3, 4] } }, { settings: { visits: [{ id: 'v' }] } }]) {
    expect((await pageOf({ agenda: appointments, ...beside, next: null })).records).toEqual(appointments);
    expect((await pageOf({ data: { agenda: appointments, ...beside }, next: null })).records).toEqual(appointments);
  }
  await expect(pageOf({ agenda: appointments, notes: [{ id: 'n' }], visits: [] })).rejects.toThrow('expected a list of records');
  const people = { hosts: [{ id: 'h' }], participants: [{ id: 'p' }], tags: [{ id: 't' }] };
  for (const beside of Object.entries(people).map(([name, list]) => ({ [name]: list }))) {
    expect(await pageOf({ ...beside, data: { visits: connection } })).toEqual({ records: [] });
    await expect(pageOf(beside)).rejects.toThrow('expected a list');
  }
  await expect(pageOf({ data: { visits: { tags: [] } } })).rejects.toThrow('expected a list');
  await expect(pageOf({ id: 'a', customer: { history: connection } })).rejects.toThrow('expected a list');
  await expect(pageOf({ data: { id: 'a', customer: { orders: connection } } })).rejects.toThrow('expected a list');
});

it('a list without records under a name that nobody knows is empty if it says so, and only then', async () => {
  const pageOf = (body: unknown) => fetchPage(answered([page(body)]).client, bookings, { size: 1 });
  expect(await pageOf({ resourceType: 'Bundle', id: 'b1', total: 0, link: [{ relation: 'self', url: 'https://x.example' }] })).toEqual({
    records: [],
  });
  expect(await pageOf({ page: 1, total_items: 0, jobs: [] })).toEqual({ records: [] });
  await expect(pageOf({ page: 1, jobs: [] })).rejects.toThrow('expected a list');
  await expect(pageOf({ total_items: 3, jobs: [] })).rejects.toThrow('expected a list');
});

it('the last page is known by an empty address of the next one in an object', async () => {
  const { client, asked } = answered([page({ ...one, links: { next: { href: '' } } })]);
  expect(await fetchPage(client, bookings, { size: 1 })).toEqual({ records: [{ id: 'a' }] });
  expect(asked).toHaveLength(1);
});

it('a `cursor` that repeats the one sent is an echo, and no list without end', async () => {
  const pages = ['b', 'a'].map((id) => page({ items: [{ id }], cursor: 'next' }));
  expect(await idsIn(answered(pages).client)).toEqual(['b', 'a']);
});

it.each(['link', 'other'] as const)(
  'a list that contradicts itself is read on if another key names the cursor: %s',
  async (contradiction) => {
    const { sandbox, clientWith } = await serve({ forms: { contradiction }, limits: false });
    for (let left = 110 - sandbox.bookings().length; left > 0; left -= 1) sandbox.host.book();
    const there = sandbox.bookings().map(({ id }) => id);
    expect(await idsIn(clientWith({ transport: (inner) => inner }))).toEqual(there.reverse());
  },
);

it('a list whose next page has an address without a cursor is refused', async () => {
  const { clientWith } = await serve({ forms: { contradiction: 'unnamed' }, limits: false });
  await expect(fetchPage(clientWith({ transport: (inner) => inner }), bookings, { size: 1 })).rejects.toThrow('that there is more');
});

it.each([
  { meta: { total: 1 }, items: [{ appointment: { id: 'a', start_at: at } }] },
  { jsonrpc: '2.0', id: 1, result: [{ id: 'a', start: at }] },
  { id: 'x', data: { table_id: 't', previous_rows: [{ id: 'b' }], rows: [{ id: 'a', start: at }] } },
])('a list of one holds the record that was asked for: %j', (body) => {
  expect(recordIn('booking', body)).toMatchObject({ id: 'a' });
});
