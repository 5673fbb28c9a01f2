/** What a trigger stores in n8n's static data. */
export interface Kept {
  /** The trigger that wrote it; absent if the content itself says so. */
  of?: string;
  /** When it was written; always later than the state that it replaced. Milliseconds since the epoch. */
  since?: number;
}

/** The time for a new state: later than the old state's even if the clock was set back, because the newer state counts. */
export const laterThan = (kept: Kept): number => Math.max(Date.now(), timeOf(kept) + 1);

/**
 * What this process knows about the states of its triggers.
 *
 * n8n stores a state under the trigger's name. So renaming the trigger loses it, and another trigger may get that name. n8n's API, an
 * import or a restored database can revert, clear or copy it without asking the trigger. This class decides which trigger a state belongs
 * to, and whether it is older than the one that this process has written or used. Other processes have their own memory.
 */
export class TriggerMemory<State extends Kept> {
  readonly #newest = new Map<string, { kept: State; isOwn: boolean }>();
  readonly #markOf: (kept: State) => string | undefined;

  /** @param markOf what differs between states, such as the secret; `undefined` if the state counts as none */
  constructor(markOf: (kept: State) => string | undefined) {
    this.#markOf = markOf;
  }

  /** Records a state that this process wrote: all earlier ones are void. @param place identifies a trigger, whatever its name */
  made(place: string, kept: State): void {
    this.#keep(place, kept, true);
  }

  /** Records a state that was used, such as to verify a delivery. If this process knows a newer one, that one stays. */
  used(place: string, kept: State): void {
    const known = this.#newest.get(place)?.kept;
    if (known !== undefined && (this.#markOf(known) === this.#markOf(kept) || timeOf(kept) < timeOf(known))) return;
    this.#keep(place, kept, false);
  }

  /** The trigger has ended, so its state is void. */
  ended(place: string): void {
    this.#newest.delete(place);
  }

  /** Transfers a known state to a place that has none. @param beginning the prefix of all places of that trigger, whatever its name */
  renamed(beginning: string, place: string): void {
    const before = this.knows(place) ? undefined : [...this.#newest.keys()].findLast((each) => each.startsWith(beginning));
    const known = this.#newest.get(before ?? '');
    if (before === undefined || known === undefined) return;
    this.#newest.delete(before);
    this.#newest.set(place, known);
  }

  knows(place: string): boolean {
    return this.#newest.has(place);
  }

  /**
   * The states that may count, newest first: usually only the one that n8n provides. If that is newer than the known one, another process
   * has written it, for example to replace a leaked secret, and the known one is forgotten. If it is older than one that this process
   * wrote, or belongs to another trigger, it no longer counts.
   *
   * @param handedOut the state that n8n provides
   * @param owner the trigger's name in {@link Kept.of}
   */
  candidates(place: string, handedOut: State, owner = place): readonly [State, ...State[]] {
    const kept = handedOut.of === undefined || handedOut.of === owner ? handedOut : ({} as State);
    const known = this.#newest.get(place);
    if (known === undefined || this.#markOf(known.kept) === this.#markOf(kept)) return [kept];
    if (!this.#markOf(kept)) return [known.kept];
    const later = timeOf(kept) - timeOf(known.kept);
    if (later === 0) return [kept, known.kept];
    if (later < 0) return known.isOwn ? [known.kept] : [known.kept, kept];
    this.#newest.delete(place);
    return [kept];
  }

  #keep(place: string, kept: State, isOwn: boolean): void {
    this.#newest.delete(place);
    this.#newest.set(place, { kept, isOwn });
    // Triggers may also end in another process.
    for (const oldest of this.#newest.keys()) if (this.#newest.size > 10_000) this.#newest.delete(oldest);
  }
}

const timeOf = ({ since }: Kept): number => since ?? 0;
