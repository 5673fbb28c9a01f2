import type { ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { runWorkflow } from '../../tools/rigs/n8n/executions.ts';
import { chain, createWorkflow, type WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { atMost, comparing, inTurns, type Row } from '../report.ts';
import { inN8n, NODE } from '../stage.ts';

/** Three ways with 20 calls each, 8 times: less than the 1,000 calls of a minute, so nothing waits for the rate limit. */
const [bookings, times] = [2_000, 7];

const begin = { name: 'Begin', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
const split = { name: NODE, type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'data', options: {} } };

interface Way {
  name: string;
  file: WorkflowFile;
}

function ourNode({ nodes, credentials }: ConnectedN8n, name: string, simplify: boolean): Way {
  const parameters = { resource: 'booking', operation: 'getMany', returnAll: true, simplify };
  return { name, file: chain(name, [begin, { name: NODE, type: nodes.action, typeVersion: 1, parameters, credentials }]) };
}

const httpRequest = ({ credential, credentials }: ConnectedN8n, url: string, options = {}) => ({
  name: 'Page',
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  parameters: { url, authentication: 'predefinedCredentialType', nodeCredentialType: credential.type, options },
  credentials,
});

/** The HTTP Request node follows the cursor by itself. */
function paginating(connected: ConnectedN8n, pages: string): Way {
  const pagination = {
    paginationMode: 'updateAParameterInEachRequest',
    parameters: { parameters: [{ type: 'qs', name: 'cursor', value: '={{ $response.body.next_cursor }}' }] },
    paginationCompleteWhen: 'other',
    completeExpression: '={{ $response.body.next_cursor === null }}',
    limitPagesFetched: false,
  };
  const name = 'HTTP Request node with pagination, Split Out';
  return { name, file: chain(name, [begin, httpRequest(connected, pages, { pagination: { pagination } }), split]) };
}

/** How long n8n says that an execution took. */
async function took({ session }: ConnectedN8n, { name, file }: Way): Promise<number> {
  const { id } = await createWorkflow(session, file);
  const run = await runWorkflow(session, id, begin.name);
  const given = run.items(NODE).length;
  if (given !== bookings) throw new Error(`${name} gave ${given} bookings of ${bookings}: ${run.error?.message}`);
  return Date.parse(run.stoppedAt ?? '') - Date.parse(run.startedAt ?? '');
}

export const listing: Row = {
  name: 'listing',
  title: '2,000 bookings listed: time of the execution in n8n',
  run: () =>
    inN8n(bookings, async (connected, sandbox) => {
      const ours = [ourNode(connected, 'Return All', true), ourNode(connected, 'Return All, Simplify off', false)];
      const peer = paginating(connected, `${sandbox.baseUrl}/bookings?limit=100`);
      const medians = await inTurns([...ours, peer], times, (way) => took(connected, way));
      return ours.map((one) => comparing(one.name, medians, one, peer, atMost(2)));
    }),
};
