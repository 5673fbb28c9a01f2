import { ServiceError } from '../../shared/serviceError.ts';
import type { Fetch } from '../../shared/client/httpClient.ts';
import { authorizeAddress } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { copied } from '../../shared/values.ts';
import { allScopes, codeExchange, oauthEndpoints, readTokens, type Scope, type Tokens } from '../../shared/oauth/oauth.ts';
import { checkBaseUrl } from '../../shared/client/baseUrl.ts';
import { connectionOver, type Connection, ownWire, post } from './connection.ts';
import { challengeOf, isSame, randomText } from './random.ts';
import type { TokenStore } from '../stores/store.ts';

/** An application as it is registered with the service. */
export interface Application {
  clientId: string;
  /**
   * The application's secret. Never put it into a browser: anyone who reads it can act as the application. Leave it out if the service has
   * registered the application without one, as a public client.
   */
  clientSecret?: string | undefined;
  /** Where the consent page sends its response, exactly as registered. */
  redirectUri: string;
  /**
   * The address of the service's API. It ends in `/api/v1`, which is added to an address without a path. Default: the published address.
   */
  baseUrl?: string | undefined;
  /** The permissions to ask for. Default: all scopes of section 5. */
  scopes?: readonly Scope[] | undefined;
  /** Sends the token requests, like the `fetch` of a client. Default: the global `fetch`. */
  fetch?: Fetch | undefined;
}

/** A connection that a person has begun. */
export interface Begun {
  /** The address of the consent page to which you send the person. */
  url: string;
  /**
   * Needed to recognize the response when the person comes back. Keep it in their own browser session, best in a cookie with `HttpOnly`,
   * `Secure` and `SameSite=Lax`. No other person's request may be able to read it.
   */
  attempt: string;
}

/** Connects accounts to an application (section 5). */
export interface OAuth {
  /** Returns the address of the consent page, with PKCE (S256, G24) and a new `state` (G26). */
  begin(): Promise<Begun>;
  /**
   * Reads the consent page's response and exchanges its code for tokens.
   *
   * @param answer the address that the person came back to, or its query
   * @param attempt the one from {@link begin} in this browser session; `undefined` if the session has none
   * @throws ServiceError `forbidden` if the response does not belong to this session's attempt, or the person did not agree; otherwise the
   * error of the token endpoint
   */
  finish(answer: string | URL | URLSearchParams, attempt: string | undefined): Promise<Tokens>;
  /** The connection whose tokens are in a store. Create one for each store in a process, so that all its requests share one refresh. */
  connection(store: TokenStore): Connection;
}

/**
 * Sets up how accounts are connected. Call it once for your application, not once for each account.
 *
 * @throws ServiceError `invalid` if the base URL cannot be used
 *
 * @example
 * ```ts
 * const { url, attempt } = await oauth.begin(); // keep `attempt` in the person's session, and send them to `url`
 * const connection = oauth.connection(store);
 * await connection.connect(await oauth.finish(request.url, attempt)); // in the handler of your redirect address
 * ```
 */
export function createOAuth({ baseUrl = brand.baseUrl, scopes, fetch, ...application }: Application): OAuth {
  const [clientId, clientSecret, redirectUri] = [
    copied(application.clientId),
    copied(application.clientSecret ?? ''),
    copied(application.redirectUri),
  ];
  const credentials = { baseUrl: checkBaseUrl(baseUrl), clientId, clientSecret };
  const wire = ownWire(fetch);
  const scope = scopes === undefined ? allScopes : scopes.join(authorizeAddress.scopeSeparator);
  return {
    async begin() {
      const [state, verifier] = [randomText(16), randomText(32)];
      const url = new URL(oauthEndpoints(credentials.baseUrl).authorizeUrl);
      const query = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return { url: url.href, attempt: `${state}.${verifier}` };
    },
    async finish(answer, attempt) {
      const query = queryOf(answer);
      const [state = '', codeVerifier = ''] = (attempt ?? '').split('.');
      const [received, ...more] = query.getAll('state');
      if (state === '' || codeVerifier === '' || received === undefined || more.length > 0 || !isSame(received, state))
        throw refused('This answer from the consent page does not belong to a connection that was started in this browser session.');
      const code = query.get('code') ?? '';
      if (code === '') throw refused(`The account was not connected: ${reasonIn(query)}.`);
      const request = codeExchange(credentials, { code, redirectUri, codeVerifier });
      return readTokens(await post(request, wire), undefined, request.url);
    },
    connection: (store) => connectionOver(() => credentials, store, wire),
  };
}

function queryOf(answer: string | URL | URLSearchParams): URLSearchParams {
  if (answer instanceof URLSearchParams) return answer;
  if (answer instanceof URL) return answer.searchParams;
  return new URLSearchParams(answer.includes('?') ? answer.slice(answer.indexOf('?') + 1).replace(/#[^]*/, '') : answer);
}

/**
 * Why the person was not connected, in the service's words: one line, without full stops, control characters or characters that reverse the
 * direction of text.
 */
export const reasonIn = (query: URLSearchParams): string =>
  (query.get('error_description') ?? query.get('error') ?? 'no reason given')
    .slice(0, 200)
    .replace(/[\p{Cc}\p{Cf}.]+/gu, ' ')
    .trim();

const refused = (message: string): ServiceError => new ServiceError('forbidden', { message, advice: 'Start connecting again.' });
