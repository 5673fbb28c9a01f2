import { randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';

/** The service sends an unanswered delivery again for minutes; a day leaves room for what Zapier holds back. */
const REMEMBERED_SECONDS = 24 * 60 * 60;

/**
 * Claims one delivery for this run, in the store that all runs share: of many that carry the same delivery, one gets it.
 *
 * @param keys under which the delivery is known again; they name its subscription, so no two accounts share one
 * @returns false when another run has claimed any of them. True also when the store cannot be asked: passed on twice is better than lost.
 */
export async function claim(z: ZObject, keys: readonly string[]): Promise<boolean> {
  const mine = randomUUID();
  try {
    for (const key of keys) {
      const isSet = await z.cache.set(key, mine, REMEMBERED_SECONDS, undefined, true);
      if (isSet !== true && (await isTaken(z, key, mine))) return false;
    }
  } catch (error) {
    z.console.log(`It could not be checked whether this delivery came before (${error instanceof Error ? error.message : String(error)}): it is passed on.`);
  }
  return true;
}

/** What a refused "set if absent" returns is not documented: what stands under the key decides. */
async function isTaken(z: ZObject, key: string, mine: string): Promise<boolean> {
  const holder: unknown = await z.cache.get(key);
  return holder !== null && holder !== undefined && holder !== mine;
}
