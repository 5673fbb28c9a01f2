import { limits } from '../limits.ts';
import { BackOff } from './backOff.ts';
import { RollingWindow } from './rollingWindow.ts';
import type { Clock } from './transport.ts';

/** Lets a request pass, at once or after a wait, so that a crowd stays under the service's limit. */
export interface Limiter {
  /**
   * Resolves when a request may be sent; with a number where it is not to be sent, because the service asks to wait for
   * longer than anybody will: the seconds that are left of that.
   *
   * @param resource the first part of its path, where resources have limits of their own
   * @param mostMs how long the service may keep it waiting; any time where it is absent
   */
  pass(clock: Clock, resource?: string, mostMs?: number): Promise<number | undefined>;
  /** The service refused for the rate: everybody waits this long. Milliseconds. */
  pause(milliseconds: number, clock: Clock, resource?: string): void;
  /** The service answered otherwise. */
  taken(resource?: string): void;
}

/** Who sends: somebody who looks at a panel or publishes, a run of one item, a run of many. */
export type Sender = 'person' | 'single' | 'bulk';

export interface AccountLimiter {
  /** The limits of the account, for one kind of sender. */
  for(sender: Sender): Limiter;
  /** Whether somebody waits here, or the service has asked for a pause. */
  isBusy(clock: Clock): boolean;
}

/** Half a second more than the minute of section 8, for the clocks of two machines. */
const windowOfAMinute = 60_500;
const most = limits.requestsPerMinute - 20;

/**
 * What runs of many items leave to all others. They burst until `burst` of a window is used and go on slowly, so that a
 * place comes free all the time; the last places of a window are never theirs.
 */
const bulk = { burst: 0.9, least: 20 };

/**
 * Both limits of section 8 for one account: subscription requests count towards their own 10 a minute as well (G27), and
 * one that was refused keeps nobody else waiting. Ten are few, and a person waits for them: they are paced only once the
 * service has refused one, as it does when many triggers start at once.
 *
 * Persons and runs of one item go before runs of many; so many runs of one item that they are a crowd count as one.
 */
export function accountLimiter(): AccountLimiter {
  const all = new RollingLimiter(most, windowOfAMinute);
  const subscriptions = new RollingLimiter(limits.subscriptionRequestsPerMinute, windowOfAMinute, { onlyAfterRefusal: true });
  const singles = new RollingWindow(Math.round(most * (1 - bulk.burst)), windowOfAMinute);

  const isFirst = (sender: Sender, clock: Clock): boolean => {
    if (sender !== 'single') return sender === 'person';
    const now = all.elapsed(clock);
    if (singles.wait(now) > 0) return false;
    singles.add(now);
    return true;
  };
  return {
    for: (sender) => ({
      async pass(clock, resource, mostMs) {
        const tooLong = resource === 'hooks' ? await subscriptions.pass(clock, mostMs) : undefined;
        return tooLong ?? all.pass(clock, mostMs, isFirst(sender, clock) ? 'first' : 'bulk');
      },
      pause: (milliseconds, clock, resource) => (resource === 'hooks' ? subscriptions : all).pause(milliseconds, clock),
      taken(resource) {
        if (resource === 'hooks') subscriptions.taken();
        all.taken();
      },
    }),
    isBusy: (clock) => [all, subscriptions].some((limiter) => limiter.isBusy(clock)),
  };
}

/** One limit for a program that sends nothing in bulk beside what people wait for. */
export function rollingLimiter(mostOfAll: number = most, windowMs: number = windowOfAMinute): Limiter {
  const limiter = new RollingLimiter(mostOfAll, windowMs);
  return {
    pass: (clock, _, mostMs) => limiter.pass(clock, mostMs),
    pause: (milliseconds, clock) => limiter.pause(milliseconds, clock),
    taken: () => limiter.taken(),
  };
}

type Lane = 'first' | 'bulk';

/** At most so many requests in a window, as long as the service refuses none; what it refuses says how to go on. */
class RollingLimiter {
  readonly #window: RollingWindow;
  /** What passed of bulk at once; the rest of it goes slowly. */
  readonly #bursts: RollingWindow;
  readonly #backOff: BackOff;
  readonly #windowMs: number;
  readonly #onlyAfterRefusal: boolean;
  /** In each lane, who came first is not overtaken. */
  readonly #lanes: Record<Lane, { last: Promise<unknown>; waiting: number }> = {
    first: { last: Promise.resolve(), waiting: 0 },
    bulk: { last: Promise.resolve(), waiting: 0 },
  };
  #nextSlowAt = 0;
  #elapsed = 0;
  #seenAt: number | undefined;

  constructor(mostOfAll: number, windowMs: number, { onlyAfterRefusal = false } = {}) {
    this.#window = new RollingWindow(mostOfAll, windowMs);
    this.#bursts = new RollingWindow(Math.round(mostOfAll * bulk.burst), windowMs);
    this.#backOff = new BackOff(mostOfAll, windowMs);
    this.#windowMs = windowMs;
    this.#onlyAfterRefusal = onlyAfterRefusal;
  }

  /** A clock that is set back counts as standing still for that moment, so that nobody waits for the hour that it lost. */
  elapsed(clock: Clock): number {
    const now = clock.now();
    this.#elapsed += Math.max(0, now - (this.#seenAt ?? now));
    this.#seenAt = now;
    return this.#elapsed;
  }

  isBusy(clock: Clock): boolean {
    return this.#lanes.first.waiting + this.#lanes.bulk.waiting > 0 || this.#backOff.isPaused(this.elapsed(clock));
  }

  pass(clock: Clock, mostMs = Infinity, name: Lane = 'first'): Promise<number | undefined> {
    const lane = this.#lanes[name];
    lane.waiting += 1;
    const turn = lane.last.then(() => this.#admit(clock, mostMs, name)).finally(() => (lane.waiting -= 1));
    lane.last = turn.catch(() => undefined);
    return turn;
  }

  pause(milliseconds: number, clock: Clock): void {
    const now = this.elapsed(clock);
    // Who lets requests through until one is refused has to blame that one on itself.
    this.#backOff.refused(milliseconds, now, this.#onlyAfterRefusal && this.#window.wait(now) > 0);
  }

  taken(): void {
    this.#backOff.taken();
  }

  async #admit(clock: Clock, mostMs: number, lane: Lane): Promise<number | undefined> {
    for (;;) {
      const now = this.elapsed(clock);
      const tooLong = this.#backOff.tooLong(now, mostMs);
      if (tooLong !== undefined) return Math.ceil(tooLong / 1000);
      const wait = Math.max(this.#backOff.wait(now), this.#waitForWindow(now, lane), lane === 'bulk' ? this.#waitForFirst(now) : 0);
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
    return Math.max(this.#window.wait(now, this.#mostOfBulk), Math.min(this.#bursts.wait(now), this.#nextSlowAt - now));
  }

  #countBulk(now: number): void {
    if (this.#bursts.wait(now) <= 0) this.#bursts.add(now);
    else this.#nextSlowAt = now + this.#windowMs / (this.#mostOfBulk - this.#bursts.most);
  }

  /** Where somebody goes first, the next place is not for bulk. */
  #waitForFirst(now: number): number {
    return this.#lanes.first.waiting === 0 ? 0 : Math.max(1, this.#backOff.wait(now) + this.#backOff.gap(now));
  }

  get #mostOfBulk(): number {
    return this.#window.most - bulk.least;
  }
}
