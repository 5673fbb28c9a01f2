import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** An id people can tell apart by its beginning: `bkg_` and 16 characters (80 random bits). */
export function newId(prefix: 'acc' | 'bkg' | 'evt' | 'con' | 'sub' | 'dlv' | 'grt'): string {
  return `${prefix}_${[...randomBytes(16)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')}`;
}

/** A token, code or secret of 256 random bits, with a beginning that a search for leaked ones can look for. */
export function newSecret(prefix: 'at' | 'rt' | 'code' | 'cs' | 'whsec'): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

/** What is kept in the data file in place of a token: whoever reads the file cannot use it. */
export function hashed(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
