import type { Tokens } from '../../shared/oauth.ts';

type Soon<Value> = Value | Promise<Value>;

/**
 * Where the tokens of one connection are kept. A row of a database fits: `alone` is then a lock that all processes see, such as an
 * advisory lock or `SELECT ... FOR UPDATE` in a transaction.
 */
export interface TokenStore {
  /** The tokens as they are kept now, also where another process has written them; `undefined` where no account is connected. */
  read(): Soon<Tokens | undefined>;
  write(tokens: Tokens): Soon<void>;
  /** Forgets them. */
  delete(): Soon<void>;
  /** Does `work` while nobody else who has this store does: used twice, a refresh token may end the whole connection. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** A store for one process, which forgets everything at its end. */
export function memoryStore(tokens?: Tokens): TokenStore {
  let kept = tokens;
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: () => kept,
    write: (next) => void (kept = next),
    delete: () => void (kept = undefined),
    alone(work) {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
