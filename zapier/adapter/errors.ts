import type { Bundle, ZObject } from 'zapier-platform-core';
import { ServiceError, type ErrorKind } from '../../shared/client/index.ts';
import { emptyFilter } from '../../shared/operations/index.ts';
import { errorWords } from '../../shared/values.ts';

/**
 * The length of the documented windows. After the rate limit or a server error, a step is held no longer than this, whatever the service
 * says.
 */
const WINDOW_SECONDS = 60;

/**
 * Wraps a function of the app so that every error reaches the person as one sentence.
 *
 * The platform appends the whole bundle, including the signing secret, to the message of every error that does not opt out. Every error
 * thrown here opts out.
 *
 * @param halts whether it is a step of a run, which can stop without an error. Elsewhere, such as while a Zap is turned on, people see only
 *   errors
 */
export function guarded<B extends Bundle, Result>(
  work: (z: ZObject, bundle: B) => Promise<Result>,
  { halts = false } = {},
): (z: ZObject, bundle: B) => Promise<Result> {
  return async (z, bundle) => {
    try {
      return await work(z, bundle);
    } catch (error) {
      throw withoutBundle(error instanceof ServiceError ? asZapierError(z, error, halts) : error);
    }
  };
}

/** Refusals because of the account's current bookings. Nobody made a mistake. */
const unmet: readonly ErrorKind[] = ['slotTaken', 'conflict'];

/** Chooses the class of an error, which decides what Zapier does: hold the step and try again, ask to reconnect, or show the error. */
function asZapierError(z: ZObject, error: ServiceError, halts: boolean): Error {
  // If the core knows when to try again (after a limit, a server error or a lost request), the step is held and runs again.
  const { kind, holdsOthers, retryAfterSeconds: seconds = holdsOthers ? WINDOW_SECONDS : undefined } = error;
  // A daily limit of bookings lasts as long as the service says, and a lost write as long as the core says.
  const isKnown = !holdsOthers && (kind === 'rateLimited' || kind === 'unknownOutcome');
  if (seconds !== undefined)
    return new z.errors.ThrottledError(error.sentence, Math.ceil(isKnown ? seconds : Math.min(seconds, WINDOW_SECONDS)));
  // The step is correct, but this run cannot do it: the time is taken, or a mapped field is empty. Errors would turn the Zap off.
  if (halts && (unmet.includes(error.kind) || error.fields.some(({ message }) => message === emptyFilter)))
    return new z.errors.HaltedError(error.sentence);
  if (error.kind === 'unauthenticated') return new z.errors.ExpiredAuthError(error.sentence);
  // If a refresh ends with a 4xx, Zapier ends the connection and asks its owner to reconnect. Only a refused grant, see above, justifies
  // that.
  return new z.errors.Error(error.sentence, error.code ?? error.kind, error.kind === 'notRenewed' ? undefined : error.status);
}

function withoutBundle(error: unknown): Error {
  return Object.assign(error instanceof Error ? error : new Error(errorWords(error)), { doNotContextify: true });
}
