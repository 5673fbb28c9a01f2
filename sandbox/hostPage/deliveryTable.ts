import { html } from 'hono/html';
import type { Request } from '../context.ts';
import { eventLabel } from '../events.ts';
import type { Html } from '../page.ts';
import type { Booking, Delivery } from '../records.ts';
import { badge, PAGE_SIZE, renderTable, type Column } from './list.ts';
import type { Site } from './site.ts';
import { fromNow, moment } from './times.ts';

/** An address without its query, which may contain a secret of the receiver. */
export function receiverOf(url: string): Html {
  const { host, pathname, search } = new URL(url);
  return html`<strong>${host}</strong><span class="path">${pathname}${search === '' ? '' : '?…'}</span>`;
}

/** The deliveries about a booking, the newest first. */
export function deliveriesOf(site: Site, c: Request, { id, account_id }: Booking): Html {
  const records = site.parts.store.deliveries.all({
    where: "account = ? AND record ->> '$.record_id' = ?",
    values: [account_id, id],
    order: 'newest',
    limit: PAGE_SIZE,
  });
  return renderTable('deliveries', 'Deliveries', [event(c), receiver, result(site)], records, 'Nothing has been sent about this booking.');
}

/** What happened and when, with a link to the whole delivery. */
export const event = (c: Request): Column<Delivery> => ({
  label: 'Event',
  cell: (delivery) =>
    html`<a class="whole" href="/host/deliveries/${delivery.id}">${eventLabel(delivery.event)}</a><br /><small
        >${moment(delivery.created_at, c.get('account').timezone)}</small
      >`,
});

export const receiver: Column<Delivery> = {
  label: 'Receiver',
  cell: (delivery) => html`${receiverOf(delivery.url)}${delivery.signed ? '' : signatureBadge(delivery)}`,
};

/** Whether it arrived, and what the receiver answered to which try. */
export const result = (site: Site): Column<Delivery> => ({
  label: 'Result',
  cell: (delivery) => {
    const last = delivery.attempts.at(-1);
    const tries = delivery.attempts.length === 1 ? '' : `, try ${delivery.attempts.length}`;
    const answer =
      last === undefined
        ? ''
        : html`<small>${last.status === null ? last.error : `answered ${last.status} in ${last.took_ms} ms`}${tries}</small>`;
    return html`${status(site, delivery)} ${answer}`;
  },
});

/** The booking or contact that a delivery is about, by its people. */
export function aboutLink({ parts: { store } }: Site, { record_id: id = '' }: Delivery): Html | string {
  const booking = store.bookings.find(id);
  if (booking !== undefined)
    return html`<a href="/host/bookings/${id}">${booking.invitee_name}</a><br /><small>${booking.event_type_name}</small>`;
  const contact = store.contacts.find(id);
  return contact === undefined ? '–' : html`<a href="/host/contacts/${id}">${contact.name}</a><br /><small>${contact.email}</small>`;
}

export function signatureBadge({ signed }: Delivery): Html {
  return signed ? badge('good', 'Signed') : badge('warn', 'Unsigned');
}

export function status({ parts: { clock } }: Site, { status: now, attempts, next_attempt_at, given_up }: Delivery): Html {
  switch (now) {
    case 'delivered':
      return badge('good', 'Delivered');
    case 'failed':
      return html`${badge('bad', 'Failed')}${given_up == null ? '' : html` <small>${given_up}</small>`}`;
    case 'dropped':
      return html`${badge('quiet', 'Dropped')} <small>subscription removed</small>`;
    case 'pending': {
      const due =
        next_attempt_at !== null && next_attempt_at > clock.now()
          ? html` <small>next try ${fromNow(next_attempt_at, clock.now())}</small>`
          : '';
      return html`${badge(attempts.length === 0 ? 'info' : 'warn', attempts.length === 0 || due === '' ? 'Sending' : 'Waiting')}${due}`;
    }
  }
}
