import type { ServiceRecord } from '../records/fields.ts';
import type { Clock } from '../client/ports.ts';

/** One run that the host may repeat as a whole: what its items have already done. */
export class RepeatableRun {
  readonly name: string;
  readonly #done = new Map<string, Promise<ServiceRecord>>();
  /** Whether an item was done, or tried. */
  isBegun = false;
  /** How many tries are running, and when the last one ended. */
  working = 0;
  endedAt = 0;
  /** Under which names its tries are known, and what a later execution that repeats it is known by, once a try has failed. */
  readonly tries = new Set<string>();
  failedAs: string | undefined;
  /** Whether the last try left an item undone. */
  isUndone = false;

  constructor(name: string) {
    this.name = name;
  }

  /** The result of an item: of an earlier try, of one that is doing it now, or else of this work. An item that fails can be tried again. */
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

/** Longer than any host waits between two tries, and enough for a person who presses Retry. Milliseconds. */
const keptForMs = 10 * 60 * 1000;

/**
 * The runs that a host may repeat, for every item, of which those that succeeded must not be done twice: "Retry On Fail" runs a whole node
 * again, and a person can retry a failed execution, which is then a new one. An item is known by its run and its place, never by its
 * values, because an expression may change them from one try to the next.
 *
 * Only the host knows when a run is over: it may take a success for a failure. So what was done is kept for ten minutes, whatever came of it.
 */
export class Runs {
  readonly #kept = new Set<RepeatableRun>();

  /**
   * @param name the same for each try of a run, and different for all other runs
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

  /** @param failedAs what a later execution that repeats this run is known by; `undefined` if every item succeeded */
  end(run: RepeatableRun, clock: Clock, failedAs: string | undefined): void {
    run.working -= 1;
    run.endedAt = clock.now();
    run.failedAs = failedAs ?? run.failedAs;
    run.isUndone = failedAs !== undefined;
    if (!run.isBegun && run.working === 0) this.#kept.delete(run);
  }
}

/** The run to repeat. Of several that are equal, each is repeated once; one that was completed since only if there is no other. */
function repeated(latestFirst: readonly RepeatableRun[], failedAs: string): RepeatableRun | undefined {
  const rank = ({ isUndone, working }: RepeatableRun): number => (isUndone ? 2 : 0) + (working === 0 ? 1 : 0);
  return latestFirst.filter((run) => run.failedAs === failedAs).sort((a, b) => rank(b) - rank(a))[0];
}
