import {
  sleep,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type IPollFunctions,
  type IN8nHttpFullResponse,
} from 'n8n-workflow';
import { ServiceError } from '../../shared/api/errors.ts';
import { networkFault, type ApiRequest, type ApiResponse, type Transport } from '../../shared/api/transport.ts';
import { isObject } from '../../shared/values.ts';
import { credentialType } from './identity.ts';
import { renewals, whyNotRenewed } from './renewal.ts';

/** The node contexts that talk to the service: a run, a trigger's life cycle, a poll, a list of a panel. */
export type Host = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Longer than any answer is worth waiting for, and no longer than the core's bound for a late commit. */
const timeout = 30_000;

/** Another process may be storing the token that this one could not get. Milliseconds. */
const pauseBeforeLastLook = 500;

/**
 * The core's transport over n8n's authenticated helper, which adds the bearer token and renews it.
 *
 * The helper renews only when a 401 is *thrown*, and throws a failed renewal as if it were the answer to the request. The
 * core needs every status with its headers, and an answer that is one. So each request resolves for every status. A 401,
 * which means that nothing was carried out, is answered by a harmless request in the throwing way, for which n8n renews;
 * one runs at a time for a credential. Then the request is sent again. n8n itself never sends a write again.
 *
 * @param renewing the harmless request
 */
export function hostTransport(host: Host, renewing: ApiRequest): Transport {
  const node = host.getNode();
  const credential = node.credentials?.[credentialType]?.id ?? `${node.id} without a stored credential`;
  const cancelled = cancelSignal(host);
  /** A run renews once in vain, however many items it has: this is how it ended, or what its requests are answered all the same. */
  let gaveUp: ServiceError | 'refused all the same' | undefined;

  const renew = async (): Promise<void> => {
    try {
      // What is thrown is looked at as it came: the network's codes stand in it beside a status.
      await ask(host, renewing, false);
    } catch (error) {
      await sleep(pauseBeforeLastLook);
      // Whatever was thrown, the token is renewed where it is taken now: by another process, or the harmless request itself was refused.
      // A look that did not work tells less than what was thrown.
      const [look] = await Promise.allSettled([exchange(host, renewing)]);
      if (look.status === 'rejected' || look.value.status === 401)
        throw whyNotRenewed(error, (await host.getCredentials(credentialType))['oauthTokenData']);
    }
  };

  return async (request) => {
    const answer = await exchange(host, request);
    if (answer.status !== 401) return answer;
    if (gaveUp === 'refused all the same') return answer;
    if (gaveUp !== undefined) throw gaveUp;
    await renewals.renew(credential, renew, cancelled).catch((error: unknown) => {
      if (error instanceof ServiceError) gaveUp = error;
      throw error;
    });
    const again = await exchange(host, request);
    if (again.status === 401) gaveUp = 'refused all the same';
    return again;
  };
}

/** Only a run can be cancelled. */
export const cancelSignal = (host: Host): AbortSignal | undefined =>
  'getExecutionCancelSignal' in host ? host.getExecutionCancelSignal() : undefined;

/** One request that resolves for every status. @throws NetworkFault when no whole answer came */
async function exchange(host: Host, request: ApiRequest): Promise<ApiResponse> {
  try {
    return await ask(host, request, true);
  } catch (error) {
    throw networkFault(error) ?? networkFault({ code: isObject(error) ? error['httpCode'] : undefined }) ?? error;
  }
}

async function ask(host: Host, { method, url, query, headers, body }: ApiRequest, resolveEveryStatus: boolean): Promise<ApiResponse> {
  const options: IHttpRequestOptions = {
    method,
    url,
    headers: { ...headers },
    ...(query && { qs: { ...query } }),
    // As text: the helper leaves out a body that is an empty object.
    ...(body && { body: JSON.stringify(body) }),
    timeout,
    returnFullResponse: true,
    ignoreHttpStatusErrors: resolveEveryStatus,
    // n8n's helper would hand the bearer token to whatever origin a redirect names.
    disableFollowRedirect: true,
  };
  return readAnswer((await host.helpers.httpRequestWithAuthentication.call(host, credentialType, options)) as IN8nHttpFullResponse);
}

const readAnswer = ({ statusCode, headers, body }: IN8nHttpFullResponse): ApiResponse => ({
  status: statusCode,
  headers: plainHeaders(headers),
  body: Buffer.isBuffer(body) ? body.toString('utf8') : body,
});

function plainHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' || typeof value === 'number' || Array.isArray(value)) plain[name.toLowerCase()] = String(value);
  }
  return plain;
}
