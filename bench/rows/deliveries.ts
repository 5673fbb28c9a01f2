import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listExecutions } from '../../tools/rigs/n8n/executions.ts';
import { createCredential } from '../../tools/rigs/n8n/session.ts';
import { chain, createWorkflow, nothing, onEvents, publish, START } from '../../tools/rigs/n8n/workflows.ts';
import { rounded, type Row } from '../report.ts';
import { freeStart, inN8n, processorTime } from '../stage.ts';

/** So many deliveries one after another, in turns. n8n lists a hundred executions. */
const [batch, turns, warmUp] = [10, 8, 2];
/** n8n answers a delivery before it has run and stored the execution. Milliseconds. */
const restMs = 1_500;

/** What Cal.com's API does when n8n publishes its trigger: it has no webhooks, and takes one. */
async function openCal() {
  const taken: { subscriberUrl: string; secret: string }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method === 'POST') taken.push((await json(request)) as (typeof taken)[number]);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ status: 'success', data: request.method === 'POST' ? { id: randomUUID() } : [] }));
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, taken, close: () => server.close() };
}

export const deliveries: Row = {
  name: 'deliveries',
  title: 'Processor time of n8n for a delivery',
  run: () =>
    inN8n(10, async (connected, sandbox) => {
      const { session, n8n } = connected;
      const cal = await openCal();
      try {
        const data = { apiKey: 'cal_live_bench', host: cal.host };
        const { id, name } = await createCredential(session, { name: 'Cal.com', type: 'calApi', data });
        const other = {
          ...{ name: START, type: 'n8n-nodes-base.calTrigger', typeVersion: 3, webhookId: randomUUID() },
          ...{ parameters: { events: ['BOOKING_CREATED'] }, credentials: { calApi: { id, name } } },
        };
        const theirs = await createWorkflow(session, chain('Cal.com', [other, nothing]));
        const ours = await createWorkflow(session, onEvents(connected, { events: ['BOOKING_CREATED'] }));
        for (const workflow of [theirs, ours]) await publish(session, workflow.id);
        const [hook] = cal.taken;
        if (hook === undefined) throw new Error("n8n's Cal trigger made no webhook.");

        let booked = 0;
        const book = () => sandbox.host.book({ start_time: freeStart((booked += 1)) });
        const sample = book();
        async function toCal(): Promise<void> {
          const body = JSON.stringify({ triggerEvent: 'BOOKING_CREATED', createdAt: new Date().toISOString(), payload: sample });
          const signature = createHmac('sha256', hook?.secret ?? '')
            .update(body)
            .digest('hex');
          const headers = { 'content-type': 'application/json', 'x-cal-signature-256': signature };
          const { status } = await fetch(hook?.subscriberUrl ?? '', { method: 'POST', headers, body });
          if (status !== 200) throw new Error(`n8n answered ${status}.`);
        }
        async function toUs(): Promise<void> {
          book();
          await sandbox.settled();
        }
        const used = { ours: 0, theirs: 0 };
        for (let turn = -warmUp; turn < turns; turn += 1)
          for (const [key, deliver] of [
            ['ours', toUs],
            ['theirs', toCal],
          ] as const) {
            const before = await processorTime(n8n.pid);
            for (let count = 0; count < batch; count += 1) await deliver();
            await sleep(restMs);
            if (turn >= 0) used[key] += (await processorTime(n8n.pid)) - before;
          }
        for (const workflow of [ours, theirs])
          if ((await listExecutions(session, workflow.id)).length < batch * (turns + warmUp))
            throw new Error(`Not every delivery to "${workflow.name}" began an execution.`);
        const each = (total: number): string => `${rounded(total / (batch * turns))} ms a delivery`;
        return [
          {
            what: 'Booking Created, verified, to the end of the execution',
            ours: each(used.ours),
            against: `n8n's own Cal trigger: ${each(used.theirs)}`,
            figure: used.ours / used.theirs,
            unit: 'x',
            most: 1.2,
          },
        ];
      } finally {
        cal.close();
      }
    }),
};
