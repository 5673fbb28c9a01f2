import { NodeApiError } from 'n8n-workflow';
import { ServiceError, networkFault, type ApiResponse } from '../../shared/client/index.ts';
import { noRefreshToken, noTokenAnswer, tokenFailure } from '../../shared/oauth/index.ts';
import { asText, isObject, parsed as parsedText } from '../../shared/values.ts';

/**
 * Why n8n's helper could not refresh a token, from the error that it threw, in the core's sentences for the token endpoint's response. The
 * API's own response plays no part: it was only asked for the current user.
 *
 * @returns `undefined` if n8n itself failed; its error then keeps its own wording
 * @param tokenData the tokens that n8n has stored: if a token endpoint responds 200 with an error, n8n stores that as if it were a token
 */
export function refreshError(error: unknown, tokenData: unknown): ServiceError | undefined {
  const links = [...chain(error)];
  const reconnect = links.find((link) => isObject(link['failure']) && link['failure']['cause'] === 'credential-invalid');
  // n8n's own message names the credential.
  if (reconnect !== undefined)
    return new ServiceError('unauthenticated', { message: asText(reconnect['message']), advice: asText(reconnect['description']) });
  if (links.some((link) => /no refresh token|refreshToken is required/i.test(asText(link['message'])))) return noRefreshToken();
  const answer = tokenAnswer(links);
  if (answer?.status === 401 && isObject(tokenData) && asText(tokenData['error']) !== '')
    return refusedBy({ status: 200, headers: {}, body: { error: tokenData['error'] } });
  if (answer !== undefined) return refusedBy(answer);
  if (isOfHost(error)) return undefined;
  const { code = '' } = networkFault({ code: links[0]?.['httpCode'], cause: error }) ?? {};
  // Any other text could contain a token.
  return noTokenAnswer(/^[A-Z][A-Z0-9_]+$/.test(code) ? code : 'no reason given');
}

const refusedBy = (answer: ApiResponse): ServiceError => tokenFailure(answer) ?? noTokenAnswer('no reason given');

/**
 * Whether an error is n8n's own, such as that the credential is not connected. Every version gives its own errors a `level`; a
 * `NodeApiError` only wraps what its HTTP client threw.
 */
export const isOfHost = (error: unknown): boolean => [...chain(error)].some((link) => 'level' in link && !(link instanceof NodeApiError));

/** The error and all its causes. */
function* chain(error: unknown): Generator<Record<string, unknown>> {
  for (let link = error; isObject(link); link = link['cause']) yield link;
}

/**
 * The token endpoint's response. An error of the OAuth client has the status and the body, one of the HTTP client has a response, and n8n's
 * own has only a code.
 */
function tokenAnswer(links: readonly Record<string, unknown>[]): ApiResponse | undefined {
  for (const link of links) {
    const { status, body, code, response } = link;
    if (isObject(response) && typeof response['status'] === 'number')
      return { status: response['status'], headers: {}, body: parsed(response['data']) };
    if (typeof status === 'number') return { status, headers: {}, body: parsed(body) };
    // Refused with an error code; n8n does not keep the status.
    if (code === 'EAUTH') return { status: 0, headers: {}, body };
  }
  const [{ httpCode, message } = {}] = links;
  if (httpCode === 'EAUTH')
    return { status: /too many|rate limit/i.test(asText(message)) ? 429 : 0, headers: {}, body: { error: errorNamed(asText(message)) } };
  const status = Number(/status code (\d{3})/.exec(asText(links.at(-1)?.['message']))?.[1] ?? asText(httpCode));
  return Number.isInteger(status) && status !== 0 ? { status, headers: {}, body: undefined } : undefined;
}

/** Older n8n versions keep only RFC 6749's sentence for an error code, or the code itself if it has no sentence. */
const sentences = [
  [/^The provided authorization grant/, 'invalid_grant'],
  [/^Client authentication failed/, 'invalid_client'],
  [/currently unable to handle the request/, 'temporarily_unavailable'],
  [/encountered an unexpected condition/, 'server_error'],
  [/^The request is missing a required parameter/, 'invalid_request'],
] as const;

function errorNamed(sentence: string): string {
  const known = sentences.find(([words]) => words.test(sentence));
  return known?.[1] ?? (/^\w+$/.test(sentence) ? sentence : '');
}

/** A web page stays text, because it shows who responded. */
const parsed = (body: unknown): unknown => (typeof body === 'string' ? parsedText(body) : body);
