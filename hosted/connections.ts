import type { AccessToken } from 'oidc-provider';
import type { Account as WhoseAccount } from '../shared/client/account.ts';
import type { Tokens } from '../shared/oauth/index.ts';
import { isObject } from '../shared/values.ts';
import type { Connection } from '../sdk/oauth/connection.ts';
import { withClaim } from '../sdk/stores/sqlClaims.ts';
import { tokensIn } from '../sdk/stores/store.ts';
import type { Some } from './basis.ts';
import type { ServiceSignIn } from './signIn/service.ts';

/** One assistant that is connected to one account. Each grant of this server has one. */
export interface Connected {
  grant: string;
  account: WhoseAccount;
  client: { id: string; name: string; host: string };
  scopes: readonly string[];
  /** Milliseconds since the epoch. */
  connectedAt: number;
}

/** A connection, as a call uses it. */
export interface InUse extends Connected {
  /** What the assistant's token permits, and for which resource. */
  token: { scopes: readonly string[]; resource: unknown };
  /** The service's token, and the `performance.now()` at which its reading began. */
  service: { access: string | undefined; readAt: number };
}

/** A connection that nobody uses ends after this time. Milliseconds. */
export const unusedForMs = 60 * 24 * 60 * 60_000;

/** An assistant fetches its first token within this time, or never. Milliseconds. */
const begunForMs = 15 * 60_000;

/** The service's tokens are kept longer than the connection, so that they can still be revoked. Milliseconds. */
const tokensForMs = 1.5 * unusedForMs;

/** The precision with which the last use is recorded. Milliseconds. */
const usedEveryMs = 60_000;

const isConnected = (value: unknown): value is Connected => isObject(value) && isObject(value['account']) && isObject(value['client']);

/**
 * The connections of all accounts. The service's tokens are stored for each connection and never leave this server. Ending a connection
 * does not end others, even of the same account.
 */
export function makeConnections({ rows, database, signIn, log }: Some<'rows' | 'database' | 'log'> & { signIn: ServiceSignIn }) {
  const oauth = signIn.oauth();
  const aboutOf = ({ grant, account, client }: Connected) => ({ grant, account: account.id, other: client.id });

  /** The service's tokens of a connection. If several processes use them at once, only one refreshes. */
  const tokensOf = (grant: string): Connection =>
    oauth.connection({
      read: async () => tokensIn((await rows.get('Tokens', grant))?.value),
      write: (tokens) => rows.put('Tokens', grant, tokens, { grant }, tokensForMs),
      delete: () => rows.delete('Tokens', grant),
      withLock: (work) => withClaim(database.locks, rows.hash('tokens', grant), work),
    });

  /**
   * Ends a connection: first here, so that the assistant's next call is refused, then at the service. Tokens whose revocation the service
   * does not confirm are kept, and revoked later.
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

    /** A person has agreed. This becomes a connection with the assistant's first token; if that never comes, it ends. */
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

    /** The connection for an assistant's token; `undefined` if either has ended. A token is opaque: it means what was stored for it. */
    async use(token: string): Promise<InUse | undefined> {
      const readAt = performance.now();
      const found = await rows.together('AccessToken', token, ['Connection', 'Tokens']);
      const { grantId: grant = '', scope = '', aud: resource } = (found('AccessToken', token)?.value ?? {}) as Partial<AccessToken>;
      const kept = found('Connection', grant);
      if (!isConnected(kept?.value)) return undefined;
      const now = rows.now();
      if (now - kept.usedAt > usedEveryMs)
        // A database that is full or read-only must not stop a call.
        await Promise.all([rows.touch('Connection', grant, Infinity), rows.touch('Tokens', grant, tokensForMs)]).catch((error: unknown) =>
          log('warn', 'last use not noted', { error }),
        );
      const access = tokensIn(found('Tokens', grant)?.value)?.access_token;
      return { ...kept.value, token: { scopes: scope.split(' '), resource }, service: { access, readAt } };
    },

    /** The connections of an account, most recently used first. */
    async ofAccount(account: string): Promise<(Connected & { usedAt: number })[]> {
      const all = (await rows.ofAccount('Connection', account)).sort((one, other) => other.usedAt - one.usedAt);
      // The encrypted value decides whose connection it is, not a column that somebody could have changed.
      return all.flatMap(({ value, usedAt }) => (isConnected(value) && value.account.id === account ? [{ ...value, usedAt }] : []));
    },

    /** The service has ended the connection, so there is nothing left to revoke. */
    ended: (grant: string): Promise<void> => rows.deleteOfGrant(grant, {}),

    /** Ends unused connections, and retries revocations that the service did not confirm. */
    async clearUp(): Promise<void> {
      const unused = (kind: string, forMs: number) => rows.unused(kind, rows.now() - forMs, 200);
      const over = [...(await unused('Connection', unusedForMs)), ...(await unused('Begun', begunForMs))];
      for (const { value } of over) if (isConnected(value)) await end(value.grant);
      for (const { value } of await unused('Ended', usedEveryMs)) await end(String(value));
    },
  };
}

export type Connections = ReturnType<typeof makeConnections>;
