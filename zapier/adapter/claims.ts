import { randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';

/** The service sends an unanswered delivery again for minutes; a day leaves room for what Zapier holds back. */
const REMEMBERED_SECONDS = 24 * 60 * 60;

/** Zapier's store as zapier-platform-core makes it: its types leave out the scopes of two of the calls. */
interface Store {
  get(key: string, scope?: string[]): Promise<unknown>;
  set(key: string, value: unknown, seconds?: number, scope?: string[], onlyIfAbsent?: boolean): Promise<boolean | null>;
  delete(key: string, scope?: string[]): Promise<boolean>;
}

/** `auth`: the key belongs to one connection, and no other can see or take it. Without one, all runs of the app share it. */
type Scope = ['auth'];

/**
 * Claims one delivery, or whatever else only one run may act on, in the store that all runs share: of many, one gets it. A
 * claim is made whole or not at all: one that is refused leaves no key behind.
 *
 * @param keys under which it is known again
 * @param seconds how long the claim stands
 * @returns false when another run has claimed any of them. True also when the store cannot be asked: done twice is better than lost.
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
    z.console.log(`Could not check whether another run is handling this (${said(error)}): this one goes on.`);
  }
  return true;
}

/** Claims a delivery for a day. It came to one connection's subscription: what reaches another one is not known here. */
export const claimDelivery = (z: ZObject, keys: readonly string[]): Promise<boolean> => claim(z, keys, REMEMBERED_SECONDS, ['auth']);

/** Gives a claim back: what was claimed did not come about. */
export async function release(z: ZObject, key: string, scope?: Scope): Promise<void> {
  const store: Store = z.cache;
  try {
    await store.delete(key, scope);
  } catch (error) {
    z.console.log(`A claim could not be released (${said(error)}). It expires by itself.`);
  }
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What a refused "set if absent" returns is not documented: what stands under the key decides. */
async function isTaken(store: Store, key: string, mine: string, scope: Scope | undefined): Promise<boolean> {
  const holder = await store.get(key, scope);
  return holder !== null && holder !== undefined && holder !== mine;
}
