import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** An id whose beginning shows its kind: `bkg_` and 16 characters (80 random bits). */
export function newId(prefix: 'acc' | 'bkg' | 'evt' | 'con' | 'sub' | 'dlv' | 'grt'): string {
  return `${prefix}_${[...randomBytes(16)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')}`;
}

/** A token, code or secret of 256 random bits, whose beginning makes leaked ones easy to find. */
export function newSecret(prefix: 'at' | 'rt' | 'code' | 'cs' | 'whsec'): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

/** Stored in the data file instead of a token, so that nobody who reads the file can use it. */
export function hashed(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
