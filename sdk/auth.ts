/** Says for whom a client calls. A connection of `./oauth` is one, and so is any object with these two methods. */
export interface Authorization {
  /** The access token to send now. */
  token(signal?: AbortSignal): Promise<string>;
  /**
   * Called when a token was refused with 401, so nothing was done. Resolves when there is a new token.
   *
   * @param refused the token that was sent; if there is already a newer one, nothing has to be done
   */
  renew?(refused: string, signal?: AbortSignal): Promise<void>;
}

/** An access token, a function that gives one, or a connection that renews it. */
export type Auth = string | (() => string | Promise<string>) | Authorization;

/** Any of the three as the form that the client uses. */
export function authorizationOf(auth: Auth): Authorization {
  if (typeof auth === 'string') return { token: async () => auth };
  return typeof auth === 'function' ? { token: async () => auth() } : auth;
}
