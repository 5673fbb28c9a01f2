import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Hono, type MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { Env, Request } from '../context.ts';
import type { Parts } from '../parts.ts';
import { Refusal } from '../errors.ts';
import { isFromHere } from '../guard.ts';
import { applications } from './applications.ts';
import { folder } from './assets/folder.cjs';
import { bookings } from './bookings.ts';
import { deliveries } from './deliveries.ts';
import { renderHostPage, SECTIONS, type Flash } from './layout.ts';
import { sectionPages, type Site } from './section.ts';
import { subscriptions } from './subscriptions.ts';
import { eventTypes } from './types.ts';

const ASSETS = { 'style.css': 'text/css', 'icon.svg': 'image/svg+xml' } as const;

/** A file that browsers load. The build has already put there what the style sheet imports; without a build, this does. */
const readAsset = (name: string): string =>
  readFileSync(join(folder, name), 'utf8').replace(/^@import '(.+)';/, (_all, sheet: string) =>
    readFileSync(createRequire(join(folder, name)).resolve(sheet), 'utf8'),
  );

/**
 * The host's pages: a table for each kind of record, and what a host or an invitee can do to each. They answer this machine only, and accept
 * only forms that they made themselves.
 */
export function hostPageRoutes(parts: Parts): Hono<Env> {
  /** The result of what was just done, for the next page. */
  let result: Flash | undefined;
  const site: Site = {
    parts,
    show(c, view) {
      const viewer = { account: c.get('account'), flash: result, start: startPageFor(c, parts.host.startPage) };
      result = undefined;
      return renderHostPage(c, view, viewer);
    },
    tell: (kind, text) => void (result = { kind, text }),
  };
  const pages = new Hono<Env>();
  // Also for the consent page, which any browser can open.
  for (const [name, type] of Object.entries(ASSETS)) {
    const content = readAsset(name);
    pages.get(`/assets/${name}`, (c) =>
      c.body(content, 200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }),
    );
  }

  return pages
    .use('*', ownForms(parts))
    .get('/', (c) => c.redirect(`${SECTIONS.bookings.path}${new URL(c.req.url).search}`))
    .route('/bookings', sectionPages('bookings', bookings(parts), site))
    .route('/types', sectionPages('types', eventTypes(parts), site))
    .route('/subscriptions', sectionPages('subscriptions', subscriptions(parts), site))
    .route('/deliveries', sectionPages('deliveries', deliveries(parts), site))
    .route('/applications', sectionPages('applications', applications(parts), site))
    .all('*', (c) =>
      site.show(c, { title: 'Page not found', status: 404, content: html`<p>There is no page at <code>${c.req.path}</code>.</p>` }),
    )
    .onError((error, c) => {
      if (error instanceof Refusal) {
        const [title, status] = error.code === 'NOT_FOUND' ? (['Not found', 404] as const) : (['This page cannot be shown', 400] as const);
        return site.show(c, { title, status, content: html`<p>${error.message}</p>` });
      }
      parts.log(`${c.req.method} ${c.req.path} failed: ${error.stack ?? error.message}`);
      const content = html`<p>The sandbox had an internal error. Its terminal shows the details.</p>`;
      return renderHostPage(c, { title: 'Something went wrong', status: 500, content });
    });
}

/** Accepts only browsers of this machine and forms of these pages. They act for the first account, which is the host's. */
function ownForms({ store }: Parts): MiddlewareHandler<Env> {
  return async (c, next) => {
    const refuse = (why: string) => renderHostPage(c, { title: 'Request refused', status: 403, content: html`<p>${why}</p>` });
    if (!isFromHere(c)) return refuse('This page is only available on the machine that runs the sandbox, at localhost or 127.0.0.1.');
    // Browsers say with every form where it comes from.
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && c.req.header('origin') !== new URL(c.req.url).origin)
      return refuse('The form did not come from a page of this sandbox, so nothing was changed.');
    c.set('account', store.accounts.first());
    return next();
  };
}

/** The start page, if the browser came from there. No other browser may learn its address. */
function startPageFor(c: Request, startPage = ''): string | undefined {
  // Browsers keep cookies by host name and ignore the port. Two sandboxes must not use each other's.
  const cookie = `sandbox_start_${new URL(c.req.url).port}`;
  if (startPage === '') return undefined;
  if (c.req.query('start') === startPage) setCookie(c, cookie, startPage, { path: '/host', httpOnly: true, sameSite: 'Lax' });
  else if (getCookie(c, cookie) !== startPage) return undefined;
  return startPage;
}
