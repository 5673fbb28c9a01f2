import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { memoryClaims, sqliteStores } from '../../sdk/stores/index.ts';
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

  it('four processes that claim a hundred deliveries each get every one of them once', async () => {
    const children = [1, 2, 3, 4].map(() => fork(join(__dirname, 'claimer.ts'), [join(folder, 'many.sqlite'), '100']));
    const claimed = await Promise.all(children.map(async (child) => ((await once(child, 'message')) as [number])[0]));
    expect(claimed.reduce((sum, each) => sum + each, 0)).toBe(100);
  });
});
