/** How much the gap between requests grows after a refusal, and shrinks after each later request. */
const apart = { factor: 2, closer: 1.002 };

/**
 * Decides, from the service's refusals, how long all senders of this process must wait.
 *
 * After a refusal, all of them wait as long as the service says. Since this process stays below the limit by itself, a refusal also means
 * that others use the account: another process or another application. From then on, requests are spread evenly. The gap grows while
 * refusals follow within half a window, so that any number of processes that know nothing of each other settle at the limit. After two
 * windows without a refusal, bursts are allowed again.
 *
 * All times are milliseconds; `now` never goes back.
 */
export class BackOff {
  readonly #windowMs: number;
  readonly #fairGap: number;
  /** The gap between two requests; 0 while no other sender has been noticed. */
  #gap = 0;
  #nextAt = 0;
  #pausedUntil = 0;
  #refusedAt = -Infinity;
  /** The time of the first refusal since the last accepted request. */
  #refusingSince: number | undefined;

  constructor(max: number, windowMs: number) {
    this.#windowMs = windowMs;
    this.#fairGap = windowMs / max;
  }

  isOn(now: number): boolean {
    return now - this.#refusedAt <= 2 * this.#windowMs;
  }

  gap(now: number): number {
    if (!this.isOn(now)) this.#gap = 0;
    return this.#gap;
  }

  /** The time until the next request may be sent; 0 or less means now. */
  wait(now: number): number {
    return Math.max(this.#pausedUntil - now, this.gap(now) > 0 ? this.#nextAt - now : 0);
  }

  isPaused(now: number): boolean {
    return now < this.#pausedUntil;
  }

  /**
   * The rest of a pause that is too long to wait for: the service asked for more than `maxMs`, or repeatedly asked for more time without
   * accepting anything in between. Every request then fails at once, however many there are.
   */
  tooLong(now: number, maxMs: number): number | undefined {
    const asked = this.#pausedUntil - (this.#refusingSince ?? now);
    return this.isPaused(now) && asked > maxMs ? this.#pausedUntil - now : undefined;
  }

  sent(now: number): void {
    this.#nextAt = now + this.#gap;
    if (this.#gap > 0) this.#gap = Math.max(this.#fairGap, this.#gap / apart.closer);
  }

  answered(): void {
    this.#refusingSince = undefined;
  }

  /** @param isOurs whether this process alone reached the limit, so that the refusal says nothing about others */
  refused(milliseconds: number, now: number, isOurs: boolean): void {
    // A refusal that arrives during a pause belongs to a request sent before it, so it says nothing new.
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
