import { createHash } from 'node:crypto';
import { keyText, type Hash } from './signed.ts';

/** SHA-256 by Node.js. */
export const sha256: Hash = (text, form) => createHash('sha256').update(text).digest(form);

/**
 * The key of a delivery: 64 hexadecimal digits. It is a hash, because the signature itself, together with the body, would be enough to send
 * the delivery again.
 */
export const deliveryKey = (...parts: readonly (string | undefined)[]): string => sha256(keyText(...parts), 'hex');
