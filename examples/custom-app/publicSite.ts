import { fetchHandler } from 'acme-scheduling/webhooks';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Application } from './application.ts';

/**
 * The only pages that the service and the consent page can reach. The callback does not know who is connecting: it sends the browser on to
 * the application's own pages, where a cookie shows that.
 */
export function publicSite({ receiver, settings }: Application): Hono {
  const site = new Hono();
  const deliveries = fetchHandler(receiver);
  site.all('/deliveries', (context) => deliveries(context.req.raw));
  site.get('/callback', (context) => {
    const address = new URL('/connected', settings.siteUrl);
    address.search = new URL(context.req.url).search;
    // A page instead of a redirect: many consent pages forbid browsers to follow redirects beyond the registered address (CSP
    // `form-action`).
    const headers = { refresh: `0; url=${address.href}`, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
    return context.html(html`<p><a href="${address.href}">Back to the application</a></p>`, 200, headers);
  });
  site.notFound((context) => context.text('There is nothing here.', 404));
  site.onError((error, context) => {
    console.error(error);
    return context.text('Something went wrong here.', 500);
  });
  return site;
}
