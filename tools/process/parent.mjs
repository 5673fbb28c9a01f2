import { isAlive } from './lock.cjs';

/**
 * Calls back once when the process that started this one is gone. Signals alone do not say so: npm, stopped by a signal,
 * leaves what it had started running, and so does anything that is killed outright.
 *
 * @param {() => void} callback
 */
export function whenParentIsGone(callback) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(watch);
    callback();
  }, 1_000);
  watch.unref();
}
