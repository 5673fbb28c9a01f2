/**
 * Waits.
 *
 * @param over ends the wait early: it then fails with the signal's reason
 */
export const sleep = (milliseconds: number, over?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    over?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(over?.reason as Error);
    };
    const timer = setTimeout(() => {
      over?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    over?.addEventListener('abort', stop);
  });

/** Time as a client sees it. Programs and tests replace it. */
export interface Time {
  now: () => number;
  /** Waits, or ends early if the signal aborts. */
  sleep: (milliseconds: number, over?: AbortSignal) => Promise<void>;
  /** Ends what takes longer. */
  timeout: (milliseconds: number) => AbortSignal;
}

export const ownTime: Time = { now: () => Date.now(), sleep, timeout: (milliseconds) => AbortSignal.timeout(milliseconds) };

/** Fails with the signal's reason when it aborts. @param ended ends the watch */
export const whenAborted = (watched: AbortSignal, ended: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    watched.throwIfAborted();
    watched.addEventListener('abort', () => reject(watched.reason as Error), { signal: ended });
  });
