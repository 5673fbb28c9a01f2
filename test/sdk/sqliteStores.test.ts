import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { postgresStores, sqliteStores, sqlStores, type Row, type Soon, type Sql } from '../../sdk/stores/index.ts';
import { storesKeepTheirPromises } from './stores.ts';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'stores-'))));
const databases: DatabaseSync[] = [];
afterAll(async () => {
  for (const database of databases) database.close();
  await rm(folder, { recursive: true });
});

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
    for (const value of [null, 'text', 7, ['access_token']]) expect(await read(value)).toEqual([undefined, undefined, undefined]);
    expect(await read({ access_token: 7, id: 'sub_1' })).toEqual([undefined, undefined, {}]);
    expect(await read({ id: 7, signing_secret: 'secret', known: 1, next: {}, handedOut: [{ event: 'E', id: 'i' }] })).toEqual([
      undefined,
      undefined,
      { known: 1 },
    ]);
    const whole = { known: 1, next: { a: 1 }, handedOut: [{ event: 'E', id: 'i', key: 'k' }] };
    expect(await read(whole)).toEqual([undefined, undefined, whole]);
    expect(await read({ ...whole, next: 'gone' })).toEqual([undefined, undefined, { known: 1 }]);
    expect(await read({ ...whole, handedOut: { length: 0 } })).toEqual([undefined, undefined, { known: 1 }]);
  });
});

describe('stores over a driver with the form of `pg`', () => {
  /** Numbers its values, and takes only whole numbers for a BIGINT, as PostgreSQL does. */
  storesKeepTheirPromises(async (options) => {
    const database = new DatabaseSync(join(folder, 'numbered.sqlite'), { timeout: 5_000 });
    databases.push(database);
    const query = async (statement: string, values: (string | number | null)[]): Promise<{ rows: unknown[] }> => {
      if (statement.includes('?')) throw new Error('syntax error at or near "?"');
      const wrong = values.find((value) => typeof value === 'number' && !Number.isSafeInteger(value));
      if (wrong !== undefined) throw new Error(`invalid input syntax for type bigint: "${wrong}"`);
      return { rows: database.prepare(statement.replaceAll('$', '?')).all(...values) };
    };
    return postgresStores({ query }, options);
  });
});

describe('the tables', () => {
  /** A database whose statements are written down, and may be refused. */
  const watched = (refuse: (statement: string, database: DatabaseSync) => boolean = () => false) => {
    const database = new DatabaseSync(':memory:');
    databases.push(database);
    const statements: string[] = [];
    const sql: Sql = async (statement, values) => {
      statements.push(statement);
      if (refuse(statement, database)) throw new Error('permission denied');
      return database.prepare(statement).all(...values);
    };
    return { sql, count: (beginning: string) => statements.filter((statement) => statement.startsWith(beginning)).length };
  };

  it('are created once, and are not created if they are there', async () => {
    const { sql, count } = watched();
    const first = sqlStores(sql);
    await Promise.all([first.claims.claim('a'), first.claims.claim('b'), first.tokens().read(), first.changes().read()]);
    expect(count('CREATE')).toBe(2);
    const second = sqlStores(sql);
    await second.claims.claim('c');
    await second.subscription().delete();
    expect(count('CREATE')).toBe(2);
  });

  it('may be created by another process meanwhile; any other refusal is reported, and it is tried again', async () => {
    const meanwhile = watched((statement, database) => {
      if (!statement.startsWith('CREATE')) return false;
      database.exec(statement);
      return true;
    });
    await sqlStores(meanwhile.sql).tokens().write({ access_token: 'a' });
    let isAllowed = false;
    const { tokens, claims } = sqlStores(watched((statement) => statement.startsWith('CREATE') && !isAllowed).sql);
    await expect(tokens().read()).rejects.toThrow('permission denied');
    await expect(claims.claim('a')).rejects.toThrow('permission denied');
    isAllowed = true;
    expect([await tokens().read(), (await claims.claim('a')).state]).toEqual([undefined, 'mine']);
  });

  it('are cleared of old rows at most once in an hour', async () => {
    let now = Date.parse('2030-01-02T08:00:00Z');
    const { sql, count } = watched();
    const { claims } = sqlStores(sql, { now: () => now });
    const after = async (minutes: number): Promise<number> => {
      now += minutes * 60_000;
      const claim = await claims.claim('a');
      if (claim.state === 'mine') await claim.keep();
      return count('DELETE');
    };
    expect([await after(0), await after(59), await after(1), await after(59)]).toEqual([1, 1, 2, 2]);
    expect(await after(29 * 24 * 60)).toBe(3);
    expect((await claims.claim('a')).state).toBe('kept');
    await after(24 * 60);
    expect((await claims.claimLast('a', 'b')).state).toBe('mine');
  });

  it.each(['', '1x', 'a-b', 'ü', 'a'.repeat(42), 'a;b', 'b '])('cannot begin with %j', (prefix) => {
    expect(() => sqlStores(watched().sql, { prefix })).toThrow(`"${prefix}" cannot be a table prefix`);
  });

  it.each(['_', 'App_2', 'a'.repeat(41)])('can begin with %j', async (prefix) => {
    const { sql, count } = watched();
    await sqlStores(sql, { prefix }).claims.claim('a');
    expect(count(`CREATE TABLE IF NOT EXISTS ${prefix}_claims`)).toBe(1);
  });
});
