import type NodeCrypto from 'node:crypto';
import type { Hash } from '../../shared/webhooks/keyText.ts';
import { base64url } from '../oauth/random.ts';

const encoder = new TextEncoder();

/** The fractional parts of a root of the first primes, 32 bits of each: the array takes no others. */
function roots(root: (prime: number) => number, count: number): Uint32Array {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    let divisor = 2;
    while (candidate % divisor !== 0) divisor += 1;
    if (divisor === candidate) found.push(root(candidate) * 2 ** 32);
  }
  return Uint32Array.from(found, Math.floor);
}

const start = roots(Math.sqrt, 8);
const constants = roots(Math.cbrt, 64);

const turned = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** Adds a block of 64 bytes (FIPS 180-4, 6.2.2). */
function takeIn(state: Uint32Array, block: DataView, words: Uint32Array): void {
  const at = (index: number): number => words[index] as number;
  for (let index = 0; index < 16; index += 1) words[index] = block.getUint32(4 * index);
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [at(index - 15), at(index - 2)];
    const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const other = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[index] = at(index - 16) + one + at(index - 7) + other;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < 64; index += 1) {
    const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + (constants[index] as number) + at(index);
    const other = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + other) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = (state[index] as number) + word));
}

/**
 * SHA-256 in plain JavaScript. A worker only has Web Crypto, which computes each hash on another thread. For the tens of thousands of short
 * texts of one poll, that takes far longer than the hashes themselves.
 */
export const ownSha256: Hash = (text, form) => {
  const given = encoder.encode(text);
  const padded = new Uint8Array(Math.ceil((given.length + 9) / 64) * 64);
  padded.set(given);
  padded[given.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(given.length) * 8n);
  const [state, words] = [start.slice(), new Uint32Array(64)];
  for (let at = 0; at < padded.length; at += 64) takeIn(state, new DataView(padded.buffer, at, 64), words);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(4 * index, word));
  const bytes = new Uint8Array(digest.buffer);
  return form === 'hex' ? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') : base64url(bytes);
};

/** Looked up instead of imported, because this file is the same in every runtime. */
const { process: host } = globalThis as { process?: { getBuiltinModule?: (name: 'node:crypto') => typeof NodeCrypto } };
const node = host?.getBuiltinModule?.('node:crypto');

/** SHA-256 by Node.js if it exists, otherwise by the function above. */
export const sha256: Hash = node === undefined ? ownSha256 : (text, form) => node.createHash('sha256').update(text).digest(form);
