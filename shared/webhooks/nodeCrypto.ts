import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { keyOf, type DeliveryCrypto, type Hash, type Secret } from './signature.ts';

/** The signature of a body as the service sends it (section 6): `sha256=` and the HMAC-SHA256 of its raw bytes in lowercase hexadecimal digits. */
export const sign = (rawBody: Uint8Array | string, secret: Secret): string =>
  `sha256=${createHmac('sha256', keyOf(secret)).update(rawBody).digest('hex')}`;

/**
 * Compares the lengths first, then the digits in constant time (section 6, rules 2 and 3). `docs/guides/verification.md` shows these lines
 * to people who write their own receiver; a test compares the two.
 */
export function isGenuine(rawBody: Uint8Array | string, signatureHeader: string | undefined, secret: Secret): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`);
  const received = Buffer.from(signatureHeader ?? '');
  return received.length === expected.length && timingSafeEqual(received, expected);
}

export const sha256: Hash = (text, form) => createHash('sha256').update(text).digest(form);

/** The cryptography of Node.js for deliveries. */
export const nodeCrypto: DeliveryCrypto = { sha256, isGenuine };
