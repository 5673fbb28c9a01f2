import { BackOff } from './backOff.ts';
import { KeyedMutex } from './keyedMutex.ts';
import type { Clock } from './ports.ts';
import { RollingWindow } from './rollingWindow.ts';

/**
 * The part of a window that runs of many items may use in a burst. After that they continue slowly, so that places keep becoming free for
 * others.
 */
export const burstOfBulk = 0.9;
/** Places in a window that runs of many items never use. */
const leastForOthers = 20;

/** Whole seconds, without the fraction that separates senders, so that people see the number that the service sent. */
export const inSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

type Lane = 'first' | 'bulk';

/** Lets at most this many requests pass per window, until the service refuses one. After that, the refusals decide the pace. */
export class RollingLimiter {
  readonly #window: RollingWindow;
  /** Bulk requests that passed in a burst; later ones are sent slowly. */
  readonly #bursts: RollingWindow;
  readonly #backOff: BackOff;
  readonly #windowMs: number;
  readonly #onlyAfterRefusal: boolean;
  /** Within a lane, requests pass in order of arrival. */
  readonly #lanes = new KeyedMutex();
  #nextSlowAt = 0;
  #elapsed = 0;
  #seenAt: number | undefined;

  constructor(maxOfAll: number, windowMs: number, { onlyAfterRefusal = false } = {}) {
    this.#window = new RollingWindow(maxOfAll, windowMs);
    this.#bursts = new RollingWindow(Math.round(maxOfAll * burstOfBulk), windowMs);
    this.#backOff = new BackOff(maxOfAll, windowMs);
    this.#windowMs = windowMs;
    this.#onlyAfterRefusal = onlyAfterRefusal;
  }

  /**
   * The time by a clock that never goes back. If the clock is set back, time counts as standing still for a moment, so that nobody waits
   * for the lost hour.
   */
  elapsed(clock: Clock): number {
    const now = clock.now();
    this.#elapsed += Math.max(0, now - (this.#seenAt ?? now));
    this.#seenAt = now;
    return this.#elapsed;
  }

  isBusy(clock: Clock): boolean {
    return this.#lanes.isBusy || this.#backOff.isPaused(this.elapsed(clock));
  }

  pass(clock: Clock, maxMs = Infinity, lane: Lane = 'first'): Promise<number | undefined> {
    return this.#lanes.run(lane, undefined, () => this.#admit(clock, maxMs, lane));
  }

  pause(milliseconds: number, clock: Clock): void {
    const now = this.elapsed(clock);
    // This limiter lets requests pass until one is refused, so a refusal while its window is full was caused by its own requests.
    this.#backOff.refused(milliseconds, now, this.#onlyAfterRefusal && this.#window.wait(now) > 0);
  }

  answered(): void {
    this.#backOff.answered();
  }

  async #admit(clock: Clock, maxMs: number, lane: Lane): Promise<number | undefined> {
    for (;;) {
      const now = this.elapsed(clock);
      const tooLong = this.#backOff.tooLong(now, maxMs);
      if (tooLong !== undefined) return inSeconds(tooLong);
      const wait = Math.max(this.#backOff.wait(now), this.#waitForWindow(now, lane), lane === 'bulk' ? this.#waitForFirst(now) : 0);
      // These requests are few, and people wait for them: an error at once is better than minutes in a queue.
      if (this.#onlyAfterRefusal && wait > maxMs) return inSeconds(wait);
      if (wait <= 0) {
        if (lane === 'bulk') this.#countBulk(now);
        this.#window.add(now);
        this.#backOff.sent(now);
        return undefined;
      }
      await clock.sleep(Math.ceil(wait));
    }
  }

  #waitForWindow(now: number, lane: Lane): number {
    if (this.#onlyAfterRefusal && !this.#backOff.isOn(now)) return 0;
    if (lane === 'first') return this.#window.wait(now);
    return Math.max(this.#window.wait(now, this.#maxOfBulk), Math.min(this.#bursts.wait(now), this.#nextSlowAt - now));
  }

  #countBulk(now: number): void {
    if (this.#bursts.wait(now) <= 0) this.#bursts.add(now);
    else this.#nextSlowAt = now + this.#windowMs / (this.#maxOfBulk - this.#bursts.max);
  }

  /** While requests of the first lane are waiting, bulk requests leave the next place to them. */
  #waitForFirst(now: number): number {
    return this.#lanes.isBusyWith('first') ? Math.max(1, this.#backOff.wait(now) + this.#backOff.gap(now)) : 0;
  }

  get #maxOfBulk(): number {
    return this.#window.max - leastForOthers;
  }
}
