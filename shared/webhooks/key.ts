import { createHash } from 'node:crypto';
import { keyText, type Hash } from './signed.ts';

/** SHA-256 where there is Node.js. */
export const sha256: Hash = (text, form) => createHash('sha256').update(text).digest(form);

/**
 * The key of a delivery: 64 hexadecimal digits that stand for what it is made of. A hash, because the signature itself,
 * beside its body, is all that it takes to send a delivery again.
 */
export const deliveryKey = (...parts: readonly (string | undefined)[]): string => sha256(keyText(...parts), 'hex');
