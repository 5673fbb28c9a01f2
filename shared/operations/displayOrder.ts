import type { RecordKind } from '../records/fields.ts';
import type { Operation } from './define.ts';
import * as every from './all.ts';

/** The order in which people see the resources. */
const order: Readonly<Record<RecordKind, number>> = { booking: 0, contact: 1, eventType: 2, user: 3, subscription: 4 };

const inOrder = (one: Operation, other: Operation): number =>
  order[one.resource] - order[other.resource] || (one.name < other.name ? -1 : 1);

const isSearch = ({ name }: Operation): boolean => name === 'find';

const all: readonly Operation[] = Object.values<Operation>(every).sort(inOrder);

/** The operations on the endpoints of section 4, in order. */
export const operations: readonly Operation[] = all.filter((operation) => !isSearch(operation));

/** Searches that return the best match or nothing, for platforms that have search steps. */
export const searches: readonly Operation[] = all.filter(isSearch);
