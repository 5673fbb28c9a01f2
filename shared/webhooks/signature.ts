import { createHmac, timingSafeEqual } from 'node:crypto';

const prefix = 'sha256=';
const form = /^sha256=[0-9a-f]{64}$/;

/** The key of a signature: the signing secret as text, whose UTF-8 bytes count, or the bytes themselves. */
export type Secret = string | Uint8Array;

/** The signature header's value for a body (section 6): `sha256=` and the lowercase hexadecimal HMAC-SHA256 of its raw bytes. */
export const sign = (rawBody: Uint8Array | string, secret: Secret): string =>
  prefix + createHmac('sha256', secret).update(rawBody).digest('hex');

/**
 * Whether a signature is right. Anything but `valid` means: do not act on this delivery.
 *
 * - `secretless`: there is no secret to check with, which is never a reason to accept;
 * - `missing`: no header; `prefix`: it does not begin with `sha256=`; `format`: no 64 lowercase hexadecimal digits follow;
 * - `mismatch`: the body, the secret or the signature is another one.
 */
export type Verdict = 'valid' | 'secretless' | 'missing' | 'prefix' | 'format' | 'mismatch';

/** Checks a signature over the body as it came in, before any parsing, and says what is wrong with it. Never throws. */
export function verify(rawBody: Uint8Array | string, header: string | undefined, secret: Secret | undefined): Verdict {
  if (secret === undefined || secret.length === 0) return 'secretless';
  if (header === undefined || header === '') return 'missing';
  if (!form.test(header)) return header.startsWith(prefix) ? 'format' : 'prefix';
  return isGenuine(rawBody, header, secret) ? 'valid' : 'mismatch';
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
