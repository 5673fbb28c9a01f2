import { limits } from '../limits.ts';
import { EndpointHolds } from './endpointHolds.ts';
import type { Clock } from './ports.ts';
import { burstOfBulk, inSeconds, RollingLimiter } from './rollingLimiter.ts';
import { RollingWindow } from './rollingWindow.ts';

/** Lets requests pass, at once or after a wait, so that together they stay below the service's limits. */
export interface Limiter {
  /**
   * Resolves when a request may be sent. Resolves with a number of seconds, the remaining wait, if the request must not be sent because the
   * service asks for a longer wait than `maxMs`.
   *
   * @param endpoint its method and path, such as `POST bookings/:id/cancel`, because some have their own limit
   * @param maxMs how long the request may wait for the service; unlimited by default
   */
  pass(clock: Clock, endpoint?: string, maxMs?: number): Promise<number | undefined>;
  /** Called after a refusal for the rate limit: all requests that count towards this limit wait for this long. Milliseconds. */
  pause(milliseconds: number, clock: Clock, endpoint?: string): void;
  /** Called after any other response of the service. */
  answered(endpoint?: string): void;
}

/** Who sends: a person who waits (at a panel, publishing, or talking to an agent), a run of one item, or a run of many. */
export type Sender = 'person' | 'single' | 'bulk';

export interface AccountLimiter {
  /** The limits of the account, applied to one kind of sender. */
  for(sender: Sender): Limiter;
  /** Whether requests are waiting here, or the service has asked for a pause. */
  isBusy(clock: Clock): boolean;
}

/** The minute of section 8 plus half a second, because the clocks of two machines may differ. Milliseconds. */
const windowOfAMinute = 60_500;

/**
 * Requests per minute that are reserved for those that no limiter sees: repeats by a host or transport after a 401, and other processes.
 */
const spare = 20;

/**
 * Both limits of section 8 for one account. Subscription requests also have their own limit of 10 a minute (G27), and a refused one does
 * not delay other requests. Ten are few, and a person waits for them, so they are spread out only after the service has refused one, which
 * happens when many triggers start at once.
 *
 * A refusal for longer than the documented minute has another reason, or is a mistake in the response. So it holds only requests to the
 * same endpoint, and only for a minute: then one request asks again on behalf of all.
 *
 * People and runs of one item take precedence over runs of many. A large number of runs of one item counts as a run of many.
 */
export function accountLimiter({ requests = limits.requestsPerMinute - spare, windowMs = windowOfAMinute } = {}): AccountLimiter {
  const all = new RollingLimiter(requests, windowMs);
  const subscriptions = new RollingLimiter(limits.subscriptionRequestsPerMinute, windowMs, { onlyAfterRefusal: true });
  const singles = new RollingWindow(Math.round(requests * (1 - burstOfBulk)), windowMs);
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
