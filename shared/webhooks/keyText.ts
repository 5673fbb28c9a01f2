import type { ServiceRecord } from '../records/fields.ts';

/** The SHA-256 of a text, as digits. Passed in where code also runs without Node.js. */
export type Hash = (text: string, form: 'hex' | 'base64url') => string;

/** The text whose SHA-256 is the key made from these parts. */
export const keyText = (...parts: readonly (string | undefined)[]): string => JSON.stringify(parts);

/** The parts whose hash is the key. */
export const changeParts = ({ name, turn = () => '' }: Changing, record: ServiceRecord): readonly string[] => [
  'change',
  name,
  String(record['id']),
  turn(record),
];

/** An event, and what distinguishes one such change of a record from the next. */
export interface Changing {
  name: string;
  turn?: (record: ServiceRecord) => string;
}
