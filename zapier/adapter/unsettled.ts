import { createHash } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';
import { Unsettled } from '../../shared/api/unsettled.ts';
import { brand } from '../../shared/brand.ts';

/** A day: Zapier replays a failed step by itself for hours, and a person does it the next morning. */
const REMEMBERED_SECONDS = 24 * 60 * 60;

/**
 * What became of which request is not known, in the store that all runs of all Zaps share. Its keys are hashes; they
 * name an event type, which one account has.
 */
export function unsettledOf(z: ZObject): Unsettled {
  const named = (key: string): string => `${brand.slug}-unsettled-${createHash('sha256').update(key).digest('hex')}`;
  const tried = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      z.console.log(`What earlier runs left open could not be looked up (${error instanceof Error ? error.message : String(error)}).`);
      return otherwise;
    }
  };
  const get = (key: string): Promise<unknown> => tried<unknown>(async () => ((await z.cache.get(named(key))) as unknown) ?? undefined, undefined);
  return new Unsettled({
    get,
    async set(key, value) {
      const isSent = await tried(async () => {
        await z.cache.set(named(key), value, REMEMBERED_SECONDS);
        return true;
      }, false);
      // The store promises little: only what can be read back will be there for the next run.
      return isSent && typeof (await get(key)) === 'object';
    },
    delete: async (key) => void (await tried(() => z.cache.delete(named(key)), undefined)),
  });
}
