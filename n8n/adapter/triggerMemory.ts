/** What a trigger keeps in n8n's static data. */
export interface Kept {
  /** Whose it is, see `place`; absent if its content says so. */
  of?: string;
  /** When it was written, later than what it replaced. Milliseconds since the epoch. */
  since?: number;
}

/** The time of what replaces this: later, even if the clock was set back, because what is newer counts. */
export const laterThan = (kept: Kept): number => Math.max(Date.now(), timeOf(kept) + 1);

/**
 * What this process knows of what its triggers keep. n8n keeps that under the trigger's name, so a new name loses it, and another trigger
 * may get the name; its API, an import or a restored database can put it back to an older state, clear it or copy it; and n8n then asks no
 * trigger about it. Here is decided whose a state is, and whether it is older than what this process has written or used. Other processes
 * have their own memory.
 */
export class TriggerMemory<State extends Kept> {
  readonly #newest = new Map<string, { kept: State; isOwn: boolean }>();
  readonly #markOf: (kept: State) => string | undefined;

  /** @param markOf what differs in each state, such as its secret; nothing if the state is none */
  constructor(markOf: (kept: State) => string | undefined) {
    this.#markOf = markOf;
  }

  /** This process wrote it: nothing that was known before counts any more. @param place the same for one trigger, whatever its name */
  made(place: string, kept: State): void {
    this.#keep(place, kept, true);
  }

  /** It was used, such as to verify a delivery. If this process knows a newer one, that one stays. */
  used(place: string, kept: State): void {
    const known = this.#newest.get(place)?.kept;
    if (known !== undefined && (this.#markOf(known) === this.#markOf(kept) || timeOf(kept) < timeOf(known))) return;
    this.#keep(place, kept, false);
  }

  /** The trigger has ended, and what it kept counts no more. */
  ended(place: string): void {
    this.#newest.delete(place);
  }

  /** What was known of one place counts for another, of which nothing is known. @param beginning how the places of that trigger begin, whatever its name */
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
   * The states that may count, the newest first. Usually that is only what n8n hands out. If that is newer than the known one, another
   * process has written it, for example to replace a secret that leaked: then the known one is forgotten. If it is older than one that this
   * process wrote, or belongs to another trigger, it does not count any more.
   *
   * @param handedOut what n8n hands out
   * @param owner what {@link Kept.of} says of it
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
    // More than one process serves.
    for (const oldest of this.#newest.keys()) if (this.#newest.size > 10_000) this.#newest.delete(oldest);
  }
}

const timeOf = ({ since }: Kept): number => since ?? 0;
