import { listScan } from '../assumptions.ts';
import { brand } from '../brand.ts';
import { limits } from '../limits.ts';
import { ServiceError } from './errors.ts';

/** The maximum number of records that one search reads, because the API has no order and few filters (G31). */
export const maxScanned = listScan.pages * limits.pageSize;

const shownMost = maxScanned.toLocaleString('en');

/**
 * What a search says about its result if the list continues after the records that it read.
 *
 * @param things the plural of the records
 * @param advice how to narrow the search
 */
export const partNote = (things: string, advice: string): string =>
  `Only the first ${shownMost} ${things} were searched, so there may be others that fit. ${advice}`;

/** The error of a search that found nothing in the records that it read, where something would be created because nothing was found. */
export const tooMany = (things: string, advice: string): ServiceError =>
  new ServiceError('invalid', { message: `${brand.name} has more than ${shownMost} ${things}, too many for this search.`, advice });
