/**
 * The package's only use of the runtime's cryptography. Runtimes imitate Node.js and browsers to different degrees: what is missing, empty,
 * of another type, or throws when accessed counts as absent. Only random numbers (`./oauth/random.ts`) have no substitute.
 */
import type NodeCrypto from 'node:crypto';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 as digestOf } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Hash } from '../shared/webhooks/signature.ts';

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/**
 * SHA-256 in plain JavaScript. A worker has only Web Crypto, which computes each hash on another thread. For the tens of thousands of short
 * texts of one poll, that overhead takes far longer than the hashing.
 */
export const plainSha256: Hash = (text, form) => {
  const digest = digestOf(bytesOf(text));
  return form === 'hex' ? bytesToHex(digest) : base64url(digest);
};

/** SHA-256 by Node.js, if the hashes of what looks like Node.js are correct. */
function hashOfNode(): Hash | undefined {
  try {
    // Looked up instead of imported, because this file is the same in every runtime.
    const { process } = globalThis as { process?: { getBuiltinModule?: (name: 'node:crypto') => typeof NodeCrypto } };
    const node = process?.getBuiltinModule?.('node:crypto');
    const hash: Hash = (text, form) => String(node?.createHash('sha256').update(text).digest(form));
    return (['hex', 'base64url'] as const).every((form) => hash('ü', form) === plainSha256('ü', form)) ? hash : undefined;
  } catch {
    // Some hosts throw for each part of Node.js that they lack.
    return undefined;
  }
}

let fasterSha256: Hash | undefined;

/** SHA-256 by Node.js if available, which is three times as fast; otherwise in plain JavaScript. */
export const sha256: Hash = (text, form) => {
  try {
    // Looked up when the first text is hashed: loading it takes longer than loading the rest of an entry point.
    fasterSha256 ??= hashOfNode() ?? plainSha256;
    return fasterSha256(text, form);
  } catch {
    // Someone has replaced it in the meantime.
    return plainSha256(text, form);
  }
};

/** HMAC-SHA256 as lowercase hexadecimal digits. It is computed on this thread, because deliveries are short. */
export const hmacSha256 = (key: Uint8Array, data: Uint8Array): string => bytesToHex(hmac(digestOf, key, data));
