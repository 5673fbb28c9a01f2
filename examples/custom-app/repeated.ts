/** How often something is repeated. Milliseconds. */
export interface Pace {
  everyMs: number;
  /** After a failure, and at the earliest after the last time if somebody asks for it with {@link Repeated.soon}. */
  soonMs: number;
}

/** Something that is done again and again until it ends: at a steady pace, and sooner after a failure. */
export class Repeated {
  readonly #work: () => Promise<void>;
  readonly #pace: Pace;
  readonly #failed: (error: unknown) => void;
  #running: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastAt = 0;
  #isOn = false;

  /** @param failed called with the error of each failure after the first time */
  constructor(work: () => Promise<void>, pace: Pace, failed: (error: unknown) => void) {
    this.#work = work;
    this.#pace = pace;
    this.#failed = failed;
  }

  /** Does it for the first time. @throws the error of the work, which is nevertheless repeated */
  begin(): Promise<void> {
    this.#isOn = true;
    return this.#run();
  }

  soon(): void {
    this.#next(Math.max(0, this.#lastAt + this.#pace.soonMs - Date.now()));
  }

  /** Ends it, once the running work has finished. */
  async end(): Promise<void> {
    this.#isOn = false;
    clearTimeout(this.#timer);
    await this.#running.catch(() => undefined);
  }

  async #run(): Promise<void> {
    this.#lastAt = Date.now();
    this.#running = this.#work();
    let waitMs = this.#pace.soonMs;
    try {
      await this.#running;
      waitMs = this.#pace.everyMs;
    } finally {
      this.#next(waitMs);
    }
  }

  #next(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (this.#isOn) this.#timer = setTimeout(() => void this.#run().catch(this.#failed), milliseconds);
  }
}
