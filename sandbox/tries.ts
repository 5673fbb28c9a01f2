import type { Forms } from './forms.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** G20: how long a receiver has to answer. */
export const TIMEOUT_MS = 10 * second;

/** The waits between tries. After the last one fails, the delivery is given up. */
export const RETRY_DELAYS_MS = [second, 5 * second, 30 * second, 2 * minute, 10 * minute];

/** The waits in each form. `days` is what several services with webhooks have in common. */
export const SCHEDULES: Readonly<Record<Forms['retries'], readonly number[]>> = {
  minutes: RETRY_DELAYS_MS,
  days: [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
};

/** A subscription that has accepted nothing for this long is paused until its host resumes it. `null`: it is never paused. */
export const PAUSED_AFTER_MS: Readonly<Record<Forms['retries'], number | null>> = { minutes: null, days: 5 * 24 * hour };

/** The time from the first try to the last, in words, such as "13 minutes" or "27.6 hours". */
export function lengthOf(delays: readonly number[]): string {
  const total = delays.reduce((sum, each) => sum + each, 0);
  return total < hour ? `${Math.round(total / minute)} minutes` : `${Math.round((total / hour) * 10) / 10} hours`;
}
