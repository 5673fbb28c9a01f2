import { RETRY_DELAYS_MS, TIMEOUT_MS } from '../../sandbox/tries.ts';
import { VirtualTime } from '../../tools/rigs/simulation/virtualTime.ts';

const MINUTE_MS = 60_000;
const MINUTES = 10;
const UNSETTLED_MINUTES = 4;

/** What takes deliveries, and how many come. Each process has a core of its own. */
export interface Plant {
  /** Of all accounts together. */
  deliveriesAMinute: number;
  processors: number;
  workers: number;
  /** What one delivery costs: the processor that takes it, and the worker that executes what it starts. */
  cost: { processorMs: number; workerMs: number };
}

export interface Delivered {
  /** Executions that ended in each minute from the fifth on. */
  perMinute: number;
  /** From the event to the end of the execution, in seconds: the middle one of those executions. */
  seconds: number;
  /** The share of deliveries that were answered too late, or never, at their first try. */
  sentAgain: number;
}

/** More than this many a minute, that is more than its cores can carry, such a set-up never executes. */
export const mostAMinute = ({ processors, workers, cost }: Omit<Plant, 'deliveriesAMinute'>): number =>
  Math.min((processors * MINUTE_MS) / cost.processorMs, (workers * MINUTE_MS) / cost.workerMs);

/** One core, or several that take from one queue: what comes first is done first. */
function cores(count: number, costMs: number, time: VirtualTime): () => number {
  const free = Array.from({ length: count }, () => 0);
  return () => {
    const first = free.indexOf(Math.min(...free));
    // Half as much, or half as much again: no two are alike.
    const done = Math.max(time.now(), free[first] ?? 0) + costMs * (0.5 + time.random());
    free[first] = done;
    return done;
  };
}

/**
 * What becomes of deliveries that come by chance: each goes to the processor that its id chooses, at every try, which answers
 * when it has taken it, and then waits for a worker. The service sends again what is not answered in time, and a processor
 * that knows the delivery spends as much on it once more, and starts nothing.
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
    // From event to event in fractions of a millisecond: what is rounded would add up.
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
