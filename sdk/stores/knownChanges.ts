import { isObject } from '../../shared/values.ts';

/** A change that was passed out, and of which nobody has written down yet whether it was taken. */
export interface HandedOut {
  readonly event: string;
  readonly id: string;
  readonly key: string;
}

/**
 * What a poller keeps between two polls. JSON, to be stored as it is: what it holds is the poller's own business, and may be more in
 * a later version.
 */
export interface KnownChanges {
  /** What is known of the account's lists; absent where the first poll has not ended. */
  readonly known?: unknown;
  /** Where a poll is handing out changes: what will be known once all of these are taken. */
  readonly next?: unknown;
  readonly handedOut?: readonly HandedOut[];
}

/** What was kept, where it is such a thing. */
export function knownIn(value: unknown): KnownChanges | undefined {
  if (!isObject(value)) return undefined;
  const { known, next, handedOut } = value;
  const isWhole = isObject(next) && Array.isArray(handedOut) && handedOut.every(isHandedOut);
  return { ...(known !== undefined && { known }), ...(isWhole && { next, handedOut }) };
}

const isHandedOut = (value: unknown): value is HandedOut =>
  isObject(value) && ['event', 'id', 'key'].every((name) => typeof value[name] === 'string');
