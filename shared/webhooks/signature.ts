import { createHmac, timingSafeEqual } from 'node:crypto';

const prefix = 'sha256=';
const form = /^sha256=[0-9a-f]{64}$/;

/** The key of a signature: the signing secret as text, whose UTF-8 bytes count, or the bytes themselves. */
export type Secret = string | Uint8Array;

/** The signature header's value for a body (section 6): `sha256=` and the lowercase hexadecimal HMAC-SHA256 of its raw bytes. */
export const sign = (rawBody: Uint8Array | string, secret: Secret): string => prefix + createHmac('sha256', secret).update(rawBody).digest('hex');

/**
 * Whether a signature is right. Anything but `valid` means: do not act on this delivery.
 *
 * - `secretless`: there is no secret to check with, which is never a reason to accept;
 * - `missing`: no header; `prefix`: it does not begin with `sha256=`; `format`: no 64 lowercase hexadecimal digits follow;
 * - `mismatch`: the body, the secret or the signature is another one.
 */
export type Verdict = 'valid' | 'secretless' | 'missing' | 'prefix' | 'format' | 'mismatch';

/**
 * Checks a signature over the body as it came in, before any parsing, in constant time and after its length (section 6,
 * rules 2 and 3). Never throws.
 */
export function verify(rawBody: Uint8Array | string, header: string | undefined, secret: Secret | undefined): Verdict {
  if (secret === undefined || secret.length === 0) return 'secretless';
  if (header === undefined || header === '') return 'missing';
  if (header.length === given.length && isEqual(header, sign(rawBody, secret))) return 'valid';
  if (form.test(header)) return 'mismatch';
  return header.startsWith(prefix) ? 'format' : 'prefix';
}

/** The two that are compared, as bytes. Written over each time, because making them anew takes a tenth of a whole check. */
const given = new Uint8Array(prefix.length + 64);
const right = new Uint8Array(given.length);
const encoder = new TextEncoder();

/** In constant time. A header that is not ASCII has more bytes than fit: what an earlier one has left must not complete it. */
function isEqual(header: string, signature: string): boolean {
  const fits = encoder.encodeInto(header, given).read === header.length;
  encoder.encodeInto(signature, right);
  return timingSafeEqual(given, right) && fits;
}
