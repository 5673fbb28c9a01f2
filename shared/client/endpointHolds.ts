import type { Clock } from './ports.ts';

/** An endpoint for which the service asked for a longer wait than its limits explain. */
interface Hold {
  /** In the limiter's time. */
  until: number;
  /** Whether a request was let through to ask whether the hold is over. If it gets no response, the next one is let through at `until`. */
  isAsked: boolean;
  /** Whether a request that asked again was also refused. */
  isRepeated: boolean;
}

/** Added to a wait that the service asked for, so that many senders do not come back at the same moment. Milliseconds. */
const jitterMs = 1_000;

/** How long the others wait for the response to the request that asks again, and how often they check for it. Milliseconds. */
const askingMs = 10_000;
const lookAgainMs = 250;

/**
 * Endpoints that are held because the service refused a request and asked for a wait longer than the documented window. Such a wait has
 * another reason, or is a mistake in the response, such as milliseconds instead of seconds. So it is respected for one window; then one
 * request asks again, and the others wait for its response. If that request is refused too, nobody waits for another window.
 *
 * All times are milliseconds.
 */
export class EndpointHolds {
  readonly #holds = new Map<string, Hold>();
  readonly #windowMs: number;
  readonly #elapsed: (clock: Clock) => number;

  /** @param elapsed the time of a clock that never goes back */
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

  /**
   * Resolves when a request may pass. Resolves with the remaining time if the request cannot wait for it within `maxMs`, or if waiting is
   * pointless.
   */
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

  /**
   * Called when the service refused a request for this long. @returns whether the endpoint is now held; otherwise it is an ordinary pause
   */
  refused(milliseconds: number, clock: Clock, endpoint: string): boolean {
    const isHeld = milliseconds > this.#windowMs + jitterMs;
    const isRepeated = this.#holds.get(endpoint)?.isAsked === true;
    if (isHeld) this.#holds.set(endpoint, { until: this.#elapsed(clock) + this.#windowMs, isAsked: false, isRepeated });
    else this.answered(endpoint);
    return isHeld;
  }

  /**
   * Called for each response. It ends the hold only after a request asked again: earlier responses may belong to requests from before the
   * refusal.
   */
  answered(endpoint: string): void {
    if (this.#holds.get(endpoint)?.isAsked === true) this.#holds.delete(endpoint);
  }
}
