/** At once or later: a store may be either. */
export type Soon<Value> = Value | Promise<Value>;

/** Where one thing is kept, for every process that has the store: the tokens of a connection, a subscription with its secret. */
export interface Store<Value> {
  /** As it is kept now, also where another process has written it; `undefined` where there is nothing. */
  read(): Soon<Value | undefined>;
  write(value: Value): Soon<void>;
  /** Forgets it. */
  delete(): Soon<void>;
  /** Does `work` while nobody else who has this store does. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}
