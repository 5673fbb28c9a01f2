import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../scripts/root.cjs';
import { compareTotals, joined, type Comparison, type Costs } from '../harness/compare.ts';
import { against, atMost, type Line } from '../harness/lines.ts';
import { connectedTo, insideN8n } from '../n8n/inside.ts';
import type { ListingArgument, Way } from '../n8n/listing.ts';
import type { ListerArgument } from '../service/lister.ts';
import { servePages } from '../service/pages.ts';
import type { Row } from './index.ts';

const pages = 100;

const whyChecked = 'The bare loop hands on whatever came. The core looks at every record and remembers its id, so that one that comes again while the list moves is given once: 0.1 us together; each request adds some 5 us for its headers, its promises and what may have to be tried again. That is some seven hundredths, and runs differ by as much.';

const whySimple = 'Beside the same requests and the same items, ours looks at each record, remembers its id and picks the fields that most people use: together 0.2 us a record, which is between nothing and a tenth of the whole from one run to the next.';

const whyPages = 'The HTTP Request node gives 100 raw pages here, ours 10,000 items, each checked: the next line sets items against items.';
const whyWhole = "With Simplify off ours gives five fields more than the others: both times on the invitee's clock, the name in two parts, the answers as a list. They take 0.4 us a record to make and 44 % more memory (1,154 bytes and not 803), which has to be kept until the list is whole and which the collector moves. The line with the same fields sets like against like.";

/** Costs of the same ways from several processes, one after the other. */
async function inProcesses(processes: number, costs: () => Promise<Costs>): Promise<Comparison> {
  const several: Costs[] = [];
  for (let process = 0; process < processes; process += 1) several.push(await costs());
  return compareTotals(joined(several));
}

async function listedByTheCore(argument: ListerArgument): Promise<Costs> {
  const child = fork(join(root, 'bench', 'service', 'lister.ts'), [JSON.stringify(argument)], { execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Listing by the core ended with ${String(code)} before it had a result.`);
  });
  const [costs] = (await Promise.race([once(child, 'message'), ended])) as [Costs];
  ended.catch(() => undefined);
  return costs;
}

/** The core's lists against a bare loop over the same connection. */
async function besideABareLoop(baseUrl: string): Promise<Line[]> {
  const beside = (list: ListerArgument['list'], processes: number, rounds: number) => inProcesses(processes, () => listedByTheCore({ baseUrl, records: pages * 100, list, rounds }));
  const peer = 'bare undici loop';
  return [
    against({ what: 'the core, records checked', comparison: await beside('checked', 3, 30), peer, unit: 'ms', target: atMost(1.1), limit: whyChecked }),
    against({ what: 'the core, also ready for people', comparison: await beside('presented', 1, 20), peer, unit: 'ms' }),
  ];
}

/** What our node is set beside in one process: no more than belongs together, because each way leaves its own garbage and its own compiled code to the others. */
const groups: readonly { ours: Way; beside: readonly { peer: Way; most: number; limit?: string }[]; processes: number; rounds: number }[] = [
  { ours: 'simplified', beside: [{ peer: 'hand loop', most: 1.05, limit: whySimple }], processes: 3, rounds: 18 },
  {
    ours: 'simplified',
    beside: [
      { peer: "HTTP Request node's pagination", most: 0.8, limit: whyPages },
      { peer: 'HTTP Request node, then Split Out', most: 0.8, limit: whySimple },
    ],
    processes: 2,
    rounds: 8,
  },
  { ours: 'whole', beside: [{ peer: 'hand loop', most: 1.05, limit: whyWhole }, { peer: 'hand loop to the same fields', most: 1.05 }], processes: 1, rounds: 8 },
  {
    ours: 'whole',
    beside: [
      { peer: "HTTP Request node's pagination", most: 0.8, limit: whyWhole },
      { peer: 'HTTP Request node, then Split Out', most: 0.8, limit: whyWhole },
    ],
    processes: 1,
    rounds: 8,
  },
];

/** The node's Return All inside n8n's own context, against what one would have without the node. */
async function insideTheNode(baseUrl: string): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { ours, beside, processes, rounds } of groups) {
    const argument: ListingArgument = { baseUrl, records: pages * 100, ways: [ours, ...beside.map(({ peer }) => peer)], rounds, runs: 3 };
    const comparison = await inProcesses(processes, () => insideN8n<Costs>('listing.ts', connectedTo(baseUrl), argument));
    const what = ours === 'simplified' ? 'n8n Return All' : 'n8n Return All, Simplify off';
    lines.push(...beside.map(({ peer, most, limit }) => against({ what, comparison, ours, peer, unit: 'ms', target: atMost(most), limit })));
  }
  return lines;
}

export const listing: Row = {
  name: 'listing',
  title: '10,000 bookings listed: processor time of the client',
  async run() {
    const served = await servePages();
    try {
      const baseUrl = served.baseUrl(pages);
      return [...(await besideABareLoop(baseUrl)), ...(await insideTheNode(baseUrl))];
    } finally {
      await served.stop();
    }
  },
};
