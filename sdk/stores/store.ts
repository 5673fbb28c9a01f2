import { KeyedMutex } from '../../shared/client/keyedMutex.ts';
import { readTokens, type Tokens } from '../../shared/oauth/oauth.ts';
import { isObject } from '../../shared/values.ts';

/** A value or a promise of one: a store may return either. */
export type Soon<Value> = Value | Promise<Value>;

/** Stores one thing, such as the tokens of a connection or a subscription with its secret, for every process that uses the store. */
export interface Store<Value> {
  /** The current value, even if another process wrote it; `undefined` if there is none. */
  read(): Soon<Value | undefined>;
  write(value: Value): Soon<void>;
  /** Deletes the value. */
  delete(): Soon<void>;
  /** Runs `work` while no other user of this store does. */
  withLock<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * Stores the tokens of one connection, for example in a row of a database. `withLock` must lock out all other processes, because a refresh
 * token that is used twice may end the whole connection.
 */
export type TokenStore = Store<Tokens>;

/** Tokens as read from a store; `undefined` for anything else. */
export function tokensIn(value: unknown): Tokens | undefined {
  if (!isObject(value) || typeof value['access_token'] !== 'string') return undefined;
  const { connection } = value;
  return { ...readTokens({ status: 200, headers: {}, body: value }), ...(typeof connection === 'string' && { connection }) };
}

/** A store for one process. Its content is lost when the process ends. */
export function memoryStore<Value>(value?: Value): Store<Value> {
  let kept = value;
  const turns = new KeyedMutex();
  return {
    read: () => kept,
    write: (next) => void (kept = next),
    delete: () => void (kept = undefined),
    withLock: (work) => turns.run('', undefined, work),
  };
}

/** A change that was passed to a handler and whose outcome is not saved yet. */
export interface HandedOut {
  readonly event: string;
  readonly id: string;
  readonly key: string;
}

/** What a poller stores between two polls. Keep this JSON unchanged; later versions of the poller may add to it. */
export interface KnownChanges {
  /** The known state of the account's lists. Absent until the first poll has finished. */
  readonly known?: unknown;
  /** While a poll is passing on changes: the state once all of them are handled. */
  readonly next?: unknown;
  readonly handedOut?: readonly HandedOut[];
}

/** Reads a stored value; `undefined` if it has another form. */
export function knownIn(value: unknown): KnownChanges | undefined {
  if (!isObject(value)) return undefined;
  const { known, next, handedOut } = value;
  const isWhole = isObject(next) && Array.isArray(handedOut) && handedOut.every(isHandedOut);
  return { ...(known !== undefined && { known }), ...(isWhole && { next, handedOut }) };
}

const isHandedOut = (value: unknown): value is HandedOut =>
  isObject(value) && ['event', 'id', 'key'].every((name) => typeof value[name] === 'string');
