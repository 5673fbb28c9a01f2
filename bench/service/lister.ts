/** Lists all bookings in turns with the core and with a bare loop, in a process of its own, and sends what each round cost. */
import type { Client } from '../../shared/api/client.ts';
import { allOf, walk } from '../../shared/api/pages.ts';
import type { ServiceRecord } from '../../shared/api/records.ts';
import { getManyBookings } from '../../shared/operations/index.ts';
import { Connections, serviceClient } from '../clients.ts';
import { costsOfPaths } from '../harness/compare.ts';

/** The two ways in which the core reads a list: checked and with canonical names, or in the form that its operation gives to people. */
const lists = {
  checked: (client: Client) => walk(client, { path: ['bookings'], scope: 'bookings:read', thing: 'bookings', record: 'booking' }),
  presented: (client: Client) => getManyBookings.run(client, {}, {}),
};

export interface ListerArgument {
  baseUrl: string;
  records: number;
  list: keyof typeof lists;
  rounds: number;
}

const { baseUrl, records, list, rounds } = JSON.parse(process.argv[2] ?? '{}') as ListerArgument;

/** What a person would write by hand: follow the cursor, parse, collect. */
async function bareLoop(): Promise<unknown[]> {
  const { origin, pathname } = new URL(baseUrl);
  const connections = new Connections(origin, 1);
  const all: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { text } = await connections.send(`${pathname}/bookings?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, {
      method: 'GET',
      headers: { authorization: 'Bearer token', accept: 'application/json' },
    });
    const page = JSON.parse(text) as { data: unknown[]; next_cursor: string | null };
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  connections.close();
  return all;
}

async function throughTheCore(): Promise<ServiceRecord[]> {
  const { client, close } = serviceClient(baseUrl, 'token');
  const all = await allOf(lists[list](client));
  close();
  return all;
}

async function complete(work: Promise<unknown[]>): Promise<void> {
  const { length } = await work;
  if (length !== records) throw new Error(`${records} bookings are listed, and ${length} came.`);
}

const costs = await costsOfPaths(
  [
    { name: 'bare loop on node:http', run: () => complete(bareLoop()) },
    { name: 'ours', run: () => complete(throughTheCore()) },
  ],
  { rounds, runs: 3 },
);
process.send?.(costs, undefined, undefined, () => process.exit());
