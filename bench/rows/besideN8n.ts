import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../sandbox/faultKinds.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { brand } from '../../shared/brand.ts';
import type { ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { listExecutions, runWorkflow } from '../../tools/rigs/n8n/executions.ts';
import { bookable } from '../../tools/start/roundTrip.ts';
import { chain, createWorkflow, nothing, onEvents, publish, START, type WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { comparing, inTurns, rounded, type Line, type Row } from '../report.ts';
import { creates, freeStart, inN8n, NODE, runNode } from '../stage.ts';

/* Lists, triggers and failures, beside the nodes that n8n has itself. */

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
      const pages = `${sandbox.baseUrl}/bookings?limit=100`;
      const peers = [paginating(connected, pages), handLoop(connected, pages)];
      const medians = await inTurns([...ours, ...peers], times, (way) => took(connected, way));
      return ours.flatMap((one) => peers.map((peer) => ({ what: one.name, ...comparing(medians, one, peer), most: 2 })));
    }),
};

/** When n8n answers, it has yet to run the execution and to store it. That may not affect the next measurement. */
const restMs = 250;

/** With this setting of n8n, its own Webhook node gets an isolate for expressions too. */
const alike = { N8N_EXPRESSION_ENGINE_ALLOW_WEBHOOK_ISOLATE_SKIP: 'false' };
const note =
  'By default, n8n starts its own Webhook node without the isolate in which it evaluates expressions. No other node can do without. The first line gives it to both, which compares their own work.';

async function triggerLine(what: string, extra: Record<string, string>, most: number): Promise<Line> {
  return inN8n(
    10,
    async ({ session, n8n, ...connected }, sandbox) => {
      const published = async (name: string, file: WorkflowFile, accountId: string) => {
        const { id } = await createWorkflow(session, file);
        await publish(session, id);
        return { name, id, accountId, booked: 0 };
      };
      const path = randomUUID();
      const webhook = { name: START, type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters: { httpMethod: 'POST', path } };
      const ours = await published('our trigger', onEvents(connected, { events: ['BOOKING_CREATED'] }), sandbox.account.id);
      const other = sandbox.addAccount().id;
      const bare = await published('bare Webhook node', chain('On calls', [{ ...webhook, webhookId: path }, nothing]), other);
      sandbox.host.addSecretlessSubscription({ url: `${n8n.origin}/webhook/${path}`, events: ['BOOKING_CREATED'] }, other);

      const medians = await inTurns([ours, bare], 40, async (starter) => {
        sandbox.host.book({ start_time: freeStart(starter.booked) }, starter.accountId);
        const at = Date.now();
        starter.booked += 1;
        await sleep(restMs);
        await sandbox.settled();
        const starts = (await listExecutions(session, starter.id)).map(({ startedAt }) => Date.parse(startedAt ?? ''));
        if (starts.length !== starter.booked) throw new Error(`${starter.booked} bookings began ${starts.length} executions.`);
        return Math.max(...starts) - at;
      });
      return { what, ...comparing(medians, ours, bare), most, note };
    },
    { extra },
  );
}

export const endToEnd: Row = {
  name: 'end-to-end',
  title: 'From the booking to the start of the execution, in n8n',
  run: async () => [await triggerLine('trigger, both with an isolate', alike, 1.1), await triggerLine('trigger, default settings', {}, 3)],
};

/** What may go wrong with a new booking, and within how many seconds its words have to be there. */
const cases: readonly { what: string; fault: Omit<Fault, 'route'>; most: number; note?: string }[] = [
  { what: 'refused with 422', fault: { kind: 'status', status: 422, body: { error: 'The notes are too long.' } }, most: 3 },
  { what: 'a server error with a message (500)', fault: { kind: 'status', status: 500 }, most: 3 },
  {
    what: 'no answer at all',
    fault: { kind: 'reset-before' },
    most: 35,
    note: 'The booking is looked for before it is called unknown. The other node says at once that the connection failed, and leaves the rest to the person.',
  },
];

/** How long a node took until it failed, and with which words. */
async function failed(connected: ConnectedN8n, node: Parameters<typeof runNode>[1]): Promise<{ seconds: number; words: string }> {
  const run = await runNode(connected, node);
  const timing = run.timing(NODE);
  if (run.error === undefined || timing === undefined) throw new Error(`${node.type} did not fail.`);
  // The document is no place for a name, which a provider replaces.
  const words = run.error.message.replaceAll(brand.name, 'The service');
  return { seconds: timing.ms / 1000, words: `"${words.length > 90 ? `${words.slice(0, 90)} ...` : words}"` };
}

async function timeOf(
  sandbox: Sandbox,
  connected: ConnectedN8n,
  { what, fault, most, note }: (typeof cases)[number],
  index: number,
): Promise<Line> {
  const [eventTypeId, start] = [bookable(sandbox).id, freeStart(index)];
  const booking = { event_type_id: eventTypeId, start_time: start, invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com' };
  sandbox.faults.add({ route: 'POST /v1/bookings', times: 'always', ...fault });
  const ours = await failed(connected, { type: connected.nodes.action, parameters: creates(eventTypeId, start) });
  const other = await failed(connected, {
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    parameters: {
      method: 'POST',
      url: `${sandbox.baseUrl}/bookings`,
      authentication: 'predefinedCredentialType',
      nodeCredentialType: connected.credential.type,
      sendBody: true,
      specifyBody: 'json',
      jsonBody: JSON.stringify(booking),
      options: {},
    },
  });
  sandbox.faults.clear();
  const against = `HTTP Request node, ${rounded(other.seconds)} s: ${other.words}`;
  return { what, ours: ours.words, against, figure: ours.seconds, unit: 's', most, note };
}

export const failures: Row = {
  name: 'failures',
  title: 'From a failure of Create Booking to its words, in n8n',
  run: () =>
    inN8n(10, async (connected, sandbox) => {
      const lines: Line[] = [];
      for (const [index, each] of cases.entries()) lines.push(await timeOf(sandbox, connected, each, index));
      return lines;
    }),
};
