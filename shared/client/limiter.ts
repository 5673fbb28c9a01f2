import { limits } from '../limits.ts';
import { EndpointHolds } from './endpointHolds.ts';
import { KeyedMutex } from './keyedMutex.ts';
import type { Clock } from './ports.ts';

/** Lets a request pass, at once or after a wait, so that all requests together stay below the service's limits. */
export interface Limiter {
  /**
   * Resolves when a request may be sent. Resolves with a number of seconds if it must not be sent, because the service asks for a longer
   * wait than allowed: that many are left.
   *
   * @param endpoint its method and path, such as `POST bookings/:id/cancel`, because some have their own limit
   * @param maxMs how long the request may wait for the service; any time by default
   */
  pass(clock: Clock, endpoint?: string, maxMs?: number): Promise<number | undefined>;
  /** The service refused because of the rate limit: all requests that count towards it wait this long. Milliseconds. */
  pause(milliseconds: number, clock: Clock, endpoint?: string): void;
  /** The service gave any other answer. */
  answered(endpoint?: string): void;
}

/** Who sends: a person who looks at a panel, publishes or talks to an agent, a run of one item, or a run of many. */
export type Sender = 'person' | 'single' | 'bulk';

export interface AccountLimiter {
  /** The limits of the account, for one kind of sender. */
  for(sender: Sender): Limiter;
  /** Whether requests are waiting here, or the service has asked for a pause. */
  isBusy(clock: Clock): boolean;
}

/** The minute of section 8 and half a second more, because two machines' clocks may differ. */
const windowOfAMinute = 60_500;

/** Requests a minute that are left for what no limiter sees: those that a host or transport sends again after a 401, and other processes. */
const spare = 20;

/**
 * How much runs of many items leave to all others. They may burst until `burst` of a window is used, and then continue slowly, so that
 * places keep becoming free. They never use the last places of a window.
 */
const bulk = { burst: 0.9, least: 20 };

/**
 * Both limits of section 8 for one account. Subscription requests also count towards their own 10 a minute (G27), and a refused one does
 * not delay other requests. Ten are few, and a person waits for them, so they are only spread out after the service has refused one, which
 * happens when many triggers start at once.
 *
 * A refusal for longer than the documented minute is about something else, or a mistake in the answer, so it only holds requests to the
 * same endpoint, and only for a minute: then one request asks again, for all others.
 *
 * People and runs of one item go before runs of many. A large number of runs of one item counts as a run of many.
 */
export function accountLimiter({ requests = limits.requestsPerMinute - spare, windowMs = windowOfAMinute } = {}): AccountLimiter {
  const all = new RollingLimiter(requests, windowMs);
  const subscriptions = new RollingLimiter(limits.subscriptionRequestsPerMinute, windowMs, { onlyAfterRefusal: true });
  const singles = new RollingWindow(Math.round(requests * (1 - bulk.burst)), windowMs);
  const holds = new EndpointHolds(windowMs, (clock) => all.elapsed(clock));

  const isFirst = (sender: Sender, clock: Clock): boolean => {
    if (sender !== 'single') return sender === 'person';
    const now = all.elapsed(clock);
    if (singles.wait(now) > 0) return false;
    singles.add(now);
    return true;
  };
  return {
    for: (sender) => ({
      async pass(clock, endpoint = '', maxMs = Infinity) {
        const heldMs = holds.has(endpoint) ? await holds.pass(clock, endpoint, maxMs) : undefined;
        if (heldMs !== undefined) return inSeconds(heldMs);
        const tooLong = isSubscription(endpoint) ? await subscriptions.pass(clock, maxMs) : undefined;
        return tooLong ?? all.pass(clock, maxMs, isFirst(sender, clock) ? 'first' : 'bulk');
      },
      pause(milliseconds, clock, endpoint = '') {
        if (holds.refused(milliseconds, clock, endpoint)) return;
        (isSubscription(endpoint) ? subscriptions : all).pause(milliseconds, clock);
      },
      answered(endpoint = '') {
        holds.answered(endpoint);
        if (isSubscription(endpoint)) subscriptions.answered();
        all.answered();
      },
    }),
    isBusy: (clock) => [all, subscriptions].some((limiter) => limiter.isBusy(clock)) || holds.isBusy(clock),
  };
}

const isSubscription = (endpoint: string): boolean => / hooks\b/.test(endpoint);

/** Without the part of a second that keeps senders apart, so that people are told what the service said. */
const inSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

type Lane = 'first' | 'bulk';

/** At most this many requests in a window, until the service refuses one. After that, the refusals decide the pace. */
class RollingLimiter {
  readonly #window: RollingWindow;
  /** Bulk requests that passed in a burst; later ones are sent slowly. */
  readonly #bursts: RollingWindow;
  readonly #backOff: BackOff;
  readonly #windowMs: number;
  readonly #onlyAfterRefusal: boolean;
  /** Within a lane, requests pass in the order in which they came. */
  readonly #lanes = new KeyedMutex();
  #nextSlowAt = 0;
  #elapsed = 0;
  #seenAt: number | undefined;

  constructor(maxOfAll: number, windowMs: number, { onlyAfterRefusal = false } = {}) {
    this.#window = new RollingWindow(maxOfAll, windowMs);
    this.#bursts = new RollingWindow(Math.round(maxOfAll * bulk.burst), windowMs);
    this.#backOff = new BackOff(maxOfAll, windowMs);
    this.#windowMs = windowMs;
    this.#onlyAfterRefusal = onlyAfterRefusal;
  }

  /** If the clock is set back, time counts as standing still for that moment, so that nobody waits for the lost hour. */
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
      // Few requests, for which people wait: an error at once is better than minutes in a queue.
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

  /** If others go first, the next place is not for bulk. */
  #waitForFirst(now: number): number {
    return this.#lanes.isBusyWith('first') ? Math.max(1, this.#backOff.wait(now) + this.#backOff.gap(now)) : 0;
  }

  get #maxOfBulk(): number {
    return this.#window.max - bulk.least;
  }
}

/**
 * When the last requests passed: at most `max` in any window. A burst passes at once. A window is counted from each request, not only from
 * the first.
 */
class RollingWindow {
  readonly max: number;
  readonly #milliseconds: number;
  /** The moments of the last `max` requests, the oldest first. */
  readonly #passed: number[] = [];

  constructor(max: number, milliseconds: number) {
    this.max = max;
    this.#milliseconds = milliseconds;
  }

  /** Milliseconds until one more may pass, so that there are at most `max` in the window; 0 or less means now. */
  wait(now: number, max = this.max): number {
    const oldest = this.#passed.at(-max);
    return oldest === undefined ? 0 : oldest + this.#milliseconds - now;
  }

  add(now: number): void {
    this.#passed.push(now);
    if (this.#passed.length > this.max) this.#passed.shift();
  }
}

/** By how much the gap between requests grows after a refusal, and shrinks with each request after that. */
const apart = { factor: 2, closer: 1.002 };

/**
 * Decides, from the service's refusals, how long all senders of this process must wait.
 *
 * After a refusal, everybody waits as long as the service says. Since this process stays below the limit by itself, a refusal also means
 * that others use the account: another process or another application. From then on, requests are spread evenly. They move further apart
 * while refusals follow within half a window, so that any number of processes that know nothing of each other settle at the limit. After
 * two windows without a refusal, bursts are allowed again.
 *
 * All times are milliseconds; `now` never goes back.
 */
class BackOff {
  readonly #windowMs: number;
  readonly #fairGap: number;
  /** The gap between two requests; 0 while no other sender was noticed. */
  #gap = 0;
  #nextAt = 0;
  #pausedUntil = 0;
  #refusedAt = -Infinity;
  /** The first refusal since the last accepted request. */
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
   * The rest of a pause that is too long to wait for: the service asked for more than `maxMs`, or has asked for more time repeatedly
   * without accepting anything in between. Every request then fails at once, however many there are.
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

  /** @param isOurs this process alone reached the limit, so the refusal says nothing about others */
  refused(milliseconds: number, now: number, isOurs: boolean): void {
    // Refusals that arrive during a pause belong to requests sent before it, so they say nothing new.
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
