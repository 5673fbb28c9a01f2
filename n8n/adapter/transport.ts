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

/** The node contexts that send requests to the service: a run, setting up a trigger, a delivery, a poll, a list in a panel. */
export type NodeContext = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;

/** Longer than any answer is worth waiting for, and no longer than the core's limit for a late commit. */
const timeout = 30_000;

/** A body that is still coming is left after this time, counted from its beginning. */
const longest = 30_000;

/** Another process may be storing the token that this one could not get. Milliseconds. */
const pauseBeforeLastLook = 500;

/**
 * The refreshes of this process. n8n before mid-2026 refreshes once for every request that finds the token expired. Thirty parallel
 * requests make thirty refreshes, and if refresh tokens rotate, all but the first are refused.
 */
const refresher = new TokenRefresher({ now: () => Date.now(), sleep });

/**
 * The core's transport over n8n's authenticated helper, which adds the bearer token and refreshes it.
 *
 * The helper refreshes only when a 401 is *thrown*, and throws a failed refresh as if it were the answer to the request. But the core needs
 * every status with its headers, and only real answers. So each request resolves for every status. After a 401, which means that nothing
 * was done, and which a gateway may say for the service, a harmless request is sent in the throwing form, so that n8n refreshes; only one at a time for each credential. Then the first
 * request is sent again. n8n itself never repeats a write.
 *
 * @param harmless that request
 */
export function hostTransport(host: NodeContext, harmless: ApiRequest): Transport {
  const credential = credentialOf(host);
  const cancelled = cancelSignal(host);
  /**
   * A run tries to refresh without success only once, however many items it has. This is how that ended, or that its requests were still
   * refused.
   */
  let gaveUp: ServiceError | 'refused' | undefined;

  const refresh = async (): Promise<void> => {
    try {
      // The thrown error is checked as it is: it has the network's code beside a status.
      await ask(host, harmless, false);
    } catch (error) {
      await sleep(pauseBeforeLastLook);
      // Whatever was thrown, the token is refreshed if it is accepted now: by another process, or because only the harmless request was
      // refused.
      // A failed check says less than the thrown error.
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

/** The id of the credential. A node without a stored one shares nothing with others. */
export function credentialOf(host: NodeContext): string {
  const { id, credentials } = host.getNode();
  return credentials?.[credentialType]?.id ?? `${id} without a stored credential`;
}

/**
 * Names the account of a credential. A dynamic credential of n8n has one id for many people, so their token names the account.
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

/** One request that resolves for every status. @throws NetworkFault if no complete answer came, or why n8n has not sent it */
async function exchange(host: NodeContext, request: ApiRequest): Promise<ApiResponse> {
  let isFormed = false;
  try {
    return await ask(host, request, true, () => (isFormed = true));
  } catch (error) {
    if (!isFormed) throw await whyNotSent(host, error);
    // n8n's error has the network's code as its status.
    throw (isOfHost(error) ? undefined : faultOf(error)) ?? error;
  }
}

function faultOf(error: unknown): Error {
  const fault = networkFault({ code: isObject(error) ? error['httpCode'] : undefined, cause: error });
  const words = errorWords(error);
  const advice = /\burl\b/i.test(words) ? ' Check the proxy that n8n is told to use.' : '';
  return fault ?? new NotSent(`n8n could not form the request: ${words}.${advice}`);
}

/** Why n8n itself failed before it sent a request, so that nothing was done: a credential that was never connected, or in its own words. */
async function whyNotSent(host: NodeContext, error: unknown): Promise<unknown> {
  const credential = await host.getCredentials(credentialType).catch(() => undefined);
  const { oauthTokenData: tokens } = credential ?? {};
  // n8n has no token data, or some without a token, and throws another error for each.
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

/** @param onFormed called when n8n's HTTP client forms the request: before that, nothing was sent */
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
    // As text, because the helper drops a body that is an empty object.
    ...(body && { body: JSON.stringify(body) }),
    // Of all this, only the HTTP client reads the time limit.
    get timeout() {
      onFormed?.();
      return timeout;
    },
    // n8n's helper would read an endless answer until the process has no memory left. What it throws must have its content.
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
 * The content of an answer that comes in pieces; any other is returned as it is. Leaving the loop closes the connection.
 *
 * @throws NetworkFault if it is too long, or still coming after {@link longest}
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
