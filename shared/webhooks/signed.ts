/**
 * What can be said about a signature before any cryptography, and what a delivery's key is made of. Separate from the hashes, because
 * without Node.js the host's own cryptography computes them.
 */

export const signaturePrefix = 'sha256=';
const form = /^sha256=[0-9a-f]{64}$/;

/** The key of a signature: the signing secret as text, used as UTF-8 bytes, or the bytes themselves. */
export type Secret = string | Uint8Array;

/**
 * The result of checking a signature. Act on the delivery only if it is `valid`.
 *
 * - `secretless`: there is no secret to check with, so the delivery cannot be accepted;
 * - `missing`: no header; `prefix`: it does not begin with `sha256=`; `format`: no 64 lowercase hexadecimal digits follow;
 * - `mismatch`: the body was changed, or the signature was made with another secret.
 */
export type Verdict = 'valid' | 'secretless' | 'missing' | 'prefix' | 'format' | 'mismatch';

/** A signature in the right form, and the secret to check it with. */
export interface Checkable {
  signature: string;
  secret: Secret;
}

/** What is wrong with a signature, regardless of the body; or what to check the body with. */
export function checkable(header: string | undefined, secret: Secret | undefined): Exclude<Verdict, 'valid' | 'mismatch'> | Checkable {
  if (secret === undefined || secret.length === 0) return 'secretless';
  if (header === undefined || header === '') return 'missing';
  if (!form.test(header)) return header.startsWith(signaturePrefix) ? 'format' : 'prefix';
  return { signature: header, secret };
}

/** The text whose SHA-256 is the key made from these parts. */
export const keyText = (...parts: readonly (string | undefined)[]): string => JSON.stringify(parts);

/** The SHA-256 of a text, as digits. Passed in, because the core may run without Node.js. */
export type Hash = (text: string, form: 'hex' | 'base64url') => string;
