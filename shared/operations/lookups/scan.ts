import type { Client } from '../../client/client.ts';
import { limits } from '../../limits.ts';
import { fetchPage, type Listing } from '../../client/pages.ts';
import type { RecordKind, RecordOf } from '../../records/records.ts';
import type { Choice } from '../define.ts';
import { hasId, notes } from './choosable.ts';
import type { LookupPage, LookupQuery } from './index.ts';

/** Pages to read for one page of choices while none fits: the person should neither see an empty list nor wait forever. */
const pagesAtOnce = 5;

/**
 * One page of choices from a list, filtered by what was typed, because the service cannot search by name. Continues reading while nothing
 * fits.
 */
export async function scan<Kind extends Exclude<RecordKind, 'user'>>(
  client: Client,
  listing: Listing<Kind>,
  { text, cursor }: LookupQuery,
  toChoice: (record: RecordOf[Kind]) => Choice,
): Promise<LookupPage> {
  const wanted = (text ?? '').trim().toLowerCase();
  let next = cursor;
  for (let read = 1; ; read += 1) {
    const page = await fetchPage(client, listing, { size: limits.pageSize, cursor: next });
    const choices = page.records
      .filter(hasId)
      .map(toChoice)
      .filter(({ label, value }) => label.toLowerCase().includes(wanted) || value.toLowerCase() === wanted);
    if (choices.length > 0 || page.cursor === undefined || read === pagesAtOnce) {
      const note = notes(false, page.records);
      return { choices, ...(page.cursor !== undefined && { cursor: page.cursor }), ...(note !== undefined && { note }) };
    }
    next = page.cursor;
  }
}
