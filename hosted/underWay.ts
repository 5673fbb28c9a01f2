/** So many are anybody's: an ordinary conversation has no more under way at once. */
const ordinary = 4;

/** Counts what is under way. Beyond what is {@link ordinary}, nobody has more than are left for all others, however many take all they can. */
export class UnderWay {
  readonly #most: { ofOne: number; ofAll: number };
  readonly #of = new Map<string, number>();
  #all = 0;

  constructor(most: { ofOne: number; ofAll: number }) {
    this.#most = most;
  }

  /** @returns what to call when it is over; `undefined` if there are too many */
  enter(who: string): (() => void) | undefined {
    const own = this.#of.get(who) ?? 0;
    if (own >= Math.max(ordinary, Math.min(this.#most.ofOne, this.#most.ofAll - this.#all))) return undefined;
    this.#of.set(who, own + 1);
    this.#all += 1;
    return () => {
      this.#all -= 1;
      const left = (this.#of.get(who) ?? 1) - 1;
      if (left === 0) this.#of.delete(who);
      else this.#of.set(who, left);
    };
  }
}
