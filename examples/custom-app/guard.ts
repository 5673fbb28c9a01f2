import type { Context, MiddlewareHandler } from 'hono';
import { basicAuth } from 'hono/basic-auth';
import { secureHeaders } from 'hono/secure-headers';

/** Forbids everything that the pages of this application do not need: scripts, frames, and images from other sites. */
export const headers = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], styleSrc: ["'unsafe-inline'"], baseUri: ["'none'"], frameAncestors: ["'none'"] },
  // With this policy, browsers send the `Origin` header for our own forms.
  referrerPolicy: 'same-origin',
});

/**
 * Lets requests through only if they come from the application's own pages or directly from a person. `Host` reveals a foreign host name or
 * a tunnel, `Origin` another site's request, and browsers also say which site sent the request.
 *
 * @param origins the addresses of the pages
 * @param fromElsewhere the one page to which another site sends a browser: it trusts only the cookie
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
    context.header('cache-control', 'no-store');
    return undefined;
  };
}

/** Requires a sign-in if a password is set; otherwise lets everyone through. */
export const signedIn = (password: string | undefined): MiddlewareHandler =>
  password === undefined ? (_, next) => next() : basicAuth({ username: 'owner', password, realm: 'Bookings' });
