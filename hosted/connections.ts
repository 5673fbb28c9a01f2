import type { AccessToken } from 'oidc-provider';
import type { Account as WhoseAccount } from '../shared/client/account.ts';
import type { Tokens } from '../shared/oauth/index.ts';
import { isObject } from '../shared/values.ts';
import type { Connection } from '../sdk/oauth/connection.ts';
import { withClaim } from '../sdk/stores/sqlClaims.ts';
import { tokensIn } from '../sdk/stores/store.ts';
import type { Some } from './basis.ts';
import type { ServiceSignIn } from './signIn/service.ts';

/** One assistant that is connected to one account: what stands behind a grant of this server. */
export interface Connected {
  grant: string;
  account: WhoseAccount;
  client: { id: string; name: string; host: string };
  scopes: readonly string[];
  /** Milliseconds since the epoch. */
  connectedAt: number;
}

/** A connection as a call finds it. */
export interface InUse extends Connected {
  /** What the assistant's token allows, and where. */
  token: { scopes: readonly string[]; resource: unknown };
  /** The service's token, and when it was asked for, as `performance.now()` says it. */
  service: { access: string | undefined; readAt: number };
}

/** A connection that nobody uses ends after this time. Milliseconds. */
export const unusedForMs = 60 * 24 * 60 * 60_000;

/** An assistant fetches its first token in this time, or never. Milliseconds. */
const begunForMs = 15 * 60_000;

/** The service's tokens are there longer, so that they can be revoked then. Milliseconds. */
const tokensForMs = 1.5 * unusedForMs;

/** How exactly the last use is kept. Milliseconds. */
const usedEveryMs = 60_000;

const isConnected = (value: unknown): value is Connected => isObject(value) && isObject(value['account']) && isObject(value['client']);

/**
 * The connections of all accounts. The service's tokens are kept for each connection and never leave this server: ending one ends no other,
 * also of the same account.
 */
export function makeConnections({ rows, database, signIn, log }: Some<'rows' | 'database' | 'log'> & { signIn: ServiceSignIn }) {
  const oauth = signIn.oauth();
  const aboutOf = ({ grant, account, client }: Connected) => ({ grant, account: account.id, other: client.id });

  /** The service's tokens of a connection. Several of these, in several processes, refresh once. */
  const tokensOf = (grant: string): Connection =>
    oauth.connection({
      read: async () => tokensIn((await rows.get('Tokens', grant))?.value),
      write: (tokens) => rows.put('Tokens', grant, tokens, { grant }, tokensForMs),
      delete: () => rows.delete('Tokens', grant),
      withLock: (work) => withClaim(database.locks, rows.hash('tokens', grant), work),
    });

  /**
   * Ends a connection: first here, so that the assistant's next call is refused, then at the service. Tokens that the service does not
   * confirm as revoked are kept, and revoked later.
   *
   * @returns whether the service has revoked its tokens
   */
  const end = async (grant: string): Promise<boolean> => {
    await rows.put('Ended', grant, grant);
    await rows.deleteOfGrant(grant, { except: 'Tokens' });
    try {
      await tokensOf(grant).disconnect();
      await rows.delete('Ended', grant);
      return true;
    } catch (error) {
      log('warn', 'tokens not revoked yet', { error });
      return false;
    }
  };

  return {
    tokensOf,
    end,

    /** A person has agreed. It becomes a connection with the assistant's first token, and ends if that never comes. */
    async begin(connected: Connected, tokens: Tokens): Promise<void> {
      await tokensOf(connected.grant).connect(tokens);
      await rows.put('Begun', connected.grant, connected, aboutOf(connected));
    },

    /** The assistant gets its first token. */
    async add(grant: string): Promise<void> {
      const begun = (await rows.get('Begun', grant))?.value;
      if (!isConnected(begun)) return;
      await rows.put('Connection', grant, begun, aboutOf(begun));
      await rows.delete('Begun', grant);
    },

    /** The connection whose assistant shows this token; `undefined` if one of them has ended. Opaque tokens are what was kept of them. */
    async use(token: string): Promise<InUse | undefined> {
      const readAt = performance.now();
      const found = await rows.together('AccessToken', token, ['Connection', 'Tokens']);
      const { grantId: grant = '', scope = '', aud: resource } = (found('AccessToken', token)?.value ?? {}) as Partial<AccessToken>;
      const kept = found('Connection', grant);
      if (!isConnected(kept?.value)) return undefined;
      const now = rows.now();
      if (now - kept.usedAt > usedEveryMs)
        // A database that is full or can only be read stops no call.
        await Promise.all([rows.touch('Connection', grant, Infinity), rows.touch('Tokens', grant, tokensForMs)]).catch((error: unknown) =>
          log('warn', 'last use not noted', { error }),
        );
      const access = tokensIn(found('Tokens', grant)?.value)?.access_token;
      return { ...kept.value, token: { scopes: scope.split(' '), resource }, service: { access, readAt } };
    },

    /** The connections of an account, the one that was used last first. */
    async ofAccount(account: string): Promise<(Connected & { usedAt: number })[]> {
      const all = (await rows.ofAccount('Connection', account)).sort((one, other) => other.usedAt - one.usedAt);
      // What it belongs to is told by what is encrypted, and not by a column that somebody could have changed.
      return all.flatMap(({ value, usedAt }) => (isConnected(value) && value.account.id === account ? [{ ...value, usedAt }] : []));
    },

    /** The service has ended it: nothing is left to revoke. */
    ended: (grant: string): Promise<void> => rows.deleteOfGrant(grant, {}),

    /** Ends what nobody uses any more, and tries again to revoke what the service did not confirm. */
    async clearUp(): Promise<void> {
      const unused = (kind: string, forMs: number) => rows.unused(kind, rows.now() - forMs, 200);
      const over = [...(await unused('Connection', unusedForMs)), ...(await unused('Begun', begunForMs))];
      for (const { value } of over) if (isConnected(value)) await end(value.grant);
      for (const { value } of await unused('Ended', usedEveryMs)) await end(String(value));
    },
  };
}

export type Connections = ReturnType<typeof makeConnections>;
