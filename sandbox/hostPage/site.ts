import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Parts, Request } from '../context.ts';
import { Refusal, type Detail } from '../errors.ts';
import { eventLabel } from '../events.ts';
import { lookUp } from '../lookup.ts';
import type { Table } from '../store.ts';
import { renderHostPage, type Flash, type View } from './layout.ts';
import { onOneClock } from './times.ts';

export type Site = ReturnType<typeof createSite>;

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

/** Browsers keep cookies by host name and ignore the port. Two sandboxes must not use each other's. */
const cookieName = (c: Request, what: 'account' | 'flash' | 'start'): string => `sandbox_${what}_${new URL(c.req.url).port}`;

/** Lets the browser keep a choice, or a message for its next page. */
function remember(c: Request, what: Parameters<typeof cookieName>[1], value: string): void {
  setCookie(c, cookieName(c, what), value, { path: '/host', httpOnly: true, sameSite: 'Lax' });
}

/** Takes the message that was kept for this page, so that no later page shows it again. */
function takeFlash(c: Request): Flash | undefined {
  // The live list fetches pages too. A message must not be lost in one that nobody sees.
  if (c.req.header('x-live') !== undefined) return undefined;
  const [, kind, text] = /^(done|refused) (.*)$/s.exec(getCookie(c, cookieName(c, 'flash')) ?? '') ?? [];
  if (kind === undefined || text === undefined) return undefined;
  deleteCookie(c, cookieName(c, 'flash'), { path: '/host' });
  return { kind: kind === 'done' ? 'done' : 'refused', text };
}

/** The host that the browser acts for: the first one, until another is chosen. */
export const chosenAccount = (c: Request): string => getCookie(c, cookieName(c, 'account')) ?? '';
export const chooseAccount = (c: Request, id: string): void => remember(c, 'account', id);

/** The start page, if the browser came from there. No other browser may learn its address. */
function startPageFor(c: Request, startPage = ''): string | undefined {
  if (startPage === '') return undefined;
  if (c.req.query('start') === startPage) remember(c, 'start', startPage);
  else if (getCookie(c, cookieName(c, 'start')) !== startPage) return undefined;
  return startPage;
}

/** What every page of the host needs. */
export function createSite(parts: Parts) {
  const { store, host } = parts;
  const flash = (c: Request, { kind, text }: Flash): void => remember(c, 'flash', `${kind} ${text}`);
  return {
    parts,
    /** Shows a page, with the message that was kept for it. */
    show: (c: Request, view: View): Response | Promise<Response> =>
      renderHostPage(c, view, {
        account: c.get('account'),
        accounts: store.accounts.all(),
        flash: takeFlash(c),
        start: startPageFor(c, host.startPage),
      }),
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
        flash(c, { kind: 'done', text: fires ? `${says} ${whereEventsWent(parts, before)}` : says });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // No form has the id as a field, so the record has changed since the page was shown.
        if (again !== undefined && error.details?.every(({ field }) => field !== 'id') === true)
          return again(error.details.map((detail) => ({ ...detail, message: onOneClock(detail.message, timezone) })));
        flash(c, { kind: 'refused', text: `Nothing was changed. ${onOneClock(error.message, timezone)}` });
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

/** The fields of the submitted form. */
export function sentFields(c: Request): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(c.get('body')));
}
