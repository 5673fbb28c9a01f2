import type { ServiceRecord } from '../records/records.ts';
import { deliveryKey } from '../webhooks/key.ts';

/**
 * The key of a change: 64 hexadecimal digits, the same in a delivery and in a poll, and at every repeat. It is made from the event, the
 * record's id and, for changes that can happen repeatedly, the new value: a rescheduled booking's start, or a contact's data. It is only
 * unique within one account, because another account may use the same ids.
 *
 * If a record changes to A, to B and to A again, both changes to A have the same key. To tell them apart, keep only the last key for each
 * record and event.
 */
export const changeKey = (row: Changing, record: ServiceRecord): string => deliveryKey(...changeParts(row, record));

/** The parts whose hash is the key. */
export const changeParts = ({ name, turn = () => '' }: Changing, record: ServiceRecord): readonly string[] => [
  'change',
  name,
  String(record['id']),
  turn(record),
];

/** An event, and what distinguishes one such change of a record from the next. */
interface Changing {
  name: string;
  turn?: (record: ServiceRecord) => string;
}
