import { setTimeout as sleep } from 'node:timers/promises';
import { RETRY_DELAYS_MS } from '../../../sandbox/tries.ts';
import type { Sandbox } from '../../../sandbox/service.ts';
import type { Execution } from '../n8n/executions.ts';
import type { Cluster, Member } from './cluster.ts';
import { allExecutions, executionsEnded, executionsOn } from './executed.ts';

/** How many deliveries are sent at the same time: enough to keep every process busy, few enough that each is answered in time. */
const WIDTH = 12;
const HOUR_MS = 60 * 60_000;
/** If nothing was accepted for this long, the remaining deliveries count as not accepted. */
const STUCK_MS = 60_000;

/** The results of many deliveries. */
export interface LoadReport {
  sent: number;
  /** Accepted in the end, with a 2xx. */
  accepted: number;
  /** Deliveries that started a successful execution. */
  executed: number;
  /** Accepted, but nothing was executed. */
  lost: number;
  /** More executions than one for the same delivery. */
  twice: number;
  /** Tries that were not accepted, by the status that the sender got; 0 means no answer within ten seconds. */
  refused: Record<string, number>;
  /** The time from the first one sent to the last one accepted, and to the end of the last execution. */
  seconds: { accepted: number; executed: number };
  /** How many of the executions each worker ran. */
  workers: Record<string, number>;
  /**
   * The processor time for each, in milliseconds: webhook processors for a delivery, workers for an execution. NaN if the system does not
   * report it.
   */
  cost: { processorMs: number; workerMs: number };
}

/** Where deliveries go: a published workflow, and how to recognise a delivery in its items. */
export interface Target {
  cluster: Cluster;
  workflowId: string;
  keyOf: (execution: Execution) => unknown;
}

/** Makes bookings as fast as their deliveries are accepted. The service itself delivers them, and sends again what is not accepted. */
export async function loadFromService(sandbox: Sandbox, target: Target, count: number): Promise<LoadReport> {
  const eventType = sandbox
    .eventTypes()
    .find(({ active, requires_approval, questions }) => active && !requires_approval && !questions.some(({ required }) => required));
  if (eventType === undefined) throw new Error('The service has no event type that can be booked without approval and without answers.');
  const earlier = new Set(sandbox.deliveries().map(({ id }) => id));
  const answered = () => target.cluster.taken.size;
  const first = answered();
  const taken = async (enough: number): Promise<boolean> => {
    for (let last = answered(), moved = Date.now(); answered() - first < enough; await sleep(5)) {
      if (answered() !== last) [last, moved] = [answered(), Date.now()];
      else if (Date.now() - moved > STUCK_MS) return false;
    }
    return true;
  };
  const bookings = sandbox.bookings().length;
  const [before, started] = [spentOn(target.cluster), Date.now()];
  for (let index = 0; index < count; index += 1) {
    const start_time = new Date(Date.UTC(2035, 0, 1) + (bookings + index) * HOUR_MS).toISOString();
    sandbox.host.book({ event_type_id: eventType.id, start_time, invitee_name: `Invitee ${index}`, invitee_email: 'many@example.com' });
    if (!(await taken(index + 2 - WIDTH))) break;
  }
  // Sends now what still waits for its next try.
  while (!(await taken(count)) && sandbox.deliveries().some(({ status }) => status === 'pending'))
    await sandbox.clock.advance(Math.max(...RETRY_DELAYS_MS));
  await sandbox.settled();
  const acceptedAt = Date.now();
  const deliveries = sandbox
    .deliveries()
    .filter(({ id, event, url }) => !earlier.has(id) && event === 'BOOKING_CREATED' && url.startsWith(target.cluster.origin));
  const refused: Record<string, number> = {};
  for (const { status } of deliveries.flatMap(({ attempts }) => attempts))
    if (status !== 200) refused[status ?? 0] = (refused[status ?? 0] ?? 0) + 1;
  const keys = deliveries.map(({ id }) => id);
  return report(target, {
    keys,
    taken: deliveries.filter(({ status }) => status === 'delivered').map(({ id }) => id),
    refused,
    started,
    before,
    acceptedAt,
  });
}

/**
 * The same from any other sender. It tries each delivery until it is accepted, as often as the service would.
 *
 * @param deliver sends the delivery with this key once and returns the status of the answer
 */
export async function loadFrom(deliver: (key: string) => Promise<number>, target: Target, count: number): Promise<LoadReport> {
  const refused: Record<string, number> = {};
  const taken: string[] = [];
  const [before, started] = [spentOn(target.cluster), Date.now()];
  const keys = Array.from({ length: count }, (_, index) => `delivery-${index}`);
  const queue = keys.values();
  const sender = async (): Promise<void> => {
    for (const key of queue) {
      for (const wait of [1_000, 5_000, 30_000, 0]) {
        const status = await deliver(key);
        if (status === 200) {
          taken.push(key);
          break;
        }
        refused[status] = (refused[status] ?? 0) + 1;
        await sleep(wait);
      }
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, sender));
  return report(target, { keys, taken, refused, started, before, acceptedAt: Date.now() });
}

interface Spent {
  processors: number;
  workers: number;
}

interface Sent {
  keys: string[];
  taken: string[];
  refused: LoadReport['refused'];
  /** Milliseconds since the epoch. */
  started: number;
  before: Spent;
  acceptedAt: number;
}

/** The processor time that n8n's processes have used so far, in milliseconds. */
function spentOn({ processors, workers }: Cluster): Spent {
  const sum = (members: readonly Member[]): number => members.reduce((total, member) => total + (member.processorMs() ?? Number.NaN), 0);
  return { processors: sum(processors), workers: sum(workers) };
}

async function report(
  { cluster, workflowId, keyOf }: Target,
  { keys, taken, refused, started, before, acceptedAt }: Sent,
): Promise<LoadReport> {
  await executionsEnded(cluster, workflowId, taken.length);
  const spent = spentOn(cluster);
  const times = new Map<unknown, number>(keys.map((key) => [key, 0]));
  const ids = new Set<string>();
  let executedAt = started;
  for await (const execution of allExecutions(cluster, workflowId)) {
    const key = execution.status === 'success' ? keyOf(execution) : undefined;
    const earlier = times.get(key);
    if (earlier === undefined) continue;
    times.set(key, earlier + 1);
    ids.add(execution.id);
    executedAt = Math.max(executedAt, Date.parse(execution.stoppedAt ?? ''));
  }
  return {
    sent: keys.length,
    accepted: taken.length,
    executed: keys.filter((key) => times.get(key) !== 0).length,
    lost: taken.filter((key) => times.get(key) === 0).length,
    twice: keys.filter((key) => (times.get(key) ?? 0) > 1).length,
    refused,
    seconds: { accepted: (acceptedAt - started) / 1000, executed: (executedAt - started) / 1000 },
    cost: { processorMs: (spent.processors - before.processors) / keys.length, workerMs: (spent.workers - before.workers) / ids.size },
    workers: Object.fromEntries(cluster.workers.map((worker) => [worker.name, executionsOn(worker).filter((id) => ids.has(id)).length])),
  };
}
