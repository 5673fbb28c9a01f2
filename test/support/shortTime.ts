import type * as Timers from 'node:timers/promises';
import { dateAhead } from '../jest/clockAhead.ts';

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
  globalThis.Date = dateAhead(() => ahead);
  afterAll(() => void (globalThis.Date = RealDate));
  const wait = async <Value>(milliseconds = 0, value?: Value, options?: { signal?: AbortSignal }): Promise<Value | undefined> => {
    if (milliseconds < shortest) return real.setTimeout(milliseconds, value, options);
    const given = await real.setTimeout(milliseconds / factor, value, options);
    ahead += milliseconds - milliseconds / factor;
    return given;
  };
  return { ...real, setTimeout: wait };
}
