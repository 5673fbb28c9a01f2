import { readTokens, type Tokens } from '../../shared/oauth/oauth.ts';
import { isObject } from '../../shared/values.ts';

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

/**
 * Where the tokens of one connection are kept, for example in a row of a database. `withLock` must lock out all other processes, because a
 * refresh token that is used twice may end the whole connection.
 */
export type TokenStore = Store<Tokens>;

/** Tokens as a store kept them; `undefined` for anything else. */
export function tokensIn(value: unknown): Tokens | undefined {
  if (!isObject(value) || typeof value['access_token'] !== 'string') return undefined;
  const { connection } = value;
  return { ...readTokens({ status: 200, headers: {}, body: value }), ...(typeof connection === 'string' && { connection }) };
}

/** A store for one process. Its content is lost when the process ends. */
export function memoryStore<Value>(value?: Value): Store<Value> {
  let kept = value;
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: () => kept,
    write: (next) => void (kept = next),
    delete: () => void (kept = undefined),
    withLock(work) {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
