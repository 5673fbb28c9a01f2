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

/** What is asked: a request to the service, or that a delivery arrives. */
export interface Ask {
  /** As the document names it, such as `GET /bookings/:id`. */
  what: string;
  /** Under which later questions find the reply. */
  name?: string;
  /** In place of `:id`. */
  id?: string;
  query?: Record<string, string>;
  body?: JsonObject;
  token?: string;
  /** The idempotency key (G48). */
  key?: string;
  /** The code of the refusal that is expected. */
  refused?: keyof typeof errorCodes.codes;
  /** Whether either answer is fine; a 429 is one as well if it is `paced`. */
  trial?: boolean | 'paced';
  /** So many seconds after the first request of its question. */
  after?: number;
  /** An address that is not below the base URL. */
  elsewhere?: HttpRequest & { url: string };
  /** The delivery that is waited for, and the secret that signs it. */
  delivery?: { fits: (received: ReceivedRequest) => boolean; secret: string };
}

export interface Reply extends ApiResponse {
  ask: Ask;
  /** The request in the form that the document uses, such as `GET /v1/bookings?limit=1`. */
  request: string;
  /** The record or the list in it, and where the list goes on, as far as the core finds them. */
  record?: ReceivedRecord | undefined;
  items?: ReceivedRecord[] | undefined;
  cursor?: string | undefined;
  delivery?: ReceivedRequest | undefined;
}

/**
 * What an answer says about a gap.
 *
 * @param isAssumed whether it is as assumed
 * @param words for people; by default the request, the status and the keys that came
 * @param otherwise the words if it is not as assumed; the same by default
 * @param verdict in that case: `differs` where no other form is read
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

/** What a question rests on: what has been answered so far, and what may be used. */
export interface Seen extends ProbePorts {
  replies: Reply[];
  /** Where the service delivers. */
  url: string;
  receiver?: ProbeReceiver | undefined;
  /** A connection to test tokens with. The test uses it up: it exchanges the refresh token and revokes the pair. */
  connection?: { clientId: string; clientSecret: string; refreshToken: string } | undefined;
}

/** Several questions, one after another, where one rests on the answer before. */
export type Asking = Generator<Ask, void, Reply>;

/** A row of what a service is asked. */
export interface Question {
  /** What is asked; `undefined` if there is nothing to ask it with. */
  ask: (seen: Seen) => Ask | Asking | undefined;
  /** What the last answer says, beside how each one compares with the OpenAPI document and the table of forms. */
  says?: (reply: Reply, seen: Seen) => readonly (Said | false)[];
}

/** How often a request is sent again if it was refused because the probe was too fast. */
const tries = 3;
const longestWaitMs = 65_000;
/** How long a delivery is waited for. */
export const withinSeconds = 20;

/** Asks once and returns the answer, whatever its status; status 0 if a delivery does not come. Waits if the rate limit was reached. */
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

/** The keys of an answer, for a person who has to find out what it is. Never its values. */
export const shapeOf = (body: unknown): string =>
  typeof body === 'number' || typeof body === 'boolean' ? `a ${typeof body}` : tidy(shape(body));

/** Sends a request and returns the answer, whatever its status. */
export const send = (address: string, request: HttpRequest): Promise<ApiResponse> =>
  fetchClient(fetch)(address, request, AbortSignal.timeout(30_000));
