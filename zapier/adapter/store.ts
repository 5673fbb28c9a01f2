import { createHash, randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';
import { pendingForMs, PendingWrites } from '../../shared/writes/index.ts';
import { brand } from '../../shared/brand.ts';

/** Zapier's store as zapier-platform-core has it: its types lack the scopes of two calls. */
interface Store {
  get(key: string, scope?: string[]): Promise<unknown>;
  set(key: string, value: unknown, seconds?: number, scope?: string[], onlyIfAbsent?: boolean): Promise<boolean | null>;
  delete(key: string, scope?: string[]): Promise<boolean>;
}

/** `auth`: the key belongs to one connection, and no other can see or claim it. Without it, all runs of the app share the key. */
type Scope = ['auth'];
const ownConnection: Scope = ['auth'];

/** A day. The service repeats an unanswered delivery for minutes, and the rest is room for what Zapier holds back. */
const DELIVERY_SECONDS = 24 * 60 * 60;

/** A day: Zapier replays a failed step automatically for hours, and a person does it the next morning. */
const WRITE_SECONDS = pendingForMs / 1000;

/** After a write whose result is not known. */
const replayAdvice =
  'Look for it in the service. If it is not there, replay this step: it looks for it first, and sends it only if it is certainly not there.';

/**
 * Claims a delivery, or anything else that only one run may handle, in the store that all runs share: of several runs, one gets it. A claim
 * is made completely or not at all: a refused claim leaves no key behind.
 *
 * @param keys the keys that repeats also have
 * @param seconds how long the claim lasts
 * @returns false if another run has claimed any of them. True also if the store does not answer: twice is better than lost.
 */
export async function claim(z: ZObject, keys: readonly string[], seconds: number, scope?: Scope): Promise<boolean> {
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
export const claimDelivery = (z: ZObject, keys: readonly string[]): Promise<boolean> => claim(z, keys, DELIVERY_SECONDS, ownConnection);

/** Releases a claim, because what was claimed did not happen. */
export async function release(z: ZObject, key: string, scope?: Scope): Promise<void> {
  const store: Store = z.cache;
  try {
    await store.delete(key, scope);
  } catch (error) {
    z.console.log(`A claim could not be released (${said(error)}). It expires by itself.`);
  }
}

/** The return value of a refused "set if absent" is not documented, so the stored value decides. */
async function isTaken(store: Store, key: string, mine: string, scope: Scope | undefined): Promise<boolean> {
  const holder = await store.get(key, scope);
  return holder !== null && holder !== undefined && holder !== mine;
}

/**
 * The pending writes of one connection, in the store that all runs of its Zaps share. Its keys are hashes.
 *
 * @param canHold whether Zapier can hold what is running and run it again: a step, but not turning a Zap on or off
 */
export function pendingWritesOf(z: ZObject, canHold = true): PendingWrites {
  const store: Store = z.cache;
  const named = (key: string): string => `${brand.slug}-pending-${createHash('sha256').update(key).digest('hex')}`;
  const tried = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      z.console.log(`Could not look up what earlier runs left open (${said(error)}).`);
      return otherwise;
    }
  };
  const get = (key: string): Promise<unknown> =>
    tried<unknown>(async () => (await store.get(named(key), ownConnection)) ?? undefined, undefined);
  return new PendingWrites({
    mayStoreContent: false,
    canHold,
    advice: replayAdvice,
    get,
    async set(key, value) {
      const isSent = await tried(async () => {
        // The platform refuses a value with an undefined field.
        await store.set(named(key), JSON.parse(JSON.stringify(value)), WRITE_SECONDS, ownConnection);
        return true;
      }, false);
      // The store promises little: only what can be read again will be there for the next run.
      return isSent && typeof (await get(key)) === 'object';
    },
    delete: async (key) => void (await tried(() => store.delete(named(key), ownConnection), undefined)),
  });
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));
