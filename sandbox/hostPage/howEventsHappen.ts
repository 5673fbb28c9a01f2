import { html } from 'hono/html';
import type { Html } from '../page.ts';
import type { EventName } from '../records.ts';

const HOW: Record<EventName, Html> = {
  BOOKING_CREATED: html`<a href="/host/types">Book a type</a> that needs no approval, or approve a request.`,
  BOOKING_CANCELLED: html`Open one of the <a href="/host">bookings</a> and cancel it.`,
  BOOKING_RESCHEDULED: html`Open a confirmed <a href="/host">booking</a> and move it.`,
  BOOKING_APPROVED: html`Approve a request that <a href="/host?show=waiting">waits</a>.`,
  BOOKING_DENIED: html`Open a request that <a href="/host?show=waiting">waits</a> and deny it.`,
  CONTACT_CREATED: html`<a href="/host/types">Book</a> with an e-mail address that is not among the contacts.`,
  CONTACT_UPDATED: html`Edit one of the <a href="/host/contacts">contacts</a>, or book with a known address and another name.`,
};

/** How each event of the service is made to happen by hand. */
export function howEventsHappen(): Html {
  return html`<details class="card action">
    <summary><span>How to make each event happen</span></summary>
    <dl>
      ${Object.entries(HOW).map(
        ([event, how]) =>
          html`<div>
            <dt><code>${event}</code></dt>
            <dd>${how}</dd>
          </div>`,
      )}
    </dl>
  </details>`;
}
