/**
 * The service's bodies in their canonical forms, for tests that write an answer or a delivery themselves. Only this file knows these forms;
 * what else a service may send is in the tests about that.
 */

/** A page of a list (G1). @param next the cursor of the page after it */
export const listOf = <Record>(records: readonly Record[], next: string | null = null) => ({ data: records, next_cursor: next });

/** One record (G2). */
export const oneOf = <Record>(record: Record) => ({ data: record });

/** A subscription at its creation: the only answer with its secret (G9). */
export const madeWith = <Record>(record: Record, secret: unknown) => ({ ...oneOf(record), signing_secret: secret });

/** The body of a refusal (G17). @param more such as `details` */
export const errorOf = <More extends object>(error: string, code: string, more?: More) => ({ error, code, ...more });

/** The body of a delivery (G13). */
export const delivered = <Record>(event: string, record: Record, at = '2030-01-02T08:00:00Z') => ({ event, created_at: at, data: record });

/** The records of a page, and the cursor of the page after it. */
export function pageIn<Record = unknown>(body: unknown): { records: Record[]; next: string | null } {
  const { data, next_cursor: next } = body as { data: Record[]; next_cursor: string | null };
  return { records: data, next };
}

/** The record in an answer or a delivery. */
export const recordIn = <Record = unknown>(body: unknown): Record => (body as { data: Record }).data;
