import { ServiceError } from '../../shared/api/errors.ts';
import type { Fetch } from '../../shared/api/overFetch.ts';
import { authorizeAddress } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { allScopes, checkBaseUrl, codeExchange, oauthEndpoints, readTokens, type Scope, type Tokens } from '../../shared/oauth.ts';
import { connectionOver, ownRenewals, type Connection } from './connection.ts';
import { challengeOf, isSame, randomText } from './random.ts';
import { ownWire, post } from './post.ts';
import type { TokenStore } from './store.ts';

/** An application as it is registered with the service. */
export interface Application {
  clientId: string;
  /** Never in a browser: anyone who reads it can pass for the application. */
  clientSecret: string;
  /** Where the consent page sends its answer, exactly as it is registered. */
  redirectUri: string;
  /** Ends in `/api/v1`; the published address where it is absent. */
  baseUrl?: string | undefined;
  /** All of section 5 where it is absent. */
  scopes?: readonly Scope[] | undefined;
  /** Sends the token calls in place of the global `fetch`. */
  fetch?: Fetch | undefined;
}

/** A person on the way to the consent page. */
export interface Begun {
  /** Where to send them. */
  url: string;
  /**
   * What has to be there when they come back. Keep it in their own browser session, best in a cookie that is `HttpOnly`, `Secure` and
   * `SameSite=Lax`, and nowhere that another person's request reads: it is what tells their answer from somebody else's.
   */
  attempt: string;
}

/** The way in which an account is connected (section 5). */
export interface OAuth {
  /** The address of the consent page, with PKCE (S256, G24) and a state (G26) that nobody has used before. */
  begin(): Promise<Begun>;
  /**
   * Takes the consent page's answer and exchanges its code for tokens.
   *
   * @param answer the address that the person came back to, or its query
   * @param attempt what {@link begin} gave for this very browser session; `undefined` where it holds none
   * @throws ServiceError `forbidden` where the answer belongs to no attempt of this session, or the person did not agree; else as the
   *   token endpoint refused it
   */
  finish(answer: string | URL | URLSearchParams, attempt: string | undefined): Promise<Tokens>;
  /** The connection whose tokens lie in a store. One for each store and process, so that all its requests share one renewal. */
  connection(store: TokenStore): Connection;
}

/**
 * The way in which accounts are connected to an application: once for each application, not for each account.
 *
 * @throws ServiceError `invalid` where the base address cannot be used
 *
 * @example
 * ```ts
 * const { url, attempt } = await oauth.begin(); // keep `attempt` in the person's session, and send them to `url`
 * const connection = oauth.connection(store);
 * await connection.connect(await oauth.finish(request.url, attempt)); // where they come back
 * ```
 */
export function createOAuth({ clientId, clientSecret, redirectUri, baseUrl = brand.baseUrl, scopes, fetch }: Application): OAuth {
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
        code_challenge: await challengeOf(verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return { url: url.href, attempt: `${state}.${verifier}` };
    },
    async finish(answer, attempt) {
      const query = queryOf(answer);
      const [state = '', codeVerifier = ''] = (attempt ?? '').split('.');
      const [given, ...more] = query.getAll('state');
      if (state === '' || codeVerifier === '' || given === undefined || more.length > 0 || !(await isSame(given, state)))
        throw refused('This answer from the consent page does not belong to a connection that was started in this browser session.');
      const code = query.get('code') ?? '';
      if (code === '') throw refused(`The account was not connected: ${reasonIn(query)}.`);
      return readTokens(await post(codeExchange(credentials, { code, redirectUri, codeVerifier }), wire));
    },
    connection: (store) => connectionOver({ credentials: () => credentials, store, wire, renewals: ownRenewals(), name: () => '' }),
  };
}

function queryOf(answer: string | URL | URLSearchParams): URLSearchParams {
  if (answer instanceof URLSearchParams) return answer;
  if (answer instanceof URL) return answer.searchParams;
  return new URLSearchParams(answer.includes('?') ? answer.slice(answer.indexOf('?') + 1).replace(/#[^]*/, '') : answer);
}

/** Why the person was not connected, in the service's words: one line, and nothing in it but letters. */
export const reasonIn = (query: URLSearchParams): string =>
  (query.get('error_description') ?? query.get('error') ?? 'no reason given')
    .slice(0, 200)
    .replace(/[\p{Cc}.]+/gu, ' ')
    .trim();

const refused = (message: string): ServiceError => new ServiceError('forbidden', { message, advice: 'Start connecting again.' });
