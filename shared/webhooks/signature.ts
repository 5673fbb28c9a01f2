import { copied } from '../values.ts';

/** The key of a signature: the signing secret as text, used as UTF-8 bytes, or the bytes themselves. */
export type Secret = string | Uint8Array;

/** Computes the SHA-256 of a text as hexadecimal or base64url digits. */
export type Hash = (text: string, form: 'hex' | 'base64url') => string;

/** The cryptography that a runtime provides for deliveries: Node.js in `./nodeCrypto.ts`, all runtimes in the package for developers. */
export interface DeliveryCrypto {
  sha256: Hash;
  /** Whether a header is the signature of a body. The time that it takes must not reveal the right one (section 6, rules 2 and 3). */
  isGenuine: (rawBody: Uint8Array | string, signatureHeader: string, secret: Secret) => boolean;
}

/** The key without characters that were copied along with its text. Everything that signs or verifies uses this. */
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

/**
 * Checks the signature of a raw body, before it is parsed, and says what is wrong with it: first the form of the header, strictly as
 * documented (section 6), then the digits. Never throws.
 */
export function checkSignature(
  rawBody: Uint8Array | string,
  header: string | undefined,
  given: Secret | undefined,
  { isGenuine }: DeliveryCrypto,
): Verdict {
  const secret = keyOf(given);
  if (secret === undefined || secret.length === 0) return 'secretless';
  if (header === undefined || header === '') return 'missing';
  if (!/^sha256=[0-9a-f]{64}$/.test(header)) return header.startsWith('sha256=') ? 'format' : 'prefix';
  return isGenuine(rawBody, header, secret) ? 'valid' : 'mismatch';
}
