import { NodeApiError, NodeOperationError, type IHttpRequestOptions, type INode } from 'n8n-workflow';
import { credentialType } from '../../../n8n/adapter/identity.ts';
import { BrokenWire, following, parsed, within, type Timers, type Wire, type WireAnswer, type WireRequest } from '../wire.ts';
import type { Connection } from './told.ts';

/**
 * n8n's authenticated helper as in n8n-core 2.41.1 (`request-helpers/authentication.js`, `oauth.js`, `@n8n/client-oauth2`), or as in 2.8.1
 * if `isOld`: then every error leaves it as a NodeApiError, whether it is the API's answer or the token endpoint's.
 */
export interface HelperPlace {
  wire: Wire;
  time: Timers;
  connection: Connection;
  node: INode;
  /** Refreshes once for each request that finds the token expired, and waits for the token endpoint without limit. */
  isOld: boolean;
}

/** The context on which the helper is called. Only a run knows when it is cancelled. */
interface Context {
  getExecutionCancelSignal?(): AbortSignal | undefined;
}

/** The error of axios, which n8n recognises by its name. */
class AxiosError extends Error {
  override readonly name = 'AxiosError';
  readonly isAxiosError = true;
  declare readonly status?: number;
}

const axiosError = (
  message: string,
  code: string,
  config: object,
  answer?: { status: number; headers: object; data: unknown },
): AxiosError => Object.assign(new AxiosError(message), { code, config, ...(answer && { response: answer, status: answer.status }) });

const statusError = (config: object, { status, headers }: WireAnswer, data: unknown): AxiosError =>
  axiosError(`Request failed with status code ${status}`, status >= 500 ? 'ERR_BAD_RESPONSE' : 'ERR_BAD_REQUEST', config, {
    status,
    headers,
    data,
  });

/** What n8n's own OAuth client throws for an answer that it cannot use. */
const responseError = (status: number, body: string, message = `HTTP status ${status}`, code?: string): Error =>
  Object.assign(new Error(message), { status, body, code });

const TOKEN_MS = 300_000;
/** Practically no limit. */
const FOR_EVER_MS = 1_000_000_000;

/** One refresh at a time for each credential of the process. Callers that arrive while it runs get its outcome. */
const refreshes = new WeakMap<Connection, Promise<string>>();

export function authenticatedHelper(place: HelperPlace) {
  return async function httpRequestWithAuthentication(
    this: Context | undefined,
    _type: string,
    options: IHttpRequestOptions,
  ): Promise<unknown> {
    const signal =
      this !== undefined && 'getExecutionCancelSignal' in this
        ? this.getExecutionCancelSignal?.()
        : (options.abortSignal as AbortSignal | undefined);
    try {
      const { accessToken } = place.connection;
      try {
        return await httpRequest(place, options, accessToken, signal);
      } catch (error) {
        if (!(error instanceof AxiosError) || error.status !== 401) throw error;
        return await httpRequest(place, options, await newToken(place, accessToken), signal);
      }
    } catch (error) {
      throw new NodeApiError(place.node, error as never);
    }
  };
}

async function httpRequest(
  { wire, time }: HelperPlace,
  options: IHttpRequestOptions,
  token: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const {
    method = 'GET',
    url,
    qs,
    headers,
    body,
    timeout = TOKEN_MS,
    disableFollowRedirect,
    ignoreHttpStatusErrors: ignored,
    returnFullResponse,
  } = options;
  const address = new URL(url);
  for (const [name, value] of Object.entries((qs ?? {}) as Record<string, string>)) address.searchParams.set(name, value);
  const config = { method, url, headers };
  const request: WireRequest = {
    method,
    url: address.href,
    headers: { ...(headers as Record<string, string>), authorization: `Bearer ${token}` },
    body: typeof body === 'string' ? body : undefined,
  };
  const send = (each: WireRequest): Promise<WireAnswer> => within(wire, each, timeout, time, signal);
  const answer = await asAxios(config, timeout, () => (disableFollowRedirect === true ? send(request) : following(send, request)));
  const content = answer.body.toString('utf8');
  const data = answer.unpackedBytes === undefined ? parsed(content) : content;
  const isIgnored =
    typeof ignored === 'object' && ignored !== null ? ignored.ignore && !(ignored.except ?? []).includes(answer.status) : ignored === true;
  if ((answer.status < 200 || answer.status >= 300) && !isIgnored) throw statusError(config, answer, data);
  return returnFullResponse === true ? { statusCode: answer.status, headers: answer.headers, body: data } : data;
}

async function asAxios(config: object, timeout: number, send: () => Promise<WireAnswer>): Promise<WireAnswer> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof BrokenWire)) throw error;
    if (error.code === 'ERR_CANCELED') throw axiosError('canceled', error.code, config);
    throw axiosError(error.code === 'ECONNABORTED' ? `timeout of ${timeout}ms exceeded` : error.message, error.code, config);
  }
}

async function newToken(place: HelperPlace, stale: string): Promise<string> {
  const { connection, isOld } = place;
  if (isOld) return refresh(place);
  const running = refreshes.get(connection);
  if (running !== undefined) return running;
  // Another process may have stored a newer one.
  if (connection.accessToken !== stale) return connection.accessToken;
  const mine = refresh(place).finally(() => refreshes.delete(connection));
  refreshes.set(connection, mine);
  return mine;
}

async function refresh({ wire, time, connection, node, isOld }: HelperPlace): Promise<string> {
  const { clientId, clientSecret, baseUrl, refreshToken } = connection;
  if (!refreshToken) throw new Error('OAuth access token expired and no refresh token is available. Please reconnect the credentials.');
  const url = new URL('/api/oauth/token', baseUrl).href;
  const form = { refresh_token: refreshToken, grant_type: 'refresh_token', client_id: clientId, client_secret: clientSecret };
  const headers = { accept: 'application/json, application/x-www-form-urlencoded', 'content-type': 'application/x-www-form-urlencoded' };
  const patience = isOld ? FOR_EVER_MS : TOKEN_MS;
  const config = { method: 'POST', url };
  const answer = await asAxios(config, patience, () =>
    within(wire, { method: 'POST', url, headers, body: new URLSearchParams(form).toString() }, patience, time),
  );
  const text = answer.body.toString('utf8');
  if (answer.status >= 500) throw statusError(config, answer, text);
  const tokens = tokensIn(answer, isOld);
  if (answer.status >= 400) {
    const words = [tokens['error_description'], tokens['error']].find((each) => typeof each === 'string');
    // The newest n8n has a message of its own for a grant that is gone; the older one throws what OAuth said.
    if (tokens['error'] === 'invalid_grant' && !isOld) throw reconnectError(node);
    if (words !== undefined) throw Object.assign(new Error(words), { code: 'EAUTH', body: tokens });
  }
  if (answer.status >= 300) throw responseError(answer.status, text, undefined, 'ESTATUS');
  // New values replace the stored ones, including null; values that did not come stay.
  connection.accessToken = 'access_token' in tokens ? String(tokens['access_token']) : connection.accessToken;
  connection.refreshToken = 'refresh_token' in tokens ? (tokens['refresh_token'] as string) : connection.refreshToken;
  return connection.accessToken;
}

function tokensIn({ status, headers, body }: WireAnswer, isOld: boolean): Record<string, unknown> {
  const type = headers['content-type'] ?? '';
  const text = body.toString('utf8');
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
  if (isOld) {
    if (!type.startsWith('application/json')) throw responseError(status, text, `Unsupported content type: ${type}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw responseError(
      status,
      text,
      `Expected JSON response from OAuth2 token endpoint (content-type: ${type || 'none'}) but received: ${text.slice(0, 100)}`,
    );
  }
}

const reconnectError = (node: INode): NodeOperationError =>
  Object.assign(
    new NodeOperationError(node, `The credential "${node.credentials?.[credentialType]?.name ?? ''}" needs to be reconnected.`, {
      description:
        'Access could not be refreshed because the connected account has revoked access, the refresh token expired, or the account password or permissions changed. Open the credential and reconnect it to continue.',
      level: 'warning',
    }),
    { failure: { cause: 'credential-invalid' } },
  );
