import { errorCodes } from '../assumptions.ts';
import { brand } from '../brand.ts';
import { checkBaseUrl } from '../oauth/oauth.ts';
import { describeResource, rateLimited, refusal, ServiceError, webPage, type Subject } from './errors.ts';
import { parsed } from './httpClient.ts';
import { messageIn, tidy } from './errorBody.ts';
import type { Limiter } from './limiter.ts';
import { pathSegment } from './path.ts';
import { Retries, type RetryPolicy } from './retry.ts';
import { memoryStore, PendingWrites } from '../writes/pendingWrites.ts';
import { hasValue, idText, isNo, isObject, isYes } from '../values.ts';
import { NetworkFault, tooLongCode, type ApiRequest, type ApiResponse, type Clock, type JsonObject, type Transport } from './transport.ts';

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
  retryPolicy: RetryPolicy;
  limiter?: Limiter;
  /** What the connection's writes need to know about each other. By default, only this client's writes are known. */
  writes?: PendingWrites;
  /** Called before the wait for sending a request again. */
  onRetry?: (request: ApiRequest, status: number | undefined, waitMs: number) => void;
}

/** An answer of the API with a 2xx status. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/**
 * What the answer to a write shows: it was done; it was certainly not done; or nobody knows, because no answer came, or one that may hide
 * the effect. `isServiceError`: the service itself answered with an error in its own form (section 7).
 */
export type WriteResult =
  | { state: 'succeeded'; answer: Answer }
  | { state: 'rejected'; error: ServiceError }
  | { state: 'unknown'; error: ServiceError; isServiceError: boolean };

export interface Client {
  /**
   * Sends a GET and returns its 2xx answer. Sent again if the answer is lost or a 5xx.
   *
   * @throws ServiceError of the kind that the table of errors gives
   */
  read(call: Call): Promise<Answer>;
  /** Sends a write. It is sent again only if it certainly was not done: it never left this machine, or the rate limit refused it. */
  write(call: Call): Promise<WriteResult>;
  readonly clock: Clock;
  readonly retryPolicy: RetryPolicy;
  readonly writes: PendingWrites;
  /** The service's current time by the `Date` of its last answer, in milliseconds; `undefined` if no answer had one. */
  serviceNow(): number | undefined;
}

export const createClient = (ports: ClientPorts): Client => clientAt(checkBaseUrl(ports.baseUrl), ports);

/** @param base as `checkBaseUrl` returned it */
export function clientAt(
  base: string,
  {
    transport,
    clock,
    retryPolicy,
    limiter,
    writes = new PendingWrites(memoryStore(() => clock.now(), tryAgain)),
    onRetry,
  }: Omit<ClientPorts, 'baseUrl'>,
): Client {
  /** How far the service's clock is ahead of ours, by its last answer. Milliseconds. */
  let ahead: number | undefined;

  /** Tries until an answer is final or the time for retries is over. */
  async function sendWithRetries(call: Call): Promise<Attempt> {
    const request = toRequest(base, call);
    const route = call.path.map((part) => (typeof part === 'string' ? part : ':id')).join('/');
    const endpoint = `${call.method} ${route}`;
    const retries = new Retries(retryPolicy, clock);
    for (;;) {
      const refusedFor = await limiter?.pass(clock, endpoint, retryPolicy.totalWaitMs);
      if (refusedFor !== undefined) return failed(rateLimited(call, refusedFor));
      const end = await attempt(request, route, call);
      if (end.ok || (end.error.status !== undefined && end.error.kind !== 'rateLimited')) limiter?.answered(endpoint);
      if (end.ok) return end;
      const { error } = end;
      const mayRepeat = error.kind === 'rateLimited' || end.notSent || (call.method === 'GET' && end.isTransient);
      const wait = retries.waitAfter(error);
      // Even if this request gives up, the others must not run into the same refusal one by one. They wait for what the service asked.
      if (error.holdsOthers) limiter?.pause(Math.min(wait, ((error.retryAfterSeconds ?? Infinity) + 1) * 1000), clock, endpoint);
      if (!mayRepeat || !retries.allows(wait, error)) return end;
      onRetry?.(request, error.status, wait);
      await clock.sleep(wait);
    }
  }

  async function attempt(request: ApiRequest, route: string, call: Call): Promise<Attempt> {
    const isWrite = call.method !== 'GET';
    let response: ApiResponse;
    try {
      response = await transport(request, `/v1/${route}`);
    } catch (error) {
      // The transport knows for certain that the request was refused before anything was done, and that the token was not refreshed.
      if (error instanceof ServiceError) return failed(error);
      if (!(error instanceof NetworkFault)) throw error;
      // Another try would be as long.
      const isTooLong = error.code === tooLongCode;
      return failed(isTooLong ? tooLong() : unreachable(base, error), {
        notSent: !error.sent,
        isTransient: !isTooLong,
        isAmbiguous: isWrite && error.sent,
      });
    }
    const { status, body, headers } = response;
    const date = Date.parse(headers['date'] ?? '');
    if (!Number.isNaN(date)) ahead = date - clock.now();
    const page = webPage(response, request.url) ?? (isWrite ? brokenOff(response) : undefined);
    // Some services answer a refusal with 200.
    if (status < 300 && saysNo(body) && (isWrite || !holdsList(body)))
      return failed(refusal(response, call, clock.now()), { isAmbiguous: isWrite, isServiceError: true });
    if (page !== undefined) return failed(page, { isAmbiguous: isWrite });
    if (status >= 200 && status < 300) return { ok: true, answer: { status, headers, body } };
    // Some servers answer with a redirect after they have acted.
    if (status >= 300 && status < 400) return failed(redirected(response, request.url, call), { isAmbiguous: isWrite });
    const refused = refusal(response, call, clock.now());
    // Without an id, what was not found is the endpoint itself.
    const error = refused.kind === 'notFound' && call.id === undefined ? refused.adding(`The address was ${request.url}.`) : refused;
    const isTransient = status >= 500 || status === 408;
    return failed(error, {
      isTransient,
      isAmbiguous: isWrite && isTransient,
      isServiceError: hasErrorForm(body) && !ofGateways.includes(status),
    });
  }

  return {
    async read(call) {
      const end = await sendWithRetries(call);
      if (!end.ok) throw end.error;
      return end.answer;
    },
    async write(call) {
      const end = await sendWithRetries(call);
      if (end.ok) return { state: 'succeeded', answer: end.answer };
      const { error, isAmbiguous, isServiceError } = end;
      return isAmbiguous ? { state: 'unknown', error, isServiceError } : { state: 'rejected', error };
    },
    clock,
    retryPolicy,
    writes,
    serviceNow: () => (ahead === undefined ? undefined : clock.now() + ahead),
  };
}

const tryAgain = 'Try again with the same client: it is looked for first, and sent only if it is certainly not there.';

type Attempt =
  | { ok: true; answer: Answer }
  | {
      ok: false;
      error: ServiceError;
      /** The request never left this machine. */
      notSent: boolean;
      /** Another try may succeed. */
      isTransient: boolean;
      /** The service may have done what was asked for. */
      isAmbiguous: boolean;
      /** The service itself answered, with an error in its own form. */
      isServiceError: boolean;
    };

const failed = (error: ServiceError, details: Partial<Attempt & { ok: false }> = {}): Attempt => ({
  ok: false,
  error,
  notSent: false,
  isTransient: false,
  isAmbiguous: false,
  isServiceError: false,
  ...details,
});

/** Whether a body is an error of the service in the form of section 7 or in other words, and not the page of something in between. */
function hasErrorForm(body: unknown): boolean {
  const words = messageIn(body);
  return (
    (isObject(body) && typeof body['code'] === 'string') ||
    (words !== '' && !(typeof body === 'string' && (/^\s*</.test(body) || isOfGateway(words))))
  );
}

/** Whether this is what servers and gateways write by themselves: only the name of the status, or what failed behind them. */
function isOfGateway(text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '' && word !== 'error' && word !== 'http');
  return words.includes('upstream') || statusNames.includes(words.join(' '));
}

const statusNames = ['', 'code', 'internal server', 'service unavailable', 'service temporarily unavailable', 'the service is unavailable'];

/** What gateways answer for a service that has not answered them. */
const ofGateways = [408, 502, 504];

const isFilled = (value: unknown): boolean =>
  value === true ||
  (typeof value === 'string' && value !== '') ||
  (typeof value === 'object' && value !== null && Object.values(value).some((each) => hasValue(each) && !isNo(each)));

/** Whether the body of a 2xx says that nothing was done: in plain words, or by naming an error and no record. */
function saysNo(body: unknown): body is Record<string, unknown> {
  if (!isObject(body)) return false;
  const { success, ok, isSuccess, succeeded, status, result, error, errors, code } = body;
  const said = [success, ok, isSuccess, succeeded];
  if (said.some(isNo)) return true;
  if (said.some(isYes) || showsRecord(body)) return false;
  return isFilled(error) || isFilled(errors) || [status, result, code].some(isFailure);
}

/** Whether a code or a status is that of a failure: false, `SLOT_UNAVAILABLE`, `error`, 400 or 40001. */
const isFailure = (value: unknown): boolean =>
  value === false ||
  (typeof value === 'string'
    ? Object.hasOwn(errorCodes.codes, value) || /^(?:error|fail(?:ed|ure)?)$/i.test(value)
    : typeof value === 'number' && /^(?:4[0-5]|5[01])\d(?:\d\d)?$/.test(String(value)));

/** Whether a body has a list that is not one of complaints, also inside `data` (G1). */
const holdsList = (body: Record<string, unknown>): boolean =>
  [body, body['data']].some((at) => isObject(at) && Object.keys(at).some((key) => Array.isArray(at[key]) && !aboutErrors.test(key)));
const aboutErrors = /^(?:errors?|details|issues|messages)$/i;

const showsRecord = (body: Record<string, unknown>): boolean =>
  [body, ...Object.values(body)].some((value) => isObject(value) && idText(value['id']) !== undefined);

/** The error for an answer that begins as JSON and is not: the rest of it was lost. */
function brokenOff({ status, headers, body }: ApiResponse): ServiceError | undefined {
  if (status > 299 || typeof body !== 'string' || parsed(body) !== body) return undefined;
  const begins = /^\s*(?:\{\s*"|\[\s*[{"])/.test(body) || (/json/i.test(headers['content-type'] ?? '') && /^\s*[[{"]/.test(body));
  if (!begins) return undefined;
  return new ServiceError('unreachable', {
    message: `The answer of ${brand.name} (status ${status}) was cut off.`,
    advice: 'Check the network between here and the service, then try again.',
    status,
  });
}

/** The paths of section 4 begin with `/v1`, with which the base URL already ends. */
function toRequest(base: string, { method, path, query, body, resourceName }: Call): ApiRequest {
  let url = base;
  for (const segment of path) url += `/${typeof segment === 'string' ? segment : pathSegment(segment.id, resourceName)}`;
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
export const unreachable = (origin: string, { sent, code }: NetworkFault): ServiceError =>
  new ServiceError('unreachable', {
    message: `${brand.name} ${sent ? `at ${new URL(origin).host} did not answer` : `could not be reached at ${new URL(origin).host}`} (${tidy(code)}).`,
    advice: 'Check the address in the connection and that the service is up, then try again.',
  });

const tooLong = () =>
  new ServiceError('unreadable', {
    message: `${brand.name} sent an answer of more than 20 MB, which is too long to read.`,
    advice: 'Ask for fewer records at a time, or report this to the maker of the service.',
  });

function redirected({ status, headers }: ApiResponse, address: string, { method, id, ...about }: Call): ServiceError {
  const [, to] = /\/v1\/[^/?#]+\/([^/?#]+)\/?$/.exec(headers['location'] ?? '') ?? [];
  // A record that was merged into another, or replaced by it.
  const isElsewhere = method === 'GET' && id !== undefined && to !== undefined && to !== encodeURIComponent(id);
  return new ServiceError('redirected', {
    message: isElsewhere
      ? `${brand.name} redirected the request for ${describeResource({ ...about, id })} to "${tidy(to)}" (status ${status}).`
      : `${brand.name} at ${address.replace(/^https?:\/\//, '')} redirected the request (status ${status}). Redirects are not followed, to protect your access token.`,
    advice: isElsewhere ? 'It may have been merged or replaced: use that ID.' : 'Correct the base URL in the connection.',
    status,
  });
}
