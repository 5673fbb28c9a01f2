import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../sandbox/service.ts';
import type { ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { listExecutions } from '../../tools/rigs/n8n/executions.ts';
import { createWorkflow, publish } from '../../tools/rigs/n8n/workflows.ts';
import type { CalCom } from '../../tools/rigs/queue/calcom.ts';
import { onCalCom, onEvents } from '../../tools/rigs/queue/workflows.ts';
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
      if (open.length > 0)
        throw new Error(`${name} did not take ${open.length} deliveries: ${open[0]?.attempts[0]?.error ?? 'no answer'}.`);
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
  const webhook = {
    id: randomUUID(),
    name: 'Start',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    position: [0, 0] as [number, number],
    parameters: { httpMethod: 'POST', path },
    webhookId: path,
  };
  const nothing = {
    id: randomUUID(),
    name: 'Then',
    type: 'n8n-nodes-base.noOp',
    typeVersion: 1,
    position: [220, 0] as [number, number],
    parameters: {},
  };
  const { id } = await createWorkflow(session, {
    name: 'On calls',
    nodes: [webhook, nothing],
    connections: { Start: { main: [[{ node: 'Then', type: 'main', index: 0 }]] } },
  });
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

/** n8n has answered before it has run the execution, stored it and made ready for the next: none of that may fall on what is measured next. */
const restMs = 250;

/** Makes one event happen, and waits until n8n is done with it. @returns when it was committed, by the clock of this machine */
export async function commitOne(starter: Starter): Promise<number> {
  starter.send();
  const at = Date.now();
  // Asking the sender at once would hold up what it is about to send.
  await sleep(restMs);
  await starter.answered();
  return at;
}

/**
 * Milliseconds from each commit to the start of its execution, as n8n has written it down.
 *
 * @param commits of all events that there were, in their order; a hundred at most
 */
export async function delaysOf({ session }: ConnectedN8n, { name, workflowId }: Starter, commits: readonly number[]): Promise<number[]> {
  const executions = (await listExecutions(session, workflowId)).sort((a, b) => Number(a.id) - Number(b.id));
  const starts = executions.flatMap(({ startedAt }) => (startedAt == null ? [] : Date.parse(startedAt)));
  if (starts.length !== commits.length) throw new Error(`${commits.length} events began ${starts.length} executions of ${name}.`);
  return commits.map((at, index) => (starts[index] ?? Number.NaN) - at);
}

/**
 * Deliveries of a burst that n8n takes in a second of a core's time, all that it does for them included. Where the system
 * does not tell that time, in a second by the clock.
 */
export async function rateOf({ n8n }: ConnectedN8n, starter: Starter, burst: number): Promise<number> {
  const spentMs = () => n8n.processorMs() ?? performance.now();
  const before = spentMs();
  for (let each = 0; each < burst; each += 1) starter.send();
  await starter.answered();
  await sleep(restMs);
  return burst / ((spentMs() - before) / 1000);
}
