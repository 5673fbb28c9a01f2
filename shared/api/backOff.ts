/** How much further apart requests are sent after a refusal, and how they come closer again from one to the next. */
const apart = { factor: 2, closer: 1.002 };

/**
 * What the refusals of a service ask of all who send to it.
 *
 * A refusal keeps everybody waiting for as long as the service says. As we keep to the limit ourselves, it also means that
 * others use the account: another process, another application. From then on the requests are spread evenly, and further
 * apart as long as refusals follow within half a window, so that any number of processes that know nothing of each other
 * settle at the limit. Two windows without a refusal allow bursts again.
 *
 * All times are milliseconds; `now` never goes back.
 */
export class BackOff {
  readonly #windowMs: number;
  readonly #fairGap: number;
  /** From one request to the next; 0 while nobody else was noticed. */
  #gap = 0;
  #nextAt = 0;
  #pausedUntil = 0;
  #refusedAt = -Infinity;
  /** The first refusal after which nothing was taken. */
  #refusingSince: number | undefined;

  /** @param most requests that one who is alone may send in a window */
  constructor(most: number, windowMs: number) {
    this.#windowMs = windowMs;
    this.#fairGap = windowMs / most;
  }

  /** Whether a refusal was not long ago. */
  isOn(now: number): boolean {
    return now - this.#refusedAt <= 2 * this.#windowMs;
  }

  /** How far apart requests are sent now. */
  gap(now: number): number {
    if (!this.isOn(now)) this.#gap = 0;
    return this.#gap;
  }

  /** Until the next request may be sent; 0 or less: now. */
  wait(now: number): number {
    return Math.max(this.#pausedUntil - now, this.gap(now) > 0 ? this.#nextAt - now : 0);
  }

  /** Whether nobody may send now because the service said so. */
  isPaused(now: number): boolean {
    return now < this.#pausedUntil;
  }

  /**
   * What is left of a pause that nobody is to wait for: the service asked for longer than `mostMs`, or has asked for more time
   * again and again and let nothing through in between. Then every request is told so at once, however many there are.
   */
  tooLong(now: number, mostMs: number): number | undefined {
    const asked = this.#pausedUntil - (this.#refusingSince ?? now);
    return this.isPaused(now) && asked > mostMs ? this.#pausedUntil - now : undefined;
  }

  sent(now: number): void {
    this.#nextAt = now + this.#gap;
    if (this.#gap > 0) this.#gap = Math.max(this.#fairGap, this.#gap / apart.closer);
  }

  /** The service took a request. */
  taken(): void {
    this.#refusingSince = undefined;
  }

  /** @param isOurs the limit was reached by what this process sent, which tells nothing of others */
  refused(milliseconds: number, now: number, isOurs: boolean): void {
    // Refusals that come in during a pause answer requests from before it: they tell nothing new.
    const isNews = !this.isPaused(now);
    const isSoon = now - this.#pausedUntil < this.#windowMs / 2;
    const gap = this.gap(now);
    if (isNews && gap === 0) this.#gap = isOurs ? 0 : this.#fairGap * apart.factor;
    else if (isNews && isSoon) this.#gap = Math.min(gap * apart.factor, this.#windowMs / 15);
    this.#refusedAt = now;
    this.#refusingSince ??= now;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + milliseconds);
  }
}
