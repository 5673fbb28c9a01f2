import { createHash } from 'node:crypto';
import type { SandboxBasis } from './context.ts';
import { type RegisteredClient, type Grant, hashed, instant, newId, newSecret, type Token } from './records.ts';

const CODE_LIFETIME_MS = 60_000;

interface GrantsOptions extends Pick<SandboxBasis, 'store' | 'clock' | 'forms'> {
  tokenLifetimeSeconds: number;
  /** Whether reuse of a refresh token revokes the whole grant, as RFC 9700 section 4.14.2 advises. */
  revokeFamilyOnReuse: boolean;
}

/** The response of the token endpoint (G14). */
export type TokenAnswer = { access_token: string; token_type: 'Bearer'; expires_in?: number; refresh_token?: string; scope: string };

export interface GivenConsent {
  client: RegisteredClient;
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

const invalidGrant = (message: string): OAuthError => new OAuthError('invalid_grant', message);

export type Grants = ReturnType<typeof createGrants>;

/** Codes and tokens, as in section 5 of the public document, G14, G15, G23 and G24. Only their hashes are stored. */
export function createGrants({ store, clock, forms, tokenLifetimeSeconds, revokeFamilyOnReuse }: GrantsOptions) {
  const inserted = (given: Pick<Grant, 'client_id' | 'account_id' | 'scopes' | 'redirect_uri'>): Grant =>
    store.grants.insert({ id: newId('grt'), ...given, created_at: instant(clock.now()), revoked_at: null });

  /** A new token or code of a grant, as the client receives it. */
  function secretOf({ id, client_id, account_id, scopes }: Grant, kind: Token['kind'], more: Partial<Token> = {}): string {
    const secret = newSecret(({ access: 'at', refresh: 'rt', code: 'code' } as const)[kind]);
    const token = { id: hashed(secret), kind, grant_id: id, client_id, account_id, scopes, expires_at: null, used: false };
    store.tokens.insert({ ...token, ...more });
    return secret;
  }

  function issue(grant: Grant, scopes: string[], refreshToken?: string, lifetime = tokenLifetimeSeconds): TokenAnswer {
    return {
      access_token: secretOf(grant, 'access', { scopes, expires_at: clock.now() + lifetime * 1000 }),
      token_type: 'Bearer',
      ...(forms.expiresIn === 'present' && { expires_in: lifetime }),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      scope: scopes.join(' '),
    };
  }

  function revoke(id: string): void {
    const grant = store.grants.find(id);
    if (grant?.revoked_at === null) store.grants.update({ ...grant, revoked_at: instant(clock.now()) });
  }

  /** A client's own token or code, with its grant. */
  function known(client: RegisteredClient, secret: string, kind: Token['kind'], name: string): { token: Token; grant: Grant } {
    const token = store.tokens.find(hashed(secret));
    if (token?.kind !== kind || token.client_id !== client.id) throw invalidGrant(`The ${name} is unknown, or belongs to another client.`);
    const grant = store.grants.find(token.grant_id);
    if (grant?.revoked_at !== null) throw invalidGrant('The authorization was revoked.');
    return { token, grant };
  }

  return {
    revoke,
    /** The code for a consent: valid once, for a minute, and only for this client and redirect address. */
    consent: ({ client, accountId: account_id, scopes, redirectUri: redirect_uri, codeChallenge: code_challenge }: GivenConsent): string =>
      store.transaction(() => {
        const grant = inserted({ client_id: client.id, account_id, scopes, redirect_uri });
        return secretOf(grant, 'code', { code_challenge, expires_at: clock.now() + CODE_LIFETIME_MS });
      }),
    /** @throws {OAuthError} invalid_grant; a code that is used twice also revokes its tokens (RFC 6749 section 4.1.2) */
    exchange(client: RegisteredClient, code: string, redirectUri: string, verifier: string | undefined): TokenAnswer {
      const { token, grant } = known(client, code, 'code', 'authorization code');
      if (token.used) {
        revoke(grant.id);
        throw invalidGrant('The authorization code was already used. Its tokens are revoked.');
      }
      if ((token.expires_at ?? 0) <= clock.now()) throw invalidGrant('The authorization code has expired.');
      if (grant.redirect_uri !== redirectUri) throw invalidGrant('redirect_uri differs from the one in the authorization request.');
      checkVerifier(token.code_challenge ?? null, verifier);
      return store.transaction(() => {
        store.tokens.update({ ...token, used: true });
        return issue(grant, grant.scopes, secretOf(grant, 'refresh'));
      });
    },
    /**
     * @param narrowed the requested scopes, if any: at most those of the grant (RFC 6749 section 6)
     * @throws {OAuthError} invalid_grant or invalid_scope
     */
    refresh(client: RegisteredClient, refreshToken: string, narrowed: string[] | undefined): TokenAnswer {
      const { token, grant } = known(client, refreshToken, 'refresh', 'refresh token');
      if (token.used) {
        if (revokeFamilyOnReuse) revoke(grant.id);
        const also = revokeFamilyOnReuse ? '; all tokens of its authorization are revoked' : '';
        throw invalidGrant(`The refresh token was already used${also}.`);
      }
      if (narrowed?.some((scope) => !grant.scopes.includes(scope)) === true)
        throw new OAuthError('invalid_scope', 'A refresh cannot ask for scopes that were not granted.');
      const rotates = forms.rotation === 'rotate';
      return store.transaction(() => {
        if (rotates) store.tokens.update({ ...token, used: true });
        return issue(grant, narrowed ?? grant.scopes, rotates ? secretOf(grant, 'refresh') : undefined);
      });
    },
    /** The token, if it is a valid access token. */
    accessToken(bearer: string): Token | undefined {
      const token = store.tokens.find(hashed(bearer));
      if (token?.kind !== 'access' || (token.expires_at ?? 0) <= clock.now()) return undefined;
      return store.grants.find(token.grant_id)?.revoked_at === null ? token : undefined;
    },
    /** Revokes both tokens of the pair, and those of earlier and later refreshes: they are one authorization (G15). */
    revokeToken(client: RegisteredClient, text: string): boolean {
      const token = store.tokens.find(hashed(text));
      const isTheirs = token?.client_id === client.id;
      if (isTheirs) revoke(token.grant_id);
      return isTheirs;
    },
    /** Issues tokens without the browser. */
    shortCut: (client_id: string, account_id: string, scopes: string[], expiresInSeconds?: number) =>
      store.transaction(() => {
        const grant = inserted({ client_id, account_id, scopes });
        const refresh_token = secretOf(grant, 'refresh');
        return { ...issue(grant, scopes, refresh_token, expiresInSeconds), refresh_token };
      }),
  };
}

/** Never required, but checked if a challenge was sent (G24). */
function checkVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null) {
    // Otherwise, an attacker could remove the challenge from a victim's request unnoticed (RFC 9700 section 2.1.1).
    if (verifier !== undefined) throw invalidGrant('code_verifier was sent, but the authorization request had no code_challenge.');
    return;
  }
  if (verifier === undefined) throw invalidGrant('code_verifier is missing: the authorization request had a code_challenge.');
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) throw invalidGrant('code_verifier must be 43 to 128 unreserved characters.');
  if (createHash('sha256').update(verifier).digest('base64url') !== challenge)
    throw invalidGrant('code_verifier does not match the code_challenge.');
}
