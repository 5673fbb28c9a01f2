import { isBare, isSilent, messageIn } from '../reading/index.ts';
import { ServiceError } from '../serviceError.ts';
import { brand } from '../brand.ts';
import { asText, isObject, tidy } from '../values.ts';
import type { ApiResponse } from './ports.ts';

/**
 * Whether a response comes from the service itself: JSON in the form of section 7 or in words that services use, or a text with content. A
 * web page never does, nor does what proxies and gateways write themselves. A response without content may, except a 403: proxies send it
 * without a body, but the service says which permission or plan is missing.
 */
export function isOfService(response: ApiResponse): boolean {
  const { status, body } = response;
  if (ofNetworks.has(status) || isPage(response)) return false;
  if (status < 400) return true;
  if (isMarked(response)) return false;
  if (isSilent(body) || isBare(body)) return status !== 403;
  if (typeof body === 'string') return !isOfGateway(body) && (ownTexts[status]?.test(body) ?? true);
  // Only these statuses say something about the account.
  return !aboutAccounts.has(status) || hasErrorForm(body);
}

/** Whether the service itself refused the token, so that nothing was done and a new token may be accepted. */
export const isRefusedToken = (response: ApiResponse): boolean => response.status === 401 && isOfService(response);

/** Whether the headers show that a gateway, a firewall or a proxy wrote the response, and its body is not in the form of section 7. */
const isMarked = ({ status, headers, body }: ApiResponse): boolean =>
  aboutAccounts.has(status) && !hasFullForm(body) && Object.keys(headers).some((name) => gatewayHeaders.test(name));

const gatewayHeaders = /^(?:x-amzn-(?:errortype|waf-action)|cf-mitigated|x-squid-error|proxy-authenticate|proxy-status)$/i;

/** Whether the service itself sent an error with an explanation, in the form of section 7 or its own. Then nothing else went wrong. */
export const isServiceError = (response: ApiResponse): boolean =>
  !ofGateways.has(response.status) && isOfService(response) && !isSilent(response.body) && hasErrorForm(response.body);

/** Whether a web page was received instead of data. Some servers send a plain "OK" as HTML. */
export const isPage = ({ headers, body }: Pick<ApiResponse, 'headers' | 'body'>): boolean =>
  typeof body === 'string' &&
  (/^\s*</.test(body.slice(0, 200)) || (htmlType.test(headers['content-type'] ?? '') && /<[a-z!/]/i.test(body)));

const htmlType = /^\s*(?:text\/html|application\/xhtml)/i;

/**
 * The error for a response that is not from the service. It says who responded and what to check, and nothing about the account;
 * `undefined` if the service responded.
 *
 * @param address the address that was called, if known
 * @param refused how the response would be understood if it were the service's; it only decides whether to wait
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
 * Whether a page replaced the response to a write that may have been done, because filters also read responses. A server that asks for a
 * sign-in or to wait has not passed the request on.
 */
export const isReplaced = (response: ApiResponse): boolean => isPage(response) && blockers.has(response.status);

const blockers = new Set([403, 404, 410, 451]);

/**
 * The error for a response that redirects, perhaps to the sign-in page of a network.
 *
 * @param address the address that was called
 * @param said who redirected what
 * @param why the reason for not following redirects
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

/** Statuses that a client takes as information about the account or its data. */
const aboutAccounts = new Set([401, 403, 404, 407, 410, 429]);

/** Statuses that only proxies and networks send: a sign-in is required, or the address is blocked. */
const ofNetworks = new Set([407, 451, 511]);

/** Statuses that gateways send if the service has not responded to them. */
const ofGateways = new Set([408, 502, 504]);

/** The form of section 7: a name and a code. */
const hasFullForm = (body: unknown): boolean => isObject(body) && typeof body['code'] === 'string' && typeof body['error'] === 'string';

const hasErrorForm = (body: unknown): boolean => {
  const words = messageIn(body);
  if (typeof body === 'string') return words !== '';
  // Some services respond with a list of errors.
  const error: unknown = Array.isArray(body) ? body[0] : body;
  if (!isObject(error)) return false;
  if (hasFullForm(error)) return true;
  const isNamed = [error, ...Object.values(error).filter(isObject)].some((each) => Object.keys(each).some((name) => errorNames.test(name)));
  return isNamed && (words !== '' || typeof error['code'] === 'string') && !ofNetwork.test(words);
};

const errorNames =
  /^(?:[a-z]+:)?(?:code|errors?|detail|details|title|fault|issues?|violations|exception|error[_-]?code|\w*_errors|[\w-]*(?:messages?|msg|description))$/i;

/** Words that proxies and networks use, and that the service has no reason to use. */
const ofNetwork =
  /\b(?:proxy|firewall|waf|rbac|upstream|captive|web ?filter|security policy|network policy|blocked by|(?:has|was|been) blocked|it administrator|zscaler|cloudflare|akamai|no route matched|default backend|no api ?key|missing subscription key|missing authentication token|security token included|explicit deny)\b/i;

const missing = /\b(?:not (?:be )?found|no such|(?:not|n't) exist|unknown|deleted|removed|gone)\b/i;

/**
 * The topic of the service's own text, if it is not JSON, by status: the token, the connection's permissions, what exists, or the number of
 * requests.
 */
const ownTexts: Readonly<Record<number, typeof missing>> = {
  401: /\b(?:tokens?|bearer|credentials?|unauthori[sz]ed|expired|revoked|sessions?|connections?)\b|\b(?:authenticat|authori[sz])/i,
  403: /\b(?:scopes?|permissions?|plans?|tokens?|accounts?|subscriptions?|webhooks?|upgrade|roles?)\b/i,
  404: missing,
  410: missing,
  429: /\b(?:requests?|quota|rate|slow|later|calls)\b|\b(?:limit|throttl)/i,
};

/** Whether a text is a gateway's own, or describes what failed behind it. */
const isOfGateway = (text: string): boolean => ofNetwork.test(text) || /^\s*[<{[]/.test(text) || asText(text).trim() === '';
