import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { randomText } from '../../sdk/oauth/random.ts';
import type { Hasher } from '../database/vault.ts';

/** How long a browser is known. Each sign-in that it begins extends this. Seconds. */
const knownFor = 60 * 60;

/** How its name begins: tabs that begin at once, in a browser that was never here, get one each, and none may take the place of another. */
const browserCookie = 'mcp_browser';

/**
 * A cookie of this host alone: over TLS, its name keeps browsers from taking it from a neighbouring domain (RFC 6265bis, section 4.1.3.2).
 */
export const ownCookie = (origin: string) =>
  ({
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    ...(origin.startsWith('https:') && ({ secure: true, prefix: 'host' } as const)),
  }) as const;

const shownBy = (c: Context, origin: string): string[] => {
  const begins = `${ownCookie(origin).prefix === 'host' ? '__Host-' : ''}${browserCookie}`;
  return Object.entries(getCookie(c)).flatMap(([name, value]) => (name.startsWith(begins) ? [value] : []));
};

/** What only this browser can show, as hashes; none if it has begun nothing here. */
export const browsersOf = (c: Context, origin: string, hash: Hasher): string[] =>
  shownBy(c, origin).map((browser) => hash('browser', browser));

/** One of {@link browsersOf}, which makes the browser known. */
export function knownBrowser(c: Context, origin: string, hash: Hasher): string {
  const [browser = randomText(24)] = shownBy(c, origin);
  setCookie(c, `${browserCookie}_${hash('cookie', browser).slice(0, 8)}`, browser, { ...ownCookie(origin), maxAge: knownFor });
  return hash('browser', browser);
}
