import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyOf, readSignature, signaturePrefix, type Secret, type Verdict } from './signatureHeader.ts';

export type { Secret, Verdict };

/** The signature of a body as the service sends it (section 6): `sha256=` and the HMAC-SHA256 of its raw bytes in lowercase hexadecimal digits. */
export const sign = (rawBody: Uint8Array | string, secret: Secret): string =>
  signaturePrefix + createHmac('sha256', keyOf(secret)).update(rawBody).digest('hex');

/** Checks the signature of a raw body, before it is parsed, and says what is wrong with it. Never throws. */
export function checkSignature(rawBody: Uint8Array | string, header: string | undefined, secret: Secret | undefined): Verdict {
  const read = readSignature(header, secret);
  if (typeof read === 'string') return read;
  return isGenuine(rawBody, signaturePrefix + read.digest, read.secret) ? 'valid' : 'mismatch';
}

/**
 * Compares the lengths first, then the digits in constant time (section 6, rules 2 and 3). `docs/guides/verification.md` shows these lines to
 * people who write their own receiver; a test compares the two.
 */
export function isGenuine(rawBody: Uint8Array | string, signatureHeader: string | undefined, secret: Secret): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`);
  const received = Buffer.from(signatureHeader ?? '');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
