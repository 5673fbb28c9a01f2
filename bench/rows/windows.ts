import type { Forms, Sandbox } from '../../sandbox/service.ts';
import { listEnvelope } from '../../shared/assumptions.ts';
import type { ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import type { Execution } from '../../tools/rigs/n8n/executions.ts';
import { aDay } from '../years.ts';
import { rounded, type Line, type Row } from '../report.ts';
import { inN8n, NODE, runNode } from '../stage.ts';

const bookings = 10_000;

/** Ways to ask our node for what is on in the next seven days. */
const ways = [
  { what: 'Get Many, Return All', options: { returnAll: true } },
  { what: 'Get Many, Upcoming, limit 50', filters: { upcoming: true }, options: { limit: 50 } },
] as const;

const pagination = {
  paginationMode: 'updateAParameterInEachRequest',
  parameters: { parameters: [{ type: 'qs', name: 'cursor', value: `={{ $response.body.${listEnvelope.cursorKey} }}` }] },
  paginationCompleteWhen: 'other',
  completeExpression: `={{ $response.body.${listEnvelope.cursorKey} === null }}`,
  limitPagesFetched: false,
};

async function inOrder(order: Forms['order'], connected: ConnectedN8n, sandbox: Sandbox): Promise<Line[]> {
  const [from, to] = [0, 7].map((days) => new Date(Date.now() + days * aDay).toISOString()) as [string, string];
  const isWanted = ({ start_time: start, status }: Record<string, unknown>) =>
    String(start) >= from && String(start) < to && status !== 'CANCELLED';
  const wanted = new Set(sandbox.bookings().flatMap((each) => (isWanted({ ...each }) ? [each.id] : [])));
  /** What share of the bookings a node found, for how many calls. */
  async function found(node: Parameters<typeof runNode>[1], records: (run: Execution) => Record<string, unknown>[]) {
    sandbox.forgetRequests();
    const run = await runNode(connected, node);
    if (run.error !== undefined) throw new Error(`${node.type} failed: ${run.error.message}`);
    const ids = new Set(records(run).flatMap((each) => (isWanted(each) ? [each['id']] : [])));
    const calls = sandbox.requests().filter(({ path }) => path === '/v1/bookings').length;
    return { share: (100 * [...wanted].filter((id) => ids.has(id)).length) / wanted.size, calls };
  }
  const told = ({ share, calls }: { share: number; calls: number }) =>
    `${rounded(share)} % for ${rounded(calls)} ${calls === 1 ? 'call' : 'calls'}`;
  const http = (options: object) =>
    found(
      {
        type: 'n8n-nodes-base.httpRequest',
        typeVersion: 4.2,
        parameters: {
          url: `${sandbox.baseUrl}/bookings?limit=100`,
          authentication: 'predefinedCredentialType',
          nodeCredentialType: connected.credential.type,
          options,
        },
      },
      (run) => run.items(NODE).flatMap(({ data }) => data as Record<string, unknown>[]),
    );
  const against = `HTTP Request node and a filter: ${told(await http({}))}; with pagination: ${told(await http({ pagination: { pagination } }))}`;

  const lines: Line[] = [];
  for (const { what, options, ...more } of ways) {
    const filters = { from, to, ...('filters' in more && more.filters) };
    const parameters = { resource: 'booking', operation: 'getMany', filters, ...options };
    const ours = await found({ type: connected.nodes.action, parameters }, (run) => run.items(NODE));
    // Return All also reads the ends of the other lists.
    const most = bookings / 100 + ('returnAll' in options ? 3 : 0);
    lines.push({
      what: `${what}, ${order === 'none' ? 'in no order' : 'newest first'}`,
      ours: told(ours),
      against,
      figure: ours.share,
      unit: '%',
      least: 100,
      also: [`at most ${most} calls`, ours.calls <= most],
    });
  }
  return lines;
}

export const windows: Row = {
  name: 'windows',
  title: 'What is on in the next seven days, among 10,000 bookings, in n8n',
  async run() {
    const lines: Line[] = [];
    for (const order of ['created', 'none'] as const)
      lines.push(...(await inN8n(bookings, (connected, sandbox) => inOrder(order, connected, sandbox), { forms: { order }, lean: true })));
    return lines;
  },
};
