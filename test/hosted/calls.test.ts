import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeConnections } from '../../hosted/connections.ts';
import { ledgerIn } from '../../hosted/database/calls.ts';
import { clockOf, type Database } from '../../hosted/database/database.ts';
import type { SealedRows } from '../../hosted/database/sealedRows.ts';
import { migrate } from '../../hosted/database/migrations.ts';
import type { Vault } from '../../hosted/database/vault.ts';
import type { Turn } from '../../mcp/adapter/singleFlight.ts';
import { coordinationIn, pendingIn } from '../../hosted/database/writes.ts';
import type { ServiceSignIn } from '../../hosted/signIn/service.ts';
import type { OAuth } from '../../sdk/oauth/oauth.ts';
import { memoryClaims } from '../../sdk/stores/claims.ts';
import { sqliteSql } from '../../sdk/stores/sql.ts';
import { sqlClaims, withClaim } from '../../sdk/stores/sqlClaims.ts';
import type { TokenStore } from '../../sdk/stores/store.ts';

const nobodyLeaves = new AbortController().signal;

const start = Date.now();

/** The calls of one account, as one process sees them. */
async function twoProcesses() {
  const sql = sqliteSql(new DatabaseSync(':memory:'));
  // As the server does: under a lock, whose table is there first.
  const locks = sqlClaims(sql, { table: 'mcp_locks' });
  await withClaim(locks, 'migrations', () => migrate(sql));
  const kept = new Map<string, { value: unknown; at: number; other?: string }>();
  // It stands still: a machine that is held up would else be late.
  const clock = { aheadMs: 0 };
  const now = () => start + clock.aheadMs;
  const rows = {
    hash: (...parts: string[]) => parts.join(' '),
    now,
    put: async (kind: string, id: string, value: unknown, { other }: { other?: string }) =>
      void kept.set(`${kind} ${id}`, { value, at: now(), ...(other !== undefined && { other: `${kind} ${other}` }) }),
    has: async (kind: string, id: string, since = 0) => (kept.get(`${kind} ${id}`)?.at ?? -1) >= since,
    byOther: async (kind: string, other: string) => [...kept.values()].filter((each) => each.other === `${kind} ${other}`),
  } as unknown as SealedRows;
  const vault = {
    seal: (_: string, value: unknown) => JSON.stringify(value),
    open: (_: string, sealed: string) => JSON.parse(sealed) as unknown,
  };
  const ledger = (own = locks) => ledgerIn({ sql, locks: own }, vault as unknown as Vault, rows, 'account');
  /** A process that is killed before it gives its locks back. */
  const killed = ledger({
    ...locks,
    async claim(key) {
      const claim = await locks.claim(key);
      return claim.state === 'mine' ? { ...claim, release: () => undefined } : claim;
    },
  });
  return [ledger(), ledger(), clock, sql, killed, ledger, locks] as const;
}

it('a process that is killed after it recorded a result keeps nobody waiting, and one that is at work does', async () => {
  const [one, other, , , killed] = await twoProcesses();
  const first = await killed.begin('a call', nobodyLeaves, { begunAt: start });
  await expect(other.begin('a call', AbortSignal.timeout(300), { begunAt: start })).rejects.toThrow('cancelled');
  await first.done('made', []);
  const second = await one.begin('a call', AbortSignal.timeout(3_000), { begunAt: start });
  expect(second.made).toMatchObject({ id: 'made' });
  // What was recorded is of the one before.
  await expect(other.begin('a call', AbortSignal.timeout(300), { begunAt: start })).rejects.toThrow('cancelled');
  await second.done('made', []);
  expect((await other.begin('a call', AbortSignal.timeout(3_000), { begunAt: start })).made).toMatchObject({ id: 'made' });
});

it.each<[sent: string, afterMs: number, toldAfterMs: number, shared: object | undefined]>([
  ['while an identical one ran shares what that one made, however late its process sees it', 1_000, 0, { id: 'made' }],
  ['while the answer of an identical one was written out, as by a busy process, shares it', 8_000, 4_000, { id: 'made' }],
  ['later, by somebody who has read the answer, makes its own', 5_100, 0, undefined],
])('a call that was sent %s', async (_, afterMs, toldAfterMs, shared) => {
  const [one, other, clock] = await twoProcesses();
  const first = await one.begin('a call', nobodyLeaves, { begunAt: start });
  await first.done('made', []);
  clock.aheadMs = toldAfterMs;
  await first.told();
  const { made } = await other.begin('a call', nobodyLeaves, { begunAt: start + afterMs });
  expect(made && { id: made.id }).toEqual(shared);
  expect((await other.begin('another call', nobodyLeaves, { begunAt: start })).made).toBeUndefined();
});

it('a call that was sent while an identical one received a secret gets none', async () => {
  const [one, other] = await twoProcesses();
  const about = { begunAt: start, secretFor: 'an address' };
  const first = await one.begin('a call', nobodyLeaves, about);
  await first.done('made', []);
  await expect(other.begin('a call', nobodyLeaves, about)).rejects.toMatchObject({ kind: 'conflict' });
  await first.told();
  await expect(other.begin('a call', nobodyLeaves, about)).rejects.toMatchObject({ kind: 'conflict' });
});

describe('two sessions of one assistant, which number their calls alike', () => {
  it('a call that was given up after it was told is told to an identical one, whatever the other session was told meanwhile', async () => {
    const [one, other] = await twoProcesses();
    for (const [ledger, key] of [
      [one, 'a call'],
      [other, 'another call'],
    ] as const) {
      const turn = await ledger.begin(key, nobodyLeaves, { begunAt: start });
      await turn.done(key, []);
      expect(await turn.told('assistant 3')).toBe(true);
    }
    await other.cancelled('assistant 3');
    expect((await one.begin('a call', nobodyLeaves, { begunAt: start + 6_000 })).made).toMatchObject({ id: 'a call' });
  });

  it('a call that was given up says nothing about one that comes later', async () => {
    const [one, other, clock] = await twoProcesses();
    await one.cancelled('assistant 3');
    clock.aheadMs = 20_000;
    const turn = await other.begin('a call', nobodyLeaves, { begunAt: start + clock.aheadMs });
    await turn.done('made', []);
    expect(await turn.told('assistant 3')).toBe(true);
    expect((await one.begin('a call', nobodyLeaves, { begunAt: start + 30_000 })).made).toBeUndefined();
  });

  it('one that is heard to be given up before its answer is told is not told', async () => {
    const [one, other] = await twoProcesses();
    const turn = await one.begin('a call', nobodyLeaves, { begunAt: start });
    await other.cancelled('assistant 3');
    await turn.done('made', []);
    expect(await turn.told('assistant 3')).toBe(false);
    expect((await one.begin('a call', nobodyLeaves, { begunAt: start + 30_000 })).made).toMatchObject({ id: 'made' });
  });
});

it('a process that was frozen for longer than its lease does not hide what another one has made meanwhile', async () => {
  const [one, other, , sql] = await twoProcesses();
  const frozen = await one.begin('a call', nobodyLeaves, { begunAt: start });
  await sql('DELETE FROM mcp_locks', []);
  await (await other.begin('a call', nobodyLeaves, { begunAt: start })).done('newer', []);
  await frozen.done('older', []);
  expect((await one.begin('a call', nobodyLeaves, { begunAt: start })).made).toMatchObject({ id: 'newer' });
});

it('a process that was frozen between its claim and its first look neither frees nor records a call that another one runs by then', async () => {
  const [one, other, , sql, , ledger, locks] = await twoProcesses();
  const frozenClaims = {
    ...locks,
    async claim(key: string) {
      const claim = await locks.claim(key);
      await sql('DELETE FROM mcp_locks WHERE key = ?', [key]);
      atWork = await other.begin('a call', nobodyLeaves, { begunAt: start });
      return claim;
    },
  };
  let atWork: Turn | undefined;
  const frozen = await ledger(frozenClaims).begin('a call', nobodyLeaves, { begunAt: start });
  await frozen.done('of the frozen', []);
  // The other one is still at work.
  await expect(one.begin('a call', AbortSignal.timeout(300), { begunAt: start })).rejects.toThrow('cancelled');
  await atWork?.failed();
  expect((await one.begin('a call', nobodyLeaves, { begunAt: start })).made).toMatchObject({ id: 'of the frozen' });
});

it('the time of the database is taken from its quick answers, because requests of a few milliseconds are told apart by it', async () => {
  jest.useFakeTimers();
  try {
    const answersAfterMs = [2, 80, 4];
    const sql = async () => {
      await new Promise((resolve) => setTimeout(resolve, answersAfterMs.shift() ?? 4));
      return [{ now: Date.now() }];
    };
    const opening = clockOf(sql, 'now()');
    await jest.advanceTimersByTimeAsync(2);
    const { now, stop } = await opening;
    for (let times = 0; times < 3; times += 1) {
      await jest.advanceTimersByTimeAsync(5_000);
      expect(Math.abs(now() - Date.now())).toBeLessThan(5);
    }
    stop();
  } finally {
    jest.useRealTimers();
  }
});

describe('what the processes of one account share', () => {
  /** What all processes keep. */
  const kept = new Map<string, unknown>();
  const rows = {
    get: async (kind: string, id: string) => (kept.has(kind + id) ? { value: kept.get(kind + id) } : undefined),
    put: async (kind: string, id: string, value: unknown) => void kept.set(kind + id, value),
    hash: (...parts: string[]) => parts.join(' '),
  } as unknown as SealedRows;
  const locks = memoryClaims();
  const of = (account: string) => ({ ...pendingIn(rows, account), ...coordinationIn(rows, { locks }, account) });

  it('a write that was lost is found by that account, in every process, and by no other account', async () => {
    await of('Ada').set('a booking', 'lost');
    expect([await of('Ada').get('a booking'), await of('Grace').get('a booking')]).toEqual(['lost', undefined]);
  });

  it('a record that a write made is taken for that of no other write of the account, and says nothing about another account', async () => {
    await of('Ada').assign('bkg_1', 'a booking', Date.now());
    const isOfAnother = (account: string) => of(account).isAssigned('bkg_1', 'another booking');
    expect([await isOfAnother('Ada'), await isOfAnother('Grace')]).toEqual([true, false]);
  });

  it('a connection is refreshed by one process at a time', async () => {
    const oauth = { connection: (store: TokenStore) => store } as unknown as OAuth;
    const signIn = { oauth: () => oauth } as unknown as ServiceSignIn;
    const parts = { rows, database: { locks } as Database, signIn, log: () => undefined };
    const storeOf = () => makeConnections(parts).tokensOf('grant') as unknown as TokenStore;
    const seen: string[] = [];
    const refresh = async () => {
      seen.push('begins');
      await sleep(10);
      seen.push('ends');
    };
    await Promise.all([storeOf().withLock(refresh), storeOf().withLock(refresh)]);
    expect(seen).toEqual(['begins', 'ends', 'begins', 'ends']);
  });
});
