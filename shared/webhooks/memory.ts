/** How many deliveries a process remembers at least. */
export const rememberedDeliveries = 10_000;

/** The same in keys: a delivery is known by its id and by its bytes. */
export const rememberedKeys = 2 * rememberedDeliveries;

/**
 * A bounded memory of deliveries that were acted on. It lives in one process and is a best effort: what must be exact
 * de-duplicates by `delivery_id` in a database.
 */
export class DeliveryMemory {
  readonly #seen = new Set<string>();
  readonly #least: number;

  /** @param least keys that are remembered in any case; at a tenth more the oldest are forgotten */
  constructor(least = rememberedKeys) {
    this.#least = least;
  }

  /** Claims a delivery by its keys: true for the first to ask, false where any of the keys was claimed before. */
  claim(keys: readonly string[]): boolean {
    const first = keys.every((key) => !this.#seen.has(key));
    for (const key of keys) this.#seen.add(key);
    // Not one by one: a set finds its oldest by passing over the places of all that it has forgotten before.
    if (this.#seen.size > this.#least * 1.1) this.release([...this.#seen].slice(0, -this.#least));
    return first;
  }

  /** Gives a claim back, so that the sender's next try is acted on. */
  release(keys: readonly string[]): void {
    for (const key of keys) this.#seen.delete(key);
  }
}
