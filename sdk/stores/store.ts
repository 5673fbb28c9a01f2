/** A value or a promise of one: a store may return either. */
export type Soon<Value> = Value | Promise<Value>;

/** Keeps one thing, such as the tokens of a connection or a subscription with its secret, for every process that uses the store. */
export interface Store<Value> {
  /** The current value, even if another process wrote it; `undefined` if there is none. */
  read(): Soon<Value | undefined>;
  write(value: Value): Soon<void>;
  /** Deletes the value. */
  delete(): Soon<void>;
  /** Does `work` while no other user of this store does. */
  withLock<Result>(work: () => Promise<Result>): Promise<Result>;
}
