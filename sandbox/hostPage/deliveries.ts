import { html } from 'hono/html';
import type { Parts } from '../parts.ts';
import { headersOf, SCHEDULES } from '../deliveries.ts';
import { eventLabel } from '../events.ts';
import type { Delivery } from '../records.ts';
import type { Html } from './layout.ts';
import type { Section } from './section.ts';
import { pathOf } from './subscriptions.ts';
import { badge } from './tables.ts';
import { fromNow, moment } from './times.ts';

/** The delivery log: what was sent where, how the receiver answered, and a button to send it again. */
export function deliveries({ store, host, clock, forms }: Parts): Section<Delivery> {
  const schedule = SCHEDULES[forms.retries];
  const hours = schedule.reduce((sum, each) => sum + each, 0) / 3_600_000;
  const length = hours < 1 ? `${Math.round(hours * 60)} minutes` : `${Math.round(hours * 10) / 10} hours`;

  /** The booking or contact that a delivery is about, by its people. */
  function about({ record_id: id = '' }: Delivery): Html | string {
    const booking = store.bookings.find(id);
    if (booking !== undefined)
      return html`<a href="/host/bookings/${id}">${booking.invitee_name}</a><br /><small>${booking.event_type_name}</small>`;
    const contact = store.contacts.find(id);
    return contact === undefined ? '–' : html`${contact.name}<br /><small>${contact.email}</small>`;
  }

  /** Whether it arrived, when it is tried again, and what the receiver answered to which try. */
  function result({ status, attempts, next_attempt_at: next, given_up }: Delivery): Html {
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

  return {
    table: store.deliveries,
    what: 'delivery',
    lead: ({ name }) =>
      `Sent to ${name}'s subscriptions. Each delivery is tried up to ${schedule.length + 1} times within ${length}, until the receiver answers with a 2xx status.`,
    parts: {
      all: {
        label: 'All',
        where: 'account = ?',
        order: 'newest',
        empty: 'No deliveries yet. They appear when an event happens that a subscription listens for.',
      },
      'given-up': {
        label: 'Failed',
        where: "account = ? AND record ->> '$.status' = 'failed'",
        order: 'newest',
        empty: 'No failed deliveries.',
      },
    },
    title: ({ event }) => eventLabel(event),
    note: ({ created_at }, { timezone }) => moment(created_at, timezone),
    columns: () => [
      { label: 'About', cell: about },
      {
        label: 'Receiver',
        cell: ({ url, signed }) =>
          html`<strong>${new URL(url).host}</strong><small class="path">${pathOf(url)}</small> ${!signed && badge('warn', 'Unsigned')}`,
      },
      { label: 'Result', cell: result },
    ],
    // What the receiver gets, and what it answered. The signature covers the exact bytes of the body, which is formatted here for reading.
    shown(delivery) {
      const { subscription_id, body, signed, attempts } = delivery;
      const subscription = store.subscriptions.find(subscription_id);
      return {
        subscription_id,
        signed,
        headers: subscription && headersOf(delivery, subscription),
        body: JSON.parse(body) as unknown,
        attempts,
      };
    },
    actions: {
      again: {
        label: 'Send again',
        isOffered: ({ subscription_id }) => store.subscriptions.find(subscription_id) !== undefined,
        does: ({ id }) => ({ says: `${eventLabel(host.redeliver(id).event)} was sent again with the same ID and body.` }),
      },
    },
  };
}
