import { httpDate } from './clock.ts';
import type { Forms } from './variants.ts';
import { ApiRefusal } from './errors.ts';

/** Section 8 of the public document. It leaves open how the window is counted, so that can be chosen. */
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

/** Counts one request of `key` at `now`. Returns 0 if it may pass, otherwise the milliseconds until one may. */
type Count = (key: string, now: number, allowed: number, windowMs: number) => number;

/** A window begins with the first request after the end of the last window. */
function fixedWindow(): Count {
  const windows = new Map<string, { start: number; taken: number }>();
  return (key, now, allowed, windowMs) => {
    const current = windows.get(key);
    const window = current === undefined || now >= current.start + windowMs ? { start: now, taken: 0 } : current;
    windows.set(key, window);
    if (window.taken >= allowed) return window.start + windowMs - now;
    window.taken += 1;
    return 0;
  };
}

/** No window of that length, wherever it begins, contains more than the allowed number. */
function slidingLog(): Count {
  const logs = new Map<string, number[]>();
  return (key, now, allowed, windowMs) => {
    const log = (logs.get(key) ?? []).filter((at) => at > now - windowMs);
    logs.set(key, log);
    const oldest = log[log.length - allowed];
    if (oldest !== undefined) return oldest + windowMs - now;
    log.push(now);
    return 0;
  };
}

/** A bucket that is full at first and refills evenly. */
function tokenBucket(): Count {
  const buckets = new Map<string, { level: number; at: number }>();
  return (key, now, allowed, windowMs) => {
    const { level, at } = buckets.get(key) ?? { level: allowed, at: now };
    const filled = Math.min(allowed, level + ((now - at) * allowed) / windowMs);
    const passes = filled >= 1;
    buckets.set(key, { level: passes ? filled - 1 : filled, at: now });
    return passes ? 0 : Math.ceil(((1 - filled) * windowMs) / allowed);
  };
}

const KINDS: Record<Limits['kind'], () => Count> = { fixed: fixedWindow, sliding: slidingLog, bucket: tokenBucket };

export type RateLimits = ReturnType<typeof createRateLimits>;

/**
 * The three rate limits of the service. The counts are in memory, so a restart resets them.
 *
 * @param limits null turns rate limits off
 */
export function createRateLimits(limits: Limits | null, form: Forms['rateLimit']) {
  const count = KINDS[limits?.kind ?? 'fixed']();
  return {
    /**
     * @param now milliseconds since the epoch
     * @throws {ApiRefusal} RATE_LIMITED, with the headers of G16
     */
    take(what: 'api' | 'token' | 'hooks', who: string, now: number): void {
      const wait = limits === null ? 0 : count(`${what} ${who}`, now, limits[what], limits.windowMs);
      if (limits === null || wait === 0) return;
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
