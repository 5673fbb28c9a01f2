/**
 * What was already carried out in a run that n8n repeats.
 *
 * "Retry On Fail" runs the whole node again for *every* item, up to five times. What changes something at the service
 * must not be done again for the items that went through: their outcome is kept, known by execution, node, run, item and
 * input. A loop comes by with another run index, so it still books. The memory is bounded by forgetting whole executions,
 * the oldest first: half of one would be carried out again. The one that is running is never forgotten.
 */
export class RunMemo<Outcome> {
  /** By execution, the one that was running last at the end. */
  readonly #kept = new Map<string, Map<string, Outcome>>();
  readonly #most: number;
  #count = 0;

  /** @param most outcomes of all executions but the last together */
  constructor(most: number) {
    this.#most = most;
  }

  /** The kept outcome of `key` in this execution, else that of `work`, kept when it succeeds. */
  async once(execution: string, key: string, work: () => Promise<Outcome>): Promise<Outcome> {
    const known = this.#kept.get(execution)?.get(key);
    if (known !== undefined) return known;
    const outcome = await work();
    const kept = this.#kept.get(execution) ?? new Map<string, Outcome>();
    this.#kept.delete(execution);
    this.#kept.set(execution, kept.set(key, outcome));
    this.#count += 1;
    for (const [oldest, { size }] of this.#kept) {
      if (this.#count <= this.#most || oldest === execution) break;
      this.#kept.delete(oldest);
      this.#count -= size;
    }
    return outcome;
  }
}
