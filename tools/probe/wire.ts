import { idempotencyKey } from '../../shared/assumptions.ts';
import { refusal } from '../../shared/client/errors.ts';
import { tidy } from '../../shared/values.ts';
import { shapeOf as shape } from '../../shared/reading/index.ts';
import { brand } from '../../shared/brand.ts';
import { fetchClient, sendAuthorized, type HttpRequest } from '../../shared/client/httpClient.ts';
import type { ApiRequest, ApiResponse, JsonObject, Transport } from '../../shared/client/ports.ts';
import type { Findings } from './findings.ts';

/** The service to probe, and the functions that tests replace. */
export interface ProbePorts {
  /** Ends in /api/v1. */
  baseUrl: string;
  token: string;
  now: () => number;
  sleep: (milliseconds: number) => Promise<void>;
  say: (line: string) => void;
}

export interface Probing extends ProbePorts {
  findings: Findings;
  wire: Send;
}

export interface Reply extends ApiResponse {
  /** The request in the form that the document uses, such as `GET /v1/bookings?limit=1`. */
  request: string;
}

type Send = (
  method: ApiRequest['method'],
  path: string,
  /** @param id takes the place of `:id` in the path. @param key the idempotency key (G48) */
  more?: { id?: string; query?: Record<string, string>; body?: JsonObject; token?: string; key?: string },
) => Promise<Reply>;

/** How often a request is sent again if it was refused because the probe was too fast. */
const TRIES = 3;
const LONGEST_WAIT_MS = 65_000;

/** Sends one request and returns the answer, whatever its status. Waits if the rate limit was reached. */
export function wireOf({ baseUrl, token: own, now, sleep, say }: ProbePorts): Send {
  return async (method, path, { id = '', query, body, token = own, key } = {}) => {
    const request = `${method} /v1${path}${query === undefined ? '' : `?${new URLSearchParams(query).toString()}`}`;
    const headers = {
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { [idempotencyKey.header]: key }),
    };
    for (let tried = 1; ; tried += 1) {
      const response = await transportFor(token)({
        method,
        url: baseUrl + path.replace(':id', encodeURIComponent(id)),
        headers,
        ...(query && { query }),
        ...(body && { body }),
      });
      if (response.status !== 429 || tried >= TRIES) return { ...response, request };
      const { retryAfterSeconds = 60 } = refusal(response, { resourceName: 'request', scope: 'any' }, now());
      const wait = Math.min(retryAfterSeconds * 1000 + 500, LONGEST_WAIT_MS);
      say(`${request}: ${brand.name} asks to wait ${Math.round(wait / 1000)} s`);
      await sleep(wait);
    }
  };
}

export const isSuccess = ({ status }: ApiResponse): boolean => status >= 200 && status < 300;

/** The keys of an answer, for a person who has to find out what it is. Never its values. */
export const shapeOf = (body: unknown): string =>
  typeof body === 'number' || typeof body === 'boolean' ? `a ${typeof body}` : tidy(shape(body));

/** Sends a request and returns the answer, whatever its status. */
export const send = (address: string, request: HttpRequest): Promise<ApiResponse> =>
  fetchClient(fetch)(address, request, AbortSignal.timeout(30_000));

/** The same with a token. */
export const transportFor =
  (token: string): Transport =>
  (request) =>
    sendAuthorized(send, request, token, AbortSignal.timeout(30_000));
