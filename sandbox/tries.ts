import type { Forms } from './forms.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** G20: what a receiver has, until its answer counts as none. */
export const TIMEOUT_MS = 10 * second;

/** The waits after a failed try; when they are used up the delivery is given up. */
export const RETRY_DELAYS_MS = [second, 5 * second, 30 * second, 2 * minute, 10 * minute];

/** The same by the form that is chosen. `days` is what several services that send webhooks have in common. */
export const SCHEDULES: Readonly<Record<Forms['retries'], readonly number[]>> = {
  minutes: RETRY_DELAYS_MS,
  days: [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
};

/** Nothing was taken for so long: then a subscription is paused, until its host resumes it. `null`: it never is. */
export const PAUSED_AFTER_MS: Readonly<Record<Forms['retries'], number | null>> = { minutes: null, days: 5 * 24 * hour };

/** Milliseconds from the first try to the last: "13 minutes", "27.6 hours". */
export function lengthOf(delays: readonly number[]): string {
  const total = delays.reduce((sum, each) => sum + each, 0);
  return total < hour ? `${Math.round(total / minute)} minutes` : `${Math.round((total / hour) * 10) / 10} hours`;
}
