import type { AccessToken } from 'oidc-provider';
import type { Account as WhoseAccount } from '../shared/client/account.ts';
import type { Tokens } from '../shared/oauth/index.ts';
import { isObject } from '../shared/values.ts';
import type { Connection } from '../sdk/oauth/connection.ts';
import type { OAuth } from '../sdk/oauth/oauth.ts';
import { tokensIn, type TokenStore } from '../sdk/stores/store.ts';
import { withLock, type Database } from './database/database.ts';
import type { SealedRows } from './database/sealedRows.ts';
import type { Log } from './log.ts';

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
  /** What the assistant's token allows, where, and for how long. */
  token: { scopes: readonly string[]; resource: URL | undefined; leftMs: number };
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
export class Connections {
  readonly #rows: SealedRows;
  readonly #database: Database;
  readonly #oauth: OAuth;
  readonly #log: Log;

  constructor(rows: SealedRows, database: Database, oauth: OAuth, log: Log) {
    this.#rows = rows;
    this.#database = database;
    this.#oauth = oauth;
    this.#log = log;
  }

  /** A person has agreed. It becomes a connection with the assistant's first token, and ends if that never comes. */
  async begin(connected: Connected, tokens: Tokens): Promise<void> {
    await this.tokensOf(connected.grant).connect(tokens);
    await this.#rows.put('Begun', connected.grant, connected, this.#about(connected));
  }

  /** The assistant gets its first token. */
  async add(grant: string): Promise<void> {
    const begun = (await this.#rows.get('Begun', grant))?.value;
    if (!isConnected(begun)) return;
    await this.#rows.put('Connection', grant, begun, this.#about(begun));
    await this.#rows.delete('Begun', grant);
  }

  /** The connection whose assistant shows this token; `undefined` if one of them has ended. Opaque tokens are what was kept of them. */
  async use(token: string): Promise<InUse | undefined> {
    const readAt = performance.now();
    const found = await this.#rows.together('AccessToken', token, ['Connection', 'Tokens']);
    const shown = await found('AccessToken', token);
    const { grantId: grant = '', scope = '', aud } = (shown?.value ?? {}) as Partial<AccessToken>;
    const kept = await found('Connection', grant);
    if (shown === undefined || !isConnected(kept?.value)) return undefined;
    const now = this.#rows.now();
    if (now - kept.usedAt > usedEveryMs)
      // A database that is full or can only be read stops no call.
      await Promise.all([this.#rows.touch('Connection', grant, Infinity), this.#rows.touch('Tokens', grant, tokensForMs)]).catch(
        (error: unknown) => this.#log('warn', 'last use not noted', { error }),
      );
    const access = tokensIn((await found('Tokens', grant))?.value)?.access_token;
    const resource = URL.canParse(String(aud)) ? new URL(String(aud)) : undefined;
    return { ...kept.value, token: { scopes: scope.split(' '), resource, leftMs: shown.until - now }, service: { access, readAt } };
  }

  /** The connections of an account, the one that was used last first. */
  async ofAccount(account: string): Promise<(Connected & { usedAt: number })[]> {
    const all = (await this.#rows.ofAccount('Connection', account)).sort((one, other) => other.usedAt - one.usedAt);
    // What it belongs to is told by what is encrypted, and not by a column that somebody could have changed.
    return all.flatMap(({ value, usedAt }) => (isConnected(value) && value.account.id === account ? { ...value, usedAt } : []));
  }

  /** The service's tokens of a connection. Several of these, in several processes, refresh once. */
  tokensOf(grant: string): Connection {
    const store: TokenStore = {
      read: async () => tokensIn((await this.#rows.get('Tokens', grant))?.value),
      write: (tokens) => this.#rows.put('Tokens', grant, tokens, { grant }, tokensForMs),
      delete: () => this.#rows.delete('Tokens', grant),
      withLock: (work) => withLock(this.#database.locks, this.#rows.hash('tokens', grant), work),
    };
    return this.#oauth.connection(store);
  }

  /**
   * Ends a connection: first here, so that the assistant's next call is refused, then at the service. Tokens that the service does not
   * confirm as revoked are kept, and revoked later.
   *
   * @returns whether the service has revoked its tokens
   */
  async end(grant: string): Promise<boolean> {
    await this.#rows.put('Ended', grant, grant);
    await this.#rows.deleteOfGrant(grant, { except: 'Tokens' });
    try {
      await this.tokensOf(grant).disconnect();
      await this.#rows.delete('Ended', grant);
      return true;
    } catch (error) {
      this.#log('warn', 'tokens not revoked yet', { error });
      return false;
    }
  }

  /** The service has ended it: nothing is left to revoke. */
  async ended(grant: string): Promise<void> {
    await this.#rows.deleteOfGrant(grant, {});
  }

  /** Ends what nobody uses any more, and tries again to revoke what the service did not confirm. */
  async clearUp(): Promise<void> {
    const before = this.#rows.now() - unusedForMs;
    for (const { value } of await this.#rows.unused('Connection', before, 200)) if (isConnected(value)) await this.end(value.grant);
    for (const { value } of await this.#rows.unused('Begun', this.#rows.now() - begunForMs, 200))
      if (isConnected(value)) await this.end(value.grant);
    for (const { value } of await this.#rows.unused('Ended', this.#rows.now() - usedEveryMs, 200)) await this.end(String(value));
  }

  #about({ grant, account, client }: Connected) {
    return { grant, account: account.id, other: client.id };
  }
}
