import { httpDate } from './clock.ts';
import type { Forms } from './variants.ts';
import { ApiRefusal } from './errors.ts';

/** Section 8 of the public document. It does not say how a window is counted, so `kind` chooses that. */
export interface Limits {
  /** Requests in a window to all /v1/* endpoints, per account. */
  api: number;
  /** Token exchanges and refreshes in a window, per client. */
  token: number;
  /** Requests in a window to the subscription endpoints, per account (G27). */
  hooks: number;
  windowMs: number;
  kind: 'fixed' | 'sliding' | 'bucket';
  /** Active subscriptions per account. */
  subscriptions: number;
}

export const DEFAULT_LIMITS: Limits = { api: 1000, token: 20, hooks: 10, windowMs: 60_000, kind: 'fixed', subscriptions: 25 };

/**
 * Counts one request.
 *
 * @param known the state after earlier requests
 * @returns the milliseconds to wait, 0 if it may pass, and the new state
 */
type Count = (now: number, allowed: number, windowMs: number, known?: number[]) => [wait: number, known: number[]];

const KINDS: Record<Limits['kind'], Count> = {
  /** A window begins with the first request after the end of the previous one. */
  fixed(now, allowed, windowMs, [begun = -Infinity, counted = 0] = []) {
    const [start, taken] = now >= begun + windowMs ? [now, 0] : [begun, counted];
    return taken >= allowed ? [start + windowMs - now, [start, taken]] : [0, [start, taken + 1]];
  },
  /** No window of that length, wherever it begins, contains more than the allowed number. */
  sliding(now, allowed, windowMs, all = []) {
    const log = all.filter((at) => at > now - windowMs);
    const oldest = log[log.length - allowed];
    return oldest === undefined ? [0, [...log, now]] : [oldest + windowMs - now, log];
  },
  /** A bucket that starts full and refills evenly. */
  bucket(now, allowed, windowMs, [level = allowed, at = now] = []) {
    const filled = Math.min(allowed, level + ((now - at) * allowed) / windowMs);
    return filled >= 1 ? [0, [filled - 1, now]] : [Math.ceil(((1 - filled) * windowMs) / allowed), [filled, now]];
  },
};

export type RateLimits = ReturnType<typeof createRateLimits>;

/**
 * The service's three rate limits. The counts are in memory, so a restart resets them.
 *
 * @param limits null turns rate limits off
 */
export function createRateLimits(limits: Limits | null, form: Forms['rateLimit']) {
  const known = new Map<string, number[]>();
  return {
    /**
     * @param now milliseconds since the epoch
     * @throws {ApiRefusal} RATE_LIMITED, with the headers of G16
     */
    take(what: 'api' | 'token' | 'hooks', who: string, now: number): void {
      if (limits === null) return;
      const key = `${what} ${who}`;
      const [wait, counted] = KINDS[limits.kind](now, limits[what], limits.windowMs, known.get(key));
      known.set(key, counted);
      if (wait === 0) return;
      const seconds = Math.ceil(wait / 1000);
      const allowed = `${limits[what]} in ${limits.windowMs / 1000} seconds are allowed here`;
      const headers = rateLimitHeaders(form, seconds, now);
      throw new ApiRefusal('RATE_LIMITED', `Too many requests: ${allowed}. Try again in ${seconds} seconds.`, { headers });
    },
  };
}

function rateLimitHeaders(form: Forms['rateLimit'], seconds: number, now: number): Record<string, string> {
  if (form === 'none') return {};
  const then = Math.ceil(now / 1000) + seconds;
  if (form === 'http-date') return { 'retry-after': httpDate(then * 1000) };
  const header = form.replace('-epoch', '');
  return { [header]: String(header === form ? seconds : then) };
}
