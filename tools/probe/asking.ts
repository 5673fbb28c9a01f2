import assumptions from '../../shared/assumptions.json' with { type: 'json' };
import { idempotencyKey, type errorCodes } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { refusal } from '../../shared/client/errors.ts';
import { fetchClient, sendAuthorized, type HttpRequest } from '../../shared/client/httpClient.ts';
import type { ApiRequest, ApiResponse, JsonObject } from '../../shared/client/ports.ts';
import { shapeOf as shape } from '../../shared/reading/index.ts';
import { tidy } from '../../shared/values.ts';
import type { ProbeReceiver, ReceivedRequest } from './receiver.ts';

export type Gap = keyof typeof assumptions;

/** A record as it was received, without canonical names. */
export type ReceivedRecord = Record<string, unknown>;

/** One step of a question: a request to the service, or waiting for a delivery. */
export interface Ask {
  /** The request as the document names it, such as `GET /bookings/:id`. */
  what: string;
  /** The name under which later questions find the reply. */
  name?: string;
  /** The value for `:id`. */
  id?: string;
  query?: Record<string, string>;
  body?: JsonObject;
  token?: string;
  /** The idempotency key (G48). */
  key?: string;
  /** The code of the expected refusal. */
  refused?: keyof typeof errorCodes.codes;
  /** Whether success and refusal are both fine; with `paced`, a 429 is too. */
  trial?: boolean | 'paced';
  /** When to ask, in seconds after the first request of its question. */
  after?: number;
  /** A request to an address outside the base URL. */
  elsewhere?: HttpRequest & { url: string };
  /** The delivery to wait for, and the secret that signs it. */
  delivery?: { fits: (received: ReceivedRequest) => boolean; secret: string };
}

export interface Reply extends ApiResponse {
  ask: Ask;
  /** The request in the document's notation, such as `GET /v1/bookings?limit=1`. */
  request: string;
  /** The record or the list in the response, and the next page's cursor, if the core finds them. */
  record?: ReceivedRecord | undefined;
  items?: ReceivedRecord[] | undefined;
  cursor?: string | undefined;
  delivery?: ReceivedRequest | undefined;
}

/**
 * What a response says about a gap.
 *
 * @param isAssumed whether it is as assumed
 * @param words for people; by default the request, the status and the received keys
 * @param otherwise the words if it is not as assumed; by default `words`
 * @param verdict if it is not as assumed: `differs` if the core reads no other form
 */
export type Said = readonly [
  gap: Gap,
  isAssumed: boolean,
  words?: string | undefined,
  otherwise?: string | undefined,
  verdict?: 'also read' | 'differs',
];

export const differs = (gap: Gap, words?: string): Said => [gap, false, words, words, 'differs'];

/** The service to probe, and the functions that tests replace. */
export interface ProbePorts {
  /** Ends in /api/v1. */
  baseUrl: string;
  token: string;
  now: () => number;
  sleep: (milliseconds: number) => Promise<void>;
  say: (line: string) => void;
}

/** What a question can use: the replies so far, the delivery address, and the probe's resources. */
export interface Seen extends ProbePorts {
  replies: Reply[];
  /** The address to which the service delivers. */
  url: string;
  receiver?: ProbeReceiver | undefined;
  /** A connection for testing tokens. The test uses it up: it exchanges the refresh token and revokes the pair. */
  connection?: { clientId: string; clientSecret: string; refreshToken: string } | undefined;
}

/** Several steps, each of which may depend on the reply to the previous one. */
export type Asking = Generator<Ask, void, Reply>;

/** One question to the service. */
export interface Question {
  /** The steps; `undefined` if the question does not apply. */
  ask: (seen: Seen) => Ask | Asking | undefined;
  /** What the last reply says, in addition to how each reply compares with the OpenAPI document and the table of forms. */
  says?: (reply: Reply, seen: Seen) => readonly (Said | false)[];
}

/** The maximum number of attempts if the rate limit is reached. */
const tries = 3;
const longestWaitMs = 65_000;
/** How long to wait for a delivery. */
export const withinSeconds = 20;

/** Asks once and returns the response, whatever its status (0 for a delivery). Waits if the rate limit is reached. */
export async function answerTo(ask: Ask, { baseUrl, token: own, now, sleep, say, receiver }: Seen): Promise<Reply> {
  const { what, id = '', query, body, token = own, key, elsewhere, delivery } = ask;
  const [method = '', path = ''] = what.split(' ');
  const request = elsewhere || delivery ? what : `${method} /v1${path}${query ? `?${new URLSearchParams(query).toString()}` : ''}`;
  for (let waited = 0; delivery !== undefined; waited += 0.5) {
    const came = receiver?.received.find(delivery.fits);
    if (came !== undefined || waited > withinSeconds) return { ask, request, status: 0, headers: {}, body: came?.json, delivery: came };
    await sleep(500);
  }
  if (elsewhere !== undefined) return { ask, request, ...(await send(elsewhere.url, elsewhere)) };
  const headers = {
    accept: 'application/json',
    ...(body && { 'content-type': 'application/json' }),
    ...(key !== undefined && { [idempotencyKey.header]: key }),
  };
  const url = baseUrl + path.replace(':id', encodeURIComponent(id));
  const wanted = { method: method as ApiRequest['method'], url, headers, ...(query && { query }), ...(body && { body }) };
  for (let tried = 1; ; tried += 1) {
    const response = await sendAuthorized(send, wanted, token, AbortSignal.timeout(30_000));
    if (response.status !== 429 || ask.trial === 'paced' || tried >= tries) return { ask, request, ...response };
    const { retryAfterSeconds = 60 } = refusal(response, { resourceName: 'request', scope: 'any' }, now());
    const wait = Math.min(retryAfterSeconds * 1000 + 500, longestWaitMs);
    say(`${request}: ${brand.name} asks to wait ${Math.round(wait / 1000)} s`);
    await sleep(wait);
  }
}

export const isSuccess = ({ status }: ApiResponse): boolean => status >= 200 && status < 300;

/** Describes a response by its keys, for a person who must find out what it is. Never shows its values. */
export const shapeOf = (body: unknown): string =>
  typeof body === 'number' || typeof body === 'boolean' ? `a ${typeof body}` : tidy(shape(body));

/** Sends a request and returns the response, whatever its status. */
export const send = (address: string, request: HttpRequest): Promise<ApiResponse> =>
  fetchClient(fetch)(address, request, AbortSignal.timeout(30_000));
