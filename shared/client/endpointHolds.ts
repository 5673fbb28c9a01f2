import type { Clock } from './ports.ts';

/** An endpoint for whose requests the service asked for a longer wait than its limits explain. */
interface Hold {
  /** By the time that the limiter counts. */
  until: number;
  /** Whether a request was let through to ask whether it is over. Without an answer, the next one is let through at `until`. */
  isAsked: boolean;
  /** Whether a request that asked again was refused as well. */
  isRepeated: boolean;
}

/** What is added to a wait that the service asked for, so that many senders do not come back at the same moment. */
const jitterMs = 1_000;

/** How long the others wait for the answer to the request that asks again, and how often they look whether it is there. */
const askingMs = 10_000;
const lookAgainMs = 250;

/**
 * Endpoints that are held because the service refused a request and asked for more than the documented window. Such a wait is about
 * something else, or a mistake in the answer, such as milliseconds for seconds. So it is believed for one window; then one request asks
 * again, and the others wait for its answer. If that one is refused as well, nobody waits for another window.
 *
 * All times are milliseconds.
 */
export class EndpointHolds {
  readonly #holds = new Map<string, Hold>();
  readonly #windowMs: number;
  readonly #elapsed: (clock: Clock) => number;

  /** @param elapsed the time by a clock that never goes back */
  constructor(windowMs: number, elapsed: (clock: Clock) => number) {
    this.#windowMs = windowMs;
    this.#elapsed = elapsed;
  }

  has(endpoint: string): boolean {
    return this.#holds.has(endpoint);
  }

  isBusy(clock: Clock): boolean {
    return [...this.#holds.values()].some(({ until }) => until > this.#elapsed(clock));
  }

  /** Resolves when a request may pass; with the time that is left if it cannot wait for `maxMs`, or has no reason to. */
  async pass(clock: Clock, endpoint: string, maxMs: number): Promise<number | undefined> {
    for (let hold = this.#holds.get(endpoint); hold !== undefined; hold = this.#holds.get(endpoint)) {
      const now = this.#elapsed(clock);
      const wait = hold.until - now;
      if (wait <= 0) {
        this.#holds.set(endpoint, { ...hold, until: now + askingMs, isAsked: true });
        return undefined;
      }
      if (wait > maxMs || (hold.isRepeated && !hold.isAsked)) return wait;
      await clock.sleep(hold.isAsked ? Math.min(wait, lookAgainMs) : wait);
    }
    return undefined;
  }

  /** The service refused a request for this long. @returns whether the endpoint is held for it; otherwise it is an ordinary pause */
  refused(milliseconds: number, clock: Clock, endpoint: string): boolean {
    const isHeld = milliseconds > this.#windowMs + jitterMs;
    const isRepeated = this.#holds.get(endpoint)?.isAsked === true;
    if (isHeld) this.#holds.set(endpoint, { until: this.#elapsed(clock) + this.#windowMs, isAsked: false, isRepeated });
    else this.answered(endpoint);
    return isHeld;
  }

  /** The request that asked again has its answer. Other answers may belong to requests that were sent before the refusal. */
  answered(endpoint: string): void {
    if (this.#holds.get(endpoint)?.isAsked === true) this.#holds.delete(endpoint);
  }
}
