import type { SandboxBasis, Request } from './context.ts';
import { invalid, ApiRefusal } from './errors.ts';
import type { Account, Owned } from './records.ts';
import type { SQLInputValue } from 'node:sqlite';
import type { Table } from './store.ts';
import type { Forms } from './variants.ts';
import { storedEmail } from './scheduling.ts';
import { type PagePlace, PREFIX, type Presenter } from './serialize.ts';
import type * as z from 'zod/v4';
import { ListQuery, PAGE_SIZE, parse } from './schemas.ts';

/**
 * A record by the id in a path or a body: one of the account or, without an account, of any.
 *
 * @throws {ApiRefusal} NOT_FOUND, also for another account's record, so that nobody learns whether it exists
 */
export function lookUp<R extends Owned>(forms: Forms, table: Table<R>, account: Account | undefined, id: string, what: string): R {
  const record = table.find(resolveId(forms, table, id));
  if (record === undefined || (account !== undefined && record.account_id !== account.id))
    throw new ApiRefusal('NOT_FOUND', `There is no ${what} ${id.slice(0, 80)}.`);
  return record;
}

/** The stored id for a numeric or prefixed id, if ids have such a form. Any other text is returned unchanged. */
export function resolveId<R extends Owned>(forms: Forms, table: Table<R>, id: string): string {
  if (forms.typeId === 'prefixed') return id.slice(id.startsWith(PREFIX) ? PREFIX.length : 0);
  if ((forms.ids === 'string' && forms.typeId !== 'number') || !/^\d{1,15}$/.test(id)) return id;
  return table.all({ where: 'seq = ?', values: [Number(id)], limit: 1 })[0]?.id ?? id;
}

/** SQL over a table's columns, and the value for its `?`. */
export type Condition = [where: string, value: SQLInputValue];

/** The column for each order of a list. Ids are random, so they have no order. */
const ORDERED_BY = { created: 'seq', start: 'starts', changed: "record ->> '$.updated_at'", none: 'id' } as const;

/**
 * One page of a list, by default newest first, so that records created while a client reads the pages do not shift them (G31).
 *
 * @param name becomes part of the cursor, so that other lists refuse it
 * @throws {ApiRefusal} VALIDATION_ERROR for a cursor that this list never issued
 */
function page<R extends { id: string }>(
  table: Table<R>,
  name: string,
  { limit, cursor }: Pick<z.infer<typeof ListQuery>, 'limit' | 'cursor'>,
  conditions: Condition[],
  { cursors, order }: Pick<Forms, 'cursors' | 'order'>,
): { items: R[] } & PagePlace {
  const where = conditions.map(([each]) => each).join(' AND ') || '1';
  const values = conditions.map(([, value]) => value);
  const total = () => table.count(where, values);
  const [column = 'created', up] = order.split('-') as [keyof typeof ORDERED_BY, string?];
  const by = ORDERED_BY[column];
  const inOrder = { by, order: up === undefined ? 'newest' : 'oldest', limit: limit + 1 } as const;
  if (cursors === 'page') {
    const number = cursor === undefined ? 1 : readCursor('', cursor);
    const rows = table.all({ where, values, ...inOrder, offset: (number - 1) * limit });
    return { items: rows.slice(0, limit), next: rows.length > limit ? String(number + 1) : null, limit, total };
  }
  const isLong = cursors === 'long';
  const prefix = isLong ? `${name}:`.padStart(500, '>?') : `${name}:`;
  const after = cursor === undefined ? undefined : readCursor(prefix, Buffer.from(cursor, 'base64url').toString('latin1'));
  const place = `(${by}, seq) ${up === undefined ? '<' : '>'} (SELECT ${by}, seq FROM ${table.name} WHERE seq = ?)`;
  const beyond = after === undefined ? { where, values } : { where: `(${where}) AND ${place}`, values: [...values, after] };
  const rows = table.rows({ ...beyond, ...inOrder });
  const items = rows.slice(0, limit);
  const next = rows.length > limit ? Buffer.from(`${prefix}${items.at(-1)?.seq}`).toString(isLong ? 'base64' : 'base64url') : null;
  return { items: items.map(({ record }) => record), next, limit, total };
}

/**
 * The condition for the email filter (G30), which matches the stored address.
 *
 * @param field the field of the record with the address
 */
export function emailMatches(email: string, field: 'email' | 'invitee_email', forms: Forms): Condition {
  if (forms.emailMatch === 'partial') return ['instr(email, lower(?)) > 0', email];
  if (forms.emailMatch === 'case') return [`record ->> '$.${field}' = ?`, email];
  return ['email = lower(?)', forms.emailMatch === 'made' ? storedEmail(email, forms) : email];
}

/**
 * A page of a list, as sent. One of its records may be unusable.
 *
 * @param table the table to list, which may lag
 */
export function listAnswer<R extends { id: string }>(
  { present, forms }: SandboxBasis,
  c: Request,
  name: Parameters<Presenter['list']>[0],
  table: Table<R>,
  conditions: Condition[],
  show: (record: R) => Record<string, unknown>,
): Response {
  const inOrder = { cursors: forms.cursors, order: name === 'bookings' ? forms.order : 'created' } as const;
  const { items, ...place } = page(table, name, listQuery(c, forms), conditions, inOrder);
  // The unusable record: an account's oldest booking and contact, or its newest event type, which nobody works with.
  const order = name === 'event_types' ? 'newest' : 'oldest';
  const values = [c.get('account').id];
  const [odd] = forms.oddRecord === 'none' || name === 'hooks' ? [] : table.all({ where: 'account = ?', values, order, limit: 1 });
  const unusable = { id: forms.oddRecord === 'null' ? null : 2 ** 53 + 2 };
  const records = items.map((item) => ({ ...show(item), ...(item.id === odd?.id && unusable) }));
  return c.json(present.list(name, records, place));
}

/**
 * The parameters of a list request.
 *
 * @throws {ApiRefusal} VALIDATION_ERROR for a parameter that cannot be used, or is given twice: it is unclear which value counts
 */
export function listQuery(c: Request, forms: Forms): z.infer<typeof ListQuery> {
  const twice = Object.entries(c.req.queries()).find(([, values]) => values.length > 1);
  if (twice !== undefined) throw invalid(twice[0], 'must be given once');
  const query = c.req.query();
  // A limit that is too high is refused, or reduced to the maximum (G39).
  const isHigh = /^\d{3,4}$/.test(query['limit'] ?? '') && Number(query['limit']) > PAGE_SIZE.max;
  return parse(ListQuery, isHigh && forms.limitAbove === 'cut' ? { ...query, limit: String(PAGE_SIZE.max) } : query);
}

/** The place after which the next page begins: a page number, or a place in this list only. */
function readCursor(prefix: string, cursor: string): number {
  const place = cursor.slice(prefix.length);
  if (!cursor.startsWith(prefix) || !/^[1-9]\d{0,14}$/.test(place)) throw invalid('cursor', 'is not a cursor of this list');
  return Number(place);
}
