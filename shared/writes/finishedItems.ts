import type { ServiceRecord } from '../records/fields.ts';
import type { Clock } from '../client/ports.ts';

/** One run that the host may repeat as a whole, with the results of its items so far. */
export class RepeatableRun {
  readonly name: string;
  readonly #done = new Map<string, Promise<ServiceRecord>>();
  /** Whether any item was done or attempted. */
  isBegun = false;
  /** How many attempts are running, and when the last one ended. Milliseconds since the epoch. */
  working = 0;
  endedAt = 0;
  /** The names of its attempts, and, once an attempt has failed, what identifies it to a later execution that repeats it. */
  readonly tries = new Set<string>();
  failedAs: string | undefined;
  /** Whether the last attempt left an item undone. */
  isUndone = false;

  constructor(name: string) {
    this.name = name;
  }

  /**
   * The result of an item: from an earlier attempt, from one that is still running, or else from this work. An item that fails can be
   * attempted again.
   */
  async once(item: string, work: () => Promise<ServiceRecord>): Promise<ServiceRecord> {
    this.isBegun = true;
    const earlier = this.#done.get(item);
    if (earlier !== undefined) return earlier;
    const doing = work();
    this.#done.set(item, doing);
    try {
      return await doing;
    } catch (error) {
      this.#done.delete(item);
      throw error;
    }
  }
}

/** Longer than any host waits between two attempts, and long enough for a person who presses Retry. Milliseconds. */
const keptForMs = 10 * 60 * 1000;

/**
 * The runs that a host may repeat for every item, although the items that succeeded must not be done twice. "Retry On Fail" runs a whole
 * node again, and a person can retry a failed execution, which is then a new one. An item is identified by its run and its position, never
 * by its values, because an expression may change these between attempts.
 *
 * Only the host knows when a run is over: it may treat a success as a failure. So results are kept for ten minutes, whatever the outcome.
 */
export class Runs {
  readonly #kept = new Set<RepeatableRun>();

  /**
   * @param name the same for each attempt of a run, and different for all other runs
   * @param failedAs set if the host repeats an earlier run under another name: then the last run that failed as this one counts as the same
   */
  begin(name: string, clock: Clock, failedAs?: string): RepeatableRun {
    const now = clock.now();
    for (const each of this.#kept) if (each.working === 0 && now - each.endedAt > keptForMs) this.#kept.delete(each);
    const runs = [...this.#kept].reverse();
    const run =
      runs.find(({ tries }) => tries.has(name)) ??
      (failedAs === undefined ? undefined : repeated(runs, failedAs)) ??
      new RepeatableRun(name);
    this.#kept.delete(run);
    this.#kept.add(run);
    run.tries.add(name);
    run.working += 1;
    return run;
  }

  /** @param failedAs identifies this run to a later execution that repeats it; `undefined` if every item succeeded */
  end(run: RepeatableRun, clock: Clock, failedAs: string | undefined): void {
    run.working -= 1;
    run.endedAt = clock.now();
    run.failedAs = failedAs ?? run.failedAs;
    run.isUndone = failedAs !== undefined;
    if (!run.isBegun && run.working === 0) this.#kept.delete(run);
  }
}

/** The run to repeat. If several are equal, each is repeated once; one that has been completed since only if there is no other. */
function repeated(latestFirst: readonly RepeatableRun[], failedAs: string): RepeatableRun | undefined {
  const rank = ({ isUndone, working }: RepeatableRun): number => (isUndone ? 2 : 0) + (working === 0 ? 1 : 0);
  return latestFirst.filter((run) => run.failedAs === failedAs).sort((a, b) => rank(b) - rank(a))[0];
}
