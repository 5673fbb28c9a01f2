import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Account, Booking, Client, Code, Contact, Delivery, EventType, Grant, Subscription, Token } from './records.ts';

/** Increased whenever the tables below change, so that an older file is refused instead of misread. */
const SCHEMA_VERSION = 1;

/** Each table holds a record as JSON, and the columns to search by, which are derived from it. */
const TABLES: Record<string, Record<string, string>> = {
  accounts: {},
  clients: {},
  grants: { account: '$.account_id' },
  codes: {},
  tokens: { grant_id: '$.grant_id' },
  event_types: { account: '$.account_id' },
  bookings: { account: '$.account_id', status: '$.status', email: '$.invitee_email', starts: '$.start_time', ends: '$.end_time' },
  contacts: { account: '$.account_id', email: '$.email' },
  subscriptions: { account: '$.account_id' },
  deliveries: { account: '$.account_id', subscription: '$.subscription_id', due: '$.next_attempt_at' },
};

/** The indexes for frequent searches. Reading a list page by page uses `account` and the order of the table itself. */
const INDEXES = {
  tokens: ['grant_id'],
  grants: ['account'],
  event_types: ['account'],
  bookings: ['account', 'account, starts', 'account, status', 'email'],
  contacts: ['account', 'email'],
  subscriptions: ['account'],
  deliveries: ['account', 'subscription', 'due'],
};

/** The tables whose records the API lists. */
export const LISTED = ['eventTypes', 'bookings', 'contacts', 'subscriptions'] as const;
export type Listed = (typeof LISTED)[number];

/** A record with its place in the table. The place is the order of a list, and the id where ids are numbers (G3). */
export interface Row<R> {
  seq: number;
  record: R;
}

export interface Query {
  /** SQL over the table's columns, with `?` for each value. */
  where?: string;
  values?: SQLInputValue[];
  order?: 'oldest' | 'newest';
  /** The column to order by; by default, the order in which the records were created. */
  by?: string;
  limit?: number;
  offset?: number;
}

/** One kind of record. Every write is on disk when the call returns. */
export class Table<R extends { id: string }> {
  readonly #db: DatabaseSync;
  readonly #name: string;
  readonly #changed: (id: string) => void;
  readonly #prepared = new Map<string, StatementSync>();
  readonly #numbers = new Map<string, number>();

  /** @param changed is told of each record that is written or deleted */
  constructor(db: DatabaseSync, name: string, changed: (id: string) => void = () => undefined) {
    this.#db = db;
    this.#name = name;
    this.#changed = changed;
  }

  insert(record: R): R {
    this.#run(`INSERT INTO ${this.#name} (id, record) VALUES (?, ?)`).run(record.id, JSON.stringify(record));
    this.#changed(record.id);
    return record;
  }

  update(record: R): R {
    this.#run(`UPDATE ${this.#name} SET record = ? WHERE id = ?`).run(JSON.stringify(record), record.id);
    this.#changed(record.id);
    return record;
  }

  /** Writes a record to its place in another table of the same kind. */
  put({ seq, record }: Row<R>): void {
    this.#run(`INSERT OR REPLACE INTO ${this.#name} (seq, id, record) VALUES (?, ?, ?)`).run(seq, record.id, JSON.stringify(record));
  }

  delete(id: string): void {
    this.#run(`DELETE FROM ${this.#name} WHERE id = ?`).run(id);
    this.#changed(id);
  }

  find(id: string): R | undefined {
    return this.rows({ where: 'id = ?', values: [id], limit: 1 })[0]?.record;
  }

  /**
   * The number of a record, starting at 1, in the order in which the records were created. It never changes, and is still known after the
   * record was deleted, for a list that is behind.
   */
  numberOf(id: string): number {
    const number = this.#numbers.get(id) ?? this.rows({ where: 'id = ?', values: [id], limit: 1 })[0]?.seq;
    if (number === undefined) throw new Error(`There is no ${id} in ${this.#name}.`);
    this.#numbers.set(id, number);
    return number;
  }

  all(query: Query = {}): R[] {
    return this.rows(query).map(({ record }) => record);
  }

  rows({ where = '1', values = [], order = 'oldest', by = 'seq', limit = -1, offset = 0 }: Query): Row<R>[] {
    const sql = `SELECT seq, record FROM ${this.#name} WHERE ${where} ORDER BY ${by} ${order === 'oldest' ? 'ASC' : 'DESC'} LIMIT ? OFFSET ?`;
    return this.#run(sql)
      .all(...values, limit, offset)
      .map((row) => ({ seq: Number(row['seq']), record: JSON.parse(String(row['record'])) as R }));
  }

  /** The smallest value of a column; null if no record has one. */
  least(column: string, where: string, values: SQLInputValue[]): number | null {
    const least = this.#run(`SELECT min(${column}) AS least FROM ${this.#name} WHERE ${where}`).get(...values)?.['least'];
    return typeof least === 'number' ? least : null;
  }

  count(where: string, values: SQLInputValue[]): number {
    return Number(this.#run(`SELECT count(*) AS n FROM ${this.#name} WHERE ${where}`).get(...values)?.['n']);
  }

  #run(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

export type Store = ReturnType<typeof openStore>;

/**
 * Everything that the sandbox stores, in one SQLite file or in memory.
 *
 * @param file a path, or `:memory:`
 * @throws a readable error if the file cannot be used, or was written by another version of the sandbox
 */
export function openStore(file: string) {
  const db = opened(file);
  create(db, file);
  const watchers: ((table: Listed, id: string) => void)[] = [];
  /** The changes of the current transaction. */
  let uncommitted: [Listed, string][] | undefined;
  const changed = (table: Listed, id: string): void => {
    if (uncommitted === undefined) for (const watcher of watchers) watcher(table, id);
    else uncommitted.push([table, id]);
  };
  const listed = <R extends { id: string }>(name: string, table: Listed): Table<R> => new Table<R>(db, name, (id) => changed(table, id));
  const accounts = new Table<Account>(db, 'accounts');
  const deliveries = new Table<Delivery>(db, 'deliveries');
  const lists = {
    eventTypes: listed<EventType>('event_types', 'eventTypes'),
    bookings: listed<Booking>('bookings', 'bookings'),
    contacts: listed<Contact>('contacts', 'contacts'),
    subscriptions: listed<Subscription>('subscriptions', 'subscriptions'),
  };

  /** Does all of the work or none of it. */
  function transaction<T>(work: () => T): T {
    db.exec('BEGIN IMMEDIATE');
    const changes: [Listed, string][] = (uncommitted = []);
    try {
      const result = work();
      db.exec('COMMIT');
      uncommitted = undefined;
      for (const [table, id] of changes) changed(table, id);
      return result;
    } catch (error) {
      uncommitted = undefined;
      db.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    ...lists,
    accounts,
    deliveries,
    clients: new Table<Client>(db, 'clients'),
    grants: new Table<Grant>(db, 'grants'),
    codes: new Table<Code>(db, 'codes'),
    tokens: new Table<Token>(db, 'tokens'),
    transaction,
    /**
     * Remembers the records that the API lists, and their accounts.
     *
     * @returns a function that puts them back as they were, and deletes every other one and every delivery
     */
    remember(): () => void {
      const tables = [accounts, ...Object.values(lists)] as Table<{ id: string }>[];
      const before = tables.map((table) => [table, new Map(table.all().map((record) => [record.id, record]))] as const);
      return () =>
        transaction(() => {
          for (const { id } of deliveries.all()) deliveries.delete(id);
          for (const [table, kept] of before)
            for (const { id } of table.all()) {
              const record = kept.get(id);
              if (record === undefined) table.delete(id);
              else table.update(record);
            }
        });
    },
    /** Calls the watcher after each change to a record that the API lists. */
    onChange: (watcher: (table: Listed, id: string) => void): void => void watchers.push(watcher),
    close: (): void => db.close(),
  };
}

function create(db: DatabaseSync, file: string): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version === SCHEMA_VERSION) return;
  if (version !== 0) {
    db.close();
    throw new Error(
      `${file} was written by another version of the sandbox. Delete it to start with fresh data, or name another file with --data.`,
    );
  }
  for (const [table, columns] of Object.entries(TABLES)) {
    const derived = Object.entries(columns).map(([column, path]) => {
      const value = `record ->> '${path}'`;
      return `, ${column} AS (${column === 'email' ? `lower(${value})` : value}) VIRTUAL`;
    });
    db.exec(
      `CREATE TABLE ${table} (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, record TEXT NOT NULL${derived.join('')})`,
    );
  }
  for (const [table, indexes] of Object.entries(INDEXES))
    for (const columns of indexes) db.exec(`CREATE INDEX ${table}_by_${columns.replace(', ', '_')} ON ${table} (${columns})`);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

/** SQLite's messages for a file that it cannot use, and what they mean. */
const reasons = [
  [/not a database|malformed/, 'is not a data file of the sandbox, or is damaged'],
  [/readonly|read-only/, 'cannot be written'],
  [/locked/, 'is in use by another program'],
] as const;

/** @throws a readable error */
function opened(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    // Only a write shows that the file is writable.
    database.exec('PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; ROLLBACK;');
    return database;
  } catch (error) {
    database?.close();
    const says = error instanceof Error ? error.message : String(error);
    const means = reasons.find(([pattern]) => pattern.test(says))?.[1] ?? `cannot be opened (${says})`;
    throw new Error(`${file} ${means}. Move it away to start with fresh data, or name another file with --data.`, { cause: error });
  }
}
