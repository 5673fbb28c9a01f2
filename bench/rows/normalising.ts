import { lookups } from '../../shared/lookups/index.ts';
import { readRecord, type RecordKind } from '../../shared/api/records.ts';
import { present } from '../../shared/outputs.ts';
import { startSandbox } from '../../sandbox/service.ts';
import { serviceClient } from '../clients.ts';
import { compareBlocks } from '../harness/compare.ts';
import { against, atMost, line, rounded, type Line } from '../harness/lines.ts';
import type { Row } from './index.ts';

/** The same work for one record after the other. */
function overAll<Item>(items: readonly Item[], work: (item: Item) => unknown): () => unknown {
  let next = 0;
  return () => {
    next = (next + 1) % items.length;
    return work(items[next] as Item);
  };
}

async function oneKind(kind: Extract<RecordKind, 'booking' | 'contact'>, texts: readonly string[]): Promise<Line> {
  const parsed = texts.map((text) => JSON.parse(text) as unknown);
  const comparison = await compareBlocks([
    { name: 'JSON.parse of it', run: overAll(texts, (text) => JSON.parse(text) as unknown) },
    { name: 'ours', run: overAll(parsed, (value) => present(kind, readRecord(kind, value) ?? {})) },
  ]);
  return against({ what: `read and present a ${kind}`, comparison, peer: 'JSON.parse of it', unit: 'us', target: atMost(0.6) });
}

export const normalising: Row = {
  name: 'normalising',
  title: 'Making a record ready for people',
  async run() {
    const sandbox = await startSandbox({ limits: false });
    try {
      const { client } = serviceClient(sandbox.baseUrl, sandbox.issueToken().access_token);
      const texts = async (path: string) => {
        const body = (await client.send({ method: 'GET', path: [path], query: { limit: '100' }, scope: 'any', thing: path })) as { data: unknown[] };
        return body.data.map((record) => JSON.stringify(record));
      };
      const lines = [await oneKind('booking', await texts('bookings')), await oneKind('contact', await texts('contacts'))];

      const eventTypes = await texts('event-types');
      const page = { data: Array.from({ length: 100 }, (_, index) => JSON.parse(eventTypes[index % eventTypes.length] ?? '') as unknown), next_cursor: null };
      const text = JSON.stringify(page);
      const answered = { ...client, send: () => Promise.resolve(page) };
      const comparison = await compareBlocks([
        { name: 'JSON.parse of its page', run: async () => Promise.resolve(JSON.parse(text) as unknown) },
        { name: 'dropdown', run: () => lookups.eventTypes.page(answered, {}) },
        { name: 'zones', run: () => lookups.timeZones.page(client, {}) },
      ]);
      lines.push(against({ what: 'dropdown of 100 event types', comparison, ours: 'dropdown', peer: 'JSON.parse of its page', unit: 'us', target: atMost(0.6) }));
      const zonesMs = comparison.cost('zones') / 1e6;
      lines.push(line({ what: 'list of all time zones', ours: `${rounded(zonesMs)} ms`, against: 'what a person notices: 100 ms', figure: zonesMs, unit: 'ms', target: atMost(10, 'ms') }));
      return lines;
    } finally {
      await sandbox.stop();
    }
  },
};
