import type * as Timers from 'node:timers/promises';

/** How much shorter a wait is. */
const factor = 25;
/** Shorter waits, such as those of a test that looks again and again, stay as they are. Milliseconds. */
const shortest = 500;

/**
 * Makes long waits short, and moves the date as far as if they had been long. To be put in the place of `node:timers/promises`. The date is
 * put back after the last test of the file.
 */
export function shortTime(): object {
  const real = jest.requireActual<typeof Timers>('node:timers/promises');
  const RealDate = Date;
  let ahead = 0;
  class DateAhead extends RealDate {
    constructor(...given: unknown[]) {
      // The same arguments as the constructor of Date: none, one of three kinds, or the parts of a date.
      super(...((given.length === 0 ? [DateAhead.now()] : given) as [number]));
    }

    static override now(): number {
      return RealDate.now() + ahead;
    }
  }
  globalThis.Date = DateAhead as DateConstructor;
  afterAll(() => void (globalThis.Date = RealDate));
  const wait = async <Value>(milliseconds = 0, value?: Value, options?: { signal?: AbortSignal }): Promise<Value | undefined> => {
    if (milliseconds < shortest) return real.setTimeout(milliseconds, value, options);
    const given = await real.setTimeout(milliseconds / factor, value, options);
    ahead += milliseconds - milliseconds / factor;
    return given;
  };
  return { ...real, setTimeout: wait };
}
