import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import type { Account, Booking, RegisteredClient, Contact, Delivery, EventType, Grant, Subscription, Token } from './records.ts';

/** Increased whenever the tables below change, so that an older file is refused rather than misread. */
const SCHEMA_VERSION = 1;

const account = '$.account_id';

/**
 * Each table holds records as JSON, the columns to search by, which are derived from the JSON, and indexes for frequent searches. Reading a
 * list page by page uses `account` and the table's own order.
 */
const TABLES: Record<string, readonly [columns: Record<string, string>, ...indexes: string[]]> = {
  accounts: [{}],
  clients: [{}],
  grants: [{ account }, 'account'],
  tokens: [{}],
  event_types: [{ account }, 'account'],
  bookings: [
    { account, status: '$.status', email: '$.invitee_email', starts: '$.start_time', ends: '$.end_time' },
    ...['account', 'account, id', 'account, starts', "account, record ->> '$.updated_at'", 'account, status, email', 'account, email'],
  ],
  contacts: [{ account, email: '$.email' }, 'account', 'account, email'],
  subscriptions: [{ account }, 'account'],
  deliveries: [{ account, due: '$.next_attempt_at' }, 'account', 'due'],
};

/** The tables whose records the API lists. */
export const LISTED = ['eventTypes', 'bookings', 'contacts', 'subscriptions'] as const;
export type ListedTable = (typeof LISTED)[number];

/** A record with its place in the table, which is its order in lists and, where ids are numbers (G3), its id. */
export interface StoredRow<R> {
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
  readonly name: string;
  readonly #db: DatabaseSync;
  readonly #changed: (id: string) => void;
  readonly #prepared = new Map<string, StatementSync>();
  readonly #numbers = new Map<string, number>();

  /** @param changed called for each record that is written or deleted */
  constructor(db: DatabaseSync, name: string, changed: (id: string) => void = () => undefined) {
    this.#db = db;
    this.name = name;
    this.#changed = changed;
  }

  insert(record: R): R {
    this.#change(record.id, `INSERT INTO ${this.name} (id, record) VALUES (?, ?)`, record.id, JSON.stringify(record));
    return record;
  }

  update(record: R): R {
    this.#change(record.id, `UPDATE ${this.name} SET record = ? WHERE id = ?`, JSON.stringify(record), record.id);
    return record;
  }

  /** Writes a record to a given place: its earlier one, or that in another table of the same kind. */
  put({ seq, record }: StoredRow<R>): void {
    const sql = `INSERT OR REPLACE INTO ${this.name} (seq, id, record) VALUES (?, ?, ?)`;
    this.#change(record.id, sql, seq, record.id, JSON.stringify(record));
  }

  delete(id: string): void {
    this.#change(id, `DELETE FROM ${this.name} WHERE id = ?`, id);
  }

  find(id: string): R | undefined {
    return this.#row(id)?.record;
  }

  /**
   * The number of a record, starting at 1, in the order of creation. It never changes, and remains known after the record was deleted, for
   * lists that lag.
   */
  numberOf(id: string): number {
    const number = this.#numbers.get(id) ?? this.#row(id)?.seq;
    if (number === undefined) throw new Error(`There is no ${id} in ${this.name}.`);
    this.#numbers.set(id, number);
    return number;
  }

  all(query: Query = {}): R[] {
    return this.rows(query).map(({ record }) => record);
  }

  /** The oldest record: a sandbox always has an account and a client. */
  first(): R {
    const [first] = this.all({ limit: 1 });
    if (first === undefined) throw new Error(`The data file of the sandbox has no ${this.name}. Delete it to start with fresh data.`);
    return first;
  }

  rows({ where = '1', values = [], order = 'oldest', by = 'seq', limit = -1, offset = 0 }: Query = {}): StoredRow<R>[] {
    const way = order === 'oldest' ? 'ASC' : 'DESC';
    const sql = `SELECT seq, record FROM ${this.name} WHERE ${where} ORDER BY ${by} ${way}, seq ${way} LIMIT ? OFFSET ?`;
    return this.#run(sql)
      .all(...values, limit, offset)
      .map((row) => this.#read(row));
  }

  /** A record by its id, in the fastest way, because each request does this several times. */
  #row(id: string): StoredRow<R> | undefined {
    const row = this.#run(`SELECT seq, record FROM ${this.name} WHERE id = ?`).get(id);
    return row && this.#read(row);
  }

  #read({ seq, record }: Record<string, SQLOutputValue>): StoredRow<R> {
    return { seq: Number(seq), record: JSON.parse(String(record)) as R };
  }

  count(where: string, values: SQLInputValue[]): number {
    return Number(this.#run(`SELECT count(*) AS n FROM ${this.name} WHERE ${where}`).get(...values)?.['n']);
  }

  #change(id: string, sql: string, ...values: SQLInputValue[]): void {
    this.#run(sql).run(...values);
    this.#changed(id);
  }

  #run(sql: string): StatementSync {
    const statement = this.#prepared.get(sql) ?? this.#db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

export type SandboxStore = ReturnType<typeof openStore>;

/**
 * Everything that the sandbox stores, in one SQLite file or in memory.
 *
 * @param file a path, or `:memory:`
 * @throws a readable error if the file cannot be used, or was written by another version of the sandbox
 */
export function openStore(file: string) {
  const db = opened(file);
  const watchers: ((table: ListedTable, id: string) => void)[] = [];
  /** The changes in the current transaction. */
  let uncommitted: [ListedTable, string][] | undefined;
  const changed = (table: ListedTable, id: string): void => {
    if (uncommitted === undefined) for (const watcher of watchers) watcher(table, id);
    else uncommitted.push([table, id]);
  };
  const listed = <R extends { id: string }>(name: string, table: ListedTable): Table<R> =>
    new Table<R>(db, name, (id) => changed(table, id));
  const accounts = new Table<Account>(db, 'accounts');
  const deliveries = new Table<Delivery>(db, 'deliveries');
  const lists = {
    eventTypes: listed<EventType>('event_types', 'eventTypes'),
    bookings: listed<Booking>('bookings', 'bookings'),
    contacts: listed<Contact>('contacts', 'contacts'),
    subscriptions: listed<Subscription>('subscriptions', 'subscriptions'),
  };

  /** Does all of the work, or none of it. */
  function transaction<T>(work: () => T): T {
    db.exec('BEGIN IMMEDIATE');
    const changes: [ListedTable, string][] = (uncommitted = []);
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
    clients: new Table<RegisteredClient>(db, 'clients'),
    grants: new Table<Grant>(db, 'grants'),
    tokens: new Table<Token>(db, 'tokens'),
    transaction,
    /** An account's contact with this address. */
    contactOf: (accountId: string, email: string): Contact | undefined =>
      lists.contacts.all({ where: 'account = ? AND email = lower(?)', values: [accountId, email], limit: 1 })[0],
    /**
     * Remembers the records that the API lists, and their accounts.
     *
     * @returns a function that restores them, and deletes all other such records and every delivery
     */
    remember(): () => void {
      const kept = ([accounts, ...Object.values(lists)] as Table<{ id: string }>[]).map((table) => [table, table.rows()] as const);
      return () =>
        transaction(() => {
          for (const { id } of deliveries.all()) deliveries.delete(id);
          for (const [table, rows] of kept) {
            for (const { id } of table.all()) table.delete(id);
            for (const row of rows) table.put(row);
          }
        });
    },
    /** Calls the watcher after each change to a record that the API lists. */
    onChange: (watcher: (table: ListedTable, id: string) => void): void => void watchers.push(watcher),
    close: (): void => db.close(),
  };
}

/** SQLite's messages about an unusable file, and what they mean. */
const reasons = [
  [/not a database|malformed/, 'is not a data file of the sandbox, or is damaged'],
  [/readonly|read-only/, 'cannot be written'],
  [/locked/, 'is in use by another program'],
  [/another version/, 'was written by another version of the sandbox'],
] as const;

/** The database, with its tables. @throws a readable error */
function opened(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  try {
    // Only a write shows that the file is writable.
    db.exec('PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; ROLLBACK;');
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version === 0) create(db);
    else if (version !== SCHEMA_VERSION) throw new Error('another version');
    return db;
  } catch (error) {
    db.close();
    const says = error instanceof Error ? error.message : String(error);
    const means = reasons.find(([pattern]) => pattern.test(says))?.[1] ?? `cannot be opened (${says})`;
    throw new Error(`${file} ${means}. Move it away to start with fresh data, or name another file with --data.`, { cause: error });
  }
}

function create(db: DatabaseSync): void {
  const statements = Object.entries(TABLES).flatMap(([table, [columns, ...indexes]]) => {
    const derived = Object.entries(columns).map(([column, path]) => {
      const value = `record ->> '${path}'`;
      return `, ${column} AS (${column === 'email' ? `lower(${value})` : value}) VIRTUAL`;
    });
    const stored = 'seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, record TEXT NOT NULL';
    return [
      `CREATE TABLE ${table} (${stored}${derived.join('')})`,
      ...indexes.map((by, at) => `CREATE INDEX ${table}_by_${at} ON ${table} (${by})`),
    ];
  });
  db.exec(['BEGIN', ...statements, `PRAGMA user_version = ${SCHEMA_VERSION}`, 'COMMIT'].join('; '));
}
