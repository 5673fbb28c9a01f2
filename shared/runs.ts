import type { Clock } from './api/transport.ts';
import type { ServiceRecord } from './api/records.ts';

/** One run of a host that may carry it out again as a whole: what its items have done already. */
export class Run {
  readonly name: string;
  readonly #outcomes = new Map<string, ServiceRecord[]>();
  /** How many are at work on it, and when the last one ended. */
  working = 0;
  endedAt = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** What an item ended in at an earlier try; `undefined` where it has not succeeded yet. */
  outcomeOf(item: string): ServiceRecord[] | undefined {
    return this.#outcomes.get(item);
  }

  keep(item: string, records: ServiceRecord[]): void {
    this.#outcomes.set(item, records);
  }
}

/** Longer than any host waits between two tries. Milliseconds. */
const keptForMs = 10 * 60 * 1000;

/**
 * The runs that a host may carry out again. "Retry On Fail" runs a whole node again, for every item: what went through must not
 * be done twice. An item is known by its run and its place, never by its values, which an expression may change from one try to
 * the next. A run is forgotten as a whole, once no try can follow any more: after its success, or ten minutes after its end.
 */
export class Runs {
  readonly #runs = new Map<string, Run>();

  /** @param name the same for each try of a run, and for no other run */
  begin(name: string, clock: Clock): Run {
    const now = clock.now();
    for (const [key, { working, endedAt }] of this.#runs) if (working === 0 && now - endedAt > keptForMs) this.#runs.delete(key);
    const run = this.#runs.get(name) ?? new Run(name);
    this.#runs.set(name, run);
    run.working += 1;
    return run;
  }

  /** @param isOver whether every item went through: then no try follows */
  end(run: Run, clock: Clock, isOver: boolean): void {
    run.working -= 1;
    run.endedAt = clock.now();
    if (isOver && run.working === 0) this.#runs.delete(run.name);
  }
}
