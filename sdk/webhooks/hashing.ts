import { checkable, signaturePrefix, type Secret, type Verdict } from '../../shared/webhooks/signed.ts';
import { after } from '../soon.ts';
import type { Soon } from '../stores/store.ts';

/** The part of Node.js's own cryptography that is used if it exists. */
interface NodeCrypto {
  createHmac: (algorithm: 'sha256', secret: Secret) => { update(data: Uint8Array | string): { digest(encoding: 'hex'): string } };
  createHash: (algorithm: 'sha256') => { update(data: string): { digest(encoding: 'hex'): string } };
  /** Hashes in one step, in Node.js versions that have it. */
  hash?: (algorithm: 'sha256', data: string) => string;
  timingSafeEqual: (one: Uint8Array, other: Uint8Array) => boolean;
}

/** Node.js's own buffers, which take short texts from memory that is already allocated. */
interface NodeBuffer {
  Buffer: { from: (text: string, encoding: 'latin1') => Uint8Array };
}

interface Runtime {
  process?: { getBuiltinModule?: (name: string) => unknown };
}

const builtIn = (name: string): unknown => (globalThis as Runtime).process?.getBuiltinModule?.(name);

/**
 * Looked up instead of imported, because this file is the same in every runtime. Node.js's own cryptography takes a fraction of the time of
 * Web Crypto, which does each step on another thread.
 */
const node = builtIn('node:crypto') as NodeCrypto | undefined;
const buffers = builtIn('node:buffer') as NodeBuffer | undefined;

const encoder = new TextEncoder();
const bytesOf = (data: Secret): Uint8Array<ArrayBuffer> =>
  typeof data === 'string' ? encoder.encode(data) : (data as Uint8Array<ArrayBuffer>);

/** The digits of a signature as bytes. Its form was already checked. */
function digestIn(signature: string): Uint8Array<ArrayBuffer> {
  const digest = new Uint8Array(32);
  const start = signature.length - 64;
  for (let index = 0; index < 32; index += 1)
    digest[index] = value(signature.charCodeAt(start + 2 * index)) * 16 + value(signature.charCodeAt(start + 2 * index + 1));
  return digest;
}

/** The value of a hexadecimal digit. */
const value = (code: number): number => (code < 58 ? code - 48 : code - 87);

/** How hashes are computed. Both ways give the same result; a test compares them. */
export interface Hashing {
  /** Whether a signature of the right form is the HMAC-SHA256 of a body, compared in constant time. */
  isGenuine: (rawBody: Uint8Array | string, signature: string, secret: Secret) => Soon<boolean>;
  /** The SHA-256 of a text, in hexadecimal digits. */
  hash: (text: string) => Soon<string>;
}

const ofNode = ({ createHmac, createHash, timingSafeEqual, hash }: NodeCrypto, { Buffer }: NodeBuffer): Hashing => ({
  isGenuine: (rawBody, signature, secret) => {
    const expected = Buffer.from(signaturePrefix + createHmac('sha256', secret).update(rawBody).digest('hex'), 'latin1');
    const given = Buffer.from(signature, 'latin1');
    return given.length === expected.length && timingSafeEqual(given, expected);
  },
  hash: (text) => hash?.('sha256', text) ?? createHash('sha256').update(text).digest('hex'),
});

/** Hashing by Web Crypto, which every web runtime has. */
export const ofTheWeb: Hashing = {
  async isGenuine(rawBody, signature, secret) {
    const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    return crypto.subtle.verify('HMAC', key, digestIn(signature), bytesOf(rawBody));
  },
  async hash(text) {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  },
};

/** Hashing in this runtime. */
export const hashing: Hashing = node === undefined || buffers === undefined ? ofTheWeb : ofNode(node, buffers);

/** See {@link verify} in `open.ts`. */
export function verdictOn(
  rawBody: Uint8Array | string,
  header: string | undefined,
  secret: Secret | undefined,
  { isGenuine }: Hashing = hashing,
): Soon<Verdict> {
  const found = checkable(header, secret);
  if (typeof found === 'string') return found;
  return after(isGenuine(rawBody, found.signature, found.secret), (is) => (is ? 'valid' : 'mismatch'));
}
