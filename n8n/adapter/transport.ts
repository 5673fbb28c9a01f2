import { createHash } from 'node:crypto';
import {
  sleep,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type IPollFunctions,
  type IWebhookFunctions,
  type IN8nHttpFullResponse,
} from 'n8n-workflow';
import {
  ServiceError,
  maxBytes,
  networkFault,
  NetworkFault,
  NotSent,
  tooLongCode,
  type ApiRequest,
  type ApiResponse,
  type Transport,
} from '../../shared/client/index.ts';
import { TokenRefresher } from '../../shared/oauth/index.ts';
import { brand } from '../../shared/brand.ts';
import { asText, errorWords, isObject, parsed } from '../../shared/values.ts';
import { credentialType } from './names.ts';
import { isOfHost, refreshError } from './refreshErrors.ts';

/** The node contexts that send requests to the service: a run, the setup of a trigger, a delivery, a poll, and a list in a panel. */
export type NodeContext = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;

/** Longer than any response is worth waiting for, but within the core's limit for a late commit. Milliseconds. */
const timeout = 30_000;

/** How long a body may take to arrive, from its beginning. Milliseconds. */
const longest = 30_000;

/** How long to wait while another process may be storing the token that this one could not get. Milliseconds. */
const pauseBeforeLastLook = 500;

/**
 * The refreshes of this process. n8n versions before mid-2026 refresh once for every request that finds the token expired: thirty parallel
 * requests make thirty refreshes, and if refresh tokens rotate, all but the first are refused.
 */
const refresher = new TokenRefresher({ now: () => Date.now(), sleep });

/**
 * The core's transport over n8n's authenticated helper, which adds the bearer token and refreshes it.
 *
 * The helper refreshes only when a 401 is *thrown*, and throws a failed refresh as if it were the response to the request. But the core
 * needs every status with its headers, and only real responses. So each request resolves for every status. A 401 means that nothing was
 * done, although a gateway may have sent it. After it, a harmless request is sent in the throwing form, so that n8n refreshes; only one at
 * a time for each credential. Then the first request is sent again. n8n itself never repeats a write.
 *
 * @param harmless that request
 */
export function hostTransport(host: NodeContext, harmless: ApiRequest): Transport {
  const credential = credentialOf(host);
  const cancelled = cancelSignal(host);
  /**
   * How this run's refresh failed, or `refused` if requests were still refused after it. A run makes only one unsuccessful attempt, however
   * many items it has.
   */
  let gaveUp: ServiceError | 'refused' | undefined;

  const refresh = async (): Promise<void> => {
    try {
      // The error is checked as thrown: beside a status, it has the network's code.
      await ask(host, harmless, false);
    } catch (error) {
      await sleep(pauseBeforeLastLook);
      // Whatever was thrown, the token works if it is accepted now: another process refreshed it, or only the harmless request was refused.
      // If this check fails, the thrown error says more.
      const [look] = await Promise.allSettled([exchange(host, harmless)]);
      if (look.status === 'rejected' || look.value.status === 401)
        throw refreshError(error, (await host.getCredentials(credentialType))['oauthTokenData']) ?? error;
    }
  };

  return async (request) => {
    const answer = await exchange(host, request);
    if (answer.status !== 401) return answer;
    if (gaveUp === 'refused') return answer;
    if (gaveUp !== undefined) throw gaveUp;
    await refresher.refresh(credential, refresh, cancelled).catch((error: unknown) => {
      if (error instanceof ServiceError) gaveUp = error;
      throw error;
    });
    const again = await exchange(host, request);
    if (again.status === 401) gaveUp = 'refused';
    return again;
  };
}

/** The id of the credential. A node without a stored credential shares nothing with others. */
export function credentialOf(host: NodeContext): string {
  const { id, credentials } = host.getNode();
  return credentials?.[credentialType]?.id ?? `${id} without a stored credential`;
}

/**
 * Identifies the account of a credential. A dynamic credential of n8n has one id for many people, so its key includes a hash of the token.
 *
 * @throws n8n's error if no credential is set
 */
export async function accountOf(host: NodeContext): Promise<string> {
  const credential = credentialOf(host);
  // Older versions of n8n have no execution context.
  if ((host as Partial<NodeContext>).getExecutionContext?.()?.usesDynamicCredentials !== true) return credential;
  const { oauthTokenData } = await host.getCredentials(credentialType);
  const token = isObject(oauthTokenData) ? asText(oauthTokenData['access_token']) : '';
  return `${credential} ${createHash('sha256').update(token).digest('base64url')}`;
}

/** Only a run can be cancelled. */
export const cancelSignal = (host: NodeContext): AbortSignal | undefined =>
  'getExecutionCancelSignal' in host ? host.getExecutionCancelSignal() : undefined;

/** One request, which resolves for every status. @throws NetworkFault if no complete response came, or why n8n did not send it */
async function exchange(host: NodeContext, request: ApiRequest): Promise<ApiResponse> {
  let isFormed = false;
  try {
    return await ask(host, request, true, () => (isFormed = true));
  } catch (error) {
    if (!isFormed) throw await whyNotSent(host, error);
    // n8n's error has the network's code as its `httpCode`.
    throw (isOfHost(error) ? undefined : faultOf(error)) ?? error;
  }
}

function faultOf(error: unknown): Error {
  const fault = networkFault({ code: isObject(error) ? error['httpCode'] : undefined, cause: error });
  const words = errorWords(error);
  const advice = /\burl\b/i.test(words) ? ' Check the proxy that n8n is told to use.' : '';
  return fault ?? new NotSent(`n8n could not form the request: ${words}.${advice}`);
}

/** Why n8n failed before it sent a request, so that nothing was done: the credential was never connected, or n8n's own reason. */
async function whyNotSent(host: NodeContext, error: unknown): Promise<unknown> {
  const credential = await host.getCredentials(credentialType).catch(() => undefined);
  const { oauthTokenData: tokens } = credential ?? {};
  // Without a connection, n8n has no token data, or token data without a token, and throws a different error for each.
  const isConnected = isObject(tokens)
    ? [tokens['access_token'], tokens['accessToken']].some((token) => asText(token) !== '')
    : isOfHost(error) && !/not connected/i.test(errorWords(error));
  if (credential === undefined || isConnected)
    return isOfHost(error) ? error : new NotSent(`n8n did not send the request: ${errorWords(error)}`);
  const name = host.getNode().credentials?.[credentialType]?.name ?? '';
  return new ServiceError('unauthenticated', {
    message: `The credential "${name}" is not connected to an account of ${brand.name}, so nothing was sent.`,
    advice: 'Connect the credential: open it in n8n, choose Connect and allow access. Then try again.',
  });
}

/** @param onFormed called when n8n's HTTP client forms the request. Before that, nothing was sent */
async function ask(
  host: NodeContext,
  { method, url, query, headers, body }: ApiRequest,
  resolveEveryStatus: boolean,
  onFormed?: () => void,
): Promise<ApiResponse> {
  const options: IHttpRequestOptions = {
    method,
    url,
    headers: { ...headers },
    ...(query && { qs: { ...query } }),
    // Sent as text, because the helper drops a body that is an empty object.
    ...(body && { body: JSON.stringify(body) }),
    // Only the HTTP client reads the time limit, so nothing was sent before.
    get timeout() {
      onFormed?.();
      return timeout;
    },
    // Without a stream, n8n's helper would read an endless response until memory runs out. In the throwing form, the error must include the
    // content.
    ...(resolveEveryStatus && { encoding: 'stream' }),
    returnFullResponse: true,
    ignoreHttpStatusErrors: resolveEveryStatus,
    // n8n's helper would send the bearer token to any origin that a redirect names.
    disableFollowRedirect: true,
  };
  const answer = (await host.helpers.httpRequestWithAuthentication.call(host, credentialType, options)) as IN8nHttpFullResponse;
  return { status: answer.statusCode, headers: plainHeaders(answer.headers), body: await contentOf(answer.body) };
}

/**
 * The content of a response that arrives as a stream; any other is returned as it is. Leaving the loop closes the connection.
 *
 * @throws NetworkFault if it is too long, or still arriving after {@link longest}
 */
async function contentOf(body: unknown): Promise<unknown> {
  if (!isObject(body) || !(Symbol.asyncIterator in body)) return body;
  const stream = body as unknown as AsyncIterable<Buffer> & { destroy(error: Error): void };
  const end = () => stream.destroy(new NetworkFault('ETIMEDOUT', true));
  const limit = AbortSignal.timeout(longest);
  limit.addEventListener('abort', end);
  try {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of stream) {
      bytes += piece.length;
      if (bytes > maxBytes) throw new NetworkFault(tooLongCode, true);
      pieces.push(piece);
    }
    return parsed(Buffer.concat(pieces).toString('utf8'));
  } finally {
    limit.removeEventListener('abort', end);
  }
}

function plainHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' || typeof value === 'number' || Array.isArray(value)) plain[name.toLowerCase()] = String(value);
  }
  return plain;
}
