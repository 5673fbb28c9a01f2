import { Pool } from 'undici';
import type { Client } from '../../shared/api/client.ts';
import { allOf, walk } from '../../shared/api/pages.ts';
import type { ServiceRecord } from '../../shared/api/records.ts';
import { getManyBookings } from '../../shared/operations/index.ts';
import { comparePaths } from '../harness/compare.ts';
import { against, atMost, line, rounded, type Line } from '../harness/lines.ts';
import { serviceClient } from '../clients.ts';
import { connectedTo, insideN8n } from '../n8n/inside.ts';
import type { ListingResult, Way } from '../n8n/listing.ts';
import { servePages } from '../service/pages.ts';
import type { Row } from './index.ts';

const pages = 100;

const whyChecked = 'The bare loop hands on whatever came. The core looks at every record, 0.1 us, and remembers its id, another 0.1 us, so that one that comes again while the list moves is given once; each request adds some 10 us for its headers, its promises and what may have to be tried again.';

const whySimple = 'Beside the same requests and the same items, ours looks at each record, remembers its id and picks the fields that most people use: together 0.4 us a record, which is between nothing and an eighth of the whole from one run to the next.';

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
      const comparison = await comparePaths([
        { name: 'bare undici loop', run: () => complete(bareLoop(baseUrl)) },
        { name: 'ours', run: () => complete(throughTheCore(baseUrl, canonical)) },
        { name: 'presented', run: () => complete(throughTheCore(baseUrl, presented)) },
      ], { rounds: 40, runs: 3 });
      const lines: Line[] = [
        against({ what: 'the core, records checked', comparison, peer: 'bare undici loop', unit: 'ms', target: atMost(1.1), limit: whyChecked }),
        against({ what: 'the core, also ready for people', comparison, ours: 'presented', peer: 'bare undici loop', unit: 'ms' }),
      ];
      return [...lines, ...(await insideTheNode(baseUrl))];
    } finally {
      await served.stop();
    }
  },
};

/** The node's Return All inside n8n's own context, against what one would have without the node. */
async function insideTheNode(baseUrl: string): Promise<Line[]> {
  const { cost, over } = await insideN8n<ListingResult>('listing.ts', connectedTo(baseUrl), { baseUrl, records: pages * 100, rounds: 12, runs: 3 });
  const told = (ms: number) => `${rounded(ms)} ms`;
  const compared = (ours: 'simplified' | 'whole', way: Way, peer: string, most: number, limit?: string) => {
    const { ratio, spread } = over[ours][way];
    const what = ours === 'simplified' ? 'n8n Return All' : 'n8n Return All, Simplify off';
    return line({ what, ours: told(cost[ours]), against: `${peer}: ${told(cost[way])}`, figure: ratio, spread, target: atMost(most), limit });
  };
  return [
    compared('simplified', 'hand', 'hand loop', 1.05, whySimple),
    compared('simplified', 'httpRequest', "HTTP Request node's pagination", 0.8, whyPages),
    compared('simplified', 'split', 'HTTP Request node, then Split Out', 0.8, whySimple),
    compared('whole', 'hand', 'hand loop', 1.05, whyWhole),
    compared('whole', 'handWhole', 'hand loop to the same fields', 1.05),
    compared('whole', 'httpRequest', "HTTP Request node's pagination", 0.8, whyWhole),
    compared('whole', 'split', 'HTTP Request node, then Split Out', 0.8, whyWhole),
  ];
}
