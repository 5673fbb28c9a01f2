import { createHash } from 'node:crypto';
import type { ServiceRecord } from '../records/fields.ts';
import { changeParts, keyText, type Changing, type Hash } from './keyText.ts';

/** SHA-256 by Node.js. */
export const sha256: Hash = (text, form) => createHash('sha256').update(text).digest(form);

/** The key made from these parts: 64 hexadecimal digits. */
export const deliveryKey = (...parts: readonly (string | undefined)[]): string => sha256(keyText(...parts), 'hex');

/**
 * The key of a change: 64 hexadecimal digits, the same in a delivery and in a poll, and at every repeat. It is made from the event, the
 * record's id and, for changes that can happen repeatedly, the new value: a rescheduled booking's start, or a contact's data. It is only
 * unique within one account, because another account may use the same ids.
 *
 * If a record changes to A, to B and to A again, both changes to A have the same key. To tell them apart, keep only the last key for each
 * record and event.
 */
export const changeKey = (row: Changing, record: ServiceRecord): string => deliveryKey(...changeParts(row, record));
