import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { memoryClaims, sqliteStores, sqlStores, type Row, type Soon } from '../../sdk/stores/index.ts';
import { claimsKeepTheirPromises, storesKeepTheirPromises } from './stores.ts';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'stores-'))));
const databases: DatabaseSync[] = [];
afterAll(async () => {
  for (const database of databases) database.close();
  await rm(folder, { recursive: true });
});

describe('claims in memory', () => claimsKeepTheirPromises(async () => memoryClaims()));

describe('stores in SQLite', () => {
  storesKeepTheirPromises(async (options) => {
    const database = new DatabaseSync(join(folder, 'app.sqlite'));
    databases.push(database);
    return sqliteStores(database, options);
  });

  describe('of two changes of one thing, the one that was not handled is never mistaken for the other', () => {
    /** One process, and another to which something happens between two of its statements. */
    const racing = async (between: (statement: string) => Promise<void>) => {
      const database = new DatabaseSync(join(folder, 'race.sqlite'));
      databases.push(database);
      const { claims } = sqlStores(async (statement, values) => {
        const rows = database.prepare(statement).all(...values) as Row[];
        await between(statement);
        return rows;
      });
      return { one: sqliteStores(database).claims, other: claims };
    };

    it('if the other change is kept while this process asks who has the claim', async () => {
      let keep: (() => Soon<void>) | undefined;
      const { one, other } = await racing(async (statement) => {
        if (statement.startsWith('INSERT')) await keep?.();
      });
      const moved = await one.claimLast('asked', 'moved');
      if (moved.state === 'mine') keep = moved.keep;
      expect((await other.claimLast('asked', 'moved back')).state).toBe('busy');
      expect((await other.claimLast('asked', 'moved')).state).toBe('kept');
    });

    it('if the other change is claimed and kept before this process takes the claim and releases it', async () => {
      let isFirst = true;
      const { one, other } = await racing(async (statement) => {
        if (!isFirst || !statement.startsWith('SELECT owner')) return;
        isFirst = false;
        const moved = await one.claimLast('given back', 'moved');
        if (moved.state === 'mine') await moved.keep();
      });
      const first = await one.claimLast('given back', 'made');
      if (first.state === 'mine') await first.keep();
      const back = await other.claimLast('given back', 'moved back');
      if (back.state === 'mine') await back.release();
      expect((await one.claimLast('given back', 'moved')).state).toBe('kept');
    });
  });

  it('four processes that claim a hundred deliveries each get every one of them once', async () => {
    const children = [1, 2, 3, 4].map(() => fork(join(__dirname, 'claimer.ts'), [join(folder, 'many.sqlite'), '100']));
    const claimed = await Promise.all(children.map(async (child) => ((await once(child, 'message')) as [number])[0]));
    expect(claimed.reduce((sum, each) => sum + each, 0)).toBe(100);
  });
});
