/** A wait that has a time limit. */
export interface Waiting {
  /** When the limit ends, on the clock of `performance`. */
  readonly until: number;
  readonly late: () => void;
}

/**
 * Ends waits that take too long, with one timer for all of them: a timer for each request would cost more than reading its body. The timer
 * keeps no process running.
 */
export class Patience {
  readonly #waiting = new Set<Waiting>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakesAt = Infinity;

  /**
   * @param late called when the time is over, unless {@link end} was called before
   * @param milliseconds how long to wait
   */
  begin(late: () => void, milliseconds: number): Waiting {
    const waiting = { until: performance.now() + milliseconds, late };
    this.#waiting.add(waiting);
    if (waiting.until < this.#wakesAt) this.#wakeAt(waiting.until);
    return waiting;
  }

  end(waiting: Waiting): void {
    this.#waiting.delete(waiting);
  }

  #wakeAt(time: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = time;
    this.#timer = setTimeout(() => this.#wake(), Math.max(1, Math.ceil(time - performance.now())));
    this.#timer.unref();
  }

  #wake(): void {
    const now = performance.now();
    this.#wakesAt = Infinity;
    for (const waiting of this.#waiting) {
      if (waiting.until > now) continue;
      this.#waiting.delete(waiting);
      waiting.late();
    }
    const next = Math.min(...Array.from(this.#waiting, ({ until }) => until));
    if (next < this.#wakesAt) this.#wakeAt(next);
  }
}
