import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../shared/client/index.ts';
import { GivenUp, toldToAnother, type CallLedger, type Turn } from '../../mcp/adapter/singleFlight.ts';
import { leaseSeconds, type Database } from './database.ts';
import type { SealedRows } from './sealedRows.ts';
import type { Vault } from './vault.ts';
import { runningCall, throwNotReached } from './writes.ts';

/** How often to check whether a call that runs in another process has ended. Milliseconds. */
const againMs = 60;

/**
 * If a call arrives this soon after the response to an identical one, it was sent while that one ran, and was delayed in transit or by a
 * busy process: nobody had read the response yet. The guide for operators names this time. Milliseconds.
 */
const atOnceMs = 5_000;

/** How long to wait for an identical call in another process; clients give up after a minute. Milliseconds. */
const patienceMs = 50_000;

/** How long an identical call gets a result that nobody can have read. Milliseconds. */
const keptForMs = 10 * 60 * 1000;

/** Whether the result was told: not yet (`no`), to somebody who can have read it (`read`), or only to callers who cannot (`lost`). */
const told = { no: 0, read: 1, lost: 2 } as const;

type MadeWrite = NonNullable<Turn['made']>;

/**
 * The calls of one account that change something, across all processes. Two processes never run the same call at once: the second waits for
 * the first and shares its result. If a process dies, the next one gets its turn when the lease ends, and finds what was sent among the
 * pending writes.
 */
export function ledgerIn({ sql, locks }: Pick<Database, 'sql' | 'locks'>, vault: Vault, rows: SealedRows, account: string): CallLedger {
  /** Frees a call whose process recorded the result but ended before releasing the lock. */
  const wasEnded = async (id: string): Promise<boolean> => {
    const statement = 'DELETE FROM mcp_locks WHERE key = ? AND owner = (SELECT owner FROM mcp_calls WHERE id = ?) RETURNING key';
    return (await sql(statement, [id, id]).catch(throwNotReached)).length > 0;
  };

  /** Waits until no other process runs the call. */
  const claimed = async (id: string, left: AbortSignal, secretFor: string | undefined) => {
    const until = rows.now() + patienceMs;
    for (;;) {
      const claim = await Promise.resolve(locks.claim(id)).catch(throwNotReached);
      if (claim.state === 'mine') return claim;
      if (await wasEnded(id)) continue;
      if (secretFor !== undefined) throw toldToAnother(secretFor);
      if (rows.now() > until) throw stillRunning();
      await sleep(againMs, undefined, { signal: left }).catch(() => {
        throw new GivenUp();
      });
    }
  };

  /** What an identical call made, if this call gets it. */
  const madeBefore = async (id: string, { secretFor, begunAt }: Parameters<CallLedger['begin']>[2]) => {
    const [row] = await sql('SELECT owner, made, told, ended_at FROM mcp_calls WHERE id = ?', [id]).catch(throwNotReached);
    if (row === undefined) return {};
    const [endedAt, was, by] = [Number(row['ended_at']), Number(row['told']), String(row['owner'])];
    const isShared = endedAt > begunAt - atOnceMs;
    const isRecent = rows.now() - endedAt < keptForMs;
    const isLost = isRecent && was === told.lost;
    if (secretFor !== undefined && isShared && !isLost) throw toldToAnother(secretFor);
    const gets = isShared || (isRecent && was !== told.read);
    return { by, made: gets ? (vault.open(`call ${id}`, String(row['made'])) as MadeWrite) : undefined };
  };

  return {
    async begin(key, left, about) {
      const id = rows.hash('call', account, key);
      const claim = await claimed(id, left, about.secretFor);
      const owner = String(claim.owner);
      // If this fails, the lock ends with its lease.
      const release = async (): Promise<void> => Promise.resolve(claim.release()).catch(() => undefined);
      const { made, by = owner } = await madeBefore(id, about).catch(async (error: unknown) => {
        await release();
        throw error;
      });
      return {
        made,
        // A frozen process may have been replaced by another. So before a write is recorded, the lease is extended, or nothing is sent.
        run: (work) =>
          runningCall.run(async () => {
            const until = rows.now() + leaseSeconds * 1000;
            const extend = sql('UPDATE mcp_locks SET until = ? WHERE key = ? AND owner = ? RETURNING key', [until, id, owner]);
            if ((await extend.catch(throwNotReached)).length === 0) throw displaced();
          }, work),
        async done(recordId, untold) {
          const sealed = vault.seal(`call ${id}`, { id: recordId, untold } satisfies MadeWrite);
          // If this process was frozen so long that another one has done the same, the other's result counts.
          await sql(
            `INSERT INTO mcp_calls (id, owner, made, told, ended_at) VALUES (?, ?, ?, 0, ?)
             ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, made = excluded.made, told = 0, ended_at = excluded.ended_at
             WHERE mcp_calls.owner = ?`,
            [id, owner, sealed, rows.now(), by],
          ).finally(release);
        },
        async told(caller = '', isRead = true) {
          // Sessions of one assistant use the same request numbers, so several calls may have the same caller.
          if (caller !== '') await rows.put('Told', `${caller} ${id}`, { id, owner }, { other: caller }, keptForMs);
          const statement = 'UPDATE mcp_calls SET told = ?, ended_at = ? WHERE id = ? AND owner = ? AND told <> ?';
          const say = (is: number, unless: number): Promise<unknown> => sql(statement, [is, rows.now(), id, owner, unless]);
          await (isRead ? say(told.read, told.read) : say(told.lost, told.read));
          // Telling and cancelling each write first and then read, so that at least one of them sees the other.
          const isCancelled = isRead && caller !== '' && (await rows.has('Cancelled', caller, about.begunAt - atOnceMs));
          if (isCancelled) await say(told.lost, told.lost);
          return isRead && !isCancelled;
        },
        // The record of an earlier call that nobody was told about stays unchanged.
        failed: release,
      };
    },
    async cancelled(caller) {
      await rows.put('Cancelled', caller, true, {}, keptForMs);
      for (const { value } of await rows.byOther('Told', caller)) {
        const { id, owner } = value as { id: string; owner: string };
        await sql('UPDATE mcp_calls SET told = ? WHERE id = ? AND owner = ?', [told.lost, id, owner]);
      }
    },
  };
}

const stillRunning = (): ServiceError =>
  new ServiceError('conflict', {
    message: 'The same call is still running, so what it makes may or may not exist yet. Nothing more was sent.',
    advice: 'Wait for its result, or call this again in a minute with the same arguments.',
  });

const displaced = (): ServiceError =>
  new ServiceError('conflict', {
    message: 'This server was paused for so long that an identical call may have replaced this one: nothing more was sent.',
    advice: 'Check whether it was made, and call this again if it was not.',
  });

/** Deletes records of calls that no longer matter. */
export const forgetCalls = ({ sql, now }: Database): Promise<unknown> =>
  sql('DELETE FROM mcp_calls WHERE ended_at < ?', [now() - keptForMs]);
