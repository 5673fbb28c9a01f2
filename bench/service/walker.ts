/** Reads lists of several lengths without keeping any record, and reports what each walk cost. Needs --expose-gc. */
import { median } from '../harness/statistics.ts';
import { getManyBookings } from '../../shared/operations/index.ts';
import { serviceClient } from '../clients.ts';
import type { Walked } from '../rows/growth.ts';

const collect = globalThis.gc;
if (collect === undefined) throw new Error('Start this with --expose-gc.');

const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed / 1024 ** 2;
};

const lists = JSON.parse(process.argv[2] ?? '[]') as { pages: number; baseUrl: string }[];
// Each list gets its own connection beforehand, so that only the cost of the walk grows.
const services = new Map(lists.map(({ baseUrl }) => [baseUrl, serviceClient(baseUrl, 'token')]));

/** @param each is called after every page */
async function walk(baseUrl: string, each: () => void = () => undefined): Promise<number> {
  const client = services.get(baseUrl);
  if (client === undefined) throw new Error(`No list was named at ${baseUrl}.`);
  let calls = 0;
  const counted = { ...client, read: (call: Parameters<typeof client.read>[0]) => ((calls += 1), client.read(call)) };
  let records = 0;
  for await (const { id } of getManyBookings.run(counted, {}, {})) {
    if (id !== undefined) records += 1;
    if (records % 100 === 0) each();
  }
  return calls;
}

/** Short walks are repeated until they take long enough to measure. */
async function cpuOf(baseUrl: string, pages: number): Promise<number> {
  const walks = Math.max(1, Math.round(100 / pages));
  const before = process.cpuUsage();
  for (let each = 0; each < walks; each += 1) await walk(baseUrl);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / walks;
}

async function heapOf(baseUrl: string, pages: number): Promise<number> {
  const before = heap();
  let most = 0;
  let page = 0;
  const every = Math.max(1, Math.floor(pages / 10));
  await walk(baseUrl, () => {
    page += 1;
    if (page % every === 0) most = Math.max(most, heap());
  });
  return most - before;
}

for (const { pages, baseUrl } of lists) if (pages <= 100) await cpuOf(baseUrl, pages);

const walked: Walked[] = [];
for (const { pages, baseUrl } of lists) {
  const costs = [];
  for (let round = 0; round < 5; round += 1) costs.push(await cpuOf(baseUrl, pages));
  walked.push({ pages, cpuMs: median(costs), calls: await walk(baseUrl), heapMB: await heapOf(baseUrl, pages) });
}
process.send?.(walked, undefined, undefined, () => process.exit());
