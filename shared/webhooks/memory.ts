/**
 * A bounded memory of deliveries that were acted on; full, it forgets the oldest tenth. It lives in one process and is a
 * best effort: what must be exact de-duplicates by `delivery_id` in a database.
 */
export class DeliveryMemory {
  readonly #seen = new Set<string>();
  readonly #most: number;

  constructor(most = 10_000) {
    this.#most = most;
  }

  /** Claims a delivery by its keys: true for the first to ask, false where any of the keys was claimed before. */
  claim(keys: readonly string[]): boolean {
    const first = keys.every((key) => !this.#seen.has(key));
    for (const key of keys) this.#seen.add(key);
    // Not one by one: a set finds its oldest by passing over the places of all that it has forgotten before.
    if (this.#seen.size > this.#most) this.release([...this.#seen].slice(0, -Math.ceil(this.#most * 0.9)));
    return first;
  }

  /** Gives a claim back, so that the sender's next try is acted on. */
  release(keys: readonly string[]): void {
    for (const key of keys) this.#seen.delete(key);
  }
}
