import { createHash } from 'node:crypto';

/** The SHA-256 of a text, as digits. Passed in where code also runs without Node.js. */
export type Hash = (text: string, form: 'hex' | 'base64url') => string;

/** SHA-256 by Node.js. */
export const sha256: Hash = (text, form) => createHash('sha256').update(text).digest(form);

/** The text whose SHA-256 is the key made from these parts. */
export const keyText = (...parts: readonly (string | undefined)[]): string => JSON.stringify(parts);

/** The key made from these parts: 64 hexadecimal digits. */
export const deliveryKey = (...parts: readonly (string | undefined)[]): string => sha256(keyText(...parts), 'hex');
