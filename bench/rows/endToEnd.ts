import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { listExecutions } from '../../tools/rigs/n8n/executions.ts';
import { chain, createWorkflow, nothing, onEvents, publish, START, type WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { atMost, comparing, inTurns, type Line, type Row } from '../report.ts';
import { freeStart, inN8n } from '../stage.ts';

/** When n8n answers, it has yet to run the execution and to store it. That may not affect the next measurement. */
const restMs = 250;

/** With this setting of n8n, its own Webhook node gets an isolate for expressions too. */
const alike = { N8N_EXPRESSION_ENGINE_ALLOW_WEBHOOK_ISOLATE_SKIP: 'false' };
const note =
  'By default, n8n starts its own Webhook node without the isolate in which it evaluates expressions. No other node can do without. The first line gives it to both, which compares their own work.';

async function line(what: string, extra: Record<string, string>, most: number): Promise<Line> {
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
      return { ...comparing(what, medians, ours, bare, atMost(most)), note };
    },
    { extra },
  );
}

export const endToEnd: Row = {
  name: 'end-to-end',
  title: 'From the booking to the start of the execution, in n8n',
  run: async () => [await line('trigger, both with an isolate', alike, 1.1), await line('trigger, default settings', {}, 3)],
};
