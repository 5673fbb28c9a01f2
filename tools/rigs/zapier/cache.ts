/** The caller of a remote call. Zapier knows it from the token in each call. */
export interface Caller {
  /** The person at Zapier who owns the Zap. */
  user: string;
  /** The connection that the step uses. */
  connection: string;
}

type Scope = 'user' | 'auth';

interface Kept {
  value: unknown;
  until: number;
}

/**
 * Zapier's side of `z.cache` and `z.cursor`: the calls that zapier-platform-core makes to its RPC address.
 * A key without a scope is shared by all users of the app; `['user']` and `['auth']` keep it for one person or one connection.
 */
export class RuntimeCache {
  /** If false, every call fails as if Zapier's store could not be reached. */
  available = true;
  readonly #kept = new Map<string, Kept>();
  readonly #cursors = new Map<string, unknown>();

  /**
   * @param method the name of the remote call
   * @param params as zapier-platform-core sends them
   * @param storeKey the Zap that a cursor belongs to
   * @param caller the owner of scoped keys
   * @throws an error for a method that Zapier does not know either
   */
  call(method: string, params: unknown[], storeKey: string, caller: Caller): unknown {
    const [key, value] = params;
    switch (method) {
      case 'zcache_get':
        return this.#live(keyOf(key, params[1], caller))?.value ?? null;
      case 'zcache_set':
        return this.#set(keyOf(key, params[3], caller), value, params[2], params[4] === true);
      case 'zcache_delete':
        return this.#kept.delete(keyOf(key, params[1], caller));
      case 'get_cursor':
        return this.#cursors.get(storeKey) ?? null;
      case 'set_cursor':
        this.#cursors.set(storeKey, key);
        return null;
      default:
        throw new Error(`There is no remote call named ${method}.`);
    }
  }

  #set(key: string, value: unknown, seconds: unknown, onlyIfAbsent: boolean): boolean | null {
    if (onlyIfAbsent && this.#live(key) !== undefined) return null;
    this.#kept.set(key, { value, until: typeof seconds === 'number' ? Date.now() + seconds * 1000 : Infinity });
    return true;
  }

  #live(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && kept.until > Date.now() ? kept : undefined;
  }
}

/** A scope adds the key's owner. The order of the scopes does not matter. */
function keyOf(key: unknown, scope: unknown, { user, connection }: Caller): string {
  const scopes = (Array.isArray(scope) ? scope : []) as Scope[];
  return JSON.stringify([key, scopes.includes('user') && user, scopes.includes('auth') && connection]);
}

/** Turns the caller into one text, as in the token of an event, and back. */
export const tokenOf = ({ user, connection }: Caller): string => JSON.stringify([user, connection]);

/** @throws an error for a token that `tokenOf` did not make */
export function callerOf(token: string): Caller {
  const [user, connection] = JSON.parse(token) as [string, string];
  return { user, connection };
}
