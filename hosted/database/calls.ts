import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../shared/client/index.ts';
import type { WriteKeys } from '../../shared/writes/index.ts';
import { GivenUp, toldToAnother, type CallLedger, type Turn } from '../../mcp/adapter/singleFlight.ts';
import type { Sql } from '../../sdk/stores/sqlTable.ts';
import type { Database } from './database.ts';
import type { SealedRows } from './sealedRows.ts';
import type { Vault } from './vault.ts';
import { throwNotReached } from './writes.ts';

/** How long a call outlives its process. While the process lives, this is extended. Milliseconds. */
const leaseMs = 20_000;

/** How often a process looks whether a call that runs elsewhere has ended. Milliseconds. */
const againMs = 60;

/**
 * A call that comes so soon after an identical one has ended was sent while that one ran, and waited in a busy process or on its way: nobody
 * has read an answer and wished for another one yet. Milliseconds.
 */
const atOnceMs = 5_000;

/** For how long an identical call that runs elsewhere is waited for: clients give up after a minute. Milliseconds. */
const patienceMs = 50_000;

/** For how long an identical call gets what nobody can have read. Milliseconds. */
const keptForMs = 10 * 60 * 1000;

/** Whether somebody was told: not yet, or somebody who can have read it, or nobody who can. */
const told = { no: 0, read: 1, lost: 2 } as const;

interface Made {
  id: string;
  untold: readonly WriteKeys[];
}

/**
 * The calls of one account that change something, in all processes. The same call is never run by two of them at once: the second one waits
 * for the result of the first and shares it. A process that dies in the middle leaves its turn to the next after a lease; what it had sent
 * is then found among the pending writes.
 */
export function ledgerIn(sql: Sql, vault: Vault, rows: SealedRows, account: string): CallLedger {
  const read = async (id: string) => {
    const [row] = await sql('SELECT owner, until, made, told, ended_at FROM mcp_calls WHERE id = ?', [id]);
    if (row === undefined) return undefined;
    return {
      owner: String(row['owner']),
      until: typeof row['until'] === 'number' || typeof row['until'] === 'string' ? Number(row['until']) : undefined,
      made: typeof row['made'] === 'string' ? { sealed: row['made'], at: Number(row['ended_at']), told: Number(row['told']) } : undefined,
    };
  };

  /** Takes the call over from what it was, if nobody else did meanwhile. */
  const take = async (id: string, owner: string, before: Awaited<ReturnType<typeof read>>): Promise<boolean> => {
    const until = rows.now() + leaseMs;
    const values = [owner, until, id];
    // A statement whose answer was lost is sent again, and finds that it has been done.
    const taken =
      before === undefined
        ? await sql(
            `INSERT INTO mcp_calls (owner, until, id, told, ended_at) VALUES (?, ?, ?, 1, 0)
             ON CONFLICT (id) DO UPDATE SET until = excluded.until WHERE mcp_calls.owner = excluded.owner RETURNING owner`,
            values,
          )
        : await sql(
            `UPDATE mcp_calls SET owner = ?, until = ?
             WHERE id = ? AND (owner = ? OR owner = ? AND (until IS NULL OR until < ?)) RETURNING owner`,
            [...values, owner, before.owner, rows.now()],
          );
    return taken.length > 0;
  };

  const turn = (id: string, owner: string, previous: string | undefined, made: Made | undefined, begunAt: number): Turn => {
    const extend = (): void =>
      void sql('UPDATE mcp_calls SET until = ? WHERE id = ? AND owner = ? AND until IS NOT NULL', [rows.now() + leaseMs, id, owner]).catch(
        () => undefined,
      );
    const extending = setInterval(extend, leaseMs / 4);
    extending.unref();
    return {
      made,
      async done(recordId, untold) {
        clearInterval(extending);
        const sealed = vault.seal(`call ${id}`, { id: recordId, untold } satisfies Made);
        await sql('UPDATE mcp_calls SET until = NULL, made = ?, told = 0, ended_at = ? WHERE id = ? AND owner = ?', [
          sealed,
          rows.now(),
          id,
          owner,
        ]);
      },
      async told(caller = '', isRead = true) {
        // Sessions of one assistant number their calls alike, so several may have been told under one name.
        if (caller !== '') await rows.put('Told', `${caller} ${id}`, { id, owner }, { other: caller }, keptForMs);
        const say = (is: number, unless: number): Promise<unknown> =>
          sql('UPDATE mcp_calls SET told = ? WHERE id = ? AND owner = ? AND told <> ?', [is, id, owner, unless]);
        await (isRead ? say(told.read, told.read) : say(told.lost, told.read));
        // Both look after they have said their own part, so that one of them sees the other.
        const isCancelled = isRead && caller !== '' && (await rows.has('Cancelled', caller, begunAt - atOnceMs));
        if (isCancelled) await say(told.lost, told.lost);
        return isRead && !isCancelled;
      },
      async failed() {
        clearInterval(extending);
        // What an earlier call made and nobody was told stays as it was.
        await sql('UPDATE mcp_calls SET until = NULL, owner = ? WHERE id = ? AND owner = ?', [previous ?? owner, id, owner]);
      },
    };
  };

  return {
    async begin(key, left, { secretFor, begunAt }) {
      const id = rows.hash('call', account, key);
      const owner = randomUUID();
      const until = rows.now() + patienceMs;
      for (let waitedFor: string | undefined; ; ) {
        const before = await read(id).catch(throwNotReached);
        const isRunning = before?.until !== undefined && before.until >= rows.now();
        const made = before?.until === undefined ? before?.made : undefined;
        const isShared = made !== undefined && (made.at > begunAt - atOnceMs || before?.owner === waitedFor);
        const isRecent = made !== undefined && rows.now() - made.at < keptForMs;
        const isLost = isRecent && made.told === told.lost;
        if (secretFor !== undefined && (isRunning || (isShared && !isLost))) throw toldToAnother(secretFor);
        if (isRunning) {
          if (rows.now() > until) throw stillRunning();
          waitedFor = before.owner;
          await sleep(againMs, undefined, { signal: left }).catch(() => {
            throw new GivenUp();
          });
          continue;
        }
        if (!(await take(id, owner, before).catch(throwNotReached))) continue;
        const known = isShared || isLost || (isRecent && made.told === told.no) ? made : undefined;
        return turn(id, owner, before?.owner, known && (vault.open(`call ${id}`, known.sealed) as Made), begunAt);
      }
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

/** Deletes what nobody needs any more. */
export const forgetCalls = ({ sql, now }: Database): Promise<unknown> =>
  sql('DELETE FROM mcp_calls WHERE ended_at < ? AND (until IS NULL OR until < ?)', [now() - keptForMs, now()]);
