/**
 * Waits. Milliseconds.
 *
 * @param over ends the wait early, which then rejects with the signal's reason
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

/** The clock and timers of a client. Programs and tests replace them. */
export interface Time {
  now: () => number;
  /** Waits, and rejects early if the signal aborts. */
  sleep: (milliseconds: number, over?: AbortSignal) => Promise<void>;
  /** Returns a signal that aborts after this time. */
  timeout: (milliseconds: number) => AbortSignal;
}

export const ownTime: Time = { now: () => Date.now(), sleep, timeout: (milliseconds) => AbortSignal.timeout(milliseconds) };

/** Rejects with the signal's reason when it aborts. @param ended stops watching */
export const whenAborted = (watched: AbortSignal, ended: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    watched.throwIfAborted();
    watched.addEventListener('abort', () => reject(watched.reason as Error), { signal: ended });
  });
