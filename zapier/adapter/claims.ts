import { randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';

/** The service repeats an unanswered delivery for minutes. A day leaves room for what Zapier holds back. */
const REMEMBERED_SECONDS = 24 * 60 * 60;

/** Zapier's store as zapier-platform-core has it: its types lack the scopes of two calls. */
interface Store {
  get(key: string, scope?: string[]): Promise<unknown>;
  set(key: string, value: unknown, seconds?: number, scope?: string[], onlyIfAbsent?: boolean): Promise<boolean | null>;
  delete(key: string, scope?: string[]): Promise<boolean>;
}

/** `auth`: the key belongs to one connection, and no other can see or claim it. Without it, all runs of the app share the key. */
type Scope = ['auth'];

/**
 * Claims a delivery, or anything else that only one run may handle, in the store that all runs share: of several runs, one gets it. A claim
 * is made completely or not at all: a refused claim leaves no key behind.
 *
 * @param keys the keys that repeats also have
 * @param seconds how long the claim lasts
 * @returns false if another run has claimed any of them. True also if the store does not answer: twice is better than lost.
 */
export async function claim(z: ZObject, keys: readonly string[], seconds = REMEMBERED_SECONDS, scope?: Scope): Promise<boolean> {
  const store: Store = z.cache;
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
    z.console.log(`Could not check whether another run is handling this (${said(error)}): this one continues.`);
  }
  return true;
}

/** Claims a delivery for a day. It belongs to one connection's subscription; other connections do not see the claim. */
export const claimDelivery = (z: ZObject, keys: readonly string[]): Promise<boolean> => claim(z, keys, REMEMBERED_SECONDS, ['auth']);

/** Releases a claim, because what was claimed did not happen. */
export async function release(z: ZObject, key: string, scope?: Scope): Promise<void> {
  const store: Store = z.cache;
  try {
    await store.delete(key, scope);
  } catch (error) {
    z.console.log(`A claim could not be released (${said(error)}). It expires by itself.`);
  }
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The return value of a refused "set if absent" is not documented, so the stored value decides. */
async function isTaken(store: Store, key: string, mine: string, scope: Scope | undefined): Promise<boolean> {
  const holder = await store.get(key, scope);
  return holder !== null && holder !== undefined && holder !== mine;
}
