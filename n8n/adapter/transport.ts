import { sleep, type IExecuteFunctions, type IHookFunctions, type IHttpRequestOptions, type ILoadOptionsFunctions, type IN8nHttpFullResponse } from 'n8n-workflow';
import { networkFault, NetworkFault, type ApiRequest, type ApiResponse, type Transport } from '../../shared/api/transport.ts';
import { credentialType } from './identity.ts';
import { renewOnce } from './renewal.ts';

/** The node contexts that talk to the service: a run, a trigger's life cycle, a list of a panel. */
export type Host = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

/** Longer than any answer is worth waiting for, and no longer than the core's bound for a late commit. */
const timeout = 30_000;

/** Another process may be storing the token that this one could not get. Milliseconds. */
const pauseBeforeLastTry = 500;

/**
 * The core's transport over n8n's authenticated helper, which adds the bearer token and renews it.
 *
 * The helper renews only when a 401 is *thrown*, while the core needs every status *with* its headers. So each request
 * resolves for every status, and a 401 is answered by sending the request once more in the throwing way; only one such
 * request runs at a time for a credential, the others wait for it and repeat theirs. A 401 means that nothing was
 * carried out, so repeating is safe for every method.
 */
export function hostTransport(host: Host): Transport {
  const credential = host.getNode().credentials?.[credentialType]?.id;

  const send = (request: ApiRequest) => exchange(host, request, true);

  const renew = async (request: ApiRequest, refused: ApiResponse): Promise<ApiResponse> => {
    const [sent] = await Promise.allSettled([exchange(host, request, false)]);
    if (sent.status === 'fulfilled') return sent.value;
    const error: unknown = sent.reason;
    if (error instanceof NetworkFault) throw error;
    const answer = answerIn(error);
    if (answer !== undefined && answer.status !== 401) return answer;
    await sleep(pauseBeforeLastTry);
    const last = await send(request);
    // The host's own words name the credential that has to be reconnected; without any, the core's table has some.
    if (last.status === 401 && asksToReconnect(error)) throw error;
    return last.status === 401 ? refused : last;
  };

  return async (request) => {
    const answer = await send(request);
    if (answer.status !== 401) return answer;
    const key = credential ?? `${host.getNode().id} without a stored credential`;
    return renewOnce(key, () => renew(request, answer), () => send(request));
  };
}

async function exchange(host: Host, { method, url, query, headers, body }: ApiRequest, resolveEveryStatus: boolean): Promise<ApiResponse> {
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
  try {
    return readAnswer((await host.helpers.httpRequestWithAuthentication.call(host, credentialType, options)) as IN8nHttpFullResponse);
  } catch (error) {
    throw networkFault(error) ?? networkFault({ code: textOf(error, 'httpCode') }) ?? error;
  }
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

interface Thrown {
  [key: string]: unknown;
}

const asObject = (value: unknown): Thrown | undefined => (typeof value === 'object' && value !== null ? (value as Thrown) : undefined);

const textOf = (error: unknown, key: string): string | undefined => {
  const value = asObject(error)?.[key];
  return typeof value === 'string' ? value : undefined;
};

/** The error, and what lies behind it. */
function* chain(error: unknown): Generator<Thrown> {
  for (let current = asObject(error), depth = 0; current !== undefined && depth < 6; current = asObject(current['cause']), depth += 1) yield current;
}

/** The service's own answer inside an error that the helper threw for its status. Where the refresh was refused, there is none. */
function answerIn(error: unknown): ApiResponse | undefined {
  for (const link of chain(error)) {
    const response = asObject(link['response']);
    if (typeof response?.['status'] === 'number') {
      return { status: response['status'], headers: plainHeaders({ ...asObject(response['headers']) }), body: response['data'] };
    }
  }
  // Older hosts keep the status and the body alone.
  const status = Number(textOf(error, 'httpCode'));
  return status >= 100 && status < 600 ? { status, headers: {}, body: asObject(asObject(error)?.['context'])?.['data'] } : undefined;
}

const asksToReconnect = (error: unknown): boolean => [...chain(error)].some((link) => asObject(link['failure'])?.['cause'] === 'credential-invalid');
