import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import type { Env, Request } from '../context.ts';
import { headersOf, SCHEDULES } from '../deliveries.ts';
import { EVENT_WORDS, eventLabel, EVENTS } from '../events.ts';
import type { Attempt, Booking, Delivery } from '../records.ts';
import { renderForm } from './fields.ts';
import type { Html } from './layout.ts';
import type { Site } from './site.ts';
import { badge, type Column, liveSwitch, PAGE_SIZE, renderFacts, renderPage, renderTable, renderTabs } from './tables.ts';
import { fromNow, moment } from './times.ts';

const PATH = '/host/deliveries';

const SHOWN = {
  all: {
    label: 'All',
    where: 'account = ?',
    empty: 'No deliveries yet. They appear when an event happens that a subscription listens for.',
  },
  'given-up': { label: 'Failed', where: "account = ? AND record ->> '$.status' = 'failed'", empty: 'No failed deliveries.' },
} as const;

type Shown = keyof typeof SHOWN;

const shownIn = (c: Request): Shown => (c.req.query('show') === 'given-up' ? 'given-up' : 'all');

/** The delivery log: what was sent where, how the receiver answered, and a button to send it again. */
export function deliveryPages(site: Site): Hono<Env> {
  const { store, host, forms } = site.parts;
  const schedule = SCHEDULES[forms.retries];
  const hours = schedule.reduce((sum, each) => sum + each, 0) / 3_600_000;
  const length = hours < 1 ? `${Math.round(hours * 60)} minutes` : `${Math.round(hours * 10) / 10} hours`;

  return new Hono<Env>()
    .get('/', (c) => {
      const account = c.get('account');
      const shown = shownIn(c);
      const values = [account.id];
      const { where, empty } = SHOWN[shown];
      return site.show(c, {
        title: 'Deliveries',
        section: 'deliveries',
        lead: `Sent to ${account.name}'s subscriptions. Each delivery is tried up to ${schedule.length + 1} times within ${length}, until the receiver answers with a 2xx status.`,
        content: html`${renderTabs({ id: 'which-deliveries', label: 'Filter by outcome', path: PATH, current: shown }, SHOWN, (of) =>
          store.deliveries.count(of, values),
        )}
        ${renderPage(
          c,
          store.deliveries,
          { where, values, order: 'newest' },
          {
            id: 'deliveries',
            caption: 'Deliveries',
            columns: [
              event(c),
              { label: 'About', cell: (delivery) => aboutLink(site, delivery) },
              receiver,
              result(site),
              { label: 'Action', cell: (delivery) => sendAgain(site, delivery, 'quiet') },
            ],
            empty,
          },
        )}
        ${howEventsHappen()}`,
      });
    })
    .get('/:id', (c) => showDelivery(site, c, site.named(c, store.deliveries, 'delivery')))
    .post('/:id/again', (c) =>
      site.act(c, {
        to: () => PATH,
        work: () =>
          `${eventLabel(host.redeliver(site.named(c, store.deliveries, 'delivery').id).event)} was sent again with the same ID and body.`,
      }),
    );
}

function showDelivery(site: Site, c: Request, delivery: Delivery): Response | Promise<Response> {
  const { timezone } = c.get('account');
  const subscription = site.parts.store.subscriptions.find(delivery.subscription_id);
  const headers = subscription === undefined ? undefined : Object.entries(headersOf(delivery, subscription));
  return site.show(c, {
    title: eventLabel(delivery.event),
    section: 'deliveries',
    lead: html`${aboutLink(site, delivery)}<br />To ${receiverOf(delivery.url)}`,
    actions: html`${liveSwitch}${sendAgain(site, delivery, 'main')}`,
    content: html`<div id="delivery" data-live>
        <p class="row">${signatureBadge(delivery)} ${status(site, delivery)}</p>
        ${renderTable(
          'attempts',
          'Attempts',
          [
            { label: 'Attempt', cell: ({ number }) => String(number) },
            { label: 'Time', cell: ({ at }) => moment(at, timezone) },
            { label: 'Response', cell: answerOf },
            { label: 'Duration', cell: ({ took_ms }) => `${took_ms} ms` },
          ],
          delivery.attempts.map((attempt, index) => ({ ...attempt, number: index + 1 })),
          'No attempts yet.',
        )}
      </div>
      <article aria-labelledby="sent">
        <h2 id="sent">What the receiver gets</h2>
        ${headers === undefined
          ? html`<p>The subscription was removed, so its headers can no longer be shown.</p>`
          : renderFacts(headers.map(([name, value]) => [name, html`<code>${value}</code>`]))}
        <p class="muted">
          ${delivery.signed
            ? 'The signature covers the exact bytes of the body. They are formatted here for reading.'
            : 'Without a signature, the receiver cannot tell who sent this.'}
        </p>
        <pre tabindex="0" role="region" aria-label="Body"><code>${JSON.stringify(JSON.parse(delivery.body), null, 2)}</code></pre>
      </article>`,
  });
}

function answerOf({ status: answered, error, answer = '' }: Attempt): Html | string {
  return answered === null ? (error ?? '') : html`<strong>${answered}</strong> <br /><code class="muted">${answer}</code>`;
}

function sendAgain(site: Site, delivery: Delivery, kind: 'main' | 'quiet'): Html {
  const subscription = site.parts.store.subscriptions.find(delivery.subscription_id);
  if (subscription === undefined) return html`<small>Subscription removed</small>`;
  if (!subscription.active) return html`<small>Subscription <a href="/host/subscriptions">paused</a></small>`;
  return renderForm(`${PATH}/${delivery.id}/again`, 'Send again', {
    kind,
    name: `Send again: ${eventLabel(delivery.event)} to ${new URL(delivery.url).host}`,
  });
}

/** How a person can cause each event of the service. */
function howEventsHappen(): Html {
  return html`<details>
    <summary>How to trigger each event</summary>
    ${renderFacts(EVENTS.map((name) => [eventLabel(name), raw(EVENT_WORDS[name].how)] as const))}
  </details>`;
}

/** An address without its query, which may contain a secret of the receiver. */
export function receiverOf(url: string): Html {
  const { host, pathname, search } = new URL(url);
  return html`<strong>${host}</strong><small class="path">${pathname}${search === '' ? '' : '?…'}</small>`;
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
const event = (c: Request): Column<Delivery> => ({
  label: 'Event',
  cell: (delivery) =>
    html`<a href="/host/deliveries/${delivery.id}">${eventLabel(delivery.event)}</a><br /><small
        >${moment(delivery.created_at, c.get('account').timezone)}</small
      >`,
});

const receiver: Column<Delivery> = {
  label: 'Receiver',
  cell: (delivery) => html`${receiverOf(delivery.url)}${!delivery.signed && signatureBadge(delivery)}`,
};

/** Whether it arrived, and what the receiver answered to which try. */
const result = (site: Site): Column<Delivery> => ({
  label: 'Result',
  cell: (delivery) => {
    const last = delivery.attempts.at(-1);
    const tries = delivery.attempts.length === 1 ? '' : `, try ${delivery.attempts.length}`;
    const answer =
      last && html`<small>${last.status === null ? last.error : `answered ${last.status} in ${last.took_ms} ms`}${tries}</small>`;
    return html`${status(site, delivery)} ${answer}`;
  },
});

/** The booking or contact that a delivery is about, by its people. */
function aboutLink({ parts: { store } }: Site, { record_id: id = '' }: Delivery): Html | string {
  const booking = store.bookings.find(id);
  if (booking !== undefined)
    return html`<a href="/host/bookings/${id}">${booking.invitee_name}</a><br /><small>${booking.event_type_name}</small>`;
  const contact = store.contacts.find(id);
  return contact === undefined ? '–' : html`<a href="/host/contacts/${id}">${contact.name}</a><br /><small>${contact.email}</small>`;
}

function signatureBadge({ signed }: Delivery): Html {
  return signed ? badge('good', 'Signed') : badge('warn', 'Unsigned');
}

function status({ parts: { clock } }: Site, { status: now, attempts, next_attempt_at, given_up }: Delivery): Html {
  switch (now) {
    case 'delivered':
      return badge('good', 'Delivered');
    case 'failed':
      return html`${badge('bad', 'Failed')}${given_up != null && html` <small>${given_up}</small>`}`;
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
