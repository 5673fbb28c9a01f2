/**
 * The package's only use of its runtime's cryptography. Runtimes imitate Node.js and browsers to different degrees: what is missing, empty,
 * of another type, or throws when it is touched counts as not there. Only random numbers (`./oauth/random.ts`) have no substitute.
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
 * SHA-256 in plain JavaScript. A worker only has Web Crypto, which computes each hash on another thread. For the tens of thousands of short
 * texts of one poll, that takes far longer than the hashes themselves.
 */
export const plainSha256: Hash = (text, form) => {
  const digest = digestOf(bytesOf(text));
  return form === 'hex' ? bytesToHex(digest) : base64url(digest);
};

/** SHA-256 by Node.js, if what looks like Node.js gives the same hashes. */
function hashOfNode(): Hash | undefined {
  try {
    // Looked up instead of imported, because this file is the same in every runtime.
    const { process } = globalThis as { process?: { getBuiltinModule?: (name: 'node:crypto') => typeof NodeCrypto } };
    const node = process?.getBuiltinModule?.('node:crypto');
    const hash: Hash = (text, form) => String(node?.createHash('sha256').update(text).digest(form));
    return (['hex', 'base64url'] as const).every((form) => hash('ü', form) === plainSha256('ü', form)) ? hash : undefined;
  } catch {
    // Some hosts throw for each part of Node.js that they do not have.
    return undefined;
  }
}

let fasterSha256: Hash | undefined;

/** SHA-256 by Node.js if it is there, which is three times as fast, otherwise in plain JavaScript. */
export const sha256: Hash = (text, form) => {
  try {
    // Looked for when the first text is hashed: it takes longer to load than the rest of an entry.
    fasterSha256 ??= hashOfNode() ?? plainSha256;
    return fasterSha256(text, form);
  } catch {
    // Something has replaced it meanwhile.
    return plainSha256(text, form);
  }
};

/** HMAC-SHA256 as lowercase hexadecimal digits. A delivery is short, so it does not need another thread. */
export const hmacSha256 = (key: Uint8Array, data: Uint8Array): string => bytesToHex(hmac(digestOf, key, data));
