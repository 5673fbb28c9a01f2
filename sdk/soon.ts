import type { Soon } from './stores/store.ts';

/** Continues with a value, immediately if it is already there: awaiting a value that is there costs a turn of the engine's queue. */
export const after = <Value, Result>(value: Soon<Value>, goOn: (value: Value) => Soon<Result>): Soon<Result> =>
  isLate(value) ? value.then(goOn) : goOn(value);

/** Whether a value still has to be awaited. */
export const isLate = <Value>(value: Soon<Value>): value is Promise<Value> =>
  typeof (value as Promise<Value> | undefined)?.then === 'function';

/** Calls a callback of the developer. An error in it, now or later, must neither stop our own work nor end the process. */
export function guarded(tell: () => unknown): void {
  try {
    const told = tell();
    if (isLate(told)) told.then(undefined, console.error);
  } catch (error) {
    console.error(error);
  }
}
