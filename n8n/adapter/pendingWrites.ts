import { openForMs, PendingWrites, type Store } from '../../shared/api/pendingWrites.ts';

/**
 * The open writes of one account, while this process lives. "Retry On Fail" runs the node again in the same process, which then looks
 * before it sends. Other runs may be in another process, so none is promised to find a write. Open writes are forgotten after a day, and
 * never to make room.
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
