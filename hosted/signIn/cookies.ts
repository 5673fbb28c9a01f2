import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { randomText } from '../../sdk/oauth/random.ts';

/** How long a browser is known. Each sign-in that it begins extends this. Seconds. */
const knownFor = 60 * 60;

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

/** What only this browser can show; empty if it has begun nothing here. */
export const browserOf = (c: Context, origin: string): string => getCookie(c, browserCookie, ownCookie(origin).prefix) ?? '';

/** As {@link browserOf}, and makes the browser known. */
export function knownBrowser(c: Context, origin: string): string {
  const browser = browserOf(c, origin) || randomText(24);
  setCookie(c, browserCookie, browser, { ...ownCookie(origin), maxAge: knownFor });
  return browser;
}
