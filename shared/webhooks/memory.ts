/** How many deliveries a process remembers at least. */
export const rememberedDeliveries = 10_000;

/**
 * A bounded memory of deliveries that were acted on. It lives in one process and is a best effort: what must be exact
 * de-duplicates by `delivery_key` in a database.
 *
 * Each receiver has a place of its own in it. Where there are too many, the place that holds the most forgets its oldest:
 * so nobody's flood pushes out what somebody else has received.
 */
export class DeliveryMemory {
  readonly #places = new Map<string, Set<string>>();
  readonly #least: number;
  #size = 0;

  /** @param least keys that are remembered in any case, over all places; at a tenth more some are forgotten */
  constructor(least = rememberedDeliveries) {
    this.#least = least;
  }

  /**
   * Claims a delivery by its keys: true for the first to ask, false where any of them was claimed before. A refused claim
   * leaves everything as it was, so that no number of repeats makes the memory forget.
   *
   * @param place who received it: what one place has claimed is free in every other
   */
  claim(keys: readonly string[], place = ''): boolean {
    const taken = this.#places.get(place) ?? new Set();
    if (keys.some((key) => taken.has(key))) return false;
    const before = taken.size;
    for (const key of keys) taken.add(key);
    this.#keep(place, taken, before);
    if (this.#size > this.#least * 1.1) this.#forget();
    return true;
  }

  /** Gives a claim back, so that the sender's next try is acted on. */
  release(keys: readonly string[], place = ''): void {
    const taken = this.#places.get(place) ?? new Set();
    const before = taken.size;
    for (const key of keys) taken.delete(key);
    this.#keep(place, taken, before);
  }

  #keep(place: string, taken: Set<string>, before: number): void {
    this.#size += taken.size - before;
    if (taken.size > 0) this.#places.set(place, taken);
    else this.#places.delete(place);
  }

  /** Each time the largest place gives, down to its fair share. Not key by key: a set finds its oldest by passing over all that it has lost. */
  #forget(): void {
    while (this.#size > this.#least) {
      const [place, taken] = [...this.#places].reduce((largest, each) => (each[1].size > largest[1].size ? each : largest));
      const fairShare = Math.floor(this.#least / this.#places.size);
      const kept = Math.max(fairShare, taken.size - (this.#size - this.#least));
      this.#keep(place, new Set([...taken].slice(taken.size - kept)), taken.size);
    }
  }
}
