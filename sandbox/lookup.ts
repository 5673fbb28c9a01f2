import type { Parts } from './context.ts';
import { Refusal } from './errors.ts';
import type { Account } from './records.ts';
import type { Table } from './store.ts';

/**
 * A record of the account by the id in a path or a body.
 *
 * @throws {Refusal} NOT_FOUND, also for another account's record, so that nobody learns whether it exists
 */
export function lookUp<R extends { id: string; account_id: string }>(
  { forms }: Pick<Parts, 'forms'>,
  table: Table<R>,
  account: Account,
  id: string,
  what: string,
): R {
  const record = table.find(resolveId({ forms }, table, id));
  if (record?.account_id !== account.id) throw new Refusal('NOT_FOUND', `There is no ${what} ${id.slice(0, 80)}.`);
  return record;
}

/** If ids are numbers (G3), the stored id that belongs to a number. Any other text is returned unchanged. */
export function resolveId<R extends { id: string }>({ forms }: Pick<Parts, 'forms'>, table: Table<R>, id: string): string {
  if (forms.ids === 'string' || !/^\d{1,15}$/.test(id)) return id;
  return table.all({ where: 'seq = ?', values: [Number(id)], limit: 1 })[0]?.id ?? id;
}
