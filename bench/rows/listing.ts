import { compareTotals, joined, type Comparison, type Costs } from '../harness/compare.ts';
import { against, atMost, type Line } from '../harness/lines.ts';
import { connectedTo, insideN8n } from '../n8n/inside.ts';
import type { ListingArgument, Way } from '../n8n/listing.ts';
import { servePages } from '../service/pages.ts';
import type { Row } from './index.ts';

const pages = 100;

const whyWhole =
  'With Simplify off, our node returns five more fields than the others: both times on the invitee\'s clock, the two parts of the name, and the answers as a list. Making them takes 0.4 us a record. A record with them takes 44 % more memory (1,154 bytes instead of 803) until the list is complete, and the garbage collector has to move that memory. The line "to the same fields" compares equal output.';

/** Costs of the same ways from several processes, one after the other. */
async function inProcesses(processes: number, costs: () => Promise<Costs>): Promise<Comparison> {
  const several: Costs[] = [];
  for (let process = 0; process < processes; process += 1) several.push(await costs());
  return compareTotals(joined(several));
}

interface Peer {
  most: number;
  /** Why the target may be missed with Simplify off. */
  limit?: string;
}

/** What one would have without our node. */
const peers = {
  'hand loop': { most: 1.1, limit: whyWhole },
  'hand loop to the same fields': { most: 1.1 },
  "HTTP Request node's pagination": { most: 0.85, limit: whyWhole },
  'HTTP Request node, then Split Out': { most: 0.85, limit: whyWhole },
} satisfies Record<Exclude<Way, 'simplified' | 'whole'>, Peer>;

interface Group {
  ours: 'simplified' | 'whole';
  beside: readonly (keyof typeof peers)[];
  processes: number;
  rounds: number;
}

/** What is measured in one process: no more than belongs together, because each way leaves its own garbage and its own compiled code to the others. */
const groups: readonly Group[] = [
  { ours: 'simplified', beside: ['hand loop'], processes: 3, rounds: 18 },
  { ours: 'simplified', beside: ["HTTP Request node's pagination", 'HTTP Request node, then Split Out'], processes: 2, rounds: 8 },
  { ours: 'whole', beside: ['hand loop', 'hand loop to the same fields'], processes: 1, rounds: 8 },
  { ours: 'whole', beside: ["HTTP Request node's pagination", 'HTTP Request node, then Split Out'], processes: 1, rounds: 8 },
];

/** The node's Return All inside n8n's own context, against what one would have without the node. */
async function insideTheNode(baseUrl: string): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { ours, beside, processes, rounds } of groups) {
    const argument: ListingArgument = { baseUrl, records: pages * 100, ways: [ours, ...beside], rounds, runs: 3 };
    const comparison = await inProcesses(processes, () => insideN8n<Costs>('listing.ts', connectedTo(baseUrl), argument));
    const what = ours === 'simplified' ? 'n8n Return All' : 'n8n Return All, Simplify off';
    for (const peer of beside) {
      const { most, limit }: Peer = peers[peer];
      lines.push(against({ what, comparison, ours, peer, unit: 'ms', target: atMost(most), limit: ours === 'whole' ? limit : undefined }));
    }
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
