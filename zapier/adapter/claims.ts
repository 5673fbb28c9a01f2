import { randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';

/** The service sends an unanswered delivery again for minutes; a day leaves room for what Zapier holds back. */
const REMEMBERED_SECONDS = 24 * 60 * 60;

/**
 * Claims one delivery, or whatever else only one run may act on, in the store that all runs share: of many, one gets it.
 *
 * @param keys under which it is known again; they name a subscription or hash a token, so no two accounts share one
 * @param seconds how long the claim stands
 * @returns false when another run has claimed any of them. True also when the store cannot be asked: done twice is better than lost.
 */
export async function claim(z: ZObject, keys: readonly string[], seconds = REMEMBERED_SECONDS): Promise<boolean> {
  const mine = randomUUID();
  try {
    for (const key of keys) {
      const isSet = await z.cache.set(key, mine, seconds, undefined, true);
      if (isSet !== true && (await isTaken(z, key, mine))) return false;
    }
  } catch (error) {
    z.console.log(`It could not be checked whether another run has this in hand (${said(error)}): this one goes on.`);
  }
  return true;
}

/** Gives a claim back: what was claimed did not come about. */
export async function release(z: ZObject, key: string): Promise<void> {
  try {
    await z.cache.delete(key);
  } catch (error) {
    z.console.log(`A claim could not be given back (${said(error)}): it ends by itself.`);
  }
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What a refused "set if absent" returns is not documented: what stands under the key decides. */
async function isTaken(z: ZObject, key: string, mine: string): Promise<boolean> {
  const holder: unknown = await z.cache.get(key);
  return holder !== null && holder !== undefined && holder !== mine;
}
