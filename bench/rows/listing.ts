import { Pool } from 'undici';
import type { Client } from '../../shared/api/client.ts';
import { allOf, walk } from '../../shared/api/pages.ts';
import type { ServiceRecord } from '../../shared/api/records.ts';
import { getManyBookings } from '../../shared/operations/index.ts';
import { compareTotals, costsOfPaths, joined, type Costs } from '../harness/compare.ts';
import { against, atMost, type Line } from '../harness/lines.ts';
import { serviceClient } from '../clients.ts';
import { connectedTo, insideN8n } from '../n8n/inside.ts';
import type { ListingArgument, Way } from '../n8n/listing.ts';
import { servePages } from '../service/pages.ts';
import type { Row } from './index.ts';

const pages = 100;

const whyChecked = 'The bare loop hands on whatever came. The core looks at every record and remembers its id, so that one that comes again while the list moves is given once: 0.1 us together; each request adds some 5 us for its headers, its promises and what may have to be tried again. That is some seven hundredths, and runs differ by as much.';

const whySimple = 'Beside the same requests and the same items, ours looks at each record, remembers its id and picks the fields that most people use: together 0.2 us a record, which is between nothing and a tenth of the whole from one run to the next.';

const whyPages = 'The HTTP Request node gives 100 raw pages here, ours 10,000 items, each checked: the next line sets items against items.';
const whyWhole = "With Simplify off ours gives five fields more than the others: both times on the invitee's clock, the name in two parts, the answers as a list. They take 0.4 us a record to make and 44 % more memory (1,154 bytes and not 803), which has to be kept until the list is whole and which the collector moves. The line with the same fields sets like against like.";

/** What one would write by hand: follow the cursor, parse, collect. */
async function bareLoop(baseUrl: string): Promise<unknown[]> {
  const { origin, pathname } = new URL(baseUrl);
  const pool = new Pool(origin, { connections: 1 });
  const all: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const response = await pool.request({ method: 'GET', path: `${pathname}/bookings?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, headers: { authorization: 'Bearer token', accept: 'application/json' } });
    const page = JSON.parse(await response.body.text()) as { data: unknown[]; next_cursor: string | null };
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  await pool.close();
  return all;
}

/** The same list through the core: by its pages, checked and under their canonical names, or as its operation gives it to people. */
async function throughTheCore(baseUrl: string, list: (client: Client) => AsyncIterable<ServiceRecord>): Promise<unknown[]> {
  const { client, close } = serviceClient(baseUrl, 'token');
  const all = await allOf(list(client));
  await close();
  return all;
}

const canonical = (client: Client) => walk(client, { path: ['bookings'], scope: 'bookings:read', thing: 'bookings', record: 'booking' });
const presented = (client: Client) => getManyBookings.run(client, {}, {});

async function complete(work: Promise<unknown[]>): Promise<void> {
  const { length } = await work;
  if (length !== pages * 100) throw new Error(`${pages * 100} bookings are listed, and ${length} came.`);
}

export const listing: Row = {
  name: 'listing',
  title: '10,000 bookings listed: processor time of the client',
  async run() {
    const served = await servePages();
    try {
      const baseUrl = served.baseUrl(pages);
      const bare = { name: 'bare undici loop', run: () => complete(bareLoop(baseUrl)) };
      const beside = async (list: (client: Client) => AsyncIterable<ServiceRecord>, rounds: number) =>
        compareTotals(await costsOfPaths([bare, { name: 'ours', run: () => complete(throughTheCore(baseUrl, list)) }], { rounds, runs: 3 }));
      const lines: Line[] = [
        against({ what: 'the core, records checked', comparison: await beside(canonical, 100), peer: bare.name, unit: 'ms', target: atMost(1.1), limit: whyChecked }),
        against({ what: 'the core, also ready for people', comparison: await beside(presented, 40), peer: bare.name, unit: 'ms' }),
      ];
      return [...lines, ...(await insideTheNode(baseUrl))];
    } finally {
      await served.stop();
    }
  },
};

/** Processes of n8n that are measured one after the other, and the rounds in each. */
const processes = 6;
const argument = (baseUrl: string): ListingArgument => ({ baseUrl, records: pages * 100, rounds: 6, runs: 3 });

/** The node's Return All inside n8n's own context, against what one would have without the node. */
async function insideTheNode(baseUrl: string): Promise<Line[]> {
  const costs: Costs[] = [];
  for (let process = 0; process < processes; process += 1) costs.push(await insideN8n<Costs>('listing.ts', connectedTo(baseUrl), argument(baseUrl)));
  const comparison = compareTotals(joined(costs));
  const line = (ours: Way, peer: Way, most: number, limit?: string) =>
    against({ what: ours === 'simplified' ? 'n8n Return All' : 'n8n Return All, Simplify off', comparison, ours, peer, unit: 'ms', target: atMost(most), limit });
  return [
    line('simplified', 'hand loop', 1.05, whySimple),
    line('simplified', "HTTP Request node's pagination", 0.8, whyPages),
    line('simplified', 'HTTP Request node, then Split Out', 0.8, whySimple),
    line('whole', 'hand loop', 1.05, whyWhole),
    line('whole', 'hand loop to the same fields', 1.05),
    line('whole', "HTTP Request node's pagination", 0.8, whyWhole),
    line('whole', 'HTTP Request node, then Split Out', 0.8, whyWhole),
  ];
}
