/**
 * The service's bodies in their canonical forms, for tests that write a response or a delivery themselves. The places come from the
 * sandbox's table, so that they change there when a gap is settled. Tests about the other forms write those themselves.
 */

import { createEnvelopes, placed, type Shown } from '../../sandbox/envelopes.ts';
import { chooseForms } from '../../sandbox/variants.ts';

const canonical = chooseForms();
const envelopes = createEnvelopes(canonical);

/** The canonical places of a page's records and next cursor, of one record, and of a delivery's record. */
export const places = { items: canonical.list, cursor: canonical.cursor, record: canonical.single, delivered: canonical.deliveryRecord };

/** A page of a list (G1). @param next the cursor of the next page, or what is in its place */
export const listOf = (records: unknown, next: unknown = null): Shown => placed([places.items, records], [places.cursor, next]);

/** The same without anything about a next page. */
export const unmarkedList = (records: unknown): Shown => placed([places.items, records]);

/** One record (G2). */
export const oneOf = (record: unknown): Shown => envelopes.single('booking', record);

/** A subscription at its creation: the only response with its secret (G9). */
export const madeWith = (record: unknown, secret: unknown): Shown => envelopes.created(record, { signing_secret: secret });

/** The body of a refusal (G17). @param more such as `details` */
export const errorOf = <More extends object>(error: string, code: string, more?: More) => ({ error, code, ...more });

/** The body of a delivery (G13). */
export const delivered = (event: string, record: unknown, at = '2030-01-02T08:00:00Z'): Shown =>
  envelopes.delivered(event, 'booking', record, at);

/** The value at a place in a body. */
const valueAt = (body: unknown, place: string): unknown =>
  place.split('.').reduce<unknown>((holder, key) => (holder as Record<string, unknown> | undefined)?.[key], body);

/** The records of a page, and the cursor of the next page. */
export const pageIn = <Record = unknown>(body: unknown): { records: Record[]; next: string | null } => ({
  records: valueAt(body, places.items) as Record[],
  next: valueAt(body, places.cursor) as string | null,
});

/** The record in a response. */
export const recordIn = <Record = unknown>(body: unknown): Record => valueAt(body, places.record) as Record;

/** The record in a delivery. */
export const deliveredIn = <Record = unknown>(body: unknown): Record => valueAt(body, places.delivered) as Record;
