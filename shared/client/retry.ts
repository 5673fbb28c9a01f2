import type { ServiceError } from '../serviceError.ts';
import { rateLimitHeaders } from '../assumptions.ts';
import type { ApiRequest, Clock } from './ports.ts';

/** How long the platform lets the core try. All times are milliseconds. */
export interface RetryPolicy {
  /** How often one request is tried if it gets no response or a 5xx, including the first time. */
  attempts: number;
  /** The maximum total wait of one request that the rate limit refuses. */
  totalWaitMs: number;
  /**
   * When to look for the effect of a write whose response was lost, counted from the end of its request: at once, then with growing pauses.
   */
  readBackMs: readonly number[];
  /** The time that the platform still allows; unlimited by default. */
  leftMs?: () => number;
}

/** For hosts that can wait, such as an n8n execution or a script. */
export const backgroundPolicy: RetryPolicy = {
  attempts: 3,
  totalWaitMs: 180_000,
  readBackMs: [0, 1_000, 3_000, 7_000, 15_000, 30_000],
};

/** For setting up a trigger: a person waits, and n8n aborts after 85 seconds with its own message. */
export const activationPolicy: RetryPolicy = { ...backgroundPolicy, attempts: 2, totalWaitMs: 45_000 };

/** For lists in an open panel: a quick error is better than a late list. */
export const interactivePolicy: RetryPolicy = { ...backgroundPolicy, totalWaitMs: 10_000 };

/** For hosts such as Zapier, which end a step after 30 seconds and retry by themselves: one quick retry, and only if it can do no harm. */
export const zapierStepPolicy: RetryPolicy = { attempts: 2, totalWaitMs: 1_500, readBackMs: [0, 1_000, 4_000, 12_000] };

/**
 * The maximum total wait of one request after faults and server errors, so that the caller soon reads what the service says. Milliseconds.
 */
export const faultWaitMs = 3_000;

const firstBackOff = 500;
const window = rateLimitHeaders.windowSeconds * 1000;

/**
 * The longest pause before a request asks again: the documented window (section 8) plus the second that separates senders. A longer wait
 * has another reason, or is a mistake in the response. Milliseconds.
 */
export const longestPauseMs = window + 1_000;

/** How one attempt of a request failed. */
export interface FailedTry {
  error: ServiceError;
  /** The request never left this machine. */
  notSent: boolean;
  /** Another attempt may succeed. */
  isTransient: boolean;
}

/** Whether a request may be sent again: it certainly was not done, or repeating it changes nothing. `runWrite` handles lost writes. */
export const mayRepeat = ({ method }: { method: ApiRequest['method'] }, { error, notSent, isTransient }: FailedTry): boolean =>
  error.kind === 'rateLimited' || notSent || (method === 'GET' && isTransient);

/** The attempts of one request: how long to wait after each, and whether another may follow. */
export class Retries {
  readonly #policy: RetryPolicy;
  readonly #clock: Clock;
  #tries = 0;
  readonly #waitedMs = { limit: 0, fault: 0 };

  constructor(policy: RetryPolicy, clock: Clock) {
    this.#policy = policy;
    this.#clock = clock;
  }

  /** How long to wait after an attempt that ended in this error, see {@link waitBefore}. Milliseconds. */
  waitAfter({ holdsOthers, retryAfterSeconds }: ServiceError): number {
    this.#tries += 1;
    return waitBefore(this.#tries, retryAfterSeconds, holdsOthers, this.#clock);
  }

  /**
   * Whether there is time for this wait and another attempt. If so, the wait counts, but at most one pause of it. For the documented rate
   * limit, a request waits as long as there is time. After anything else, it is tried a few times within seconds, even if the service asks
   * for a longer wait.
   */
  allows(wait: number, { holdsOthers }: ServiceError): boolean {
    const { attempts, totalWaitMs, leftMs } = this.#policy;
    const cause = holdsOthers ? 'limit' : 'fault';
    const max = holdsOthers ? totalWaitMs : Math.min(faultWaitMs, totalWaitMs);
    const isOver = !holdsOthers && this.#tries >= attempts;
    if (isOver || this.#waitedMs[cause] + wait > max || wait >= (leftMs?.() ?? Infinity)) return false;
    this.#waitedMs[cause] += Math.min(wait, longestPauseMs);
    return true;
  }
}

/**
 * Milliseconds to wait after `attempt` attempts: the time that the service asked for, plus up to a second so that many senders do not come
 * back at the same moment. If it asked for none: exponential back-off with full jitter, at most a minute, which is the length of the
 * documented windows (G16). If the rate limit refuses again after the time that it asked for, the waits grow in the same way.
 */
export function waitBefore(attempt: number, retryAfterSeconds: number | undefined, rateLimited: boolean, clock: Clock): number {
  const asked = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000 + clock.random() * 1000;
  if (!rateLimited) return asked ?? clock.random() * Math.min(window, firstBackOff * 2 ** attempt);
  const growing = attempt - (asked === undefined ? 0 : 1);
  const ceiling = growing === 0 ? 0 : Math.min(window, firstBackOff * 2 ** (growing + 3));
  return Math.max(asked ?? 0, ceiling / 2 + (clock.random() * ceiling) / 2);
}

/** A wait in words for people. */
export function inTime(seconds: number | undefined): string {
  if (seconds === undefined) return 'about a minute';
  const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
  if (seconds <= 120) return counted(Math.max(1, Math.ceil(seconds)), 'second');
  if (seconds <= 120 * 60) return counted(Math.ceil(seconds / 60), 'minute');
  return seconds <= 48 * 3600 ? counted(Math.ceil(seconds / 3600), 'hour') : counted(Math.ceil(seconds / 86_400), 'day');
}
