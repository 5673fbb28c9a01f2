import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { memoryClaims } from '../../sdk/changes/index.ts';
import { sqliteStores, sqlStores, type Row, type Sql } from '../../sdk/stores/index.ts';
import { claimsKeepTheirPromises, storesKeepTheirPromises } from './stores.ts';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'stores-'))));
const databases: DatabaseSync[] = [];
afterAll(async () => {
  for (const database of databases) database.close();
  await rm(folder, { recursive: true });
});

describe('claims in memory', () => {
  claimsKeepTheirPromises(async () => memoryClaims());

  it('know the last change of the 10,000 things that changed last', async () => {
    const claims = memoryClaims();
    const change = async (thing: number): Promise<string> => {
      const claim = await claims.claimLast(String(thing), 'moved');
      if (claim.state === 'mine') await claim.keep();
      return claim.state;
    };
    for (let thing = 0; thing <= 10_000; thing += 1) await change(thing);
    expect([await change(1), await change(0)]).toEqual(['kept', 'mine']);
  });
});

describe('stores in SQLite', () => {
  storesKeepTheirPromises(async (options) => {
    const database = new DatabaseSync(join(folder, 'app.sqlite'));
    databases.push(database);
    return sqliteStores(database, options);
  });

  it('a change that another process handles between two statements of this one stays known', async () => {
    const database = new DatabaseSync(join(folder, 'race.sqlite'));
    databases.push(database);
    const other = sqliteStores(database).claims;
    const handle = async (key: string): Promise<void> => {
      const claim = await other.claimLast('booking', key);
      if (claim.state === 'mine') await claim.keep();
    };
    let isFirst = true;
    const { claims } = sqlStores(async (statement, values) => {
      const rows = database.prepare(statement).all(...values) as Row[];
      if (isFirst && statement.startsWith('SELECT owner')) {
        isFirst = false;
        await handle('moved');
      }
      return rows;
    });
    await handle('made');
    const back = await claims.claimLast('booking', 'moved back');
    if (back.state === 'mine') await back.release();
    expect((await other.claimLast('booking', 'moved')).state).toBe('kept');
  });

  it('waits for another process that writes, unless the application has said how long', () => {
    const waits = (database: DatabaseSync): unknown => {
      databases.push(database);
      sqliteStores(database);
      return database.prepare('PRAGMA busy_timeout').get();
    };
    expect(waits(new DatabaseSync(':memory:'))).toEqual({ timeout: 5_000 });
    expect(waits(new DatabaseSync(':memory:', { timeout: 70 }))).toEqual({ timeout: 70 });
  });

  it('takes what it cannot read as missing: the account is connected again, the address subscribed again, the state recorded again', async () => {
    const database = new DatabaseSync(':memory:');
    databases.push(database);
    const { tokens, subscription, changes } = sqliteStores(database);
    const read = async (value: unknown) => {
      for (const store of [tokens('a'), subscription('a'), changes('a')]) await store.write(value as never);
      return [await tokens('a').read(), await subscription('a').read(), await changes('a').read()];
    };
    const whole = { known: 1, next: { a: 1 }, handedOut: [{ event: 'E', id: 'i', key: 'k' }] };
    const cases: [value: unknown, state?: unknown][] = [
      ['text'],
      [{ access_token: 7, id: 'sub_1' }, {}],
      [{ ...whole, id: 7, signing_secret: 'secret', handedOut: [{ event: 'E', id: 'i' }] }, { known: 1 }],
      [whole, whole],
    ];
    for (const [value, state] of cases) expect(await read(value)).toEqual([undefined, undefined, state]);
  });
});

describe('the tables', () => {
  /** A database that may refuse a statement. */
  const refusing = (refuse: (statement: string, database: DatabaseSync) => boolean = () => false) => {
    const database = new DatabaseSync(':memory:');
    databases.push(database);
    const sql: Sql = async (statement, values) => {
      if (refuse(statement, database)) throw new Error('permission denied');
      return database.prepare(statement).all(...values);
    };
    return sql;
  };

  it('may be created by another process meanwhile; any other refusal is reported, and it is tried again', async () => {
    const meanwhile = refusing((statement, database) => {
      if (!statement.startsWith('CREATE')) return false;
      database.exec(statement);
      return true;
    });
    await sqlStores(meanwhile).tokens().write({ access_token: 'a' });
    let isAllowed = false;
    const { tokens, claims } = sqlStores(refusing((statement) => statement.startsWith('CREATE') && !isAllowed));
    await expect(tokens().read()).rejects.toThrow('permission denied');
    await expect(claims.claim('a')).rejects.toThrow('permission denied');
    isAllowed = true;
    expect([await tokens().read(), (await claims.claim('a')).state]).toEqual([undefined, 'mine']);
  });

  it('begin with letters, digits and underscores, and with nothing else', async () => {
    for (const prefix of ['', '1x', 'a'.repeat(42), 'x; DROP TABLE users'])
      expect(() => sqlStores(refusing(), { prefix })).toThrow(`"${prefix}" cannot be a table prefix`);
    expect(await sqlStores(refusing(), { prefix: 'App_2' }).claims.claim('a')).toMatchObject({ state: 'mine' });
  });
});
