import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../sandbox/service.ts';
import type { ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { listExecutions } from '../../tools/rigs/n8n/executions.ts';
import { createWorkflow, publish } from '../../tools/rigs/n8n/workflows.ts';
import { chain, nothing, onEvents, START } from '../../tools/rigs/queue/workflows.ts';
import { freeStart } from '../service/account.ts';

/** A published workflow that starts on one kind of trigger, and the means to start it. */
export interface Starter {
  name: string;
  workflowId: string;
  /** Makes one event happen. When it returns, the event is committed and its delivery is about to be sent. */
  send(): void;
  /** Resolves when n8n has taken everything that was sent. Throws if n8n refused a delivery. */
  answered(): Promise<void>;
}

/** Bookings of one sandbox account, delivered by the sandbox. */
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

/** Our trigger, with an account of its own. */
export async function ourTrigger(sandbox: Sandbox, connected: ConnectedN8n): Promise<Starter> {
  const { id } = await createWorkflow(connected.session, onEvents(connected, ['BOOKING_CREATED']));
  await publish(connected.session, id);
  return fromSandbox(sandbox, 'ours', id, sandbox.account.id);
}

/** A Webhook node that takes whatever comes, with another account. */
export async function bareWebhook(sandbox: Sandbox, { session, n8n }: ConnectedN8n): Promise<Starter> {
  const path = randomUUID();
  const webhook = {
    name: START,
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    parameters: { httpMethod: 'POST', path },
    webhookId: path,
  };
  const { id } = await createWorkflow(session, chain('On calls', [webhook, nothing]));
  await publish(session, id);
  const account = sandbox.addAccount();
  sandbox.host.addSecretlessSubscription({ url: `${n8n.origin}/webhook/${path}`, events: ['BOOKING_CREATED'] }, account.id);
  return fromSandbox(sandbox, 'bare Webhook node', id, account.id);
}

/**
 * When n8n answers, it has yet to run the execution, store it and get ready for the next one. None of that may affect the next measurement.
 */
const restMs = 250;

/**
 * Makes one event happen and waits until n8n has finished with it.
 * @returns when the event was committed, by the clock of this machine
 */
export async function commitOne(starter: Starter): Promise<number> {
  starter.send();
  const at = Date.now();
  // Asking the sender immediately would delay what it is about to send.
  await sleep(restMs);
  await starter.answered();
  return at;
}

/**
 * Milliseconds from each commit to the start of its execution, as n8n recorded it.
 *
 * @param commits of all events so far, in order; a hundred at most
 */
export async function delaysOf({ session }: ConnectedN8n, { name, workflowId }: Starter, commits: readonly number[]): Promise<number[]> {
  const executions = (await listExecutions(session, workflowId)).sort((a, b) => Number(a.id) - Number(b.id));
  const starts = executions.flatMap(({ startedAt }) => (startedAt == null ? [] : Date.parse(startedAt)));
  if (starts.length !== commits.length) throw new Error(`${commits.length} events began ${starts.length} executions of ${name}.`);
  return commits.map((at, index) => (starts[index] ?? Number.NaN) - at);
}

/**
 * How many deliveries of a burst n8n takes per second of processor time, including everything it does for them. If the system does not
 * report processor time, per second of real time.
 */
export async function rateOf({ n8n }: ConnectedN8n, starter: Starter, burst: number): Promise<number> {
  const spentMs = () => n8n.processorMs() ?? performance.now();
  const before = spentMs();
  for (let each = 0; each < burst; each += 1) starter.send();
  await starter.answered();
  await sleep(restMs);
  return burst / ((spentMs() - before) / 1000);
}
