import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Hono, type MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { Env, Parts, Request } from '../context.ts';
import { Refusal, type Detail } from '../errors.ts';
import { eventLabel } from '../events.ts';
import { isFromHere } from '../guard.ts';
import { lookUp } from '../lookup.ts';
import type { Table } from '../store.ts';
import { applicationPages } from './applications.ts';
import { folder } from './assets/folder.cjs';
import { bookingPages } from './bookings.ts';
import { contactPages } from './contacts.ts';
import { deliveryPages } from './deliveries.ts';
import { renderHostPage, type Flash, type View } from './layout.ts';
import { subscriptionPages } from './subscriptions.ts';
import { onOneClock } from './times.ts';
import { typePages } from './types.ts';

const ASSETS = { 'style.css': 'text/css', 'live.mjs': 'text/javascript', 'icon.svg': 'image/svg+xml' } as const;

/** A file that browsers load. The build has already put there what the style sheet imports; without a build, this does. */
const readAsset = (name: string): string =>
  readFileSync(join(folder, name), 'utf8').replace(/^@import '(.+)';/, (_all, sheet: string) =>
    readFileSync(createRequire(join(folder, name)).resolve(sheet), 'utf8'),
  );

/**
 * The host's pages. They show everything that the sandbox stores, and let a host or an invitee do everything by clicking.
 * They answer this machine only, and accept only forms that they made themselves.
 */
export function hostPageRoutes(parts: Parts): Hono<Env> {
  const site = createSite(parts);
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
    .route('/', bookingPages(site))
    .route('/types', typePages(site))
    .route('/contacts', contactPages(site))
    .route('/subscriptions', subscriptionPages(site))
    .route('/deliveries', deliveryPages(site))
    .route('/applications', applicationPages(site))
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

export interface Action {
  /** Does it, and returns a sentence about the result. */
  work: () => string;
  /** The page to show next. Called afterwards, so it can include what was created. */
  to: () => string;
  /** Whether it fires events. If so, the sentence is followed by the number of subscriptions they were sent to. */
  fires?: boolean;
  /** Shows the form again if the service refuses it. Without this function, the next page shows the refusal. */
  again?: (errors: Detail[]) => Response | Promise<Response>;
}

export type Site = ReturnType<typeof createSite>;

/** What every page of the host needs. */
function createSite(parts: Parts) {
  const { store, host } = parts;
  /** The result of what was just done, for the next page. */
  let result: Flash | undefined;
  return {
    parts,
    /** Shows a page, with the result that was kept for it. */
    show(c: Request, view: View): Response | Promise<Response> {
      const viewer = { account: c.get('account'), flash: result, start: startPageFor(c, host.startPage) };
      // The live list fetches pages too. The result must not be lost in one that nobody sees.
      if (c.req.header('x-live') === undefined) result = undefined;
      return renderHostPage(c, view, viewer);
    },
    /** The account's record that the path names. */
    named: <R extends { id: string; account_id: string }>(c: Request, table: Table<R>, what: string): R =>
      lookUp(parts, table, c.get('account'), c.req.param('id') ?? '', what),
    /** Does what a form asks for, then shows the result on a separate page, so that a reload does not do it again. */
    act(c: Request, { work, to, fires = false, again }: Action): Response | Promise<Response> {
      const { timezone } = c.get('account');
      const before = store.deliveries.rows({ order: 'newest', limit: 1 })[0]?.seq ?? 0;
      try {
        const says = work();
        c.get('entry').committed = true;
        result = { kind: 'done', text: fires ? `${says} ${whereEventsWent(parts, before)}` : says };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // No form has the id as a field, so the record has changed since the page was shown.
        if (again !== undefined && error.details?.every(({ field }) => field !== 'id') === true)
          return again(error.details.map((detail) => ({ ...detail, message: onOneClock(detail.message, timezone) })));
        result = { kind: 'refused', text: `Nothing was changed. ${onOneClock(error.message, timezone)}` };
      }
      return c.redirect(to(), 303);
    },
  };
}

/** Each event since the given delivery, with the number of subscriptions that it was sent to. */
function whereEventsWent({ store }: Parts, since: number): string {
  const events = store.deliveries.all({ where: 'seq > ?', values: [since] }).map(({ event }) => event);
  if (events.length === 0) return 'No subscription listens for this event, so nothing was sent.';
  const told = [...new Set(events)].map((event) => {
    const count = events.filter((each) => each === event).length;
    return `${eventLabel(event)} to ${count === 1 ? 'one subscription' : `${count} subscriptions`}`;
  });
  return `Sending ${told.join(', ')}.`;
}
