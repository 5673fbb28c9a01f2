import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { randomText } from '../../sdk/oauth/random.ts';
import type { Hasher } from '../database/vault.ts';

/** How long a browser is remembered. Each sign-in extends this. Seconds. */
const knownFor = 60 * 60;

/** The prefix of the cookie's name. Tabs that start at once in a new browser each get a cookie, and none may replace another. */
const browserCookie = 'mcp_browser';

/**
 * A cookie of this host alone. Over TLS, its name keeps browsers from accepting it from a sibling domain (RFC 6265bis, section 4.1.3.2).
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

/** Hashes of what only this browser can show; none if it has started nothing here. */
export const browsersOf = (c: Context, origin: string, hash: Hasher): string[] =>
  shownBy(c, origin).map((browser) => hash('browser', browser));

/** One of {@link browsersOf}; remembers the browser. */
export function knownBrowser(c: Context, origin: string, hash: Hasher): string {
  const [browser = randomText(24)] = shownBy(c, origin);
  setCookie(c, `${browserCookie}_${hash('cookie', browser).slice(0, 8)}`, browser, { ...ownCookie(origin), maxAge: knownFor });
  return hash('browser', browser);
}
