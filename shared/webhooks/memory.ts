/** The minimum number of deliveries that a process remembers. */
export const rememberedDeliveries = 10_000;

/**
 * A bounded memory of handled deliveries. It belongs to one process and is a best effort: to handle each delivery exactly once, use
 * `delivery_key` in a database.
 *
 * Each receiver has its own place in it. If there are too many entries, the largest place forgets its oldest, so that a flood at one
 * receiver never removes another's entries.
 */
export class DeliveryMemory {
  readonly #places = new Map<string, Set<string>>();
  readonly #least: number;
  #size = 0;

  /** @param least how many keys are always remembered, over all places; some are forgotten once there are a tenth more */
  constructor(least = rememberedDeliveries) {
    this.#least = least;
  }

  /**
   * Claims a delivery by its keys: true for the first caller, false if any of the keys is already claimed. A refused claim changes nothing,
   * so repeats never make the memory forget.
   *
   * @param place the receiver: a key that is claimed in one place is free in every other
   */
  claim(keys: readonly string[], place = ''): boolean {
    const taken = this.#places.get(place) ?? new Set();
    for (const key of keys) if (taken.has(key)) return false;
    const before = taken.size;
    for (const key of keys) taken.add(key);
    this.#keep(place, taken, before);
    if (this.#size > this.#least * 1.1) this.#forget();
    return true;
  }

  /** Releases a claim, so that the sender's next attempt is handled. */
  release(keys: readonly string[], place = ''): void {
    const taken = this.#places.get(place) ?? new Set();
    const before = taken.size;
    for (const key of keys) taken.delete(key);
    this.#keep(place, taken, before);
  }

  #keep(place: string, taken: Set<string>, before: number): void {
    this.#size += taken.size - before;
    if (taken.size === 0) this.#places.delete(place);
    else this.#places.set(place, taken);
  }

  /** The largest place forgets entries, down to its fair share. */
  #forget(): void {
    while (this.#size > this.#least) {
      const [place, taken] = [...this.#places].reduce((largest, each) => (each[1].size > largest[1].size ? each : largest));
      const fairShare = Math.floor(this.#least / this.#places.size);
      const kept = Math.max(fairShare, taken.size - (this.#size - this.#least));
      const before = taken.size;
      for (const key of [...taken].slice(0, before - kept)) taken.delete(key);
      this.#keep(place, taken, before);
    }
  }
}
