import type { Bundle, ZObject } from 'zapier-platform-core';
import { ServiceError } from '../../shared/api/errors.ts';

/** Where the service does not say how long to wait, Zapier tries again after the minute that its documented windows last. */
const DEFAULT_DELAY_SECONDS = 60;

/**
 * Wraps a function of the app so that whatever goes wrong in it reaches the person as one sentence.
 *
 * The platform appends the whole bundle, signing secret included, to the message of every error that does not opt out:
 * every error that leaves through here has.
 */
export function guarded<B extends Bundle, Result>(
  work: (z: ZObject, bundle: B) => Promise<Result>,
): (z: ZObject, bundle: B) => Promise<Result> {
  return async (z, bundle) => {
    try {
      return await work(z, bundle);
    } catch (error) {
      throw withoutBundle(error instanceof ServiceError ? asZapierError(z, error) : error);
    }
  };
}

/** What Zapier does about an error follows from its class: hold and try again, ask to reconnect, or show it. */
function asZapierError(z: ZObject, error: ServiceError): Error {
  // Where the core knows when to come again – after a limit, a fault, or for what became of a lost request – the step is held, and runs again.
  if (error.retryAfterSeconds !== undefined || error.kind === 'rateLimited')
    return new z.errors.ThrottledError(error.sentence, Math.ceil(error.retryAfterSeconds ?? DEFAULT_DELAY_SECONDS));
  if (error.kind === 'unauthenticated') return new z.errors.ExpiredAuthError(error.sentence);
  return new z.errors.Error(error.sentence, error.code ?? error.kind, error.status);
}

function withoutBundle(error: unknown): Error {
  return Object.assign(error instanceof Error ? error : new Error(String(error)), { doNotContextify: true });
}
