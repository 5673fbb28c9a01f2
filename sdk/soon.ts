import type { Soon } from './stores/store.ts';

/** Goes on with a value, at once where it is there: each wait for what is there already costs a turn of the engine's queue. */
export const after = <Value, Result>(value: Soon<Value>, goOn: (value: Value) => Soon<Result>): Soon<Result> =>
  isLate(value) ? value.then(goOn) : goOn(value);

/** Whether it has to be waited for. */
export const isLate = <Value>(value: Soon<Value>): value is Promise<Value> =>
  typeof (value as Promise<Value> | undefined)?.then === 'function';
