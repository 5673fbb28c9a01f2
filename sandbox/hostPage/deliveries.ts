import { html } from 'hono/html';
import { headersOf, SCHEDULES } from '../deliveries.ts';
import { eventLabel } from '../events.ts';
import type { SandboxParts } from '../parts.ts';
import { ACTIVE_SUBSCRIPTIONS, type Delivery, type Subscription } from '../records.ts';
import { badge, type HostHtml, named } from './layout.ts';
import { type RecordSection, sectionOf } from './section.ts';
import { fromNow, moment } from './times.ts';

/** The receivers of events, and how many of the allowed number are in use (section 8). */
export function subscriptions(parts: SandboxParts): RecordSection {
  const { host, store, clock, maxSubscriptions } = parts;
  const { id: account, timezone } = store.accounts.first();

  /** Whether deliveries are signed, whether they are sent, and since when they have failed. */
  function state({ active, failing_since: since, signing_secret: secret }: Subscription): HostHtml {
    const sent = !active ? badge('bad', 'Paused') : since == null ? badge('good', 'Active') : badge('warn', 'Failing');
    const failed = since != null && html`<small>first failed ${fromNow(Date.parse(since), clock.now())}</small>`;
    return html`<div class="row">${secret === null ? badge('warn', 'Unsigned') : badge('good', 'Signed')}${sent}${failed}</div>`;
  }

  const setActive =
    (active: boolean, says: string) =>
    ({ id }: Subscription): string => {
      host.setActive(id, active);
      return `The subscription ${says}`;
    };

  return sectionOf<Subscription>('subscriptions', parts, {
    table: store.subscriptions,
    what: 'subscription',
    lead: () =>
      `Addresses that receive events. Each Zap that is on and each published workflow uses one. ${store.subscriptions.count(ACTIVE_SUBSCRIPTIONS, [account])} of ${maxSubscriptions} used.`,
    empty: 'No subscriptions yet. Turn on a Zap or publish a workflow.',
    title: ({ url }) => new URL(url).host,
    columns: [
      { label: 'Subscription', cell: ({ url }) => receiver(url) },
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
        does({ id }) {
          host.deleteSubscription(id);
          return 'The subscription was removed. Its application was not notified.';
        },
      },
    },
  });
}

/** The deliveries: their receivers, the responses, and a button to send each again. */
export function deliveries(parts: SandboxParts): RecordSection {
  const { store, host, clock, forms } = parts;
  const { timezone } = store.accounts.first();
  const schedule = SCHEDULES[forms.retries];
  const hours = schedule.reduce((sum, each) => sum + each, 0) / 3_600_000;
  const length = hours < 1 ? `${Math.round(hours * 60)} minutes` : `${Math.round(hours * 10) / 10} hours`;

  /** The booking or contact that caused a delivery, as people know it. */
  function about({ record_id: id = '' }: Delivery): HostHtml | string {
    const booking = store.bookings.find(id);
    if (booking !== undefined) return named(booking.invitee_name, booking.event_type_name);
    const contact = store.contacts.find(id);
    return contact === undefined ? '–' : named(contact.name, contact.email);
  }

  /** Whether a delivery arrived, when it is retried, and the receiver's last response. */
  function result({ status, attempts, next_attempt_at: next, given_up }: Delivery): HostHtml {
    const last = attempts.at(-1);
    const isDue = next !== null && next > clock.now();
    const [look, text, more] = {
      delivered: ['good', 'Delivered', ''] as const,
      failed: ['bad', 'Failed', given_up] as const,
      dropped: ['quiet', 'Dropped', 'subscription removed'] as const,
      pending: [last ? 'warn' : 'info', last && isDue ? 'Waiting' : 'Sending', isDue && `next try ${fromNow(next, clock.now())}`] as const,
    }[status];
    const tries = attempts.length === 1 ? '' : `, try ${attempts.length}`;
    return html`${badge(look, text)} <small>${more}</small> ${last &&
      html`<small>${last.status === null ? last.error : `answered ${last.status} in ${last.took_ms} ms`}${tries}</small>`}`;
  }

  return sectionOf<Delivery>('deliveries', parts, {
    table: store.deliveries,
    what: 'delivery',
    lead: () => `Each delivery is tried up to ${schedule.length + 1} times within ${length}, until the receiver answers with a 2xx status.`,
    empty: 'No deliveries yet. They appear when an event happens that a subscription listens for.',
    title: ({ event }) => eventLabel(event),
    columns: [
      { label: 'Delivery', cell: ({ event, created_at }) => named(eventLabel(event), moment(created_at, timezone)) },
      { label: 'About', cell: about },
      { label: 'Receiver', cell: ({ url, signed }) => html`${receiver(url)} ${!signed && badge('warn', 'Unsigned')}` },
      { label: 'Result', cell: result },
    ],
    // What was sent, and the responses. The signature covers the exact bytes of the body, which is formatted here for reading.
    shown(delivery) {
      const { subscription_id, body, signed, attempts } = delivery;
      const subscription = store.subscriptions.find(subscription_id);
      const headers = subscription && headersOf(delivery, subscription);
      return { subscription_id, signed, headers, body: JSON.parse(body) as unknown, attempts };
    },
    actions: {
      again: {
        label: 'Send again',
        isOffered: ({ subscription_id }) => store.subscriptions.find(subscription_id) !== undefined,
        does: ({ id }) => `${eventLabel(host.redeliver(id).event)} was sent again with the same ID and body.`,
      },
    },
  });
}

const receiver = (url: string): HostHtml => html`<strong>${new URL(url).host}</strong><small class="path">${pathOf(url)}</small>`;

/** The path of an address, without its query, which may contain a secret of the receiver. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search === '' ? '' : '?…'}`;
}
