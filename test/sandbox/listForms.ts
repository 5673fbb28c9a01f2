import { expect } from '@jest/globals';
import type { FormName, Forms, Sandbox } from '../../sandbox/service.ts';
import { at, caller, listAt, textAt } from './support.ts';

export type Expectations<Names extends keyof Forms = FormName> = {
  [Name in Names]: { [Value in Forms[Name]]: (sandbox: Sandbox) => Promise<void> };
};

const get = (sandbox: Sandbox, path: string) => caller(sandbox)('GET', path);
const keysOf = (value: unknown) => Object.keys(value as object);
const listUnder = (key: string) => async (sandbox: Sandbox) => {
  const { body } = await get(sandbox, '/event-types?limit=2');
  expect(listAt(body, key)).toHaveLength(2);
  expect(keysOf(body)).toEqual([key, 'next_cursor']);
};
const cursorUnder =
  (...where: string[]) =>
  async (sandbox: Sandbox) => {
    const page = await get(sandbox, '/contacts?limit=25');
    const rest = await get(sandbox, `/contacts?cursor=${textAt(page.body, ...where)}`);
    expect(listAt(rest.body, 'data')).toHaveLength(sandbox.contacts().length - 25);
  };
const contradicts = (said: Record<string, unknown>) => async (sandbox: Sandbox) => {
  const { data, ...about } = (await get(sandbox, '/contacts?limit=2')).body as Record<string, unknown>;
  expect([(data as unknown[]).length, about]).toEqual([2, said]);
  await endsWith(null)(sandbox);
};
const endsWith = (end: unknown) => async (sandbox: Sandbox) =>
  expect(at((await get(sandbox, '/contacts?limit=100')).body, 'next_cursor')).toBe(end);

/** What each value of each form of a list looks like on the wire (G1). */
export const listForms: Expectations<'list' | 'cursor' | 'cursorPlace' | 'end' | 'hasMore' | 'contradiction' | 'cursors'> = {
  list: {
    data: listUnder('data'),
    items: listUnder('items'),
    results: listUnder('results'),
    plural: async (sandbox) => {
      for (const [path, key] of [
        ['bookings', 'bookings'],
        ['event-types', 'event_types'],
        ['contacts', 'contacts'],
        ['hooks', 'hooks'],
      ])
        expect(keysOf((await get(sandbox, `/${path}`)).body)).toEqual([key, 'next_cursor']);
    },
    array: async (sandbox) => expect((await get(sandbox, '/event-types?limit=2')).body).toHaveLength(2),
  },
  cursor: {
    next_cursor: cursorUnder('next_cursor'),
    nextCursor: cursorUnder('nextCursor'),
    cursor: cursorUnder('cursor'),
    none: async (sandbox) => expect(keysOf((await get(sandbox, '/contacts')).body)).toEqual(['data']),
  },
  cursorPlace: {
    top: cursorUnder('next_cursor'),
    pagination: cursorUnder('pagination', 'next_cursor'),
    meta: cursorUnder('meta', 'next_cursor'),
    page_info: cursorUnder('page_info', 'next_cursor'),
  },
  end: { null: endsWith(null), false: endsWith(false), empty: endsWith(''), absent: endsWith(undefined) },
  hasMore: {
    absent: async (sandbox) => expect(keysOf((await get(sandbox, '/contacts')).body)).toEqual(['data', 'next_cursor']),
    present: async (sandbox) =>
      expect([
        at((await get(sandbox, '/contacts')).body, 'has_more'),
        at((await get(sandbox, '/contacts?limit=100')).body, 'has_more'),
      ]).toEqual([true, false]),
  },
  contradiction: {
    none: endsWith(null),
    more: contradicts({ next_cursor: null, has_more: true }),
    link: contradicts({ cursor: null, links: { next: expect.stringMatching(/cursor=\w+/) } }),
    other: contradicts({ next_cursor: null, nextCursor: expect.any(String) }),
    unnamed: contradicts({ next_cursor: null, links: { next: '?page=2' } }),
  },
  cursors: {
    opaque: cursorUnder('next_cursor'),
    page: async (sandbox) => {
      const ids = sandbox
        .contacts()
        .map(({ id }) => id)
        .reverse();
      const page = async (query: string) => listAt((await get(sandbox, `/contacts?${query}`)).body, 'data').map((each) => at(each, 'id'));
      expect(at((await get(sandbox, '/contacts?limit=10')).body, 'next_cursor')).toBe('2');
      expect(await page('limit=10&cursor=2')).toEqual(ids.slice(10, 20));
      expect(await page('limit=4&cursor=2')).toEqual(ids.slice(4, 8));
      expect((await get(sandbox, '/contacts?cursor=zero')).status).toBe(400);
    },
  },
};
