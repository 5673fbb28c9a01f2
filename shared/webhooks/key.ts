import { createHash } from 'node:crypto';
import { keyText, type Hash } from './keyText.ts';

/** SHA-256 by Node.js. */
export const sha256: Hash = (text, form) => createHash('sha256').update(text).digest(form);

/** The key made from these parts: 64 hexadecimal digits. */
export const deliveryKey = (...parts: readonly (string | undefined)[]): string => sha256(keyText(...parts), 'hex');
