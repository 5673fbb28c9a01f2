import type { Context, MiddlewareHandler } from 'hono';
import { basicAuth } from 'hono/basic-auth';

/** What no page of this application ever needs: scripts, frames, pictures from elsewhere. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // The browser's Origin on a form of our own rests on it.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * Lets requests through that come from the application's own pages or straight from a person. A name that was pointed here and a tunnel
 * bring a `Host` of their own; a foreign page that sends something brings its `Origin`; and browsers say whose page has asked.
 *
 * @param origins under which the pages are opened
 * @param fromElsewhere the one page to which another site leads a browser: it believes nothing but the cookie
 */
export function ownPagesOnly(origins: readonly string[], fromElsewhere: string): MiddlewareHandler {
  const hosts = origins.map((origin) => new URL(origin).host);
  const isOwn = ({ req }: Context): boolean => {
    const [host, origin, askedBy = 'none'] = [req.header('host'), req.header('origin'), req.header('sec-fetch-site')];
    const mayComeFromElsewhere = req.method === 'GET' && req.path === fromElsewhere;
    return (
      hosts.includes(host ?? '') &&
      (origin === undefined || origins.includes(origin)) &&
      (mayComeFromElsewhere || ['none', 'same-origin'].includes(askedBy))
    );
  };
  return async (context, next) => {
    if (!isOwn(context)) return context.text('This page is for the person who runs this application. Open it at its own address.', 403);
    await next();
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    return undefined;
  };
}

/** A sign-in where a password is set; anybody is let through where none is. */
export const signedIn = (password: string | undefined): MiddlewareHandler =>
  password === undefined ? (_, next) => next() : basicAuth({ username: 'owner', password, realm: 'Bookings' });
