import { checkBaseUrl } from '../client/baseUrl.ts';
import { checkBetween } from '../generalAdvice.ts';
import { refusal } from '../client/errors.ts';
import { inTime } from '../client/retry.ts';
import { ServiceError } from '../serviceError.ts';
import { messageIn, retryAfter, withCode, namesIn, isOfClient, saysClient, isOverGrant, saysOver, bareStatus } from '../reading/index.ts';
import { isObject, tidy } from '../values.ts';
import { tokenCall, oauthAddresses, authorizeAddress } from '../assumptions.ts';
import { notTheService, redirection } from '../client/intermediary.ts';
import type { ApiResponse } from '../client/ports.ts';
import { brand } from '../brand.ts';
import { limits } from '../limits.ts';
import { scopes, type Scope } from '../scopes.ts';

export { scopes, type Scope };

/** All scopes, in the form that the authorize address needs (G26). With all of them, a connection can use everything that is offered. */
export const allScopes = Object.keys(scopes).join(authorizeAddress.scopeSeparator);

export interface OAuthEndpoints {
  authorizeUrl: string;
  tokenUrl: string;
  revokeUrl: string;
}

/**
 * The published paths on the base URL's origin. `brand.json` can override each (section 4, G25).
 *
 * @throws ServiceError `invalid` if the base URL cannot be used
 */
export function oauthEndpoints(baseUrl: string): OAuthEndpoints {
  const { origin } = new URL(checkBaseUrl(baseUrl));
  // The overrides belong to the provider's own address. A connection to another address, such as the sandbox, keeps the published paths.
  const { authorizeUrl, tokenUrl, revokeUrl } = origin === new URL(brand.baseUrl).origin ? brand.oauth : ({} as typeof brand.oauth);
  return {
    authorizeUrl: authorizeUrl ?? origin + oauthAddresses.consent,
    tokenUrl: tokenUrl ?? origin + oauthAddresses.exchange,
    revokeUrl: revokeUrl ?? origin + oauthAddresses.revoke,
  };
}

export interface TokenRequest {
  method: 'POST';
  url: string;
  headers: Record<string, string>;
  /** The fields of the form-encoded body. */
  form: Record<string, string>;
}

interface OAuthClient {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** How the client authenticates, if not as assumed (G14). */
  authentication?: 'basic';
}

/** The exchange of an authorization code (section 5, step 3; G14). PKCE's verifier is sent only if there is one (G24). */
export function codeExchange(
  client: OAuthClient,
  grant: { code: string; redirectUri: string; codeVerifier?: string | undefined },
): TokenRequest {
  return tokenRequest(client, oauthEndpoints(client.baseUrl).tokenUrl, {
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: grant.redirectUri,
    ...(grant.codeVerifier && { code_verifier: grant.codeVerifier }),
  });
}

/** A refresh (section 5, step 4; G14). */
export const refreshExchange = (client: OAuthClient, refreshToken: string): TokenRequest =>
  tokenRequest(client, oauthEndpoints(client.baseUrl).tokenUrl, { grant_type: 'refresh_token', refresh_token: refreshToken });

/** The revocation of a pair of tokens (section 5, step 5; G15). */
export const revocation = (client: OAuthClient, token: string, hint: 'access_token' | 'refresh_token'): TokenRequest =>
  tokenRequest(client, oauthEndpoints(client.baseUrl).revokeUrl, { token, token_type_hint: hint });

/** Without a secret, the client is public and only identifies itself (RFC 6749 section 3.2.1). */
function tokenRequest({ clientId, clientSecret, authentication }: OAuthClient, url: string, form: Record<string, string>): TokenRequest {
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
  if (clientSecret === '') return { method: 'POST', url, headers, form: { ...form, client_id: clientId } };
  if ((authentication ?? tokenCall.clientAuthentication) === 'body')
    return { method: 'POST', url, headers, form: { ...form, client_id: clientId, client_secret: clientSecret } };
  const credentials = btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
  return { method: 'POST', url, headers: { ...headers, authorization: `Basic ${credentials}` }, form };
}

/** A pair of tokens as it is stored. A type instead of an interface, so that it can be passed as plain data. */
export type Tokens = {
  access_token: string;
  /** The new refresh token, or the used one if the service sent none, because rotation is optional (G14, G23). */
  refresh_token?: string | undefined;
  /** Lifetime of the access token in seconds, if the service sent it. */
  expires_in?: number | undefined;
  scope?: string | undefined;
  /** Identifies the connection: a refresh keeps it, and connecting again changes it. Store it with the other fields. */
  connection?: string | undefined;
};

/**
 * Reads the tokens in the response to a token request, and nothing else.
 *
 * @param previousRefreshToken the one that was used; absent if a code was exchanged
 * @param url the address of the request, for the error
 * @throws ServiceError as {@link tokenFailure} returns it
 */
export function readTokens(response: ApiResponse, previousRefreshToken?: string, url?: string): Tokens {
  const failure = tokenFailure(response, previousRefreshToken === undefined, url);
  if (failure !== undefined) throw failure;
  const { access_token: access, refresh_token: newRefresh, expires_in: expires, scope } = fieldsOf(response);
  // If it is absent, empty or null, the old one stays valid.
  const refresh = isText(newRefresh) ? newRefresh : previousRefreshToken;
  // Some services write the number as text.
  const seconds = isText(expires) && /^\s*\d+(?:\.\d+)?\s*$/.test(expires) ? Number(expires) : expires;
  return {
    access_token: String(access),
    ...(isText(refresh) && { refresh_token: refresh }),
    ...(typeof seconds === 'number' && { expires_in: seconds }),
    ...(typeof scope === 'string' && { scope }),
  };
}

/**
 * The error if the response to a token request contains no tokens; `undefined` if it does.
 *
 * `unauthenticated` if the grant was refused, by name or in words: only then has the connection ended. Otherwise `rateLimited`, `server`,
 * `redirected`, the table's error for a 403, `invalid` (with the code `invalid_client` if the client was refused; also for a 401 that says
 * nothing about the grant), or `unreadable` if a 200 contains no token.
 *
 * If something other than the service responded, the error says that, and nothing about the account.
 *
 * @param isExchange whether a code was exchanged: then there is no connection yet
 * @param url the address of the request, for the error
 */
export function tokenFailure(response: ApiResponse, isExchange = false, url?: string): ServiceError | undefined {
  const body = fieldsOf(response);
  const isRefused = response.status < 200 || response.status >= 300;
  const elsewhere = notTheService(response, url, isRefused ? refusedGrant(response, body, isExchange, url) : undefined);
  if (elsewhere !== undefined) return elsewhere;
  if (isRefused || (!isText(body['access_token']) && (isText(body['error']) || isOver(body))))
    return refusedGrant(response, body, isExchange, url);
  if (isText(body['access_token'])) return undefined;
  const keys = Object.keys(body).slice(0, 10).join(', ');
  return new ServiceError('unreadable', {
    message: `${brand.name} answered the token request without an access_token.${keys === '' ? '' : ` It sent: ${keys}.`}`,
    advice: 'Try again in a few minutes. If that does not help, check the base URL in the connection.',
  });
}

const fieldsOf = ({ body }: ApiResponse): Record<string, unknown> => (isObject(body) ? body : {});

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
export const noRefreshToken = (): ServiceError => refusedGrant({ status: 400, headers: {}, body: undefined }, { error: 'invalid_grant' });

/**
 * The service's words about a token request, without the error's name. Empty if any word could be a token, because some descriptions repeat
 * the token that was sent.
 */
export function descriptionIn({ body }: ApiResponse): string {
  const { error, code } = isObject(body) ? body : {};
  const words = withCode(messageIn(body), typeof code === 'string' ? tidy(code.slice(0, 60)) : undefined);
  return words === error || words.split(/[^\w~+/=-]+/).some(mayBeToken) ? '' : words;
}

const mayBeToken = (word: string): boolean =>
  (word.length >= 6 && /\d/.test(word)) || (word.length >= 20 && /[a-z]/.test(word) && /.[A-Z]/.test(word));

function refusedGrant(response: ApiResponse, body: Record<string, unknown>, isExchange = false, url: string = brand.baseUrl): ServiceError {
  const { status, headers } = response;
  const description = descriptionIn(response);
  const said = description === '' ? '' : ` ${brand.name} says: "${description.replace(/\.$/, '')}".`;
  const name = typeof body['error'] === 'string' ? tidy(body['error'].slice(0, 40)) : '';
  const says = (...named: readonly string[]): boolean => namesIn(body).some((each) => named.includes(each));
  // If an error comes with a 2xx, or the host did not keep the status, only its name is shown.
  const reasons = [status >= 400 && `status ${status}`, name].filter((part) => typeof part === 'string' && part !== '');
  const reason = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
  // Dates in the response are compared with its own `Date` (G16).
  const now = Date.parse(headers['date'] ?? '');
  if (status === 429 || says('rate_limited')) {
    const seconds = retryAfter(headers, now);
    return new ServiceError('rateLimited', {
      message: `The rate limit of ${brand.name} for token requests has been reached.`,
      advice: `Try again in ${inTime(seconds)}; the limit is ${limits.tokenExchangesPerMinute} token requests a minute.`,
      status,
      retryAfterSeconds: seconds,
    });
  }
  if (status >= 300 && status < 400)
    return redirection(response, url, `${brand.name} redirected the token request`, 'to protect your client secret');
  if (status >= 500 || status === 408 || says('temporarily_unavailable', 'server_error')) {
    return new ServiceError('server', {
      message: `${brand.name} could not answer the token request${reason}.${said}`,
      advice: 'Try again in a few minutes.',
      status,
      retryAfterSeconds: retryAfter(headers, now, false),
    });
  }
  // The person who set up the application made this mistake: connecting an account again would not help.
  if (namesIn(body).some(isOfClient) || (!isOver(body) && (says('unauthorized_client') || saysClient.test(messageIn(body))))) {
    return new ServiceError('invalid', {
      message: `${brand.name} does not accept the client id and secret of this application.${said}`,
      advice: 'The person who set up the application must correct them. Accounts do not have to be connected again.',
      status,
      code: 'invalid_client',
    });
  }
  if (isOver(body)) {
    return new ServiceError('unauthenticated', {
      ...(isExchange
        ? {
            message: `${brand.name} did not accept the code of its own consent page.${said}`,
            advice: 'Connect again. If that does not help, check the client id, the client secret and the redirect address.',
          }
        : { message: `The connection to ${brand.name} has expired or was revoked.${said}`, advice: 'Reconnect the account.' }),
      status,
      code: name || 'invalid_grant',
    });
  }
  const again = `Try again. If this goes on, ${isExchange ? 'check the client id, the client secret and the redirect address' : 'reconnect the account'}`;
  // This 401 comes from a framework, a gateway, or the service before it checked the token: it says nothing about the connection.
  if (status === 401)
    return new ServiceError('invalid', {
      message: `${brand.name} refused ${isExchange ? 'the code of its consent page' : 'to renew the connection'}${bareStatus(response) ?? reason}.${said}`,
      advice: `${again}, and ${checkBetween}`,
      status,
      code: name || undefined,
    });
  if (status === 403)
    return refusal(
      { status, headers, body: { error: description || name, code: body['code'] } },
      { resourceName: 'connection', scope: 'any' },
      now,
    );
  return new ServiceError('invalid', {
    message: `${brand.name} refused the token request${reason}.${said}`,
    // A server that names its error is an authorization server, so the address is right.
    advice: name === '' || status === 404 ? 'Check the base URL in the connection, then try again.' : `${again}.`,
    status,
    code: name || undefined,
  });
}

/** Whether the response says that the token is no longer valid. */
export const isOverAlready = (response: ApiResponse): boolean => response.status === 400 && namesIn(fieldsOf(response)).some(isOverGrant);

/** Whether the response to a refresh says that the grant has ended, by the error's name or in the service's own words. */
const isOver = (body: Record<string, unknown>): boolean => namesIn(body).some(isOverGrant) || saysOver(messageIn(body));

/** `Name (email)`, or else the first of email, name and id that exists (G4). */
export function connectionLabel(user: Readonly<Record<string, unknown>>): string {
  const text = (key: string) => (typeof user[key] === 'string' ? user[key] : '');
  const [name, email] = [text('name'), text('email')];
  return name !== '' && email !== '' ? `${name} (${email})` : email || name || text('id');
}
