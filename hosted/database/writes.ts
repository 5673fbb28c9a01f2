import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../shared/client/index.ts';
import { KeyedMutex } from '../../shared/client/keyedMutex.ts';
import { pendingForMs, type PendingStore, type WriteCoordination } from '../../shared/writes/index.ts';
import type { Claims } from '../../sdk/stores/claims.ts';
import { withClaim } from '../../sdk/stores/sqlClaims.ts';
import type { Database } from './database.ts';
import type { SealedRows } from './sealedRows.ts';

/** How long a record stays assigned to the write that made it, so that no other write claims it. Milliseconds. */
const assignedForMs = 60 * 60 * 1000;

/** Ends a call before anything is sent, because the write could not be recorded. */
export const throwNotReached = (): never => {
  throw new ServiceError('server', {
    message: 'Nothing was sent: this server cannot reach its own database, where it notes what is sent.',
    advice: 'Call this again in a minute, with the same arguments.',
  });
};

/** Makes sure that the current call still has its turn. @throws ServiceError if it does not, so that nothing is sent */
export const runningCall = new AsyncLocalStorage<() => Promise<void>>();

/** A name that is unique across accounts, whatever their ids contain. */
const nameIn = (account: string, name: string): string => JSON.stringify([account, name]);

/** The pending writes of one account, for all processes. A write must be recorded before it is sent. */
export function pendingIn(rows: SealedRows, account: string): PendingStore {
  return {
    writesAhead: true,
    advice: 'Call it again with the same arguments: it is looked for first, and sent if it is not there.',
    get: async (key) => rows.get('Pending', nameIn(account, key)).then((kept) => kept?.value, throwNotReached),
    async set(key, value) {
      await runningCall.getStore()?.();
      return rows.put('Pending', nameIn(account, key), value, { account }, pendingForMs).then(() => true, throwNotReached);
    },
    // If this fails, the write is looked for once more, which does no harm.
    delete: (key) => rows.delete('Pending', nameIn(account, key)).catch(() => undefined),
  };
}

/** What the processes of one account tell each other about its writes. */
export function coordinationIn(rows: SealedRows, { locks }: Pick<Database, 'locks'>, account: string): WriteCoordination {
  // Writes of this process wait here, so that only one of them asks the database.
  const turns = new KeyedMutex();
  const reached: Claims = { claim: async (name) => Promise.resolve(locks.claim(name)).catch(throwNotReached) };
  return {
    run: (key, clock, work) =>
      turns.run(key, clock, () =>
        withClaim(reached, rows.hash('write', account, key), work, (milliseconds) => clock?.sleep(milliseconds) ?? sleep(milliseconds)),
      ),
    assign: (id, by) => rows.put('Assigned', nameIn(account, id), by, { account }, assignedForMs),
    isAssigned: async (id, by) => {
      const assigned = await rows.get('Assigned', nameIn(account, id));
      return assigned !== undefined && assigned.value !== by;
    },
  };
}
