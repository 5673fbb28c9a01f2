/**
 * What is to be known of a signature before any cryptography, and what a delivery's key is made of. Kept apart from the hashes
 * themselves: where there is no Node.js, they are computed by what the host has instead.
 */

export const signaturePrefix = 'sha256=';
const form = /^sha256=[0-9a-f]{64}$/;

/** The key of a signature: the signing secret as text, whose UTF-8 bytes count, or the bytes themselves. */
export type Secret = string | Uint8Array;

/**
 * Whether a signature is right. Anything but `valid` means: do not act on this delivery.
 *
 * - `secretless`: there is no secret to check with, which is never a reason to accept;
 * - `missing`: no header; `prefix`: it does not begin with `sha256=`; `format`: no 64 lowercase hexadecimal digits follow;
 * - `mismatch`: the body, the secret or the signature is another one.
 */
export type Verdict = 'valid' | 'secretless' | 'missing' | 'prefix' | 'format' | 'mismatch';

/** A signature that has the right form, and the secret to check it with. */
export interface Checkable {
  signature: string;
  secret: Secret;
}

/** What is wrong with a signature whatever the body holds, or what to check the body with. */
export function checkable(header: string | undefined, secret: Secret | undefined): Exclude<Verdict, 'valid' | 'mismatch'> | Checkable {
  if (secret === undefined || secret.length === 0) return 'secretless';
  if (header === undefined || header === '') return 'missing';
  if (!form.test(header)) return header.startsWith(signaturePrefix) ? 'format' : 'prefix';
  return { signature: header, secret };
}

/** The text whose SHA-256 is the key of what these parts make up. */
export const keyText = (...parts: readonly (string | undefined)[]): string => JSON.stringify(parts);

/** The SHA-256 of a text, as digits: whoever runs the core hands it in where there may be no Node.js. */
export type Hash = (text: string, form: 'hex' | 'base64url') => string;
