/**
 * When the last requests passed: at most `most` in any window. A burst is let through at once; a window is counted from
 * each request and not from the first.
 */
export class RollingWindow {
  readonly most: number;
  readonly #milliseconds: number;
  /** The moments of the last `most` requests, the oldest first. */
  readonly #passed: number[] = [];

  /** @param milliseconds how long it is */
  constructor(most: number, milliseconds: number) {
    this.most = most;
    this.#milliseconds = milliseconds;
  }

  /** Milliseconds until one more may pass, so that there are at most so many in the window; 0 or less: now. */
  wait(now: number, most = this.most): number {
    const oldest = this.#passed.at(-most);
    return oldest === undefined ? 0 : oldest + this.#milliseconds - now;
  }

  /** One passes. */
  add(now: number): void {
    this.#passed.push(now);
    if (this.#passed.length > this.most) this.#passed.shift();
  }
}
