/** Who calls: Zapier knows it from the token that each call brings along. */
export interface Caller {
  /** The person at Zapier whose Zap it is. */
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
 * What stands behind `z.cache` and `z.cursor` on Zapier's side: the calls that zapier-platform-core makes to its RPC address.
 * A key without a scope is shared by all users of the app; `['user']` and `['auth']` keep it for one person or one connection.
 */
export class RuntimeCache {
  /** Set to false, every call fails as when Zapier's store cannot be reached. */
  available = true;
  readonly #kept = new Map<string, Kept>();
  readonly #cursors = new Map<string, unknown>();

  /**
   * @param method the name of the remote call
   * @param params as zapier-platform-core sends them
   * @param storeKey which Zap a cursor belongs to
   * @param caller whose scoped keys are meant
   * @throws for a method that Zapier does not know either
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

/** A scope adds whose key it is; in which order scopes are named does not matter. */
function keyOf(key: unknown, scope: unknown, { user, connection }: Caller): string {
  const scopes = (Array.isArray(scope) ? scope : []) as Scope[];
  return JSON.stringify([key, scopes.includes('user') && user, scopes.includes('auth') && connection]);
}

/** The caller as one text, as the token of an event carries it, and back. */
export const tokenOf = ({ user, connection }: Caller): string => JSON.stringify([user, connection]);

/** @throws for a token that `tokenOf` did not make */
export function callerOf(token: string): Caller {
  const [user, connection] = JSON.parse(token) as [string, string];
  return { user, connection };
}
