import { openConnectedN8n, type ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { runWorkflow } from '../../tools/rigs/n8n/executions.ts';
import { chain, createWorkflow, type WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { withBookings } from '../account.ts';
import { comparing, inTurns } from '../inTurns.ts';
import { NODE } from '../oneNode.ts';
import { atMost, type Row } from '../report.ts';

/** Four ways with 20 calls each, 8 times: less than the 1,000 calls of a minute, so nothing waits for the rate limit. */
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

/** The workflow asks for one page and returns to the HTTP Request node while there is another. */
function handLoop(connected: ConnectedN8n, pages: string): Way {
  const next = `={{ '${pages}' + ($json.next_cursor ? '&cursor=' + $json.next_cursor : '') }}`;
  const operator = { type: 'string', operation: 'notEmpty', singleValue: true };
  const conditions = {
    options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
    conditions: [{ id: 'more', leftValue: '={{ $json.next_cursor }}', rightValue: '', operator }],
    combinator: 'and',
  };
  const more = { name: 'More', type: 'n8n-nodes-base.if', typeVersion: 2.2, parameters: { conditions, options: {} } };
  const name = 'loop of HTTP Request, If and Split Out';
  const file = chain(name, [begin, httpRequest(connected, next), more, split]);
  const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
  file.connections['Page'] = { main: [[to(NODE), to('More')]] };
  file.connections['More'] = { main: [[to('Page')]] };
  return { name, file };
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
    withBookings(bookings, async (sandbox) => {
      const connected = await openConnectedN8n(sandbox);
      try {
        const pages = `${sandbox.baseUrl}/bookings?limit=100`;
        const ours = [ourNode(connected, 'Return All', true), ourNode(connected, 'Return All, Simplify off', false)];
        const peers = [paginating(connected, pages), handLoop(connected, pages)];
        const medians = await inTurns([...ours, ...peers], times, (way) => took(connected, way));
        return ours.flatMap((one) => peers.map((peer) => comparing(one.name, medians, one, peer, atMost(2))));
      } finally {
        await connected.stop();
      }
    }),
};
