import { ServiceError } from '../shared/client/index.ts';
import { CallingAccount, accountState, clockWith, type AccountState } from '../mcp/adapter/account.ts';
import { transportWith } from '../mcp/adapter/transport.ts';
import type { Some } from './basis.ts';
import type { Connections, InUse as ConnectionInUse } from './connections.ts';
import { ledgerIn } from './database/calls.ts';
import { coordinationIn, pendingIn, throwNotReached } from './database/writes.ts';
import { wire } from './readAccount.ts';

/** More calls a minute than a conversation makes: the assistant is working through a list, so it must leave room for others. */
const bulkFrom = 60;

/** An account that nobody has used for this long is dropped from memory. Milliseconds. */
const idleMs = 15 * 60_000;

interface AccountInUse {
  account: CallingAccount;
  state: AccountState;
  usedAt: number;
  /** When its latest calls began. */
  calls: number[];
  /** The service's token, as the last call read it. Absent if it was refused since then. */
  token?: string | undefined;
  refusedAt: number;
}

/**
 * The connected accounts of this process. All assistants that are connected to an account share its rate limiter, pending writes and
 * running calls, but not their tokens or what was read for one of them.
 */
export function makeAccounts(parts: Some<'settings' | 'database' | 'rows' | 'vault'> & { connections: Connections }) {
  const { settings, connections, database, rows, vault } = parts;
  const used = new Map<string, AccountInUse>();
  const clock = clockWith(database.now);

  const stateOf = (owner: string): AccountState =>
    [...used.values()].find(({ account }) => account.owner === owner)?.state ??
    accountState(clock, pendingIn(rows, owner), coordinationIn(rows, database, owner), ledgerIn(database, vault, rows, owner));

  const begin = (grant: string, owner: string): AccountInUse => {
    const tokens = connections.tokensOf(grant);
    const isOver = (error: unknown): error is ServiceError => error instanceof ServiceError && error.kind === 'unauthenticated';
    const failed = (error: unknown): never => {
      throw error instanceof ServiceError ? error : throwNotReached();
    };
    /** Why the connection has ended, for all requests of a call. */
    let reason: ServiceError | undefined;
    // If the service has ended the connection, the next call is refused, so that the assistant lets the person sign in again.
    const kept = (): Promise<string> =>
      tokens.token().catch(async (error: unknown) => {
        if (isOver(error)) await connections.ended(grant);
        return failed(reason ?? error);
      });
    const token = async (): Promise<string> => inUse.token ?? kept();
    const renew = (refused: string, over: AbortSignal): Promise<void> =>
      tokens
        .renew(refused, over)
        .catch(async (error: unknown) => {
          // Without an error code, a proxy in between may have refused it. Or another process has already refreshed the token.
          if (isOver(error) && error.code !== undefined) {
            if ((await kept()) !== refused) return;
            reason = error;
            await connections.ended(grant);
          }
          failed(error);
        })
        .finally(() => Object.assign(inUse, { token: undefined, refusedAt: performance.now() }));
    const transport = transportWith((leftMs) => ({ token, renew: (refused) => renew(refused, wire.timeout(Math.max(1, leftMs()))) }), {
      ...wire,
      now: database.now,
    });
    const sender = () => (inUse.calls.length > bulkFrom ? 'bulk' : 'person');
    const state = stateOf(owner);
    const account = new CallingAccount({ baseUrl: settings.baseUrl, transport, clock, state, owner, sender });
    const inUse: AccountInUse = { account, state, usedAt: 0, calls: [], refusedAt: 0 };
    return inUse;
  };

  return {
    /** The connected account, for one call. */
    of({ grant, account, service }: ConnectionInUse): CallingAccount {
      const [now, inUse] = [Date.now(), used.get(grant) ?? begin(grant, account.id)];
      // A token that was read before the last refusal may be the refused one.
      if (service.readAt > inUse.refusedAt) inUse.token = service.access;
      inUse.usedAt = now;
      // Moved to the end, so that idle accounts come first.
      used.delete(grant);
      used.set(grant, inUse);
      for (const [idle, { usedAt }] of used)
        if (usedAt < now - idleMs) used.delete(idle);
        else break;
      inUse.calls = [...inUse.calls.filter((at) => at > now - 60_000), now].slice(-bulkFrom - 1);
      return inUse.account;
    },
  };
}

export type Accounts = ReturnType<typeof makeAccounts>;
