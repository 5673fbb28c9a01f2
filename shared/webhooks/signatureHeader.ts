import { copied } from '../values.ts';

export const signaturePrefix = 'sha256=';
const form = /^sha256=[0-9a-f]{64}$/;

/** The key of a signature: the signing secret as text, used as UTF-8 bytes, or the bytes themselves. */
export type Secret = string | Uint8Array;

/** The key without what was copied along with its text. Everything that signs or verifies uses this one. */
export const keyOf = <Given extends Secret | undefined>(secret: Given): Given | string =>
  typeof secret === 'string' ? copied(secret) : secret;

/**
 * The result of checking a signature. Act on the delivery only if it is `valid`.
 *
 * - `secretless`: there is no secret to check with, so the delivery cannot be accepted;
 * - `missing`: no header; `prefix`: it does not begin with `sha256=`; `format`: no 64 lowercase hexadecimal digits follow;
 * - `mismatch`: the body was changed, or the signature was made with another secret.
 */
export type Verdict = 'valid' | 'secretless' | 'missing' | 'prefix' | 'format' | 'mismatch';

/** What the body must be checked with. */
export interface ReadSignature {
  /** The HMAC that the sender computed: 64 lowercase hexadecimal digits. */
  digest: string;
  secret: Secret;
}

/**
 * Reads the signature header (section 6), strictly as documented. Everything that verifies deliveries reads it here. It runs before any
 * cryptography, because Node.js and other runtimes compute the HMAC in different ways.
 *
 * @returns what to check the body with, or what is wrong with the signature whatever the body is
 */
export function readSignature(
  header: string | undefined,
  given: Secret | undefined,
): Exclude<Verdict, 'valid' | 'mismatch'> | ReadSignature {
  const secret = keyOf(given);
  if (secret === undefined || secret.length === 0) return 'secretless';
  if (header === undefined || header === '') return 'missing';
  if (!form.test(header)) return header.startsWith(signaturePrefix) ? 'format' : 'prefix';
  return { digest: header.slice(signaturePrefix.length), secret };
}
