/** What proves for whom a client calls. A connection of `./oauth` is one; so is anything of one's own that has the two methods. */
export interface Authorization {
  /** The access token to send now. */
  token(signal?: AbortSignal): Promise<string>;
  /**
   * Called when a token was refused with 401, which means that nothing was carried out: resolves once another one is there.
   *
   * @param refused the token that was sent; where another one is there already, nothing has to be done
   */
  renew?(refused: string, signal?: AbortSignal): Promise<void>;
}

/** An access token, a function that gives one, or a connection that renews it. */
export type Auth = string | (() => string | Promise<string>) | Authorization;

/** Any form of it as the one that the client uses. */
export function authorizationOf(auth: Auth): Authorization {
  if (typeof auth === 'string') return { token: async () => auth };
  return typeof auth === 'function' ? { token: async () => auth() } : auth;
}
