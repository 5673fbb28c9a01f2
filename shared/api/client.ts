import { brand } from '../brand.ts';
import { checkBaseUrl } from '../oauth.ts';
import { called, rateLimited, refusal, ServiceError, tidy, type Subject } from './errors.ts';
import type { Limiter } from './limiter.ts';
import { pathSegment } from './path.ts';
import { waitBefore, type Patience } from './retry.ts';
import type { Unsettled } from './unsettled.ts';
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
  /** Where the host ends a step before it can be known what became of a request, and runs it again later. */
  unsettled?: Unsettled;
}

export interface Client {
  /**
   * Sends one call and gives the body of its 2xx answer.
   *
   * GET and DELETE are sent again after a lost or a 5xx answer, POST only when it cannot have been carried out: never
   * sent, or refused by the rate limit. A POST or DELETE whose outcome is not known ends in a {@link LostAnswer}.
   *
   * @throws ServiceError of the kind that the table of errors gives.
   */
  send(call: Call): Promise<unknown>;
  readonly clock: Clock;
  readonly patience: Patience;
  /** Ids of the bookings that this client made, so that a read-back does not take one of them for another (G29). */
  readonly made: Set<string>;
  readonly unsettled?: Unsettled | undefined;
}

/** A POST or DELETE that was sent and not answered: it may have been carried out. */
export class LostAnswer extends ServiceError {
  /** Why no answer is known: a code of the network, or a status. */
  readonly reason: string;

  constructor(about: Pick<Subject, 'thing' | 'id'>, reason: string) {
    super('unknownOutcome', {
      message: `${brand.name} did not confirm the request for ${called(about)} (${tidy(reason)}): it may or may not have been carried out.`,
      advice: 'Look in the service before you try again.',
    });
    this.name = 'LostAnswer';
    this.reason = reason;
  }
}

export function createClient({ baseUrl, transport, clock, patience, limiter, unsettled }: ClientPorts): Client {
  const base = checkBaseUrl(baseUrl);

  async function send(call: Call): Promise<unknown> {
    const request = toRequest(base, call);
    const resource = call.path.find((part) => typeof part === 'string');
    const repeatable = call.method !== 'POST';
    let waited = 0;
    let lost: ServiceError | undefined;
    for (let attempt = 1; ; attempt += 1) {
      const refusedFor = await limiter?.pass(clock, resource, patience.totalWaitMs);
      if (refusedFor !== undefined) throw lost ?? rateLimited(call, refusedFor);
      const end = await once(request, call, base);
      if (end.ok || (end.error.status !== undefined && end.error.kind !== 'rateLimited')) limiter?.taken(resource);
      if (end.ok) return end.body;
      const mayRepeat = end.error.kind === 'rateLimited' || end.untouched || (repeatable && end.passing);
      const wait = waitBefore(attempt, end.error.retryAfterSeconds, end.error.kind === 'rateLimited', clock);
      if (end.error instanceof LostAnswer) lost = end.error;
      // Also where this request gives up: the others must not run into the same refusal one by one.
      if (end.error.kind === 'rateLimited') limiter?.pause(wait, clock, resource);
      if (!mayRepeat || attempt >= patience.attempts || waited + wait > patience.totalWaitMs || wait >= (patience.leftMs?.() ?? Infinity)) {
        // What an earlier try left open stays open, unless this one says that the thing is not there.
        throw end.error.kind === 'notFound' ? end.error : (lost ?? end.error);
      }
      waited += wait;
      await clock.sleep(wait);
    }
  }

  /** One try, and what became of it. `untouched`: the service cannot have acted; `passing`: another try may do better. */
  async function once(request: ApiRequest, call: Call, origin: string): Promise<End> {
    const changes = call.method !== 'GET';
    let response: ApiResponse;
    try {
      response = await transport(request);
    } catch (error) {
      // What the transport knows for certain: refused before it was carried out, and not renewed.
      if (error instanceof ServiceError) return { ok: false, error, untouched: false, passing: false };
      if (!(error instanceof NetworkFault)) throw error;
      const isLost = error.sent && changes;
      return { ok: false, error: isLost ? new LostAnswer(call, error.code) : unreachable(origin, error), untouched: !error.sent, passing: true };
    }
    const { status } = response;
    if (status >= 200 && status < 300) return { ok: true, body: response.body };
    if (status >= 300 && status < 400) return { ok: false, error: redirected(status, origin), untouched: false, passing: false };
    const error = refusal(response, call, clock.now());
    const passing = status >= 500 || status === 408;
    return { ok: false, error: changes && passing ? new LostAnswer(call, `status ${status}`) : error, untouched: false, passing };
  }

  return { send, clock, patience, made: new Set(), unsettled };
}

type End = { ok: true; body: unknown } | { ok: false; error: ServiceError; untouched: boolean; passing: boolean };

/** The paths of section 4 begin with `/v1`, which the base address already ends in. */
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

/** No answer came from the service at this address. */
export const unreachable = (origin: string, fault: NetworkFault): ServiceError =>
  new ServiceError('unreachable', {
    message: `${brand.name} could not be reached at ${new URL(origin).host} (${tidy(fault.code)}).`,
    advice: 'Check the address in the connection and that the service is up, then try again.',
  });

const redirected = (status: number, origin: string) =>
  new ServiceError('redirected', {
    message: `${brand.name} answered at ${new URL(origin).host} with a redirect (status ${status}), which is not followed because it would hand the access token on.`,
    advice: 'Correct the base address in the connection.',
    status,
  });
