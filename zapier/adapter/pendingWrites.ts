import { createHash } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';
import { pendingForMs, PendingWrites } from '../../shared/writes/index.ts';
import { brand } from '../../shared/brand.ts';

/** A day: Zapier replays a failed step automatically for hours, and a person does it the next morning. */
const REMEMBERED_SECONDS = pendingForMs / 1000;

/** After a write whose result is not known. */
export const replayAdvice =
  'Look for it in the service. If it is not there, replay this step: it looks for it first, and sends it only if it is certainly not there.';

/** Belongs to one connected account: another user's pending writes are independent, even for identical requests. */
const SCOPE = ['auth'];

/** The platform's store. Its types do not say that reading and deleting also take a scope. */
interface ScopedCache {
  get(key: string, scope: string[]): Promise<unknown>;
  set(key: string, value: unknown, seconds: number, scope: string[]): Promise<unknown>;
  delete(key: string, scope: string[]): Promise<unknown>;
}

/**
 * The pending writes of one connection, in the store that all runs of its Zaps share. Its keys are hashes.
 *
 * @param canHold whether Zapier can hold what is running and run it again: a step, but not turning a Zap on or off
 */
export function pendingWritesOf(z: ZObject, canHold = true): PendingWrites {
  const cache: ScopedCache = z.cache;
  const named = (key: string): string => `${brand.slug}-pending-${createHash('sha256').update(key).digest('hex')}`;
  const tried = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      z.console.log(`Could not look up what earlier runs left open (${error instanceof Error ? error.message : String(error)}).`);
      return otherwise;
    }
  };
  const get = (key: string): Promise<unknown> => tried<unknown>(async () => (await cache.get(named(key), SCOPE)) ?? undefined, undefined);
  return new PendingWrites({
    mayStoreContent: false,
    canHold,
    advice: replayAdvice,
    get,
    async set(key, value) {
      const isSent = await tried(async () => {
        // The platform refuses a value with an undefined field.
        await cache.set(named(key), JSON.parse(JSON.stringify(value)), REMEMBERED_SECONDS, SCOPE);
        return true;
      }, false);
      // The store promises little: only what can be read again will be there for the next run.
      return isSent && typeof (await get(key)) === 'object';
    },
    delete: async (key) => void (await tried(() => cache.delete(named(key), SCOPE), undefined)),
  });
}
