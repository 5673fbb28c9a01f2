import { openForMs, PendingWrites, type Store } from '../../shared/api/pendingWrites.ts';

/**
 * The open writes of one account, as long as this process lives: "Retry On Fail" runs the node again in it, and then looks
 * before it sends. Another run may be another process's, so nobody is told to count on it. What is open is forgotten after a
 * day, and never to make room.
 */
export const pendingWritesHere = (): PendingWrites => new PendingWrites(new MemoryStore());

class MemoryStore implements Store {
  readonly isPrivate = true;
  readonly #kept = new Map<string, { value: unknown; until: number }>();

  get isEmpty(): boolean {
    this.#forgetOld();
    return this.#kept.size === 0;
  }

  async get(key: string): Promise<unknown> {
    this.#forgetOld();
    return this.#kept.get(key)?.value;
  }

  async set(key: string, value: unknown): Promise<boolean> {
    this.#kept.delete(key);
    this.#kept.set(key, { value, until: Date.now() + openForMs });
    return false;
  }

  async delete(key: string): Promise<void> {
    this.#kept.delete(key);
  }

  #forgetOld(): void {
    for (const [key, { until }] of this.#kept) {
      if (until > Date.now()) break;
      this.#kept.delete(key);
    }
  }
}
