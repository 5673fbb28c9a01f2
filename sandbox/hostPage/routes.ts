import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono, type MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { Env, Parts } from '../context.ts';
import { Refusal } from '../errors.ts';
import { isFromHere } from '../loopback.ts';
import { applicationPages } from './applications.ts';
import { folder } from './assets/folder.cjs';
import { bookPages } from './book.ts';
import { bookingPages } from './bookings.ts';
import { contactPages } from './contacts.ts';
import { deliveryPages } from './deliveries.ts';
import { renderHostPage } from './layout.ts';
import { isOwnForm, Sessions } from './sessions.ts';
import { createSite, sentFields } from './site.ts';
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
  const pages = new Hono<Env>().use('*', fromHereOnly);
  for (const [name, type] of Object.entries(ASSETS)) {
    const content = readFileSync(join(folder, name), 'utf8');
    pages.get(`/assets/${name}`, (c) =>
      c.body(content, 200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }),
    );
  }

  return pages
    .use('*', withSession(parts))
    .route('/', bookingPages(site))
    .route('/types', typePages(site))
    .route('/types', bookPages(site))
    .route('/contacts', contactPages(site))
    .route('/subscriptions', subscriptionPages(site))
    .route('/deliveries', deliveryPages(site))
    .route('/applications', applicationPages(site))
    .post('/account', (c) => {
      c.get('session').accountId = sentFields(c).get('account') ?? undefined;
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
        return renderHostPage(c, {
          title: 'Request refused',
          status: 403,
          content: html`<p>${error.message}</p>`,
        });
      if (error instanceof Refusal)
        return site.show(c, {
          title: error.code === 'NOT_FOUND' ? 'Not found' : 'This page cannot be shown',
          status: error.code === 'NOT_FOUND' ? 404 : 400,
          content: html`<p>${error.message}</p>`,
        });
      log(`${c.req.method} ${c.req.path} failed: ${error.stack ?? error.message}`);
      return renderHostPage(c, {
        title: 'Something went wrong',
        status: 500,
        content: html`<p>The sandbox had an internal error. Its terminal shows the details.</p>`,
      });
    });
}

const fromHereOnly: MiddlewareHandler<Env> = async (c, next) => {
  if (!isFromHere(c)) throw new NotForYou('This page is only available on the machine that runs the sandbox, at localhost or 127.0.0.1.');
  await next();
};

/** Finds out who asks and for which host, and refuses a form that comes from another site. */
function withSession({ store, host }: Parts): MiddlewareHandler<Env> {
  const sessions = new Sessions();
  return async (c, next) => {
    const session = sessions.of(c);
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && !isOwnForm(c, session, sentFields(c))) {
      throw new NotForYou(
        'The form did not come from an open page of this sandbox, so nothing was changed. If you restarted the sandbox, go back, reload the page and try again.',
      );
    }
    const account = store.accounts.find(session.accountId ?? '') ?? store.accounts.all({ limit: 1 })[0];
    if (account === undefined) throw new NotForYou('The sandbox has no account. Delete its data file to start with new data.');
    const { startPage = '' } = host;
    if (startPage !== '' && c.req.query('start') === startPage) session.start = startPage;
    c.set('session', session);
    c.set('account', account);
    await next();
  };
}
