import type { ServiceRecord } from '../api/records.ts';
import { deliveryKey } from '../webhooks/key.ts';

/**
 * The key of a change: 64 hexadecimal digits, the same whether it was delivered or found in a list, and at every repeat. It
 * is made of the event, the record's id and, where the same may happen to a record again, what it has become: a rescheduled
 * booking's start, a contact's own words. It belongs to one account: another one may count its records alike.
 *
 * Where a record goes through A, B and A again, both changes to A have one key. What must tell them apart keeps the last key
 * for each record and event, not all of them.
 */
export const changeKey = (row: Changing, record: ServiceRecord): string => deliveryKey(...changeParts(row, record));

/** What that key is the hash of. */
export const changeParts = ({ name, turn = () => '' }: Changing, record: ServiceRecord): readonly string[] => [
  'change',
  name,
  String(record['id']),
  turn(record),
];

/** An event, and what tells one such change of a record from the next. */
interface Changing {
  name: string;
  turn?: (record: ServiceRecord) => string;
}
