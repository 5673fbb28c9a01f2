import { createHash } from 'node:crypto';
import { keyText } from './signed.ts';

/**
 * The key of a delivery: 64 hexadecimal digits that stand for what it is made of. A hash, because the signature itself,
 * beside its body, is all that it takes to send a delivery again.
 */
export const deliveryKey = (...parts: readonly (string | undefined)[]): string =>
  createHash('sha256')
    .update(keyText(...parts))
    .digest('hex');
