import { html } from 'hono/html';
import type { Parts, Request } from '../context.ts';
import { Refusal, type Detail } from '../errors.ts';
import type { Html } from '../page.ts';
import { renderHostPage, type View } from './layout.ts';

/** What every page of the host is made with. */
export interface Site {
  parts: Parts;
  /** Shows a page, with what was to be told on it. */
  show(c: Request, view: View): Response | Promise<Response>;
  /** Does what a form asks for, then shows the outcome on a page of its own, so that reloading does not do it twice. */
  act(c: Request, action: Action): Response | Promise<Response>;
  /** A form that is one button, or has the given fields above it. */
  button(c: Request, action: string, label: string, look?: { kind?: 'main' | 'plain' | 'danger'; name?: string; fields?: Html }): Html;
}

export interface Action {
  /** Does it, and gives the sentence about it. */
  work: () => string;
  /** Where to go on, once it is done; what was made can be part of it. */
  to: () => string;
  /** Whether it is one that events tell of; then the sentence is followed by where they went. */
  fires?: boolean;
  /** Shows the form once more, where the service refuses it; without it the refusal is told where it goes on. */
  again?: (errors: Detail[]) => Response | Promise<Response>;
}

export function createSite(parts: Parts): Site {
  const { store } = parts;
  return {
    parts,
    show(c, view) {
      const session = c.get('session');
      // The live list fetches pages too; what is to be told must not be lost in one that nobody sees.
      const flash = c.req.header('x-live') === undefined ? session.flash : undefined;
      if (flash !== undefined) session.flash = undefined;
      return renderHostPage(c, view, { account: c.get('account'), accounts: store.accounts.all(), token: session.token, flash });
    },
    act(c, { work, to, fires = false, again }) {
      const before = store.deliveries.rows({ order: 'newest', limit: 1 })[0]?.seq ?? 0;
      try {
        const says = work();
        c.get('entry').committed = true;
        c.get('session').flash = { kind: 'done', text: fires ? `${says} ${whereEventsWent(parts, before)}` : says };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // No form has the id as a field: it means that the record is no longer what the page showed.
        if (again !== undefined && error.details?.every(({ field }) => field !== 'id') === true) return again(error.details);
        c.get('session').flash = { kind: 'refused', text: `Nothing was changed. ${error.message}` };
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

/** Each event with the number of subscriptions that it goes to, since a delivery. */
function whereEventsWent({ store }: Parts, since: number): string {
  const events = store.deliveries.all({ where: 'seq > ?', values: [since] }).map(({ event }) => event);
  if (events.length === 0) return 'No subscription listens for this event, so nothing was sent.';
  const told = [...new Set(events)].map((event) => {
    const count = events.filter((each) => each === event).length;
    return `${event} to ${count === 1 ? 'one subscription' : `${count} subscriptions`}`;
  });
  return `Sending ${told.join(', ')}.`;
}

/** The fields of the form that was sent. */
export function sentFields(c: Request): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(c.get('body')));
}
