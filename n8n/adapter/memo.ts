/**
 * What was already carried out in a run that n8n repeats.
 *
 * "Retry On Fail" runs the whole node again for *every* item, up to five times. What changes something at the service
 * must not be done again for the items that went through: their outcome is kept, known by execution, node, run, item and
 * input. A loop comes by with another run index, so it still books. The memory is bounded, the oldest go first.
 */
export class RunMemo<Outcome> {
  readonly #kept = new Map<string, Outcome>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The kept outcome of `key`, else that of `work`, kept when it succeeds. */
  async once(key: string, work: () => Promise<Outcome>): Promise<Outcome> {
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const outcome = await work();
    this.#kept.set(key, outcome);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#most) break;
      this.#kept.delete(oldest);
    }
    return outcome;
  }
}
