import { ServiceError } from '../../shared/api/errors.ts';
import { brand } from '../../shared/brand.ts';
import { noRefreshToken, readTokens, refreshExchange, revocation, type Tokens } from '../../shared/oauth.ts';
import { notRenewed, Renewals, unreachableRenewal } from '../../shared/renewal.ts';
import type { Authorization } from '../auth.ts';
import { sleep } from '../sleep.ts';
import { post, type TokenWire } from './post.ts';
import type { TokenStore } from './store.ts';

/** Who asks for tokens. */
export interface Credentials {
  /** Ends in `/api/v1`. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
}

/** What a connection is made of. */
export interface Parts {
  /** As they are now: a person may connect again with others. */
  credentials: () => Credentials;
  store: TokenStore;
  wire: TokenWire;
  renewals: Renewals;
  /** One renewal at a time for each of these: which connection it is. */
  name: () => string;
}

/** The connection of one account: hand it to `createClient` as `auth`. */
export interface Connection extends Required<Authorization> {
  /** Keeps the tokens of an account that has just been connected, in place of any other. */
  connect(tokens: Tokens): Promise<void>;
  /**
   * Ends the connection at the service and forgets it here (section 5, G15). What did not end there stays known, so that it can be
   * tried again.
   *
   * @throws ServiceError where the service did not say that the tokens have ended
   */
  disconnect(): Promise<void>;
}

export const ownRenewals = (): Renewals => new Renewals({ now: () => Date.now(), sleep });

/**
 * A connection over a store. A token that was refused is renewed once for all who wait for it, in this process and in every other
 * one that has the store; the refresh token that comes along takes the place of the one that was used (G23).
 */
export function connectionOver({ credentials, store, wire, renewals, name }: Parts): Connection {
  const renewal = (refused: string): Promise<void> =>
    store.alone(async () => {
      const kept = await store.read();
      // Another process was first.
      if (kept === undefined || kept.access_token !== refused) return;
      const { refresh_token: token } = kept;
      if (token === undefined) throw noRefreshToken();
      await store.write(readTokens(await post(refreshExchange(credentials(), token), wire), token));
    });
  return {
    async token() {
      const kept = await store.read();
      if (kept === undefined) throw notConnected();
      return kept.access_token;
    },
    async renew(refused, over) {
      if ((await store.read())?.access_token !== refused) return;
      try {
        await renewals.renew(name(), () => renewal(refused), over);
      } catch (error) {
        throw over?.aborted === true && !(error instanceof ServiceError) ? notRenewed(unreachableRenewal('in time')) : error;
      }
    },
    connect: (tokens) => store.alone(async () => store.write(tokens)),
    async disconnect() {
      const kept = await store.read();
      if (kept !== undefined) await revoke(credentials(), kept, wire);
      await store.delete();
    },
  };
}

const notConnected = (): ServiceError =>
  new ServiceError('unauthenticated', {
    message: `No account of ${brand.name} is connected here.`,
    advice: 'Connect one, then try again.',
  });

/** @throws ServiceError where the service did not confirm it */
async function revoke(credentials: Credentials, { refresh_token: refresh, access_token: access }: Tokens, wire: TokenWire): Promise<void> {
  const { status } = await post(revocation(credentials, refresh ?? access, refresh === undefined ? 'access_token' : 'refresh_token'), wire);
  if (status >= 200 && status < 300) return;
  throw new ServiceError('server', {
    message: `Not disconnected, because ${brand.name} did not confirm that the tokens are revoked (status ${status}).`,
    advice: 'Try again in a few minutes, or remove the connection in the service.',
  });
}
