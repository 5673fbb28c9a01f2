/**
 * Remembers when the last requests passed: at most `max` in any window. A burst passes at once. The window slides: it is counted from each
 * request, not only from the first.
 */
export class RollingWindow {
  readonly max: number;
  readonly #milliseconds: number;
  /** The times of the last `max` requests, oldest first. */
  readonly #passed: number[] = [];

  constructor(max: number, milliseconds: number) {
    this.max = max;
    this.#milliseconds = milliseconds;
  }

  /** Milliseconds until another request may pass, so that there are at most `max` in the window; 0 or less means now. */
  wait(now: number, max = this.max): number {
    const oldest = this.#passed.at(-max);
    return oldest === undefined ? 0 : oldest + this.#milliseconds - now;
  }

  add(now: number): void {
    this.#passed.push(now);
    if (this.#passed.length > this.max) this.#passed.shift();
  }
}
