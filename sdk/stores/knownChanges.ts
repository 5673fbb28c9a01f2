import { isObject } from '../../shared/values.ts';

/** A change that was passed to a handler and whose result is not saved yet. */
export interface HandedOut {
  readonly event: string;
  readonly id: string;
  readonly key: string;
}

/** What a poller keeps between two polls. Store this JSON unchanged; later versions of the poller may add to it. */
export interface KnownChanges {
  /** The known state of the account's lists. Absent until the first poll has ended. */
  readonly known?: unknown;
  /** While a poll passes on changes: the state once all of them are handled. */
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
