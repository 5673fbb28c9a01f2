/** Something that is done again and again, until it ends. */
export interface Repeated {
  /** Does it for the first time. @throws the error of the work, which is nevertheless repeated */
  begin(): Promise<void>;
  /** Does it now, unless that was done a moment ago. */
  soon(): void;
  /** Ends it, once the running work has finished. */
  end(): Promise<void>;
}

/**
 * Repeats work at a steady pace. After a failure, and if somebody asks for it, a tenth of that time passes.
 *
 * @param failed called with the error of each failure after the first time
 */
export function repeated(work: () => Promise<void>, everyMs: number, failed: (error: unknown) => void): Repeated {
  let isOn = false;
  let lastAt = 0;
  let running = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = (milliseconds: number): void => {
    clearTimeout(timer);
    if (isOn) timer = setTimeout(() => void run().catch(failed), milliseconds);
  };
  async function run(): Promise<void> {
    lastAt = Date.now();
    running = work();
    const hasFailed = await running.then(
      () => false,
      () => true,
    );
    next(hasFailed ? everyMs / 10 : everyMs);
    return running;
  }
  return {
    begin() {
      isOn = true;
      return run();
    },
    soon: () => next(Math.max(0, lastAt + everyMs / 10 - Date.now())),
    async end() {
      isOn = false;
      clearTimeout(timer);
      await running.catch(() => undefined);
    },
  };
}
