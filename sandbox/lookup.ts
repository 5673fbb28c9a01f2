import type { Parts } from './context.ts';
import { Refusal } from './errors.ts';
import type { Account } from './records.ts';
import { PREFIX } from './habits.ts';
import type { Table } from './store.ts';

/**
 * A record of the account, or of any account if there is none, by the id in a path or a body.
 *
 * @throws {Refusal} NOT_FOUND, also for another account's record, so that nobody learns whether it exists
 */
export function lookUp<R extends { id: string; account_id: string }>(
  { forms }: Pick<Parts, 'forms'>,
  table: Table<R>,
  account: Account | undefined,
  id: string,
  what: string,
): R {
  const record = table.find(resolveId({ forms }, table, id));
  if (record === undefined || (account !== undefined && record.account_id !== account.id))
    throw new Refusal('NOT_FOUND', `There is no ${what} ${id.slice(0, 80)}.`);
  return record;
}

/** The stored id that belongs to a number or to a prefixed id, if ids have such a form. Any other text is returned unchanged. */
export function resolveId<R extends { id: string }>({ forms }: Pick<Parts, 'forms'>, table: Table<R>, id: string): string {
  if (forms.typeId === 'prefixed') return id.slice(id.startsWith(PREFIX) ? PREFIX.length : 0);
  if ((forms.ids === 'string' && forms.typeId !== 'number') || !/^\d{1,15}$/.test(id)) return id;
  return table.all({ where: 'seq = ?', values: [Number(id)], limit: 1 })[0]?.id ?? id;
}
