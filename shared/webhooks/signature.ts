import { createHmac, timingSafeEqual } from 'node:crypto';
import { checkable, signaturePrefix, type Secret, type Verdict } from './signed.ts';

export type { Secret, Verdict };

/** The signature header's value for a body (section 6): `sha256=` and the lowercase hexadecimal HMAC-SHA256 of its raw bytes. */
export const sign = (rawBody: Uint8Array | string, secret: Secret): string =>
  signaturePrefix + createHmac('sha256', secret).update(rawBody).digest('hex');

/** Checks a signature over the body as it came in, before any parsing, and says what is wrong with it. Never throws. */
export function verify(rawBody: Uint8Array | string, header: string | undefined, secret: Secret | undefined): Verdict {
  const found = checkable(header, secret);
  if (typeof found === 'string') return found;
  return isGenuine(rawBody, found.signature, found.secret) ? 'valid' : 'mismatch';
}

/**
 * The lengths first, then in constant time (section 6, rules 2 and 3). `docs/verification.md` shows these lines to whoever
 * writes a receiver of their own, and a test holds the two together.
 */
export function isGenuine(rawBody: Uint8Array | string, signatureHeader: string | undefined, secret: Secret): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`);
  const given = Buffer.from(signatureHeader ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
