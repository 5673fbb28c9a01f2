import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { unescape } from 'node:querystring';
import { scopes, type Scope } from '../../shared/scopes.ts';
import { asText, isObject, parsed } from '../../shared/values.ts';
import type { Some } from '../basis.ts';

export const scopeNames = Object.keys(scopes) as Scope[];

/** The address of the protocol: the only resource for which tokens are valid (RFC 8707). */
export const resourceOf = (origin: string): string => `${origin}/mcp`;

/** Larger than any form, and longer than any takes to arrive. Bytes and milliseconds. */
export const formBounds = { bodyBytes: 32_000, bodyMs: 30_000 } as const;

/** A request for the library: a body that was already read, its arrival by the database's clock, its browsers, and why it failed. */
export type ToLibrary = IncomingMessage & { body?: unknown; cameAt?: number; browsers?: readonly string[]; failed?: Error };

/** What some libraries write for a missing value. */
const noValue = /^(?:undefined|null|None)?$/;

/**
 * Removes this server's resource in any spelling (with a final slash, a query, or the origin alone, as people type it), so that the
 * library's default applies and no spelling is refused.
 */
function dropOurResource(asked: URLSearchParams, origin: string): void {
  const isOurs = (resource: string): boolean => {
    const { origin: at, pathname } = URL.canParse(resource) ? new URL(resource) : { origin: '', pathname: '' };
    return noValue.test(resource) || (at === origin && ['/', '/mcp', '/mcp/'].includes(pathname.toLowerCase()));
  };
  for (const resource of asked.getAll('resource').filter(isOurs)) asked.delete('resource', resource);
}

/** Many clients request this scope to stay connected, and check whether it is listed. Every client may stay connected anyway. */
export const offlineAccess = 'offline_access';

/** The scopes that this server knows. Other servers' scopes are ignored, at every address. */
export const scopesIn = (text: string | null): string[] => {
  const known: readonly string[] = [...scopeNames, offlineAccess];
  return (text ?? '').split(/[\s,]+/).filter((scope) => known.includes(scope));
};

/**
 * An authorization request that the library accepts. A client that names no scope asks for all, and the person sees which. The person
 * answers every request, so no other prompt applies.
 *
 * @param browser binds the sign-in to the browser: it can continue only there
 */
export function authorizationOf(query: URLSearchParams, origin: string, browser: string): URLSearchParams {
  const asked = new URLSearchParams(query);
  const known = scopesIn(asked.get('scope'));
  const isPlain = known.every((scope) => scope === offlineAccess);
  if (asked.getAll('scope').length < 2) asked.set('scope', [...(isPlain ? scopeNames : []), ...known].join(' '));
  // The person is asked in any case, but only with this prompt does the library pass `offline_access` on.
  if (asked.get('prompt') !== 'none') asked.set('prompt', 'consent');
  for (const name of ['max_age', 'id_token_hint', 'login_hint', 'claims', 'nonce', 'display', 'ui_locales', 'acr_values', 'response_mode'])
    asked.delete(name);
  dropOurResource(asked, origin);
  asked.set('browser', browser);
  return asked;
}

/**
 * The id and secret of an `Authorization: Basic` header, encoded as in a form (RFC 6749, section 2.3.1). Many libraries do not encode them.
 * A secret has no spaces, so a plus is literal; in a secret of exactly the registered length, a percent sign is literal, too.
 */
function basicIn(authorization = '', { clients }: Some<'settings'>['settings']): string {
  const said = Buffer.from(/^basic +([\w+/=-]+)$/i.exec(authorization)?.[1] ?? '', 'base64').toString();
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(said) ?? [];
  const isPlain = clients.some((known) => known.client_id === id && known.client_secret?.length === secret?.length);
  return said.replaceAll(isPlain ? /[+%]/g : '+', encodeURIComponent);
}

/** A token or revocation request that the library accepts. Some clients write JSON in place of a form. */
export async function tokenRequestOf(form: string, headers: IncomingHttpHeaders, { settings, rows }: Some<'settings' | 'rows'>) {
  const said = parsed(form);
  const fields = isObject(said) ? Object.entries(said).map(([name, value]): [string, string] => [name, asText(value)]) : form;
  const asked = new URLSearchParams(fields);
  dropOurResource(asked, settings.origin);
  const basic = basicIn(headers.authorization, settings);
  // Some libraries send the header of their calls here, too.
  if (basic === '') delete headers.authorization;
  else headers.authorization = `Basic ${Buffer.from(basic).toString('base64')}`;
  if (noValue.test(asked.get('client_secret') ?? '')) asked.delete('client_secret');
  // Some public clients identify themselves in this way, without a secret.
  const [, id = '', secret = ''] = /^(https:.+|[^:]+):(.*)$/s.exec(basic) ?? [];
  if (id !== '' && noValue.test(secret) && [null, unescape(id)].includes(asked.get('client_id'))) {
    delete headers.authorization;
    asked.set('client_id', unescape(id));
  }
  if (asked.getAll('scope').length === 1) {
    const known = scopesIn(asked.get('scope')).filter((scope) => scope !== offlineAccess);
    if (known.length === 0) asked.delete('scope');
    else asked.set('scope', known.join(' '));
  }
  const [code, to] = [asked.get('code'), asked.get('redirect_uri')];
  const known = code === null ? undefined : (await rows.get('AuthorizationCode', code))?.value;
  const meant = isObject(known) ? asText(known['redirectUri']) : undefined;
  // OAuth 2.1 (section 10.2) omits the redirect address, because PKCE replaces it. A client that parsed it may spell it differently.
  if (meant !== undefined && (to === null || (URL.canParse(to) && new URL(to).href === new URL(meant).href)))
    asked.set('redirect_uri', meant);
  return asked.toString();
}

/**
 * Prepares a request for the library. Its addresses come from the settings, not from proxies. Its session of an earlier sign-in is removed,
 * which may be of another account: the person is asked each time anyway.
 */
export function toLibrary(request: ToLibrary, origin: string, path: string, body?: unknown): void {
  const { protocol, host } = new URL(origin);
  request.url = path;
  Object.assign(request.headers, { host, 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host });
  delete request.headers['x-forwarded-for'];
  const cookies = (request.headers.cookie ?? '').split(/;\s*/).filter((cookie) => !/^_session(?:\.legacy)?(?:\.sig)?=/.test(cookie));
  request.headers.cookie = cookies.join('; ');
  if (body === undefined) return;
  request.body = body;
  // The body was already read, whatever type its sender declared.
  request.headers['content-type'] = path === '/reg' ? 'application/json' : 'application/x-www-form-urlencoded';
}
