import { brand } from '../brand.ts';
import { checkBaseUrl } from '../oauth.ts';
import { rateLimited, refusal, ServiceError, tidy, webPage, type Subject } from './errors.ts';
import type { Limiter } from './limiter.ts';
import { pathSegment } from './path.ts';
import { Retries, type Patience } from './retry.ts';
import { PendingWrites } from './pendingWrites.ts';
import { shapeOf } from './records.ts';
import { NetworkFault, type ApiRequest, type ApiResponse, type Clock, type JsonObject, type Transport } from './transport.ts';

/** One call of an endpoint of section 4. */
export interface Call extends Subject {
  method: ApiRequest['method'];
  /** The path after `/v1`; a segment in an object is an id and is checked and encoded. */
  path: readonly (string | { id: string })[];
  query?: Record<string, string | undefined>;
  body?: JsonObject;
}

export interface ClientPorts {
  /** Ends in `/api/v1` (section 1). */
  baseUrl: string;
  transport: Transport;
  clock: Clock;
  patience: Patience;
  limiter?: Limiter;
  /** What the connection's writes need to know about each other. By default, only this client's writes are known. */
  writes?: PendingWrites;
}

/** A complete answer with a 2xx status. */
export interface Answer {
  status: number;
  body: unknown;
}

/**
 * The result of a call that changes something, as far as its own answer shows: done, with the record that was read; certainly not done; or
 * unconfirmed, because there was no answer, or one without the expected record.
 */
export type Sent<Result> =
  | { end: 'done'; result: Result }
  | { end: 'refused'; error: ServiceError }
  | { end: 'unconfirmed'; reason: string };

export interface Client {
  /**
   * Reads: sends a GET and returns the body of its 2xx answer. Sent again if the answer is lost or a 5xx.
   *
   * @throws ServiceError of the kind that the table of errors gives
   */
  send(call: Call): Promise<unknown>;
  /**
   * Sends a call that changes something. It is sent again only if it cannot have been done: it was never sent, or the rate limit refused
   * it.
   *
   * @param read returns the result that the answer proves, or `undefined` if it proves none
   */
  write<Result>(call: Call, read: (answer: Answer) => Result | undefined): Promise<Sent<Result>>;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly writes: PendingWrites;
  /** The service's current time by the `Date` of its last answer, in milliseconds; `undefined` if no answer had one. */
  serviceNow(): number | undefined;
}

export const createClient = (ports: ClientPorts): Client => clientAt(checkBaseUrl(ports.baseUrl), ports);

/** The same for a client that is made for each call: `base` is an address that `checkBaseUrl` returned. */
export function clientAt(
  base: string,
  { transport, clock, patience, limiter, writes = new PendingWrites() }: Omit<ClientPorts, 'baseUrl'>,
): Client {
  /** How far the service's clock is ahead of ours, by its last answer. Milliseconds. */
  let ahead: number | undefined;

  /** Tries until an answer is final or the time for retries is over. */
  async function settled(call: Call): Promise<End> {
    const request = toRequest(base, call);
    const endpoint = `${call.method} ${call.path.map((part) => (typeof part === 'string' ? part : ':id')).join('/')}`;
    const retries = new Retries(patience, clock);
    for (;;) {
      const refusedFor = await limiter?.pass(clock, endpoint, patience.totalWaitMs);
      if (refusedFor !== undefined) return { ok: false, error: rateLimited(call, refusedFor), untouched: false, passing: false };
      const end = await once(request, call);
      if (end.ok || (end.error.status !== undefined && end.error.kind !== 'rateLimited')) limiter?.taken(endpoint);
      if (end.ok) return end;
      const { error } = end;
      const mayRepeat = error.kind === 'rateLimited' || end.untouched || (call.method === 'GET' && end.passing);
      const wait = retries.waitAfter(error);
      // Even if this request gives up, the others must not run into the same refusal one by one.
      if (error.holdsOthers) limiter?.pause(wait, clock, endpoint);
      if (!mayRepeat || !retries.allows(wait, error)) return end;
      await clock.sleep(wait);
    }
  }

  async function once(request: ApiRequest, call: Call): Promise<End> {
    const changes = call.method !== 'GET';
    let response: ApiResponse;
    try {
      response = await transport(request);
    } catch (error) {
      // The transport knows for certain that the request was refused before anything was done, and that the token was not refreshed.
      if (error instanceof ServiceError) return { ok: false, error, untouched: false, passing: false };
      if (!(error instanceof NetworkFault)) throw error;
      return {
        ok: false,
        error: unreachable(base, error),
        untouched: !error.sent,
        passing: true,
        ...(error.sent && changes && { lost: error.code }),
      };
    }
    const { status, body, headers } = response;
    const date = Date.parse(headers['date'] ?? '');
    if (!Number.isNaN(date)) ahead = date - clock.now();
    const page = changes ? undefined : webPage(response, base);
    if (page !== undefined) return { ok: false, error: page, untouched: false, passing: false };
    if (status >= 200 && status < 300) return { ok: true, answer: { status, body } };
    if (status >= 300 && status < 400) {
      // Some servers answer "See other" after they have acted. The other redirects pass the request on without acting.
      return {
        ok: false,
        error: redirected(status, base),
        untouched: false,
        passing: false,
        ...(changes && status === 303 && { lost: `status ${status}` }),
      };
    }
    const error = refusal(response, call, clock.now());
    const passing = status >= 500 || status === 408;
    return { ok: false, error, untouched: false, passing, ...(changes && passing && { lost: `status ${status}` }) };
  }

  return {
    async send(call) {
      const end = await settled(call);
      if (!end.ok) throw end.error;
      return end.answer.body;
    },
    async write(call, read) {
      const end = await settled(call);
      if (!end.ok) return end.lost === undefined ? { end: 'refused', error: end.error } : { end: 'unconfirmed', reason: tidy(end.lost) };
      const result = read(end.answer);
      return result === undefined
        ? { end: 'unconfirmed', reason: `it answered with ${shapeOf(end.answer.body)}` }
        : { end: 'done', result };
    },
    clock,
    patience,
    writes,
    serviceNow: () => (ahead === undefined ? undefined : clock.now() + ahead),
  };
}

/**
 * One try. `untouched`: the service cannot have acted; `passing`: another try may succeed; `lost`: the reason why the service may have
 * acted anyway.
 */
type End = { ok: true; answer: Answer } | { ok: false; error: ServiceError; untouched: boolean; passing: boolean; lost?: string };

/** The paths of section 4 begin with `/v1`, with which the base address already ends. */
function toRequest(base: string, { method, path, query, body, thing }: Call): ApiRequest {
  let url = base;
  for (const segment of path) url += `/${typeof segment === 'string' ? segment : pathSegment(segment.id, thing)}`;
  const request: ApiRequest = { method, url, headers: { accept: 'application/json' } };
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

/** The error if the service at this address did not answer. */
export const unreachable = (origin: string, fault: NetworkFault): ServiceError =>
  new ServiceError('unreachable', {
    message: `${brand.name} could not be reached at ${new URL(origin).host} (${tidy(fault.code)}).`,
    advice: 'Check the address in the connection and that the service is up, then try again.',
  });

const redirected = (status: number, origin: string) =>
  new ServiceError('redirected', {
    message: `${brand.name} at ${new URL(origin).host} redirected the request (status ${status}). Redirects are not followed, to protect your access token.`,
    advice: 'Correct the base address in the connection.',
    status,
  });
