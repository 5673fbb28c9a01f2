import type { Clock } from '../client/transport.ts';

/** Runs work with the same key one after another, in the order in which it came. Work with other keys is not delayed. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  get isBusy(): boolean {
    return this.#last.size > 0;
  }

  async run<Result>(key: string, clock: Clock, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key);
    // A run that was cancelled while it waited must not send anything: its clock throws.
    const result = before === undefined ? work() : before.then(() => clock.sleep(0)).then(work);
    const over = result.then(ignore, ignore);
    this.#last.set(key, over);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === over) this.#last.delete(key);
    }
  }
}

const ignore = (): void => undefined;
