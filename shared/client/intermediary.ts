import { isBare, isSilent, messageIn } from '../reading/index.ts';
import { ServiceError } from '../serviceError.ts';
import { brand } from '../brand.ts';
import { asText, isObject, tidy } from '../values.ts';
import type { ApiResponse } from './ports.ts';

/**
 * Whether an answer is the service's own: JSON in the form of section 7 or with the words that services use, or a text that says something.
 * A page never is, nor what proxies and gateways write by themselves. An answer without content may be; a 403 without any is what they
 * send, because the service says which permission or plan is missing.
 */
export function isOfService(response: ApiResponse): boolean {
  const { status, body } = response;
  if (ofNetworks.has(status) || isPage(response)) return false;
  if (status < 400) return true;
  if (isMarked(response)) return false;
  if (isSilent(body) || isBare(body)) return status !== 403;
  if (typeof body === 'string') return !isOfGateway(body) && (ownTexts[status]?.test(body) ?? true);
  // Only these say something about the account.
  return !aboutAccounts.has(status) || hasErrorForm(body);
}

/** Whether the service itself refused the token, so that nothing was done, and a new token may be accepted. */
export const isRefusedToken = (response: ApiResponse): boolean => response.status === 401 && isOfService(response);

/** Whether a gateway, a firewall or a proxy says in the headers that it wrote the answer, and nothing in the answer is of section 7. */
const isMarked = ({ status, headers, body }: ApiResponse): boolean =>
  aboutAccounts.has(status) && !hasFullForm(body) && Object.keys(headers).some((name) => gatewayHeaders.test(name));

const gatewayHeaders = /^(?:x-amzn-(?:errortype|waf-action)|cf-mitigated|x-squid-error|proxy-authenticate|proxy-status)$/i;

/**
 * Whether the service itself answered with an error in words: section 7's form, or other words of its own. Then it is known that nothing
 * else went wrong.
 */
export const isServiceError = (response: ApiResponse): boolean =>
  !ofGateways.has(response.status) && isOfService(response) && !isSilent(response.body) && hasErrorForm(response.body);

/** Whether a web page came in place of data. Some servers send a plain "OK" as HTML. */
export const isPage = ({ headers, body }: Pick<ApiResponse, 'headers' | 'body'>): boolean =>
  typeof body === 'string' &&
  (/^\s*</.test(body.slice(0, 200)) || (htmlType.test(headers['content-type'] ?? '') && /<[a-z!/]/i.test(body)));

const htmlType = /^\s*(?:text\/html|application\/xhtml)/i;

/**
 * The error for an answer that is not the service's. It says who answered and what to check, and nothing about the account; `undefined` if
 * the service answered.
 *
 * @param address the address that was called, if it is known
 * @param refused how the answer would be understood if it were the service's: only whether to wait is taken from it
 */
export function notTheService(response: ApiResponse, address: string | undefined, refused?: ServiceError): ServiceError | undefined {
  const { status, body } = response;
  if (isOfService(response)) return undefined;
  const host = address === undefined ? 'the address for tokens' : address.replace(/^https?:\/\//, '');
  const mayPass = refused !== undefined && (refused.kind === 'rateLimited' || refused.kind === 'server');
  const words = messageIn(body).replace(/\.$/, '');
  const form = isPage(response) ? 'a web page' : isSilent(body) ? 'nothing else' : 'something else';
  const titled = words === '' ? '' : ` ("${words}")`;
  return new ServiceError(mayPass && status !== 511 ? refused.kind : 'unreadable', {
    message: `Something between here and the service answered: ${host} answered with ${
      form === 'a web page' ? `a web page${titled} and status ${status}` : `status ${status} and ${form}${titled}`
    }, so ${brand.name} was probably not reached.`,
    advice:
      status === 407
        ? 'A proxy asks for a user name and a password: put them into its address, as in http://name:password@proxy:3128, where the proxy is set.'
        : status === 511
          ? 'The network asks for a sign-in: open any page in a browser there, sign in, then try again.'
          : `${mayPass ? 'Try again in a few minutes. If it goes on, check' : 'Check'} the base URL in the connection: it looks like ${brand.baseUrl}. If it is right, ask the person who runs the network whether a proxy, a firewall or a sign-in page is in between.`,
    status,
    retryAfterSeconds: mayPass ? refused.retryAfterSeconds : undefined,
    holdsOthers: mayPass && refused.holdsOthers,
  });
}

/**
 * Whether a page came in place of the answer to a write that may have been done: filters read answers as well. Who asks for a sign-in or for
 * patience has passed nothing on.
 */
export const isReplaced = (response: ApiResponse): boolean => isPage(response) && blockers.has(response.status);

const blockers = new Set([403, 404, 410, 451]);

/**
 * The error for an answer that redirects, maybe to the sign-in of a network.
 *
 * @param address the one that was called
 * @param said who redirected what
 * @param why redirects are not followed
 */
export function redirection({ status, headers }: ApiResponse, address: string, said: string, why: string): ServiceError {
  const { host } = new URL(address);
  const location = headers['location'] ?? '';
  const to = URL.canParse(location, address) ? new URL(location, address).host : host;
  const signIn = ' If it is right, the network may ask for a sign-in: open any page in a browser there.';
  return new ServiceError('redirected', {
    message: `${said}${to === host ? '' : ` to ${tidy(to)}`} (status ${status}). Redirects are not followed, ${why}.`,
    advice: `Correct the base URL in the connection.${to === host ? '' : signIn}`,
    status,
  });
}

/** Statuses that a client understands as an answer about the account or what is in it. */
const aboutAccounts = new Set([401, 403, 404, 407, 410, 429]);

/** What only proxies and networks answer: that somebody must sign in, or may not go there. */
const ofNetworks = new Set([407, 451, 511]);

/** What gateways answer for a service that has not answered them. */
const ofGateways = new Set([408, 502, 504]);

/** Section 7's form: a name and a code. */
const hasFullForm = (body: unknown): boolean => isObject(body) && typeof body['code'] === 'string' && typeof body['error'] === 'string';

const hasErrorForm = (body: unknown): boolean => {
  const words = messageIn(body);
  if (typeof body === 'string') return words !== '';
  // Some services answer with a list of errors.
  const error: unknown = Array.isArray(body) ? body[0] : body;
  if (!isObject(error)) return false;
  if (hasFullForm(error)) return true;
  const isNamed = [error, ...Object.values(error).filter(isObject)].some((each) => Object.keys(each).some((name) => errorNames.test(name)));
  return isNamed && (words !== '' || typeof error['code'] === 'string') && !ofNetwork.test(words);
};

const errorNames =
  /^(?:[a-z]+:)?(?:code|errors?|detail|details|title|fault|issues?|violations|exception|error_?code|\w*_errors|\w*(?:messages?|msg|description))$/i;

/** Words of what is in between. The service has no reason to use them. */
const ofNetwork =
  /\b(?:proxy|firewall|waf|rbac|upstream|captive|web ?filter|security policy|network policy|blocked by|(?:has|was|been) blocked|it administrator|zscaler|cloudflare|akamai|no route matched|default backend|no api ?key|missing subscription key|missing authentication token|security token included|explicit deny)\b/i;

const missing = /\b(?:not (?:be )?found|no such|(?:not|n't) exist|unknown|deleted|removed|gone)\b/i;

/** What the service's own text is about if it is not JSON, by its status: about the token, what the connection may do, what is there, or the number of requests. */
const ownTexts: Readonly<Record<number, typeof missing>> = {
  401: /\b(?:tokens?|bearer|credentials?|unauthori[sz]ed|expired|revoked|sessions?|connections?)\b|\b(?:authenticat|authori[sz])/i,
  403: /\b(?:scopes?|permissions?|plans?|tokens?|accounts?|subscriptions?|webhooks?|upgrade|roles?)\b/i,
  404: missing,
  410: missing,
  429: /\b(?:requests?|quota|rate|slow|later|calls)\b|\b(?:limit|throttl)/i,
};

/** Whether a text says what failed behind a gateway, or is a gateway's own. */
const isOfGateway = (text: string): boolean => ofNetwork.test(text) || /^\s*[<{[]/.test(text) || asText(text).trim() === '';
