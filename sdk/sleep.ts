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
