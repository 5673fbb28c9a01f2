import { html } from 'hono/html';
import type { Parts, Request } from '../context.ts';
import { Refusal, type Detail } from '../errors.ts';
import type { Html } from '../page.ts';
import { eventLabel } from '../events.ts';
import { renderHostPage, type View } from './layout.ts';
import { onOneClock } from './times.ts';

/** What every page of the host needs. */
export interface Site {
  parts: Parts;
  /** Shows a page, with the message that was kept for it. */
  show(c: Request, view: View): Response | Promise<Response>;
  /** Does what a form asks for, then shows the result on a separate page, so that a reload does not do it again. */
  act(c: Request, action: Action): Response | Promise<Response>;
  /** A form that is a single button, with the given fields above it. */
  button(c: Request, action: string, label: string, look?: { kind?: 'main' | 'plain' | 'danger'; name?: string; fields?: Html }): Html;
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

export function createSite(parts: Parts): Site {
  const { store } = parts;
  return {
    parts,
    show(c, view) {
      const session = c.get('session');
      // The live list fetches pages too. A message must not be lost in one that nobody sees.
      const flash = c.req.header('x-live') === undefined ? session.flash : undefined;
      if (flash !== undefined) session.flash = undefined;
      return renderHostPage(c, view, {
        account: c.get('account'),
        accounts: store.accounts.all(),
        token: session.token,
        flash,
        start: session.start,
      });
    },
    act(c, { work, to, fires = false, again }) {
      const { timezone } = c.get('account');
      const before = store.deliveries.rows({ order: 'newest', limit: 1 })[0]?.seq ?? 0;
      try {
        const says = work();
        c.get('entry').committed = true;
        c.get('session').flash = { kind: 'done', text: fires ? `${says} ${whereEventsWent(parts, before)}` : says };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // No form has the id as a field, so the record has changed since the page was shown.
        if (again !== undefined && error.details?.every(({ field }) => field !== 'id') === true)
          return again(error.details.map((detail) => ({ ...detail, message: onOneClock(detail.message, timezone) })));
        c.get('session').flash = { kind: 'refused', text: `Nothing was changed. ${onOneClock(error.message, timezone)}` };
      }
      return c.redirect(to(), 303);
    },
    button(c, action, label, { kind = 'main', name, fields } = {}) {
      return html`<form method="post" action="${action}">
        <input type="hidden" name="token" value="${c.get('session').token}" />${fields ?? ''}<button
          class="${kind}"
          ${name === undefined ? '' : html`aria-label="${name}"`}
        >
          ${label}
        </button>
      </form>`;
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
