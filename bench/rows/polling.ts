import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient, type Client } from '../../shared/client/client.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import type { Transport } from '../../shared/client/transport.ts';
import { poll, type ChangeStore } from '../../shared/polling/poll.ts';
import { sha256 } from '../../shared/webhooks/key.ts';
import { bookingOf } from './bulk.ts';
import { rounded, type Line, type Row } from '../report.ts';

/** What polls of one list cost, in which nothing has changed. */
interface Polled {
  /** Milliseconds of processor time. */
  cpuMs: number;
  calls: number;
  /** What is kept between two polls. */
  bytes: number;
}

const polls = 1_000;
const pageSize = 100;

/** Lists so many pages of bookings. The bytes of each are written once, and read each time, as from a network. */
function pagesOf(count: number): Transport {
  const bodies = Array.from({ length: count }, (_, page) => {
    const data = Array.from({ length: pageSize }, (_, index) => bookingOf(index * 7, `bkg_${page * pageSize + index}`));
    return Buffer.from(JSON.stringify({ data, next_cursor: page + 1 < count ? String(page + 1) : null }));
  });
  return ({ query }) =>
    Promise.resolve({ status: 200, headers: {}, body: JSON.parse(String(bodies[Number(query?.['cursor'] ?? 0)])) as unknown });
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

async function pollOnce(client: Client, store: Store): Promise<number> {
  const { calls, changes } = await poll(client, store, { events: ['BOOKING_CREATED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED'] }, sha256);
  if (changes.length > 0) throw new Error('Something was found where nothing had changed.');
  return calls;
}

async function polled(pages: number): Promise<Polled> {
  const client = clientOf(pages);
  const store = new Store();
  const calls = await pollOnce(client, store);
  const costs: number[] = [];
  // The first one warms up. Short polls are repeated until they take long enough to measure.
  const repeats = Math.max(1, Math.round(100 / pages));
  for (let round = 0; round <= 5; round += 1) {
    const before = process.cpuUsage();
    for (let each = 0; each < repeats; each += 1) await pollOnce(client, store);
    const { user, system } = process.cpuUsage(before);
    if (round > 0) costs.push((user + system) / 1000 / repeats);
  }
  const cpuMs = costs.sort((a, b) => a - b)[2] ?? Number.NaN;
  return { cpuMs, calls, bytes: Buffer.byteLength(store.text ?? '') };
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
  title: 'A poll that finds nothing new',
  async run() {
    const [one, hundred, thousand] = [await polled(1), await polled(100), await polled(1_000)];
    const heap = await heapOver(10);
    const compared = (of: keyof Polled, unit = '', divisor = 1): Pick<Line, 'ours' | 'against'> => {
      const says = (each: Polled): string => `${rounded(each[of] / divisor)}${unit}`;
      return { ours: `${says(thousand)} for 100,000 bookings`, against: `${says(hundred)} for 10,000, ${says(one)} for 100` };
    };
    /** Ten times the bookings may cost ten times as much, and no more. */
    const growth = (of: keyof Polled) => ({ figure: thousand[of] / hundred[of], unit: 'x', most: 11 });
    return [
      { what: 'calls of a poll', ...compared('calls'), ...growth('calls') },
      { what: 'processor time of a poll', ...compared('cpuMs', ' ms'), ...growth('cpuMs') },
      { what: 'kept for each booking', ...compared('bytes', ' kB', 1000), figure: thousand.bytes / 100_000, unit: 'bytes', most: 20 },
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
