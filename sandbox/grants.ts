import { createHash } from 'node:crypto';
import type { Parts } from './context.ts';
import { hashed, newId, newSecret } from './ids.ts';
import { instant, type Client, type Code, type Grant, type Token } from './records.ts';

const CODE_LIFETIME_MS = 60_000;

interface Options extends Pick<Parts, 'store' | 'clock' | 'forms'> {
  tokenLifetimeSeconds: number;
  /** Whether a refresh token that is used twice revokes the whole grant, as RFC 9700 section 4.14.2 advises. */
  revokeFamilyOnReuse: boolean;
}

/** The answer of the token endpoint: G14. */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  expires_in?: number;
  refresh_token?: string;
  scope: string;
}

export interface Consent {
  client: Client;
  accountId: string;
  scopes: string[];
  redirectUri: string;
  codeChallenge: string | null;
}

/** An OAuth 2.0 error (RFC 6749 section 5.2). */
export class OAuthError extends Error {
  readonly error: string;
  readonly status: 400 | 401;

  constructor(error: string, message: string, status: 400 | 401 = 400) {
    super(message);
    this.error = error;
    this.status = status;
  }
}

/** Codes and tokens, as section 5 of the public document, G14, G15, G23 and G24 describe them. Only their hashes are stored. */
export class Grants {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The code for a given consent: used once, within a minute, only by this client and with this redirect address. */
  consent({ client, accountId, scopes, redirectUri, codeChallenge }: Consent): string {
    const { store, clock } = this.#options;
    const code = newSecret('code');
    store.transaction(() => {
      const grant = this.#grant(client.id, accountId, scopes, redirectUri);
      store.codes.insert({
        id: hashed(code),
        grant_id: grant.id,
        client_id: client.id,
        redirect_uri: redirectUri,
        code_challenge: codeChallenge,
        expires_at: clock.now() + CODE_LIFETIME_MS,
        used: false,
      });
    });
    return code;
  }

  /** @throws {OAuthError} invalid_grant; a code that is used twice also revokes its tokens (RFC 6749 section 4.1.2) */
  exchange(client: Client, code: string, redirectUri: string, verifier: string | undefined): TokenAnswer {
    const { store, clock } = this.#options;
    const known = store.codes.find(hashed(code));
    if (known?.client_id !== client.id)
      throw new OAuthError('invalid_grant', 'The authorization code is unknown, or belongs to another client.');
    if (known.used) {
      this.revoke(known.grant_id);
      throw new OAuthError('invalid_grant', 'The authorization code was already used. Its tokens are revoked.');
    }
    if (known.expires_at <= clock.now()) throw new OAuthError('invalid_grant', 'The authorization code has expired.');
    if (known.redirect_uri !== redirectUri)
      throw new OAuthError('invalid_grant', 'redirect_uri differs from the one in the authorization request.');
    checkVerifier(known, verifier);
    const grant = this.#living(known.grant_id);
    return store.transaction(() => {
      store.codes.update({ ...known, used: true });
      return this.#issue(grant, grant.scopes, newSecret('rt'));
    });
  }

  /**
   * @param narrowed the requested scopes, if any: at most those of the grant (RFC 6749 section 6)
   * @throws {OAuthError} invalid_grant or invalid_scope
   */
  refresh(client: Client, refreshToken: string, narrowed: string[] | undefined): TokenAnswer {
    const { store, forms, revokeFamilyOnReuse } = this.#options;
    const known = store.tokens.find(hashed(refreshToken));
    if (known?.kind !== 'refresh' || known.client_id !== client.id)
      throw new OAuthError('invalid_grant', 'The refresh token is unknown, or belongs to another client.');
    const grant = this.#living(known.grant_id);
    if (known.used) {
      if (revokeFamilyOnReuse) this.revoke(grant.id);
      throw new OAuthError(
        'invalid_grant',
        `The refresh token was already used${revokeFamilyOnReuse ? '; all tokens of its authorization are revoked' : ''}.`,
      );
    }
    if (narrowed?.some((scope) => !grant.scopes.includes(scope)) === true)
      throw new OAuthError('invalid_scope', 'A refresh cannot ask for scopes that were not granted.');
    return store.transaction(() => {
      if (forms.rotation === 'rotate') store.tokens.update({ ...known, used: true });
      return this.#issue(grant, narrowed ?? grant.scopes, forms.rotation === 'rotate' ? newSecret('rt') : undefined);
    });
  }

  /** The token, if it is a valid access token. */
  accessToken(bearer: string): Token | undefined {
    const token = this.#options.store.tokens.find(hashed(bearer));
    if (token?.kind !== 'access' || (token.expires_at ?? 0) <= this.#options.clock.now()) return undefined;
    return this.#options.store.grants.find(token.grant_id)?.revoked_at === null ? token : undefined;
  }

  /** Revokes both tokens of the pair, and those from earlier and later refreshes: they are one authorization (G15). */
  revokeToken(client: Client, text: string): boolean {
    const token = this.#options.store.tokens.find(hashed(text));
    if (token?.client_id !== client.id) return false;
    this.revoke(token.grant_id);
    return true;
  }

  revoke(grantId: string): void {
    const { store, clock } = this.#options;
    const grant = store.grants.find(grantId);
    if (grant?.revoked_at === null) store.grants.update({ ...grant, revoked_at: instant(clock.now()) });
  }

  /** Tokens without the browser. */
  shortCut(clientId: string, accountId: string, scopes: string[], expiresInSeconds?: number): TokenAnswer & { refresh_token: string } {
    return this.#options.store.transaction(() => {
      const refreshToken = newSecret('rt');
      return {
        ...this.#issue(this.#grant(clientId, accountId, scopes), scopes, refreshToken, expiresInSeconds),
        refresh_token: refreshToken,
      };
    });
  }

  #grant(clientId: string, accountId: string, scopes: string[], redirectUri?: string): Grant {
    const { store, clock } = this.#options;
    return store.grants.insert({
      id: newId('grt'),
      client_id: clientId,
      ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
      account_id: accountId,
      scopes,
      created_at: instant(clock.now()),
      revoked_at: null,
    });
  }

  #living(grantId: string): Grant {
    const grant = this.#options.store.grants.find(grantId);
    if (grant?.revoked_at !== null) throw new OAuthError('invalid_grant', 'The authorization was revoked.');
    return grant;
  }

  #issue(grant: Grant, scopes: string[], refreshToken: string | undefined, lifetime = this.#options.tokenLifetimeSeconds): TokenAnswer {
    const { store, clock, forms } = this.#options;
    const of = { grant_id: grant.id, client_id: grant.client_id, account_id: grant.account_id, used: false };
    const accessToken = newSecret('at');
    store.tokens.insert({ ...of, id: hashed(accessToken), kind: 'access', scopes, expires_at: clock.now() + lifetime * 1000 });
    if (refreshToken !== undefined)
      store.tokens.insert({ ...of, id: hashed(refreshToken), kind: 'refresh', scopes: grant.scopes, expires_at: null });
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      ...(forms.expiresIn === 'present' ? { expires_in: lifetime } : {}),
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
      scope: scopes.join(' '),
    };
  }
}

/** G24: never required, but checked once a challenge was sent. */
function checkVerifier({ code_challenge }: Code, verifier: string | undefined): void {
  if (code_challenge === null) {
    // Otherwise an attacker could remove the challenge from a victim's request unnoticed (RFC 9700 section 2.1.1).
    if (verifier !== undefined)
      throw new OAuthError('invalid_grant', 'code_verifier was sent, but the authorization request had no code_challenge.');
    return;
  }
  if (verifier === undefined)
    throw new OAuthError('invalid_grant', 'code_verifier is missing: the authorization request had a code_challenge.');
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier))
    throw new OAuthError('invalid_grant', 'code_verifier must be 43 to 128 unreserved characters.');
  if (createHash('sha256').update(verifier).digest('base64url') !== code_challenge)
    throw new OAuthError('invalid_grant', 'code_verifier does not match the code_challenge.');
}
