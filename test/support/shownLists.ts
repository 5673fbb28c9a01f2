import { createClient, type Client } from '../../shared/client/client.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import { testStart } from './service.ts';

/** What a service shows, as a test writes it: the records of each list, or one record, by the last part of its path. */
export type Lists = Record<string, readonly object[] | object>;

export interface ShownLists {
  lists: Lists;
  client: Client;
  /** The last parts of the requested paths, and the filters, since they were last removed. */
  asked: string[];
  filters: Readonly<Record<string, string>>[];
  /** The status in place of a list, by the last part of its path. */
  refused: Record<string, number>;
  /** The time by the client's clock. It moves when the client waits. */
  now: number;
  /** How long each answer takes. Milliseconds. */
  answersIn: number;
}

/** A service that consists of lists, for what the sandbox would never show. */
export function shownLists(lists: Lists = {}): ShownLists {
  const service: Omit<ShownLists, 'client'> = { lists, asked: [], filters: [], refused: {}, now: testStart, answersIn: 0 };
  const client = createClient({
    baseUrl: 'https://example.com/api/v1',
    retryPolicy: backgroundPolicy,
    clock: {
      now: () => service.now,
      sleep: (milliseconds) => {
        service.now += milliseconds;
        return Promise.resolve();
      },
      random: () => 0.5,
    },
    transport: ({ url, query = {} }) => {
      const name = url.split('/').at(-1) ?? '';
      const { limit = '', cursor, ...filters } = query;
      service.asked.push(name);
      service.filters.push(filters);
      service.now += service.answersIn;
      const status = service.refused[name];
      if (status !== undefined) return Promise.resolve({ status, headers: {}, body: { error: 'Refused' } });
      const [from, size] = [Number(cursor ?? 0), Number(limit)];
      const records = service.lists[name] ?? [];
      if (!Array.isArray(records)) return Promise.resolve({ status: 200, headers: {}, body: { data: records } });
      const next = from + size < records.length ? String(from + size) : null;
      return Promise.resolve({ status: 200, headers: {}, body: { data: records.slice(from, from + size) as object[], next_cursor: next } });
    },
  });
  return Object.assign(service, { client });
}
