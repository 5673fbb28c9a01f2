import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono, type MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { Env, Parts } from '../context.ts';
import { Refusal } from '../errors.ts';
import { isFromHere } from '../loopback.ts';
import { applicationPages } from './applications.ts';
import { folder } from './assets/folder.cjs';
import { bookingPages } from './bookings.ts';
import { contactPages } from './contacts.ts';
import { deliveryPages } from './deliveries.ts';
import { renderHostPage } from './layout.ts';
import { chooseAccount, chosenAccount, createSite, sentFields } from './site.ts';
import { subscriptionPages } from './subscriptions.ts';
import { typePages } from './types.ts';

const ASSETS = { 'style.css': 'text/css', 'live.mjs': 'text/javascript', 'icon.svg': 'image/svg+xml' } as const;

/** The message for a person who may not see the page. */
class NotForYou extends Error {}

/**
 * The host's pages. They show everything that the sandbox stores, and let a host or an invitee do everything by clicking.
 * They answer this machine only, and accept only forms that they made themselves.
 */
export function hostPageRoutes(parts: Parts): Hono<Env> {
  const { log } = parts;
  const site = createSite(parts);
  const pages = new Hono<Env>();
  // Also for the consent page, which any browser can open.
  for (const [name, type] of Object.entries(ASSETS)) {
    const content = readFileSync(join(folder, name), 'utf8');
    pages.get(`/assets/${name}`, (c) =>
      c.body(content, 200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }),
    );
  }

  return pages
    .use('*', fromHereOnly, withAccount(parts))
    .route('/', bookingPages(site))
    .route('/types', typePages(site))
    .route('/contacts', contactPages(site))
    .route('/subscriptions', subscriptionPages(site))
    .route('/deliveries', deliveryPages(site))
    .route('/applications', applicationPages(site))
    .post('/account', (c) => {
      chooseAccount(c, sentFields(c).get('account') ?? '');
      return c.redirect('/host', 303);
    })
    .all('*', (c) =>
      site.show(c, {
        title: 'Page not found',
        status: 404,
        content: html`<p>There is no page at <code>${c.req.path}</code>.</p>`,
      }),
    )
    .onError((error, c) => {
      if (error instanceof NotForYou)
        return renderHostPage(c, { title: 'Request refused', status: 403, content: html`<p>${error.message}</p>` });
      if (error instanceof Refusal) {
        const [title, status] = error.code === 'NOT_FOUND' ? (['Not found', 404] as const) : (['This page cannot be shown', 400] as const);
        return site.show(c, { title, status, content: html`<p>${error.message}</p>` });
      }
      log(`${c.req.method} ${c.req.path} failed: ${error.stack ?? error.message}`);
      const content = html`<p>The sandbox had an internal error. Its terminal shows the details.</p>`;
      return renderHostPage(c, { title: 'Something went wrong', status: 500, content });
    });
}

const fromHereOnly: MiddlewareHandler<Env> = async (c, next) => {
  if (!isFromHere(c)) throw new NotForYou('This page is only available on the machine that runs the sandbox, at localhost or 127.0.0.1.');
  await next();
};

/** Finds out for which host the browser acts, and refuses a form that comes from another site. */
function withAccount({ store }: Parts): MiddlewareHandler<Env> {
  return async (c, next) => {
    // Browsers say with every form where it comes from.
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && c.req.header('origin') !== new URL(c.req.url).origin)
      throw new NotForYou('The form did not come from a page of this sandbox, so nothing was changed.');
    const account = store.accounts.find(chosenAccount(c)) ?? store.accounts.all({ limit: 1 })[0];
    if (account === undefined) throw new NotForYou('The sandbox has no account. Delete its data file to start with new data.');
    c.set('account', account);
    await next();
  };
}
