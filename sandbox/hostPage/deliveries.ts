import { html } from 'hono/html';
import type { Parts } from '../context.ts';
import { headersOf, SCHEDULES } from '../deliveries.ts';
import { eventLabel } from '../events.ts';
import type { Attempt, Delivery } from '../records.ts';
import type { Html } from './layout.ts';
import type { Section } from './section.ts';
import { pathOf } from './subscriptions.ts';
import { badge, renderFacts, renderTable } from './tables.ts';
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

  function status({ status: now, attempts, next_attempt_at, given_up }: Delivery): Html {
    switch (now) {
      case 'delivered':
        return badge('good', 'Delivered');
      case 'failed':
        return html`${badge('bad', 'Failed')} <small>${given_up}</small>`;
      case 'dropped':
        return html`${badge('quiet', 'Dropped')} <small>subscription removed</small>`;
      case 'pending': {
        const due = next_attempt_at !== null && next_attempt_at > clock.now();
        const first = attempts.length === 0;
        return html`${badge(first ? 'info' : 'warn', first || !due ? 'Sending' : 'Waiting')}${due &&
        html` <small>next try ${fromNow(next_attempt_at, clock.now())}</small>`}`;
      }
    }
  }

  /** Whether it arrived, and what the receiver answered to which try. */
  function result(delivery: Delivery): Html {
    const last = delivery.attempts.at(-1);
    const tries = delivery.attempts.length === 1 ? '' : `, try ${delivery.attempts.length}`;
    return html`${status(delivery)}
    ${last && html`<small>${last.status === null ? last.error : `answered ${last.status} in ${last.took_ms} ms`}${tries}</small>`}`;
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
    values: ({ id }) => [id],
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
    more(delivery, { timezone }) {
      const subscription = store.subscriptions.find(delivery.subscription_id);
      const attempts = delivery.attempts.map((attempt, index) => ({ ...attempt, number: index + 1 }));
      const columns = [
        { label: 'Attempt', cell: ({ number }: { number: number }) => String(number) },
        { label: 'Time', cell: ({ at }: Attempt) => moment(at, timezone) },
        { label: 'Response', cell: answerOf },
        { label: 'Duration', cell: ({ took_ms }: Attempt) => `${took_ms} ms` },
      ];
      return html`${renderTable('attempts', 'Attempts', columns, attempts, 'No attempts yet.')}
        <article>
          <h2>What the receiver gets</h2>
          ${subscription === undefined
            ? html`<p>The subscription was removed, so its headers can no longer be shown.</p>`
            : renderFacts(Object.entries(headersOf(delivery, subscription)).map(([name, value]) => [name, html`<code>${value}</code>`]))}
          <p class="muted">
            ${delivery.signed
              ? 'The signature covers the exact bytes of the body. They are formatted here for reading.'
              : 'Without a signature, the receiver cannot tell who sent this.'}
          </p>
          <pre tabindex="0" role="region" aria-label="Body"><code>${JSON.stringify(JSON.parse(delivery.body), null, 2)}</code></pre>
        </article>`;
    },
    actions: {
      again: {
        label: 'Send again',
        isListed: true,
        isOffered: ({ subscription_id }) => store.subscriptions.find(subscription_id) !== undefined,
        does: ({ id }) => ({ says: `${eventLabel(host.redeliver(id).event)} was sent again with the same ID and body.` }),
      },
    },
  };
}

function answerOf({ status: answered, error, answer = '' }: Attempt): Html | string {
  return answered === null ? (error ?? '') : html`<strong>${answered}</strong> <br /><code class="muted">${answer}</code>`;
}
