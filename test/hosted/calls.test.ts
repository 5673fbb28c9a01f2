import { DatabaseSync } from 'node:sqlite';
import { ledgerIn } from '../../hosted/database/calls.ts';
import type { SealedRows } from '../../hosted/database/sealedRows.ts';
import { migrate } from '../../hosted/database/migrations.ts';
import type { Vault } from '../../hosted/database/vault.ts';
import { sqliteSql } from '../../sdk/stores/sql.ts';

const nobodyLeaves = new AbortController().signal;

/** The calls of one account, as one process sees them. */
async function twoProcesses() {
  const sql = sqliteSql(new DatabaseSync(':memory:'));
  await migrate(sql);
  const rows = { hash: (...parts: string[]) => parts.join(' ') } as unknown as SealedRows;
  const vault = {
    seal: async (_: string, value: unknown) => JSON.stringify(value),
    open: async (_: string, sealed: string) => JSON.parse(sealed) as unknown,
  };
  const ledger = () => ledgerIn(sql, vault as unknown as Vault, rows, 'account');
  return [ledger(), ledger()] as const;
}

it('a call that was sent while an identical one ran shares what that one made, however late its process sees it', async () => {
  const [one, other] = await twoProcesses();
  const first = await one.begin('a call', nobodyLeaves, { begunAt: Date.now() });
  await first.done('made', []);
  await first.told();
  expect((await other.begin('a call', nobodyLeaves, { begunAt: Date.now() + 1_000 })).made).toMatchObject({ id: 'made' });
  expect((await other.begin('another call', nobodyLeaves, { begunAt: Date.now() })).made).toBeUndefined();
});

it('one that comes later, from somebody who has read the answer, makes its own', async () => {
  const [one, other] = await twoProcesses();
  const first = await one.begin('a call', nobodyLeaves, { begunAt: Date.now() });
  await first.done('made', []);
  await first.told();
  expect((await other.begin('a call', nobodyLeaves, { begunAt: Date.now() + 5_100 })).made).toBeUndefined();
});

it('one that was sent while an identical one received a secret gets none', async () => {
  const [one, other] = await twoProcesses();
  const about = { begunAt: Date.now(), secretFor: 'an address' };
  const first = await one.begin('a call', nobodyLeaves, about);
  await first.done('made', []);
  await expect(other.begin('a call', nobodyLeaves, about)).rejects.toMatchObject({ kind: 'conflict' });
  await first.told();
  await expect(other.begin('a call', nobodyLeaves, about)).rejects.toMatchObject({ kind: 'conflict' });
});
