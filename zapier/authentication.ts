import { createHash } from 'node:crypto';
import type { Authentication, BeforeRequestMiddleware, Bundle, ZObject } from 'zapier-platform-core';
import { getCurrentUser } from '../shared/operations/index.ts';
import {
  allScopes,
  codeExchange,
  connectionLabel,
  noRefreshToken,
  oauthEndpoints,
  readTokens,
  refreshExchange,
  type TokenRequest,
  type Tokens,
  notRenewed,
} from '../shared/oauth/index.ts';
import { unreachable, ServiceError, NetworkFault } from '../shared/client/index.ts';
import { brand } from '../shared/brand.ts';
import { clientFor, environment } from './adapter/connection.ts';
import { guarded } from './adapter/errors.ts';
import { claim, release } from './adapter/store.ts';
import { send } from './adapter/transport.ts';

const TOKEN_MS = 20_000;

/** A step that began with the old token ends within 30 seconds. Zapier has another 30 to distribute the new one. */
const REFRESH_CLAIM_SECONDS = 60;

/** Zapier itself adds the PKCE code challenge to the address. */
const authorizeUrl = guarded(async (_z: ZObject, bundle: Bundle) => {
  const { baseUrl, clientId } = environment();
  const address = new URL(oauthEndpoints(baseUrl).authorizeUrl);
  const { state, redirect_uri: redirectUri } = bundle.inputData;
  const query = { response_type: 'code', client_id: clientId, redirect_uri: String(redirectUri), state: String(state), scope: allScopes };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address.href;
});

const getAccessToken = guarded(async (z: ZObject, bundle: Bundle) => {
  const { code, redirect_uri: redirectUri, code_verifier: verifier } = bundle.inputData;
  const grant = { code: String(code), redirectUri: String(redirectUri), codeVerifier: typeof verifier === 'string' ? verifier : undefined };
  return tokens(z, codeExchange(environment(), grant));
});

/**
 * If many steps find the access token expired at once, only one uses the refresh token: a second use may end the whole connection (section
 * 5). The others are held for some seconds and run again with the token that Zapier has stored by then. Whether Zapier lets several steps
 * refresh at once is not documented. The store contains a hash, never a token.
 */
const refreshAccessToken = guarded(async (z: ZObject, bundle: Bundle) => {
  const refreshToken = bundle.authData['refresh_token'] ?? '';
  if (refreshToken === '') throw noRefreshToken();
  const key = `${brand.slug}-refresh-${createHash('sha256').update(refreshToken).digest('hex')}`;
  if (!(await claim(z, [key], REFRESH_CLAIM_SECONDS))) {
    throw new ServiceError('rateLimited', {
      message: `Another step is refreshing the connection to ${brand.name}.`,
      advice: 'This step runs again automatically in a few seconds.',
      retryAfterSeconds: 5 + Math.random() * 5,
    });
  }
  try {
    return await tokens(z, refreshExchange(environment(), refreshToken), refreshToken);
  } catch (error) {
    await release(z, key);
    throw error instanceof ServiceError ? notRenewed(error) : error;
  }
});

async function tokens(z: ZObject, { method, url, headers, form }: TokenRequest, refreshToken?: string): Promise<Tokens> {
  const body = new URLSearchParams(form).toString();
  try {
    return readTokens(await send(z, { method, url, headers, body, middlewareData: { isTokenCall: true } }, TOKEN_MS), refreshToken, url);
  } catch (error) {
    // The platform treats every 401 as an expired access token and hides its body. On the token endpoint, a 401 means that the service
    // refused the client's id and secret (RFC 6749, 5.2), or a token that is no longer valid (section 5).
    if (error instanceof z.errors.RefreshAuthError) throw refusedWith401();
    throw error instanceof NetworkFault ? unreachable(url, error, true) : error;
  }
}

const refusedWith401 = (): ServiceError =>
  new ServiceError('invalid', {
    message: `${brand.name} refused the token request (status 401).`,
    advice:
      'If other connections work, reconnect this account. If none works, the person who set up the application must correct its client id and secret.',
    status: 401,
  });

/** Runs when an account is connected and whenever Zapier checks the connection. */
const test = guarded(async (z: ZObject) => {
  const user = await getCurrentUser.run(clientFor(z), {}, {});
  return { ...user, label: connectionLabel(user) };
});

/** Adds the bearer token (section 5) to every call except token requests. */
export const withToken: BeforeRequestMiddleware = (request, _z, bundle) => {
  const { access_token: token } = bundle.authData;
  return request.middlewareData?.['isTokenCall'] === true || token === undefined
    ? request
    : { ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } };
};

/** One connection serves everything that the app offers, so all scopes are requested at once (section 5). */
export const authentication = {
  type: 'oauth2',
  oauth2Config: { authorizeUrl, getAccessToken, refreshAccessToken, scope: allScopes, autoRefresh: true, enablePkce: true },
  test,
  connectionLabel: '{{label}}',
} satisfies Authentication;
