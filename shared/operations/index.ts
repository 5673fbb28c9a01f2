import type { RecordKind } from '../api/records.ts';
import type { Operation } from '../define.ts';
import * as every from './list.ts';

export * from './list.ts';

/** The resources in the order in which people are shown them. */
const order: Readonly<Record<RecordKind, number>> = { booking: 0, contact: 1, eventType: 2, user: 3, subscription: 4 };

const inOrder = (one: Operation, other: Operation): number =>
  order[one.resource] - order[other.resource] || (one.name < other.name ? -1 : 1);

const isSearch = ({ name }: Operation): boolean => name === 'find';

const all: readonly Operation[] = Object.values<Operation>(every).sort(inOrder);

/** The operations on the endpoints of section 4: the whole menu, in order. */
export const operations: readonly Operation[] = all.filter((operation) => !isSearch(operation));

/** Look-ups that end in the best match or in nothing, for platforms that know searches. */
export const searches: readonly Operation[] = all.filter(isSearch);
