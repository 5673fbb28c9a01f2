import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import type { SandboxEnv, Request } from './context.ts';
import type { SandboxParts } from './parts.ts';
import { isScope } from './guard.ts';
import { OAuthError, type TokenAnswer } from './grants.ts';
import type { RegisteredClient } from './records.ts';

const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** POST /api/oauth/token and /api/oauth/revoke: section 5 of the public document, RFC 6749 and RFC 7009, G14 and G15. */
export function oauthRoutes(parts: SandboxParts): Hono<SandboxEnv> {
  const { grants, limits, clock, forms } = parts;
  return new Hono<SandboxEnv>()
    .use('*', async (c, next) => {
      await next();
      for (const [name, value] of Object.entries(NO_STORE)) c.res.headers.set(name, value);
    })
    .post('/token', (c) => {
      const fields = formFields(c);
      limits.take('token', claimedClient(parts, c, fields), clock.now());
      const client = authenticate(parts, c, fields);
      const answer = tokenFor(parts, client, fields);
      c.get('entry').committed = true;
      return c.json(answer);
    })
    .post('/revoke', (c) => {
      const fields = formFields(c);
      const client = authenticate(parts, c, fields);
      c.get('entry').committed = grants.revokeToken(client, required(fields, 'token'));
      return c.body(null, forms.revoked === '204' ? 204 : 200);
    });
}

/** An error in the form of RFC 6749 section 5.2, with the `code` that section 7 of the public document requires. */
export function oauthErrorResponse({ error, message, status }: OAuthError): Response {
  return new Response(JSON.stringify({ error, code: error.toUpperCase(), error_description: message }), {
    status,
    headers: { 'content-type': 'application/json', ...NO_STORE, ...(status === 401 ? { 'www-authenticate': 'Basic realm="oauth"' } : {}) },
  });
}

function tokenFor({ grants }: SandboxParts, client: RegisteredClient, fields: Map<string, string>): TokenAnswer {
  const grantType = required(fields, 'grant_type');
  if (grantType === 'authorization_code')
    return grants.exchange(client, required(fields, 'code'), required(fields, 'redirect_uri'), fields.get('code_verifier'));
  if (grantType === 'refresh_token') return grants.refresh(client, required(fields, 'refresh_token'), parseScopes(fields.get('scope')));
  throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
}

/**
 * The scopes in a request, separated by spaces (G26).
 *
 * @throws {OAuthError} invalid_scope for a scope that section 5 does not list
 */
export function parseScopes(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const scopes = [...new Set(text.split(' ').filter((scope) => scope !== ''))];
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) throw new OAuthError('invalid_scope', `There is no scope ${unknown.slice(0, 80)}.`);
  if (scopes.length === 0) throw new OAuthError('invalid_scope', 'scope is empty.');
  return scopes;
}

/**
 * The fields of a form-encoded body.
 *
 * @throws {OAuthError} invalid_request for another encoding, or a field given twice (RFC 6749 section 3.2)
 */
function formFields(c: Request): Map<string, string> {
  const type = (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw new OAuthError('invalid_request', 'The body must be form-encoded (Content-Type: application/x-www-form-urlencoded).');
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(c.get('body')))) {
    if (fields.has(name)) throw new OAuthError('invalid_request', `${name.slice(0, 80)} is given twice.`);
    fields.set(name, value);
  }
  return fields;
}

function required(fields: Map<string, string>, name: string): string {
  const value = fields.get(name);
  if (value === undefined || value === '') throw new OAuthError('invalid_request', `${name} is missing.`);
  return value;
}

/**
 * Authenticates a client by id and secret, from the body or from HTTP Basic, but not both (RFC 6749 section 2.3). A public client has no
 * secret, and sends its id in the body (section 3.2.1).
 */
function authenticate({ store, forms }: SandboxParts, c: Request, fields: Map<string, string>): RegisteredClient {
  const basic = basicCredentials(c);
  if (basic !== undefined && fields.has('client_secret'))
    throw new OAuthError('invalid_request', 'The client authenticates twice: by HTTP Basic and in the body.');
  const { id, secret } = basic ?? { id: required(fields, 'client_id'), secret: fields.get('client_secret') ?? '' };
  const client = store.clients.find(id);
  const way = basic === undefined ? 'body' : 'basic';
  const expected = forms.clientAuth === 'basic' ? 'by HTTP Basic' : 'by client_id and client_secret in the body';
  if (forms.clientAuth !== 'either' && forms.clientAuth !== way && client?.secret !== '')
    throw new OAuthError('invalid_client', `The client must authenticate ${expected}.`, 401);
  // Also compared for an unknown client, so that the response time does not reveal which ids exist.
  const right = sameSecret(client?.secret ?? '', secret);
  if (client === undefined || !right) throw new OAuthError('invalid_client', 'The client id or the client secret is wrong.', 401);
  return client;
}

/** Compares hashes, because a constant-time comparison needs values of equal length. */
function sameSecret(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** The client that a request claims to be. It is counted before its secret is checked, so that guesses are limited, too. */
function claimedClient({ store }: SandboxParts, c: Request, fields: Map<string, string>): string {
  return store.clients.find(basicCredentials(c)?.id ?? fields.get('client_id') ?? '')?.id ?? 'unknown';
}

function basicCredentials(c: Request): { id: string; secret: string } | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return { id: formDecoded(id), secret: formDecoded(secret) };
}

/** Id and secret are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function formDecoded(text: string): string {
  return new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x') ?? '';
}
