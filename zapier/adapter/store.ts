import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';
import { pendingForMs, PendingWrites } from '../../shared/writes/index.ts';
import { brand } from '../../shared/brand.ts';
import { errorWords } from '../../shared/values.ts';

/** Zapier's store as `zapier-platform-core` implements it. The published types lack the scopes of two calls. */
interface ZapierStore {
  get(key: string, scope?: string[]): Promise<unknown>;
  set(key: string, value: unknown, seconds?: number, scope?: string[], onlyIfAbsent?: boolean): Promise<boolean | null>;
  delete(key: string, scope?: string[]): Promise<boolean>;
}

/** `auth`: the key belongs to one connection, and no other can see or claim it. Without it, all runs of the app share the key. */
type ConnectionScope = ['auth'];
const ownConnection: ConnectionScope = ['auth'];

/** A day. The service repeats an unanswered delivery for minutes; the rest covers deliveries that Zapier holds back. */
const DELIVERY_SECONDS = 24 * 60 * 60;

/** A day. Zapier replays a failed step automatically for hours, and a person may do it the next morning. */
const WRITE_SECONDS = pendingForMs / 1000;

/** Shown after a write whose result is unknown. */
const replayAdvice = 'If it is not in the service, replay this step: it looks again before it sends.';

const cipher = 'aes-256-gcm';
/** Lengths of this cipher. Bytes. */
const [nonceLength, tagLength] = [12, 16];

/** The encryption key of a value: derived from what only this app and the step itself know. */
const cipherKey = (name: string): Buffer =>
  createHash('sha256')
    .update(`${process.env['CLIENT_SECRET'] ?? ''}\n${name}`)
    .digest();

/** A value, encrypted so that nobody can read it in the store. */
function sealed(name: string, value: unknown): string {
  const nonce = randomBytes(nonceLength);
  const encryption = createCipheriv(cipher, cipherKey(name), nonce);
  const text = [encryption.update(JSON.stringify(value)), encryption.final()];
  return Buffer.concat([nonce, encryption.getAuthTag(), ...text]).toString('base64');
}

/** @throws if the text was not sealed under this name */
function opened(name: string, text: string): unknown {
  const bytes = Buffer.from(text, 'base64');
  const decryption = createDecipheriv(cipher, cipherKey(name), bytes.subarray(0, nonceLength));
  decryption.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
  return JSON.parse(Buffer.concat([decryption.update(bytes.subarray(nonceLength + tagLength)), decryption.final()]).toString()) as unknown;
}

/**
 * Claims a delivery, or anything else that only one run may handle, in the store that all runs share: of several runs, one gets it. A claim
 * succeeds as a whole or not at all: a refused claim leaves no key behind.
 *
 * @param keys the keys that repeats also have
 * @param seconds how long the claim lasts
 * @returns false if another run has claimed any of them. True also if the store does not respond: twice is better than lost.
 */
export async function claim(z: ZObject, keys: readonly string[], seconds: number, scope?: ConnectionScope): Promise<boolean> {
  const store: ZapierStore = z.cache;
  const mine = randomUUID();
  const claimed: string[] = [];
  try {
    for (const key of keys) {
      const isSet = await store.set(key, mine, seconds, scope, true);
      if (isSet !== true && (await isTaken(store, key, mine, scope))) {
        for (const each of claimed) await release(z, each, scope);
        return false;
      }
      claimed.push(key);
    }
  } catch (error) {
    z.console.log(`Could not check whether another run is handling this (${errorWords(error)}): this one continues.`);
  }
  return true;
}

/** Claims a delivery for a day. The claim belongs to one connection; other connections do not see it. */
export const claimDelivery = (z: ZObject, keys: readonly string[]): Promise<boolean> => claim(z, keys, DELIVERY_SECONDS, ownConnection);

/** Releases a claim whose work did not succeed. */
export async function release(z: ZObject, key: string, scope?: ConnectionScope): Promise<void> {
  const store: ZapierStore = z.cache;
  try {
    await store.delete(key, scope);
  } catch (error) {
    z.console.log(`A claim could not be released (${errorWords(error)}). It expires by itself.`);
  }
}

/** What a refused "set if absent" returns is not documented, so the stored value decides. */
async function isTaken(store: ZapierStore, key: string, mine: string, scope: ConnectionScope | undefined): Promise<boolean> {
  const holder = await store.get(key, scope);
  return holder !== null && holder !== undefined && holder !== mine;
}

/**
 * The pending writes of one connection, in the store that all runs of its Zaps share. Keys are hashed, values encrypted.
 *
 * @param canHold whether Zapier can hold the running work and run it again: it can for a step, but not while a Zap is turned on or off
 */
export function pendingWritesOf(z: ZObject, canHold = true): PendingWrites {
  const store: ZapierStore = z.cache;
  const named = (key: string): string => `${brand.slug}-pending-${createHash('sha256').update(key).digest('hex')}`;
  const tried = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      z.console.log(`Could not look up what earlier runs left open (${errorWords(error)}).`);
      return otherwise;
    }
  };
  const get = (key: string): Promise<unknown> =>
    tried<unknown>(async () => {
      const kept = await store.get(named(key), ownConnection);
      return typeof kept === 'string' ? opened(key, kept) : undefined;
    }, undefined);
  return new PendingWrites({
    canHold,
    advice: replayAdvice,
    get,
    async set(key, value) {
      const isSent = await tried(async () => {
        await store.set(named(key), sealed(key, value), WRITE_SECONDS, ownConnection);
        return true;
      }, false);
      // The store guarantees little, so a value counts as saved only if it can be read again.
      return isSent && typeof (await get(key)) === 'object';
    },
    delete: async (key) => void (await tried(() => store.delete(named(key), ownConnection), undefined)),
  });
}
