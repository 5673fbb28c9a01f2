import type { ServiceRecord } from '../records/fields.ts';
import { hasStatus } from '../reading/index.ts';
import type { Operation } from './define.ts';

/** The field that says that the call has changed nothing, because it was so before: such as Already Cancelled. */
export const alreadyField = ({ adds = [] }: Pick<Operation, 'adds'>, record: ServiceRecord): { label: string } | undefined =>
  adds.find(({ key }) => key.startsWith('already_') && record[key] === true);

/** What such an operation answers about a record that shows it; `undefined` if there is something left to do. */
export function doneBefore({ adds = [] }: Pick<Operation, 'adds'>, record: ServiceRecord): ServiceRecord | undefined {
  const already = adds.find(({ key }) => key === 'already_cancelled');
  return already && hasStatus(record, 'cancelled') ? { ...record, [already.key]: true } : undefined;
}
