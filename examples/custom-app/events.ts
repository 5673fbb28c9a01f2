import type { ChangeEvent } from 'acme-scheduling/changes';
import type { Sql } from 'acme-scheduling/stores';

/** One line about an event. */
export interface Line {
  event: string;
  id: string;
  /** The person whom it is about. */
  name: string;
  at: string;
}

/**
 * The latest events, for the page. The last `change_key` of each record and event shows whether an event is new. So an event that is
 * handled twice, or reported by both a delivery and a poll, is listed once, even if the process died in between.
 */
export class Events {
  readonly #sql: Sql;
  #ready: Promise<unknown> | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async keep({ event, record, change_key }: ChangeEvent): Promise<void> {
    await this.#table();
    const name = ('invitee_name' in record ? record.invitee_name : 'name' in record ? record.name : undefined) ?? '';
    await this.#sql(
      `INSERT INTO changes (key, event, id, name, at) SELECT ?, ?, ?, ?, ?
       WHERE ? IS NOT (SELECT key FROM changes WHERE event = ? AND id = ? ORDER BY rowid DESC LIMIT 1)`,
      [change_key, event, record.id, name, new Date().toISOString(), change_key, event, record.id],
    );
  }

  async last(count: number): Promise<Line[]> {
    await this.#table();
    const rows = await this.#sql('SELECT event, id, name, at FROM changes ORDER BY rowid DESC LIMIT ?', [count]);
    return rows.map(({ event, id, name, at }) => ({ event: String(event), id: String(id), name: String(name), at: String(at) }));
  }

  #table(): Promise<unknown> {
    this.#ready ??= this.#make();
    return this.#ready;
  }

  async #make(): Promise<void> {
    await this.#sql('CREATE TABLE IF NOT EXISTS changes (key TEXT, event TEXT, id TEXT, name TEXT, at TEXT)', []);
    await this.#sql('CREATE INDEX IF NOT EXISTS changes_of ON changes (event, id)', []);
  }
}
