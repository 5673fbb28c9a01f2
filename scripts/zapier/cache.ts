interface Kept {
  value: unknown;
  until: number;
}

/**
 * What stands behind `z.cache` and `z.cursor` on Zapier's side: the calls that zapier-platform-core makes to its RPC address.
 * Scopes name the connection and the user; with one of each here, they only keep scoped keys apart from unscoped ones.
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
   * @throws for a method that Zapier does not know either
   */
  call(method: string, params: unknown[], storeKey: string): unknown {
    const [key, value] = params;
    switch (method) {
      case 'zcache_get':
        return this.#live(keyOf(key, params[1]))?.value ?? null;
      case 'zcache_set':
        return this.#set(keyOf(key, params[3]), value, params[2], params[4] === true);
      case 'zcache_delete':
        return this.#kept.delete(keyOf(key, params[1]));
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

function keyOf(key: unknown, scope: unknown): string {
  return JSON.stringify([key, scope ?? null]);
}
