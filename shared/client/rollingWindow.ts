/**
 * When the last requests passed: at most `max` in any window. A burst passes at once. A window is counted from each request, not only from
 * the first.
 */
export class RollingWindow {
  readonly max: number;
  readonly #milliseconds: number;
  /** The moments of the last `max` requests, the oldest first. */
  readonly #passed: number[] = [];

  constructor(max: number, milliseconds: number) {
    this.max = max;
    this.#milliseconds = milliseconds;
  }

  /** Milliseconds until one more may pass, so that there are at most `max` in the window; 0 or less means now. */
  wait(now: number, max = this.max): number {
    const oldest = this.#passed.at(-max);
    return oldest === undefined ? 0 : oldest + this.#milliseconds - now;
  }

  add(now: number): void {
    this.#passed.push(now);
    if (this.#passed.length > this.max) this.#passed.shift();
  }
}
