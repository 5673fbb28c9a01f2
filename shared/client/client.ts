import type { ApiAnswer, Call, WriteResult } from '../call.ts';
import { describeResource, rateLimited, refusal } from './errors.ts';
import { ServiceError } from '../serviceError.ts';
import { tidy } from '../values.ts';
import { refusesRead } from '../reading/index.ts';
import { idempotencyKey } from '../assumptions.ts';
import { brand } from '../brand.ts';
import { checkBaseUrl } from './baseUrl.ts';
import { isServiceError, notTheService, isReplaced, redirection } from './intermediary.ts';
import type { Limiter } from './limiter.ts';
import { pathSegment } from './path.ts';
import { longestPauseMs, mayRepeat, Retries, type FailedTry, type RetryPolicy } from './retry.ts';
import type { PendingWrites, WriteKeys } from './pendingWrites.ts';
import { unreachable } from './unreachable.ts';
import { NetworkFault, tooLongCode, type ApiRequest, type ApiResponse, type Clock, type Transport } from './ports.ts';

export interface ClientPorts {
  /** Ends in `/api/v1` (section 1). */
  baseUrl: string;
  transport: Transport;
  clock: Clock;
  retryPolicy: RetryPolicy;
  limiter?: Limiter;
  /** Coordinates the connection's writes. */
  writes: PendingWrites;
  /**
   * Called with the keys of a write that was done, for a platform that forgets it once its result has been reported. By default, it is
   * forgotten at once.
   */
  onDone?: (keys: WriteKeys) => void;
  /** Whether the people who see an error cannot change the machine or its network. Default: false. */
  isManaged?: boolean;
  /**
   * An object that identifies the connection while it is in use: an operation may keep data under it for a later call. Default: a new
   * object for each client.
   */
  connection?: object;
  /** Called before the wait that precedes a retry. */
  onRetry?: (request: ApiRequest, status: number | undefined, waitMs: number) => void;
}

/** What a 2xx response means: that the call was done or refused, or the error for a response that says neither. */
export type Judge = (response: ApiResponse, call: Call) => 'done' | 'refused' | ServiceError;

/** Some services send a refusal with status 200. */
const judgeRead: Judge = ({ body }) => (refusesRead(body) ? 'refused' : 'done');

export interface Client {
  /** Sends a GET and returns its 2xx response. Sent again after a lost response or a 5xx. @throws ServiceError from the table of errors */
  read(call: Call): Promise<ApiAnswer>;
  /**
   * Sends a write. It is sent again only if it certainly was not done: it never left this machine, or the rate limit refused it.
   *
   * @param judge decides whether a 2xx response means that it was done
   */
  write(call: Call, judge: Judge): Promise<WriteResult>;
  readonly clock: Clock;
  readonly retryPolicy: RetryPolicy;
  readonly writes: PendingWrites;
  readonly onDone: ClientPorts['onDone'];
  readonly connection: object;
  /** The service's current time, from the `Date` header of its last response, in milliseconds; `undefined` if no response had one. */
  serviceNow(): number | undefined;
}

export const createClient = (ports: ClientPorts): Client => clientAt(checkBaseUrl(ports.baseUrl), ports);

/** @param base as returned by `checkBaseUrl` */
export function clientAt(
  base: string,
  { transport, clock, retryPolicy, limiter, writes, onDone, isManaged = false, connection = {}, onRetry }: Omit<ClientPorts, 'baseUrl'>,
): Client {
  /** How far the service's clock is ahead of ours, by its last response. Milliseconds. */
  let ahead: number | undefined;

  /** Tries until a response is final or the time for retries is over. */
  async function sendWithRetries(call: Call, judge: Judge): Promise<TriedCall> {
    const request = toRequest(base, call);
    const route = call.path.map((part) => (typeof part === 'string' ? part : ':id')).join('/');
    const endpoint = `${call.method} ${route}`;
    const retries = new Retries(retryPolicy, clock);
    for (;;) {
      const refusedFor = await limiter?.pass(clock, endpoint, retryPolicy.totalWaitMs);
      if (refusedFor !== undefined) return failed(rateLimited(call, refusedFor));
      const end = await attempt(request, route, call, judge);
      if (end.ok || (end.error.status !== undefined && !end.error.holdsOthers)) limiter?.answered(endpoint);
      if (end.ok) return end;
      const { error } = end;
      const wait = retries.waitAfter(error);
      // Even if this request gives up, the others must not run into the same refusal one by one. They wait as long as the service asked.
      if (error.holdsOthers) limiter?.pause(Math.min(wait, ((error.retryAfterSeconds ?? Infinity) + 1) * 1000), clock, endpoint);
      if (!mayRepeat(call, end) || !retries.allows(wait, error)) return end;
      onRetry?.(request, error.status, wait);
      await clock.sleep(Math.min(wait, longestPauseMs));
    }
  }

  async function attempt(request: ApiRequest, route: string, call: Call, judge: Judge): Promise<TriedCall> {
    const isWrite = call.method !== 'GET';
    let response: ApiResponse;
    try {
      response = await transport(request, `/v1/${route}`);
    } catch (error) {
      // The transport is certain that the request was refused before anything was done, and that the token was not refreshed.
      if (error instanceof ServiceError) return failed(error);
      if (!(error instanceof NetworkFault)) throw error;
      // A retry would return the same long response.
      const isTooLong = error.code === tooLongCode;
      return failed(isTooLong ? tooLong() : unreachable(base, error, isManaged), {
        notSent: !error.sent,
        isTransient: !isTooLong,
        isAmbiguous: isWrite && error.sent,
      });
    }
    const { status, body, headers } = response;
    const date = Date.parse(headers['date'] ?? '');
    if (!Number.isNaN(date)) ahead = date - clock.now();
    if (status >= 200 && status < 300) {
      const verdict = notTheService(response, request.url) ?? judge(response, call);
      if (verdict === 'done') return { ok: true, answer: { status, headers, body } };
      if (verdict === 'refused') return failed(refusal(response, call, clock.now()), { isAmbiguous: isWrite, isServiceError: true });
      return failed(verdict, { isAmbiguous: isWrite });
    }
    // Some servers redirect after they have already done what was asked.
    if (status >= 300 && status < 400) return failed(redirected(response, request.url, call), { isAmbiguous: isWrite });
    const refused = refusal(response, call, clock.now());
    // If the call names no record, the endpoint itself was not found.
    const error = refused.kind === 'notFound' && call.id === undefined ? refused.adding(`The address was ${request.url}.`) : refused;
    const isTransient = (status >= 500 && refused.kind !== 'invalid') || status === 408;
    return failed(notTheService(response, request.url, refused) ?? error, {
      isTransient: isTransient && status !== 511,
      isAmbiguous: isWrite && (isTransient || isReplaced(response)),
      isServiceError: isServiceError(response) || isReplaced(response),
      isReplay: headers['idempotent-replayed'] === 'true',
    });
  }

  return {
    async read(call) {
      const end = await sendWithRetries(call, judgeRead);
      if (!end.ok) throw end.error;
      return end.answer;
    },
    async write(call, judge) {
      const end = await sendWithRetries(call, judge);
      if (end.ok) return { state: 'succeeded', answer: end.answer };
      const { isAmbiguous, isServiceError, isReplay } = end;
      const error = { error: end.error, ...(isReplay && { isReplay }) };
      return isAmbiguous ? { state: 'unknown', isServiceError, ...error } : { state: 'rejected', ...error };
    },
    clock,
    retryPolicy,
    writes,
    onDone,
    connection,
    serviceNow: () => (ahead === undefined ? undefined : clock.now() + ahead),
  };
}

type TriedCall =
  | { ok: true; answer: ApiAnswer }
  | (FailedTry & {
      ok: false;
      /** The service may have done what was requested. */
      isAmbiguous: boolean;
      /** The service itself responded, with an error in its own form. */
      isServiceError: boolean;
      /** The service had already sent this response for the same idempotency key. */
      isReplay: boolean;
    });

const failed = (error: ServiceError, details: Partial<TriedCall & { ok: false }> = {}): TriedCall => ({
  ok: false,
  error,
  notSent: false,
  isTransient: false,
  isAmbiguous: false,
  isServiceError: false,
  isReplay: false,
  ...details,
});

/** The paths of section 4 begin with `/v1`, which is already at the end of the base URL. */
function toRequest(base: string, { method, path, query, body, notAfter, idempotencyKey: key, resourceName }: Call): ApiRequest {
  let url = base;
  for (const segment of path) url += `/${typeof segment === 'string' ? segment : pathSegment(segment.id, resourceName)}`;
  const request: ApiRequest = { method, url, headers: { accept: 'application/json' }, ...(notAfter !== undefined && { notAfter }) };
  if (key !== undefined) request.headers[idempotencyKey.header] = key;
  for (const name in query) {
    const value = query[name];
    if (value !== undefined) (request.query ??= {})[name] = value;
  }
  if (body !== undefined) {
    request.headers['content-type'] = 'application/json';
    request.body = body;
  }
  return request;
}

const tooLong = () =>
  new ServiceError('unreadable', {
    message: `${brand.name} sent a response of more than 20 MB, which is too long to read.`,
    advice: 'Ask for fewer records at a time, or report this to the provider of the service.',
  });

function redirected(response: ApiResponse, address: string, { method, id, ...about }: Call): ServiceError {
  const { status, headers } = response;
  const [, to] = /\/v1\/[^/?#]+\/([^/?#]+)\/?$/.exec(headers['location'] ?? '') ?? [];
  // The record was merged into another or replaced by it.
  if (method !== 'GET' || id === undefined || to === undefined || to === encodeURIComponent(id))
    return redirection(
      response,
      address,
      `${brand.name} at ${address.replace(/^https?:\/\//, '')} redirected the request`,
      'to protect your access token',
    );
  return new ServiceError('redirected', {
    message: `${brand.name} redirected the request for ${describeResource({ ...about, id })} to "${tidy(to)}" (status ${status}).`,
    advice: 'It may have been merged or replaced: use that ID.',
    status,
  });
}
