import { html } from 'hono/html';
import type { Parts } from '../parts.ts';
import { eventLabel } from '../events.ts';
import { ACTIVE_SUBSCRIPTIONS, type Subscription } from '../records.ts';
import type { Html } from './layout.ts';
import type { Section } from './section.ts';
import { badge } from './tables.ts';
import { fromNow, moment } from './times.ts';

/** The subscriptions, and how many of the allowed number are in use (section 8). */
export function subscriptions({ host, store, clock, maxSubscriptions }: Parts): Section<Subscription> {
  /** Whether its deliveries are signed, whether it gets any, and since when they have failed. */
  function state({ active, failing_since: since, signing_secret: secret }: Subscription): Html {
    const sent = !active ? badge('bad', 'Paused') : since == null ? badge('good', 'Active') : badge('warn', 'Failing');
    const failed = since != null && html`<small>first failed ${fromNow(Date.parse(since), clock.now())}</small>`;
    return html`<div class="row">${secret === null ? badge('warn', 'Unsigned') : badge('good', 'Signed')}${sent}${failed}</div>`;
  }

  const setActive =
    (active: boolean, says: string) =>
    ({ id }: Subscription) => {
      host.setActive(id, active);
      return { says: `The subscription ${says}` };
    };

  return {
    table: store.subscriptions,
    what: 'subscription',
    lead: ({ id }) =>
      `Addresses that receive events. Each Zap that is on and each published workflow uses one. ${store.subscriptions.count(ACTIVE_SUBSCRIPTIONS, [id])} of ${maxSubscriptions} used.`,
    parts: {
      all: { label: 'All', where: 'account = ?', order: 'newest', empty: 'No subscriptions yet. Turn on a Zap or publish a workflow.' },
    },
    title: ({ url }) => new URL(url).host,
    note: ({ url }) => html`<span class="path">${pathOf(url)}</span>`,
    columns: ({ timezone }) => [
      { label: 'Events', cell: ({ events }) => events.map(eventLabel).join(', ') },
      { label: 'Status', cell: state },
      { label: 'Created', cell: ({ created_at }) => moment(created_at, timezone) },
    ],
    shown: ({ signing_secret: _secret, url, ...shown }) => ({ ...shown, url: `${new URL(url).origin}${pathOf(url)}` }),
    actions: {
      pause: {
        label: 'Pause',
        isOffered: ({ active }) => active,
        does: setActive(false, 'is paused and receives nothing. Its application was not notified.'),
      },
      resume: {
        label: 'Resume',
        isOffered: ({ active }) => !active,
        does: setActive(true, 'is active again. To resend deliveries that failed, open Deliveries.'),
      },
      remove: {
        label: 'Remove',
        danger: true,
        isOffered: () => true,
        does: ({ id }) => {
          host.deleteSubscription(id);
          return { says: 'The subscription was removed. Its application was not notified.' };
        },
      },
    },
  };
}

/** The path of an address without its query, which may contain a secret of the receiver. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search === '' ? '' : '?…'}`;
}
