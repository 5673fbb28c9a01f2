import type { Sql } from 'acme-scheduling/stores';
import type { WebhookEvent } from 'acme-scheduling/webhooks';

/** One line about a delivery. */
export interface Line {
  event: string;
  id: string;
  at: string;
}

/** The deliveries that came last, for the page. Unique by `delivery_key`: a delivery that is handled twice stands here once. */
export class Events {
  readonly #sql: Sql;
  #ready: Promise<unknown> | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async keep({ delivery_key, event, record, delivered_at }: WebhookEvent): Promise<void> {
    await this.#table();
    await this.#sql('INSERT INTO events (key, event, id, at) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING', [
      delivery_key,
      event,
      record.id,
      delivered_at ?? new Date().toISOString(),
    ]);
  }

  async last(count: number): Promise<Line[]> {
    await this.#table();
    const rows = await this.#sql('SELECT event, id, at FROM events ORDER BY rowid DESC LIMIT ?', [count]);
    return rows.map(({ event, id, at }) => ({ event: String(event), id: String(id), at: String(at) }));
  }

  #table(): Promise<unknown> {
    this.#ready ??= this.#sql('CREATE TABLE IF NOT EXISTS events (key TEXT PRIMARY KEY, event TEXT, id TEXT, at TEXT)', []);
    return this.#ready;
  }
}
