import type { ServiceRecord } from '../records/fields.ts';
import { hasStatus } from '../reading/index.ts';
import type { Operation } from './define.ts';

/** The field that says that the call changed nothing because it was already done, such as Already Cancelled. */
export const alreadyField = ({ adds = [] }: Pick<Operation, 'adds'>, record: ServiceRecord): { label: string } | undefined =>
  adds.find(({ key }) => key.startsWith('already_') && record[key] === true);

/** The result of such an operation if the record shows that it was already done; `undefined` if there is something left to do. */
export function doneBefore({ adds = [] }: Pick<Operation, 'adds'>, record: ServiceRecord): ServiceRecord | undefined {
  const already = adds.find(({ key }) => key === 'already_cancelled');
  return already && hasStatus(record, 'cancelled') ? { ...record, [already.key]: true } : undefined;
}
