import { DatabaseSync } from 'node:sqlite';
import { ledgerIn } from '../../hosted/database/calls.ts';
import type { KeptRows } from '../../hosted/database/kept.ts';
import { migrate } from '../../hosted/database/migrations.ts';
import type { Vault } from '../../hosted/database/vault.ts';
import { sqliteSql } from '../../sdk/stores/sql.ts';

const nobodyLeaves = new AbortController().signal;

/** The calls of one account, as one process sees them. */
async function twoProcesses() {
  const sql = sqliteSql(new DatabaseSync(':memory:'));
  await migrate(sql);
  const rows = { hash: (...parts: string[]) => parts.join(' ') } as unknown as KeptRows;
  const vault = {
    seal: async (_: string, value: unknown) => JSON.stringify(value),
    open: async (_: string, sealed: string) => JSON.parse(sealed) as unknown,
  };
  const ledger = () => ledgerIn(sql, vault as unknown as Vault, rows, 'account');
  return [ledger(), ledger()] as const;
}

describe('a call that came while an identical one ran, and whose process began it later', () => {
  it('shares what that one made', async () => {
    const [one, other] = await twoProcesses();
    const cameAt = Date.now();
    const first = await one.begin('a call', nobodyLeaves, { begunAt: cameAt });
    await first.done('made', []);
    await first.told();
    expect((await other.begin('a call', nobodyLeaves, { begunAt: cameAt })).made).toMatchObject({ id: 'made' });
    expect((await other.begin('another call', nobodyLeaves, { begunAt: cameAt })).made).toBeUndefined();
  });

  it('gets no secret', async () => {
    const [one, other] = await twoProcesses();
    const about = { begunAt: Date.now(), secretFor: 'an address' };
    const first = await one.begin('a call', nobodyLeaves, about);
    await first.done('made', []);
    await expect(other.begin('a call', nobodyLeaves, about)).rejects.toMatchObject({ kind: 'conflict' });
    await first.told();
    await expect(other.begin('a call', nobodyLeaves, about)).rejects.toMatchObject({ kind: 'conflict' });
  });
});
