import { RETRY_DELAYS_MS, TIMEOUT_MS } from '../../sandbox/tries.ts';
import { VirtualTime } from '../../tools/rigs/simulation/virtualTime.ts';

const MINUTE_MS = 60_000;
const MINUTES = 10;
const UNSETTLED_MINUTES = 4;

/** The processes that take deliveries, and how many deliveries come. Each process has a core to itself. */
export interface Plant {
  /** For all accounts together. */
  deliveriesAMinute: number;
  processors: number;
  workers: number;
  /** What one delivery costs: on the processor that takes it, and on the worker that runs the execution it starts. */
  cost: { processorMs: number; workerMs: number };
}

export interface Delivered {
  /** Executions that ended per minute, from the fifth minute on. */
  perMinute: number;
  /** Seconds from the event to the end of the execution: the median of those executions. */
  seconds: number;
  /** The share of deliveries whose first attempt was answered too late, or never. */
  sentAgain: number;
}

/** Such a setup never executes more than this many a minute, because its cores cannot do more. */
export const mostAMinute = ({ processors, workers, cost }: Omit<Plant, 'deliveriesAMinute'>): number =>
  Math.min((processors * MINUTE_MS) / cost.processorMs, (workers * MINUTE_MS) / cost.workerMs);

/** One or more cores that take from one queue, first come, first served. */
function cores(count: number, costMs: number, time: VirtualTime): () => number {
  const free = Array.from({ length: count }, () => 0);
  return () => {
    const first = free.indexOf(Math.min(...free));
    // Between half and one and a half times as much, because no two deliveries cost the same.
    const done = Math.max(time.now(), free[first] ?? 0) + costMs * (0.5 + time.random());
    free[first] = done;
    return done;
  };
}

/**
 * Simulates deliveries that arrive at random. On every attempt, a delivery goes to the processor that its id selects. The processor answers
 * once it has taken the delivery, which then waits for a worker. The service sends a delivery again if it is not answered in time. A
 * processor that recognises a delivery spends as much on it again, but starts nothing.
 */
export async function deliver({ deliveriesAMinute, processors, workers, cost }: Plant): Promise<Delivered> {
  const time = new VirtualTime(7);
  const started = time.now();
  const inside = Array.from({ length: processors }, () => cores(1, cost.processorMs, time));
  const execute = cores(workers, cost.workerMs, time);
  const count = { sent: 0, sentAgain: 0 };
  const delays: number[] = [];

  const start = async (happened: number, taken: number): Promise<void> => {
    await time.sleep(taken - time.now());
    const ended = execute();
    if (ended - started >= UNSETTLED_MINUTES * MINUTE_MS && ended - started < MINUTES * MINUTE_MS) delays.push((ended - happened) / 1000);
  };
  const send = async (): Promise<void> => {
    const happened = time.now();
    const take = inside[Math.floor(time.random() * processors)];
    if (take === undefined) return;
    count.sent += 1;
    const taken = take();
    void start(happened, taken);
    if (taken - happened <= TIMEOUT_MS) return;
    count.sentAgain += 1;
    for (const wait of RETRY_DELAYS_MS) {
      await time.sleep(TIMEOUT_MS + wait);
      if (take() - time.now() <= TIMEOUT_MS) return;
    }
  };
  const happen = async (): Promise<void> => {
    // In fractions of a millisecond from event to event, because rounding errors would add up.
    for (let next = started; next - started < MINUTES * MINUTE_MS; ) {
      next += (-Math.log(1 - time.random()) * MINUTE_MS) / deliveriesAMinute;
      if (next > time.now()) await time.sleep(next - time.now());
      void send();
    }
  };
  await time.during(happen());
  return {
    perMinute: delays.length / (MINUTES - UNSETTLED_MINUTES),
    seconds: delays.sort((a, b) => a - b)[Math.floor(delays.length / 2)] ?? Number.NaN,
    sentAgain: count.sentAgain / count.sent,
  };
}
