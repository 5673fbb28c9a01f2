import { ServiceError } from '../../shared/serviceError.ts';
import { brand } from '../../shared/brand.ts';
import {
  descriptionIn,
  isOverAlready,
  noRefreshToken,
  readTokens,
  refreshExchange,
  revocation,
  type Tokens,
  type TokenRequest,
} from '../../shared/oauth/oauth.ts';
import { isOfService } from '../../shared/client/intermediary.ts';
import { noTokenAnswer, notRenewed, TokenRefresher } from '../../shared/oauth/tokenRefresher.ts';
import type { Authorization } from '../client/options.ts';
import { ownTime, type Time } from '../time.ts';
import type { TokenStore } from '../stores/store.ts';
import type { HttpClient, Fetch, HttpRequest } from '../../shared/client/httpClient.ts';
import { NetworkFault, type ApiResponse } from '../../shared/client/ports.ts';
import { ownHttpClient } from '../client/transport.ts';
import { randomText } from './random.ts';

/** The application that requests tokens. */
export interface Credentials {
  /** The address of the service's API, which ends in `/api/v1`. */
  baseUrl: string;
  clientId: string;
  /** Empty for an application that has none. */
  clientSecret: string;
}

/** The connection of one account. Pass it to `createClient` as `auth`. */
export interface Connection extends Required<Authorization> {
  /** Saves the tokens of a newly connected account, replacing any others. Waits for a refresh in progress. */
  connect(tokens: Tokens): Promise<void>;
  /**
   * Revokes the tokens at the service and deletes them here (section 5, G15). Tokens that could not be revoked are kept, so that you can
   * try again. Waits for a refresh in progress.
   *
   * @throws ServiceError if the service did not confirm that the tokens are revoked
   */
  disconnect(): Promise<void>;
}

/**
 * A connection on top of a store. A refused token is refreshed once for all callers that wait for it, in this process and in all others
 * with the same store. The new refresh token replaces the used one (G23).
 *
 * @param credentials read for each request, because a person may connect again with different ones
 */
export function connectionOver(credentials: () => Credentials, store: TokenStore, wire: TokenWire): Connection {
  const refresher = new TokenRefresher(wire);
  /** The connection of each recently used token: what was begun in one connection is not continued in another. */
  const used = new Map<string, string | undefined>();
  const note = ({ access_token, connection }: Tokens): void => {
    used.set(access_token, connection);
    const [oldest] = used.keys();
    if (used.size > maxUsed && oldest !== undefined) used.delete(oldest);
  };
  const refreshOnce = (refused: string): Promise<void> =>
    store.withLock(async () => {
      const kept = await store.read();
      // Another process has already refreshed it.
      if (kept?.access_token === refused) await refresh(kept);
    });
  async function refresh({ access_token: refused, refresh_token: token, connection }: Tokens): Promise<void> {
    if (token === undefined) throw noRefreshToken();
    const request = refreshExchange(credentials(), token);
    const answer = readTokens(await post(request, wire), token, request.url);
    const tokens = connection === undefined ? answer : { ...answer, connection };
    // A lock can be lost, for example while this machine sleeps. What was replaced or deleted in the meantime must not come back.
    if ((await store.read())?.access_token === refused) await store.write(tokens);
  }
  /** Whether the service says that these tokens have ended: someone may have removed the connection there. */
  const isOver = async (kept: Tokens): Promise<boolean> =>
    kept.refresh_token !== undefined &&
    (await refresh(kept).then(
      () => false,
      (error: unknown) => error instanceof ServiceError && error.kind === 'unauthenticated',
    ));
  return {
    async token() {
      const kept = await store.read();
      if (kept === undefined) throw notConnected();
      note(kept);
      return kept.access_token;
    },
    async renew(refused, over) {
      const kept = await store.read();
      if (kept !== undefined && kept.access_token !== refused && used.has(refused) && used.get(refused) !== kept.connection)
        throw connectedAgain();
      if (kept?.access_token !== refused) return;
      try {
        await refresher.refresh('', () => refreshOnce(refused), over);
      } catch (error) {
        throw over?.aborted === true && !(error instanceof ServiceError) ? notRenewed(noTokenAnswer('in time')) : error;
      }
    },
    connect: (tokens) => store.withLock(async () => store.write({ ...tokens, connection: randomText(16) })),
    disconnect: () =>
      store.withLock(async () => {
        const kept = await store.read();
        if (kept === undefined) return store.delete();
        const refused = await revoke(credentials(), kept, wire);
        if (refused !== undefined && !(await isOver(kept))) throw refused;
        // As above: another account may have been connected in the meantime.
        if ((await store.read())?.access_token === kept.access_token) await store.delete();
      }),
  };
}

/** How many used tokens are remembered: more than are in use at once. */
const maxUsed = 16;

/** The error for a call that was begun before an account was connected again, perhaps a different one. */
export const connectedAgain = (): ServiceError =>
  new ServiceError('unauthenticated', {
    message: `An account of ${brand.name} was connected in the meantime, so this was not continued: it may be another account.`,
    advice: 'Look at what was done, then try again.',
  });

const notConnected = (): ServiceError =>
  new ServiceError('unauthenticated', {
    message: `No account of ${brand.name} is connected here.`,
    advice: 'Connect one, then try again.',
  });

/** @returns an error if the service did not confirm the revocation */
async function revoke(
  credentials: Credentials,
  { refresh_token: refresh, access_token: access }: Tokens,
  wire: TokenWire,
): Promise<ServiceError | undefined> {
  const answer = await post(revocation(credentials, refresh ?? access, refresh === undefined ? 'access_token' : 'refresh_token'), wire);
  // RFC 7009 has no error for a token that is no longer valid, but some services return one.
  if (isOfService(answer) && (answer.status < 300 || isOverAlready(answer))) return undefined;
  const reason = [`status ${answer.status}`, descriptionIn(answer)].filter((part) => part !== '').join(', ');
  return new ServiceError('server', {
    message: `Not disconnected, because ${brand.name} did not confirm that the tokens are revoked (${reason}).`,
    advice: 'Try again in a few minutes, or remove the connection in the service.',
  });
}

/** How token requests are sent. */
export interface TokenWire extends Time {
  httpClient: HttpClient;
}

const tokenMs = 15_000;

export const ownWire = (fetch?: Fetch): TokenWire => ({ httpClient: ownHttpClient(fetch), ...ownTime });

/** @throws ServiceError if no response came. It names the token request, not the call that needed the token */
export async function post({ method, url, headers, form }: TokenRequest, { httpClient, timeout }: TokenWire): Promise<ApiResponse> {
  const request: HttpRequest = { method, headers, body: new URLSearchParams(form).toString() };
  try {
    return await httpClient(url, request, timeout(tokenMs));
  } catch (error) {
    throw error instanceof NetworkFault ? noTokenAnswer(error.code) : error;
  }
}
