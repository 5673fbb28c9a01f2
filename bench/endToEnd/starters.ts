import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../sandbox/service.ts';
import type { ConnectedN8n } from '../../scripts/n8n/connected.ts';
import { listExecutions } from '../../scripts/n8n/executions.ts';
import { createWorkflow, publish } from '../../scripts/n8n/workflows.ts';
import type { CalCom } from '../../scripts/queue/calcom.ts';
import { onCalCom, onEvents } from '../../scripts/queue/workflows.ts';
import { freeStart } from '../service/account.ts';

/** A published workflow that starts on one kind of trigger, and what makes it start. */
export interface Starter {
  name: string;
  workflowId: string;
  /** Makes one event happen: when it returns, the event is committed and its delivery about to leave. */
  send(): void;
  /** Resolves when n8n has taken all that was sent; throws where it refused one. */
  answered(): Promise<void>;
}

/** Bookings of one account of the sandbox, delivered by it. */
function fromSandbox(sandbox: Sandbox, name: string, workflowId: string, accountId: string): Starter {
  let booked = 0;
  return {
    name,
    workflowId,
    send: () => {
      sandbox.host.book({ start_time: freeStart(booked) }, accountId);
      booked += 1;
    },
    async answered() {
      await sandbox.settled();
      const open = sandbox.deliveries().filter(({ account_id: account, status }) => account === accountId && status !== 'delivered');
      if (open.length > 0) throw new Error(`${name} did not take ${open.length} deliveries: ${open[0]?.attempts[0]?.error ?? 'no answer'}.`);
    },
  };
}

/** Our trigger, on an account of its own. */
export async function ourTrigger(sandbox: Sandbox, connected: ConnectedN8n): Promise<Starter> {
  const { id } = await createWorkflow(connected.session, onEvents(connected, ['BOOKING_CREATED']));
  await publish(connected.session, id);
  return fromSandbox(sandbox, 'ours', id, sandbox.account.id);
}

/** A Webhook node that takes what comes, on another account. */
export async function bareWebhook(sandbox: Sandbox, { session, n8n }: ConnectedN8n): Promise<Starter> {
  const path = randomUUID();
  const webhook = { id: randomUUID(), name: 'Start', type: 'n8n-nodes-base.webhook', typeVersion: 2, position: [0, 0] as [number, number], parameters: { httpMethod: 'POST', path }, webhookId: path };
  const nothing = { id: randomUUID(), name: 'Then', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [220, 0] as [number, number], parameters: {} };
  const { id } = await createWorkflow(session, { name: 'On calls', nodes: [webhook, nothing], connections: { Start: { main: [[{ node: 'Then', type: 'main', index: 0 }]] } } });
  await publish(session, id);
  const account = sandbox.addAccount();
  sandbox.host.addSecretlessSubscription({ url: `${n8n.origin}/webhook/${path}`, events: ['BOOKING_CREATED'] }, account.id);
  return fromSandbox(sandbox, 'bare Webhook node', id, account.id);
}

/** n8n's own trigger for Cal.com, with bookings of the same size, signed as Cal.com signs them. */
export async function calComTrigger(sandbox: Sandbox, { session }: ConnectedN8n, calCom: CalCom): Promise<Starter> {
  const { id } = await createWorkflow(session, await onCalCom(session, calCom.origin));
  await publish(session, id);
  const [booking = {}] = sandbox.bookings().slice(-1);
  let sent: Promise<number>[] = [];
  return {
    name: "n8n's Cal.com trigger",
    workflowId: id,
    send: () => void sent.push(calCom.deliver(booking, randomUUID())),
    async answered() {
      const statuses = await Promise.all(sent);
      sent = [];
      const refused = statuses.filter((status) => status !== 200);
      if (refused.length > 0) throw new Error(`n8n's Cal.com trigger did not take ${refused.length} deliveries: status ${refused[0]}.`);
    },
  };
}

/** Milliseconds from an event's commit to the start of its execution, by the clock of this machine. */
export async function delayOf({ session }: ConnectedN8n, starter: Starter): Promise<number> {
  const before = new Set((await listExecutions(session, starter.workflowId)).map(({ id }) => id));
  starter.send();
  const at = Date.now();
  for (const deadline = at + 30_000; Date.now() < deadline; await sleep(50)) {
    const started = (await listExecutions(session, starter.workflowId)).find(({ id, startedAt }) => !before.has(id) && startedAt != null);
    if (started?.startedAt != null) {
      await starter.answered();
      return Date.parse(started.startedAt) - at;
    }
  }
  throw new Error(`No execution of ${starter.name} began within 30 seconds.`);
}

/** Deliveries a second that n8n takes of a burst, counted from when all are on their way: what the sender spends on making them is not n8n's. */
export async function rateOf(starter: Starter, burst: number): Promise<number> {
  for (let each = 0; each < burst; each += 1) starter.send();
  const at = performance.now();
  await starter.answered();
  return burst / ((performance.now() - at) / 1000);
}
