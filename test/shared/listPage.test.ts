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
