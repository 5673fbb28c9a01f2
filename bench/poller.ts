/** Polls lists of several lengths in which nothing changes, and reports what a poll costs and what it keeps. Needs --expose-gc. */
import { poll, type ChangeStore } from '../shared/polling/poll.ts';
import { sha256 } from '../shared/webhooks/key.ts';
import { createClient } from '../shared/client/client.ts';
import { backgroundPolicy } from '../shared/client/retry.ts';
import { fetchTransport } from '../tools/probe/wire.ts';
import type { Polled, PollerArgument, PollerResult } from './rows/polling.ts';

const collect = globalThis.gc;
if (collect === undefined) throw new Error('Start this with --expose-gc.');

const heap = (): number => {
  collect();
  collect();
  return process.memoryUsage().heapUsed / 1024 ** 2;
};

const { lists, memory } = JSON.parse(process.argv[2] ?? '{}') as PollerArgument;
const clock = {
  now: () => Date.now(),
  sleep: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
  random: () => Math.random(),
};
const services = new Map(
  [...lists, memory].map(({ baseUrl }) => [
    baseUrl,
    createClient({ baseUrl, transport: fetchTransport('token'), clock, retryPolicy: backgroundPolicy }),
  ]),
);

/** As text, because that is what a platform keeps. */
class Store implements ChangeStore {
  text: string | undefined;
  writes = 0;
  read = (): unknown => (this.text === undefined ? undefined : JSON.parse(this.text));
  write(kept: unknown): void {
    this.text = JSON.stringify(kept);
    this.writes += 1;
  }
}

/** @returns the number of calls that it took */
async function pollOnce(baseUrl: string, store: Store): Promise<number> {
  const client = services.get(baseUrl);
  if (client === undefined) throw new Error(`No list was named at ${baseUrl}.`);
  const { calls, changes } = await poll(client, store, { events: ['BOOKING_CREATED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED'] }, sha256);
  if (changes.length > 0) throw new Error('Something was found where nothing had changed.');
  return calls;
}

/** Short polls are repeated until they take long enough to measure. */
async function cpuOf(baseUrl: string, pages: number, store: Store): Promise<number> {
  const polls = Math.max(1, Math.round(100 / pages));
  const before = process.cpuUsage();
  for (let each = 0; each < polls; each += 1) await pollOnce(baseUrl, store);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / polls;
}

const stores = new Map<string, Store>();
for (const { baseUrl, pages } of lists) {
  const store = new Store();
  stores.set(baseUrl, store);
  await pollOnce(baseUrl, store);
  if (pages <= 100) await cpuOf(baseUrl, pages, store);
}

const polled: Polled[] = [];
for (const { pages, baseUrl } of lists) {
  const store = stores.get(baseUrl) ?? new Store();
  const costs: number[] = [];
  for (let round = 0; round < 5; round += 1) costs.push(await cpuOf(baseUrl, pages, store));
  polled.push({
    pages,
    cpuMs: costs.sort((a, b) => a - b)[2] ?? Number.NaN,
    calls: await pollOnce(baseUrl, store),
    bytes: Buffer.byteLength(store.text ?? ''),
    writes: store.writes,
  });
}

const store = new Store();
const heaps: number[] = [];
for (let each = 1; each <= memory.polls; each += 1) {
  await pollOnce(memory.baseUrl, store);
  if (each % (memory.polls / 10) === 0) heaps.push(heap());
}
const [first = Number.NaN] = heaps;
process.send?.({ polled, heapMB: { first, last: heaps.at(-1) ?? Number.NaN } } satisfies PollerResult, undefined, undefined, () =>
  process.exit(),
);
