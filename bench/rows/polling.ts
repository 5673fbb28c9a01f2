import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient, type Client } from '../../shared/client/client.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import type { Transport } from '../../shared/client/transport.ts';
import { poll, type ChangeStore } from '../../shared/polling/poll.ts';
import { sha256 } from '../../shared/webhooks/key.ts';
import { bookingOf } from './bulk.ts';
import { rounded, type Row } from '../report.ts';

const polls = 1_000;
const pageSize = 100;

/** Lists so many pages of confirmed bookings, and no others. The bytes of each are written once, and read each time, as from a network. */
function pagesOf(count: number): Transport {
  const bodies = Array.from({ length: count }, (_, page) => {
    const data = Array.from({ length: pageSize }, (_, index) => bookingOf(index * 7, `bkg_${page * pageSize + index}`));
    return Buffer.from(JSON.stringify({ data, next_cursor: page + 1 < count ? String(page + 1) : null }));
  });
  const none = Buffer.from(JSON.stringify({ data: [], next_cursor: null }));
  return ({ query }) => {
    const body = (query?.['status'] ?? 'CONFIRMED') === 'CONFIRMED' ? bodies[Number(query?.['cursor'] ?? 0)] : none;
    return Promise.resolve({ status: 200, headers: {}, body: JSON.parse(String(body)) as unknown });
  };
}

/** As text, because that is what a platform keeps. */
class Store implements ChangeStore {
  text: string | undefined;
  read = (): unknown => (this.text === undefined ? undefined : JSON.parse(this.text));
  write = (kept: unknown): void => void (this.text = JSON.stringify(kept));
}

const clock = { now: Date.now, sleep: () => Promise.resolve(), random: Math.random };
const clientOf = (pages: number): Client =>
  createClient({ baseUrl: 'https://service.example/api/v1', transport: pagesOf(pages), clock, retryPolicy: backgroundPolicy });

async function pollOnce(client: Client, store: Store): Promise<void> {
  const { changes } = await poll(client, store, { events: ['BOOKING_CREATED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED'] }, sha256);
  if (changes.length > 0) throw new Error('Something was found where nothing had changed.');
}

/** What is kept between two polls. Bytes. */
async function keptAfter(pages: number): Promise<number> {
  const store = new Store();
  await pollOnce(clientOf(pages), store);
  return Buffer.byteLength(store.text ?? '');
}

/** The heap after a collection, in MB: after a tenth of the polls and after all of them. */
async function heapOver(pages: number): Promise<{ first: number; last: number }> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const client = clientOf(pages);
  const store = new Store();
  const heaps: number[] = [];
  for (let each = 1; each <= polls; each += 1) {
    await pollOnce(client, store);
    if (each % (polls / 10) !== 0) continue;
    collect();
    heaps.push(process.memoryUsage().heapUsed / 1024 ** 2);
  }
  return { first: heaps[0] ?? Number.NaN, last: heaps.at(-1) ?? Number.NaN };
}

export const polling: Row = {
  name: 'polling',
  title: 'The memory of a poll that finds nothing new',
  async run() {
    const [one, hundred, thousand] = [await keptAfter(1), await keptAfter(100), await keptAfter(1_000)];
    const heap = await heapOver(10);
    const said = (bytes: number): string => `${rounded(bytes / 1000)} kB`;
    return [
      {
        what: 'kept for each booking',
        ours: `${said(thousand)} for 100,000 bookings`,
        against: `${said(hundred)} for 10,000, ${said(one)} for 100`,
        figure: thousand / 100_000,
        unit: 'bytes',
        most: 20,
      },
      {
        what: `heap over ${polls.toLocaleString('en')} polls of 1,000 bookings`,
        ours: `${rounded(heap.last)} MB at the end`,
        against: `${rounded(heap.first)} MB after a tenth`,
        figure: heap.last - heap.first,
        unit: 'MB more',
        most: 1,
      },
    ];
  },
};
