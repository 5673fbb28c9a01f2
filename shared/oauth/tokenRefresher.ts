import { ServiceError } from '../serviceError.ts';
import { tidy } from '../values.ts';
import type { ApiRequest } from '../client/ports.ts';
import { certificateCodes } from '../client/networkFaults.ts';
import { faultAdvice } from '../client/unreachable.ts';
import { brand } from '../brand.ts';
import { checkBaseUrl } from '../client/baseUrl.ts';

/** How long a refresh may take, how long a failure is remembered, and the waits before further attempts. Milliseconds. */
const timing = { deadlineMs: 20_000, rememberedMs: 30_000, againAfterMs: [1_000, 3_000] } as const;

/**
 * A request that changes nothing and that every connection may send (`GET /v1/me`, any scope, section 4). A host that refreshes tokens by
 * repeating a refused request repeats this one, so that the response to a failed refresh is never taken for that to a write.
 *
 * @throws ServiceError `invalid` if the base URL cannot be used
 */
export const harmlessRequest = (baseUrl: string): ApiRequest => ({
  method: 'GET',
  url: `${checkBaseUrl(baseUrl)}/me`,
  headers: { accept: 'application/json' },
});

/**
 * The error of a request whose token could not be refreshed. The request was refused with a 401, so it was certainly not done. If the grant
 * itself was refused, the error says to reconnect; otherwise it says what failed.
 */
export function notRenewed(cause: ServiceError): ServiceError {
  if (cause.kind === 'unauthenticated' || cause.kind === 'notRenewed') return cause;
  const { message, advice, status, code } = cause;
  const retryAfterSeconds = cause.retryAfterSeconds ?? (cause.kind === 'rateLimited' ? 60 : undefined);
  return new ServiceError('notRenewed', {
    message: `Nothing was done, because the connection to ${brand.name} could not be renewed: ${message}`,
    advice,
    status,
    code,
    retryAfterSeconds,
  });
}

/** The error if the token endpoint could not be reached or the connection broke off. @param why a network error code, or a phrase */
export const noTokenAnswer = (why: string): ServiceError =>
  new ServiceError('unreachable', {
    message: `${brand.name} did not answer the token request (${tidy(why)}).`,
    advice: faultAdvice({ code: why, sent: !certificateCodes.includes(why) && !/^PROXY/.test(why) }, false),
  });

/** The outcome of a refresh. `abandoned`: the run that refreshed for all was cancelled, which says nothing about the token. */
type End = 'refreshed' | 'abandoned' | { error: unknown };

interface RefreshTimer {
  now(): number;
  /** Ends early, with any error, if the signal aborts. */
  sleep(milliseconds: number, ended?: AbortSignal): Promise<void>;
}

/**
 * Runs one refresh at a time for each connection; everyone who finds the token expired waits for it. A refresh token that is used twice may
 * end the whole connection (section 5).
 *
 * A refresh has a deadline, after which a token request without a response counts as failed, so that nobody waits longer. A failure is
 * remembered for half a minute, so that a run of a thousand items does not try a thousand times.
 */
export class TokenRefresher {
  readonly #timer: RefreshTimer;
  readonly #underWay = new Map<string, Promise<End>>();
  readonly #failed = new Map<string, { error: unknown; until: number }>();

  constructor(timer: RefreshTimer) {
    this.#timer = timer;
  }

  /**
   * Resolves once the connection is refreshed, by `work` or by a refresh that is already running.
   *
   * @param work one attempt; its error says whether another attempt may succeed
   * @param cancelled ends only this caller's wait: the others keep waiting, or refresh for themselves
   * @throws ServiceError with the reason for the failure, see {@link notRenewed}
   */
  async refresh(connection: string, work: () => Promise<void>, cancelled?: AbortSignal): Promise<void> {
    for (;;) {
      const failed = this.#failed.get(connection);
      if (failed !== undefined && this.#timer.now() < failed.until) throw failed.error;
      const running = this.#underWay.get(connection) ?? this.#begin(connection, work, cancelled);
      const end = await (cancelled === undefined ? running : Promise.race([running, whenCancelled(cancelled)]));
      if (end === 'refreshed') return;
      if (end !== 'abandoned') throw end.error;
    }
  }

  #begin(connection: string, work: () => Promise<void>, cancelled: AbortSignal | undefined): Promise<End> {
    const running = this.#withinDeadline(connection, work)
      .then(
        (): End => 'refreshed',
        (error: unknown): End => {
          if (cancelled?.aborted === true) return 'abandoned';
          const told = error instanceof ServiceError ? notRenewed(error) : error;
          this.#failed.set(connection, { error: told, until: this.#timer.now() + timing.rememberedMs });
          return { error: told };
        },
      )
      .finally(() => this.#underWay.delete(connection));
    this.#underWay.set(connection, running);
    return running;
  }

  async #withinDeadline(connection: string, work: () => Promise<void>): Promise<void> {
    const over = new AbortController();
    const tries = this.#tries(work, over.signal);
    // A success after the deadline still counts.
    tries.then(
      () => this.#failed.delete(connection),
      () => undefined,
    );
    const deadline = this.#timer.sleep(timing.deadlineMs, over.signal).then(
      () => {
        throw noTokenAnswer(`within ${timing.deadlineMs / 1000} seconds`);
      },
      // The attempts have ended, so the outcome of the wait does not matter.
      () => undefined,
    );
    try {
      await Promise.race([tries, deadline]);
    } finally {
      over.abort();
    }
  }

  async #tries(work: () => Promise<void>, over: AbortSignal): Promise<void> {
    for (const wait of [...timing.againAfterMs, undefined]) {
      try {
        return await work();
      } catch (error) {
        const mayPass = error instanceof ServiceError && (error.kind === 'server' || error.kind === 'unreachable');
        if (!mayPass || wait === undefined || over.aborted) throw error;
        await this.#timer.sleep(wait, over);
      }
    }
  }
}

/** One promise per run, however many of its items wait. */
const cancellations = new WeakMap<AbortSignal, Promise<End>>();

function whenCancelled(cancelled: AbortSignal): Promise<End> {
  const known = cancellations.get(cancelled);
  if (known !== undefined) return known;
  const end = new Promise<End>((resolve) => {
    const stop = () => resolve({ error: cancelled.reason instanceof Error ? cancelled.reason : new Error('The run was cancelled.') });
    if (cancelled.aborted) stop();
    else cancelled.addEventListener('abort', stop);
  });
  cancellations.set(cancelled, end);
  return end;
}
