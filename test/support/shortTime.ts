import type * as Timers from 'node:timers/promises';
import { dateAhead } from '../jest/clockAhead.ts';

/** The factor by which waits are shortened. */
const factor = 25;
/** Waits below this stay as they are, such as those of a test that polls. Milliseconds. */
const shortest = 500;

/**
 * A replacement for `node:timers/promises` that shortens long waits, and moves the date as if they had been long. The date is restored
 * after the last test of the file.
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
