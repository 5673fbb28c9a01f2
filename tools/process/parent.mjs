/**
 * Calls back once when the process that started this one is gone. Signals are not enough: when a signal stops npm, it leaves its child
 * processes running, and so does any process that is killed.
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

/**
 * Whether a process with this id is running, even if it belongs to another user.
 *
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
