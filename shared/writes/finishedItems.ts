import type { ServiceRecord } from '../records/fields.ts';
import type { Clock } from '../client/ports.ts';

/** One run that the host may repeat as a whole: what its items have already done. */
export class Run {
  readonly name: string;
  /** The result of each item that has succeeded in an earlier try. */
  readonly outcomes = new Map<string, ServiceRecord>();
  /** How many tries are running, and when the last one ended. */
  working = 0;
  endedAt = 0;

  constructor(name: string) {
    this.name = name;
  }
}

/** Longer than any host waits between two tries. Milliseconds. */
const keptForMs = 10 * 60 * 1000;

/**
 * The runs that a host may repeat. "Retry On Fail" runs a whole node again, for every item, and items that succeeded must not be done
 * twice. An item is known by its run and its place, never by its values, because an expression may change them from one try to the next. A
 * run is forgotten when no try can follow: after its success, or ten minutes after its end.
 */
export class Runs {
  readonly #runs = new Map<string, Run>();

  /** @param name the same for each try of a run, and different for all other runs */
  begin(name: string, clock: Clock): Run {
    const now = clock.now();
    for (const [key, { working, endedAt }] of this.#runs) if (working === 0 && now - endedAt > keptForMs) this.#runs.delete(key);
    const run = this.#runs.get(name) ?? new Run(name);
    this.#runs.set(name, run);
    run.working += 1;
    return run;
  }

  /** @param isOver whether every item succeeded, so that no try follows */
  end(run: Run, clock: Clock, isOver: boolean): void {
    run.working -= 1;
    run.endedAt = clock.now();
    if (isOver && run.working === 0) this.#runs.delete(run.name);
  }
}
