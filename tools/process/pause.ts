import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_MS = 1_000;

/**
 * The pauses between the looks at something that another program is doing and that stays once it is there. They grow to a quarter of
 * the time so far, and to a second at most: each look costs that program processor time, and what takes long is seldom over with the next look.
 *
 * @param shortestMs the first pause
 */
export function growingPauses(shortestMs: number): () => Promise<void> {
  const begun = performance.now();
  return () => sleep(Math.min(LONGEST_MS, Math.max(shortestMs, (performance.now() - begun) / 4)));
}
