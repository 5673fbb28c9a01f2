import type { Clock } from './ports.ts';

/** Runs work with the same key one after another, in order of arrival. Work with other keys is not delayed. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  get isBusy(): boolean {
    return this.#last.size > 0;
  }

  /** Whether work with this key is running or waiting. */
  isBusyWith(key: string): boolean {
    return this.#last.has(key);
  }

  /** @param clock of a run that may be cancelled while it waits: its `sleep` then throws, and the work must not begin */
  async run<Result>(key: string, clock: Pick<Clock, 'sleep'> | undefined, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key);
    const result = before === undefined ? work() : before.then(() => clock?.sleep(0)).then(work);
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
