import { listScan } from '../assumptions.ts';
import { brand } from '../brand.ts';
import { limits } from '../limits.ts';
import type { Client } from './client.ts';
import { ServiceError } from './errors.ts';
import { walk, type Listing } from './pages.ts';
import type { RecordKind, RecordOf } from './records.ts';

/** The maximum number of records that one search reads (G31). */
export const mostLooked = listScan.pages * limits.pageSize;

/**
 * The records of a list, for callers that must see all of them before they can answer: the API has no order and few filters (G31).
 *
 * @throws ServiceError `invalid` at the end if the list continues, because an answer from a part of it would be a guess
 */
export async function* looked<Kind extends RecordKind>(client: Client, listing: Listing<Kind>): AsyncGenerator<RecordOf[Kind]> {
  let read = 0;
  for await (const record of walk(client, listing, mostLooked + 1)) {
    read += 1;
    if (read > mostLooked) throw tooMany(listing);
    yield record;
  }
}

function tooMany({ thing, query = {} }: Listing): ServiceError {
  const by = query['email'] === undefined ? '' : ' with this email';
  return new ServiceError('invalid', {
    message: `${brand.name} has more than ${mostLooked.toLocaleString('en')} ${thing}${by}, too many for this search.`,
    advice: by === '' ? 'Add an email or a status to the search, or use the ID.' : 'Use the ID, or add a status to the search.',
  });
}
