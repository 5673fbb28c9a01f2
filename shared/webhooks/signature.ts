import { createHmac, timingSafeEqual } from 'node:crypto';
import { checkable, signaturePrefix, type Secret, type Verdict } from './signed.ts';

export type { Secret, Verdict };

/**
 * The value of the signature header for a body (section 6): `sha256=` and the HMAC-SHA256 of its raw bytes in lowercase hexadecimal digits.
 */
export const sign = (rawBody: Uint8Array | string, secret: Secret): string =>
  signaturePrefix + createHmac('sha256', secret).update(rawBody).digest('hex');

/** Checks the signature of a raw body, before it is parsed, and says what is wrong with it. Never throws. */
export function verify(rawBody: Uint8Array | string, header: string | undefined, secret: Secret | undefined): Verdict {
  const found = checkable(header, secret);
  if (typeof found === 'string') return found;
  return isGenuine(rawBody, found.signature, found.secret) ? 'valid' : 'mismatch';
}

/**
 * Compares the lengths first, then the digits in constant time (section 6, rules 2 and 3). `docs/verification.md` shows these lines to
 * people who write their own receiver; a test compares the two.
 */
export function isGenuine(rawBody: Uint8Array | string, signatureHeader: string | undefined, secret: Secret): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`);
  const given = Buffer.from(signatureHeader ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
