import { readSortedPage, type Cursor } from '../../shared/operations/listPage.ts';

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

it.each([
  ['', ['']],
  ['a', ['a']],
  ['ab', ['ab']],
  ['abc', ['ab', 'c']],
  ['abcde', ['ab', 'cd', 'e']],
])('shows the list "%s" in the pages %j', async (ids, pages) => {
  expect(await listOf(ids).pages(start)).toEqual(pages);
});

it('reads no more than a page and one record needs', async () => {
  const list = listOf('abcdefgh');
  await list.pages(start, 3);
  expect(list.reads).toEqual([4, 7, 10]);
});

describe('between two pages', () => {
  const seen = 'abcdefgh';
  it.each([
    ['nothing changed', 'abcdefgh', ['de', 'fg', 'h']],
    ['a record that was shown left the list', 'bcdefgh', ['de', 'fg', 'h']],
    ['the last shown one left it', 'abdefgh', ['de', 'fg', 'h']],
    ['all shown ones left it: it goes on at the same place', 'defgh', ['gh']],
    ['all shown ones but the last left it', 'cdefgh', ['de', 'fg', 'h']],
    ['so many left it that all of it was read', 'cdefg', ['de', 'fg']],
    ['one that is still to come left it', 'abcdfgh', ['df', 'gh']],
    ['a new one is at its beginning', 'zabcdefgh', ['de', 'fg', 'h']],
    ['two new ones are at its beginning', 'yzabcdefgh', ['d', 'ef', 'gh']],
    ['more new ones than a page has are at its beginning', 'wxyzabcdefgh', ['', 'de', 'fg', 'h']],
    ['a new one is at its end', 'abcdefghi', ['de', 'fg', 'hi']],
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
    const first = await list.page(start, 6);
    expect(first.next).toEqual({ count: 6, last: ['f', 'e', 'd', 'c', 'b'] });
    const [one] = [await list.page(start, 1)];
    const two = await list.page(one.next ?? start, 1);
    expect(two.next).toEqual({ count: 2, last: ['b', 'a'] });
  });
});

it('takes ids that are numbers', async () => {
  const read = (limit: number) => Promise.resolve([{ id: 1 }, { id: 2 }, { id: 3 }].slice(0, limit));
  const { next = start } = await readSortedPage(start, 1, read);
  expect(next.last).toEqual(['1']);
  expect((await readSortedPage(next, 2, read)).records).toEqual([{ id: 2 }, { id: 3 }]);
});
