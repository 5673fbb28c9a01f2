import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { unescape } from 'node:querystring';
import { scopes, type Scope } from '../../shared/scopes.ts';
import { asText, isObject, parsed } from '../../shared/values.ts';
import type { Some } from '../basis.ts';

export const scopeNames = Object.keys(scopes) as Scope[];

/** The address of the protocol, which is also the only resource that tokens are for (RFC 8707). */
export const resourceOf = (origin: string): string => `${origin}/mcp`;

/** Longer than any form, and than any takes to arrive. */
export const formBounds = { bodyBytes: 32_000, bodyMs: 30_000 } as const;

/** A request on its way to the library, which takes a body that was read before, with the database's time when it came, and its browser. */
export type ToLibrary = IncomingMessage & { body?: unknown; cameAt?: number; browsers?: readonly string[] };

/** What some libraries write in place of a value that they do not have. */
const noValue = /^(?:undefined|null|None)?$/;

/**
 * A client may write this server's resource with or without a final slash or a query, or as its origin alone, as people type it. The library's
 * default takes its place, so that no difference in writing refuses anybody.
 */
function dropOurResource(asked: URLSearchParams, origin: string): void {
  const isOurs = (resource: string): boolean => {
    const { origin: at, pathname } = URL.canParse(resource) ? new URL(resource) : { origin: '', pathname: '' };
    return noValue.test(resource) || (at === origin && ['/', '/mcp', '/mcp/'].includes(pathname.toLowerCase()));
  };
  for (const resource of asked.getAll('resource').filter(isOurs)) asked.delete('resource', resource);
}

/** Many clients ask for it to stay connected, and go by whether it is listed. Every client may stay connected here, so it means nothing. */
export const offlineAccess = 'offline_access';

/** The scopes that this server knows. Those that only other servers know are passed over, at every address. */
export const scopesIn = (text: string | null): string[] => {
  const known: readonly string[] = [...scopeNames, offlineAccess];
  return (text ?? '').split(/[\s,]+/).filter((scope) => known.includes(scope));
};

/**
 * An authorization request as the library accepts it. A client that names no scope asks for all: the person sees which. Every request is
 * answered by the person, so there is nothing else to prompt for.
 *
 * @param browser binds what is begun to the browser: only there can it go on
 */
export function authorizationOf(query: URLSearchParams, origin: string, browser: string): URLSearchParams {
  const asked = new URLSearchParams(query);
  const known = scopesIn(asked.get('scope'));
  const isPlain = known.every((scope) => scope === offlineAccess);
  if (asked.getAll('scope').length < 2) asked.set('scope', [...(isPlain ? scopeNames : []), ...known].join(' '));
  // The person is asked in any case, and only with this does the library pass `offline_access` on.
  if (asked.get('prompt') !== 'none') asked.set('prompt', 'consent');
  for (const name of ['max_age', 'id_token_hint', 'login_hint', 'claims', 'nonce', 'display', 'ui_locales', 'acr_values', 'response_mode'])
    asked.delete(name);
  dropOurResource(asked, origin);
  asked.set('browser', browser);
  return asked;
}

/**
 * What an `Authorization` header says of this kind: an id and a secret, encoded as in a form (RFC 6749, section 2.3.1). Many libraries write
 * them as they are: no secret has a space, so a plus is one, and so is a percent sign in what is no longer than it has to be.
 */
function basicIn(authorization = '', { clients }: Some<'settings'>['settings']): string {
  const said = Buffer.from(/^basic +([\w+/=-]+)$/i.exec(authorization)?.[1] ?? '', 'base64').toString();
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(said) ?? [];
  const isPlain = clients.some((known) => known.client_id === id && known.client_secret?.length === secret?.length);
  return said.replaceAll(isPlain ? /[+%]/g : '+', encodeURIComponent);
}

/** A token or revocation request as the library accepts it. Some clients write JSON in place of a form. */
export async function tokenRequestOf(form: string, headers: IncomingHttpHeaders, { settings, rows }: Some<'settings' | 'rows'>) {
  const said = parsed(form);
  const fields = isObject(said) ? Object.entries(said).map(([name, value]): [string, string] => [name, asText(value)]) : form;
  const asked = new URLSearchParams(fields);
  dropOurResource(asked, settings.origin);
  const basic = basicIn(headers.authorization, settings);
  // Some libraries send the header of their calls.
  if (basic === '') delete headers.authorization;
  else headers.authorization = `Basic ${Buffer.from(basic).toString('base64')}`;
  if (noValue.test(asked.get('client_secret') ?? '')) asked.delete('client_secret');
  // Some public clients name themselves so, without a secret.
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
  // OAuth 2.1 (section 10.2) leaves it out, because PKCE does what it was for. And a client that read it as a URL in between writes it otherwise.
  if (meant !== undefined && (to === null || (URL.canParse(to) && new URL(to).href === new URL(meant).href)))
    asked.set('redirect_uri', meant);
  return asked.toString();
}

/**
 * Prepares a request for the library: its addresses come from the settings and not from what proxies say, and a person who is asked each
 * time needs no session of an earlier sign-in, perhaps to another account.
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
  // It was read before, whatever its sender calls it.
  request.headers['content-type'] = path === '/reg' ? 'application/json' : 'application/x-www-form-urlencoded';
}
