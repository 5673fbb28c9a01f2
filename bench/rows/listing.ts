import { compareTotals, joined, type Comparison, type Costs } from '../harness/compare.ts';
import { against, atMost, type Line } from '../harness/lines.ts';
import { connectedTo, insideN8n } from '../n8n/inside.ts';
import type { ListingArgument, Way } from '../n8n/listing.ts';
import { servePages } from '../service/pages.ts';
import type { Row } from './index.ts';

const pages = 100;

/** A hundred pages take six seconds or more at the service's limit, so that nobody feels the difference of twice these milliseconds. */
const target = atMost(2);

/** Costs of the same ways from several processes, one after the other. */
async function inProcesses(processes: number, costs: () => Promise<Costs>): Promise<Comparison> {
  const several: Costs[] = [];
  for (let process = 0; process < processes; process += 1) several.push(await costs());
  return compareTotals(joined(several));
}

interface Group {
  ours: 'simplified' | 'whole';
  /** What one would have without our node. */
  beside: readonly Exclude<Way, 'simplified' | 'whole'>[];
  processes: number;
  rounds: number;
}

/** What is measured in one process: no more than belongs together, because each way leaves its own garbage and its own compiled code to the others. */
const groups: readonly Group[] = [
  { ours: 'simplified', beside: ['hand loop'], processes: 3, rounds: 18 },
  { ours: 'simplified', beside: ["HTTP Request node's pagination", 'HTTP Request node, then Split Out'], processes: 2, rounds: 8 },
  { ours: 'whole', beside: ['hand loop to the same fields'], processes: 1, rounds: 8 },
  { ours: 'whole', beside: ["HTTP Request node's pagination", 'HTTP Request node, then Split Out'], processes: 1, rounds: 8 },
];

/** The node's Return All inside n8n's own context, against what one would have without the node. */
async function insideTheNode(baseUrl: string): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { ours, beside, processes, rounds } of groups) {
    const argument: ListingArgument = { baseUrl, records: pages * 100, ways: [ours, ...beside], rounds, runs: 3 };
    const comparison = await inProcesses(processes, () => insideN8n<Costs>('listing.ts', connectedTo(baseUrl), argument));
    const what = ours === 'simplified' ? 'n8n Return All' : 'n8n Return All, Simplify off';
    for (const peer of beside) lines.push(against({ what, comparison, ours, peer, unit: 'ms', target }));
  }
  return lines;
}

export const listing: Row = {
  name: 'listing',
  title: '10,000 bookings listed: processor time of the client',
  async run() {
    const served = await servePages();
    try {
      return await insideTheNode(served.baseUrl(pages));
    } finally {
      await served.stop();
    }
  },
};
