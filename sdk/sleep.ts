/**
 * Waits.
 *
 * @param over ends the wait early: it then fails with the signal's reason
 */
export function sleep(milliseconds: number, over?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(over?.reason instanceof Error ? over.reason : new Error('The wait was ended.'));
    };
    const timer = setTimeout(() => {
      over?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (over?.aborted === true) stop();
    else over?.addEventListener('abort', stop);
  });
}
