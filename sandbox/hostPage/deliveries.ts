import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env, Request } from '../context.ts';
import { headersOf, RETRY_DELAYS_MS } from '../deliveries.ts';
import { lookUp } from '../lookup.ts';
import type { Html } from '../page.ts';
import type { Attempt, Delivery } from '../records.ts';
import { badge, liveSwitch, pageNumber, pageOf, renderPager, renderTable } from './list.ts';
import { howEventsHappen } from './howEventsHappen.ts';
import type { Site } from './site.ts';
import { receiverOf } from './subscriptions.ts';
import { fromNow, moment } from './times.ts';

const PATH = '/host/deliveries';

/** The delivery log: what was sent where, how it was answered, and the way to send it once more. */
export function deliveryPages(site: Site): Hono<Env> {
  const { parts } = site;
  const { store, host } = parts;

  return new Hono<Env>()
    .get('/', (c) => {
      const page = pageNumber(c);
      const account = c.get('account');
      const { records, more } = pageOf(store.deliveries, page, { where: 'account = ?', values: [account.id], order: 'newest' });
      return site.show(c, {
        title: 'Deliveries',
        section: 'deliveries',
        lead: `What ${account.name}'s subscriptions were told. Each is sent up to ${RETRY_DELAYS_MS.length + 1} times, until it is answered with a 2xx.`,
        actions: liveSwitch(c),
        content: html`${renderTable(
          'deliveries',
          'Deliveries',
          [
            {
              label: 'Event',
              cell: (delivery) =>
                html`<a class="whole" href="${PATH}/${delivery.id}">${delivery.event}</a><br /><small
                    >${moment(delivery.created_at, account.timezone)}</small
                  >`,
            },
            { label: 'Receiver', cell: ({ url }) => receiverOf(url) },
            { label: 'Signature', cell: signatureBadge },
            { label: 'Status', cell: (delivery) => status(site, delivery) },
            { label: 'Attempts', cell: attemptsInWords },
            { label: 'Action', cell: (delivery) => sendAgain(site, c, delivery, 'plain') },
          ],
          records,
          'Nothing was sent yet. Make something happen that somebody is subscribed to.',
        )}
        ${renderPager(c, page, more)} ${howEventsHappen()}`,
      });
    })
    .get('/:id', (c) => showDelivery(site, c, lookUp(parts, store.deliveries, c.get('account'), c.req.param('id'), 'delivery')))
    .post('/:id/again', (c) =>
      site.act(c, {
        to: () => PATH,
        work: () =>
          `${host.redeliver(lookUp(parts, store.deliveries, c.get('account'), c.req.param('id'), 'delivery').id).event} is sent again, with the same id and body.`,
      }),
    );
}

function showDelivery(site: Site, c: Request, delivery: Delivery): Response | Promise<Response> {
  const { timezone } = c.get('account');
  const subscription = site.parts.store.subscriptions.find(delivery.subscription_id);
  const headers = subscription === undefined ? undefined : Object.entries(headersOf(delivery, subscription));
  return site.show(c, {
    title: delivery.event,
    section: 'deliveries',
    lead: html`to ${receiverOf(delivery.url)}`,
    actions: html`${liveSwitch(c)}${sendAgain(site, c, delivery, 'main')}`,
    content: html`<div id="delivery" data-live>
        <div data-key="attempts">
          <p class="badges">${signatureBadge(delivery)} ${status(site, delivery)}</p>
          ${renderTable(
            'attempts',
            'Attempts',
            [
              { label: 'Attempt', cell: ({ number }) => String(number) },
              { label: 'At', cell: ({ at }) => moment(at, timezone) },
              { label: 'Answer', cell: answerOf },
              { label: 'Took', cell: ({ took_ms }) => `${took_ms} ms` },
            ],
            delivery.attempts.map((attempt, index) => ({ ...attempt, id: String(index), number: index + 1 })),
            'It was not tried yet.',
          )}
        </div>
      </div>
      <section class="card" aria-labelledby="sent">
        <h2 id="sent">What the receiver gets</h2>
        ${headers === undefined
          ? html`<p>The subscription is gone, and with it what it was signed with.</p>`
          : html`<dl class="headers">
              ${headers.map(
                ([name, value]) =>
                  html`<div>
                    <dt>${name}</dt>
                    <dd><code>${value}</code></dd>
                  </div>`,
              )}
            </dl>`}
        <p class="hint">
          ${delivery.signed
            ? 'The signature is over the bytes of the body as they are sent. Here they are set apart for reading.'
            : 'Without a signature the receiver cannot tell who sent it.'}
        </p>
        <pre tabindex="0" role="region" aria-label="Body"><code>${JSON.stringify(JSON.parse(delivery.body), null, 2)}</code></pre>
      </section>`,
  });
}

function signatureBadge({ signed }: Delivery): Html {
  return signed ? badge('good', 'Signed') : badge('warn', 'Unsigned');
}

function status({ parts: { clock } }: Site, { status: now, attempts, next_attempt_at }: Delivery): Html {
  switch (now) {
    case 'delivered':
      return badge('good', 'Delivered');
    case 'failed':
      return badge('bad', 'Given up');
    case 'dropped':
      return html`${badge('quiet', 'Dropped')} <small>its subscription was removed</small>`;
    case 'pending': {
      const due =
        next_attempt_at !== null && next_attempt_at > clock.now()
          ? html` <small>again ${fromNow(next_attempt_at, clock.now())}</small>`
          : '';
      return html`${badge(attempts.length === 0 ? 'info' : 'warn', attempts.length === 0 || due === '' ? 'Sending' : 'Waiting')}${due}`;
    }
  }
}

function attemptsInWords({ attempts }: Delivery): Html | string {
  const last = attempts.at(-1);
  return last === undefined
    ? '–'
    : html`${attempts.length}<br /><small
          >${last.status === null ? (last.error ?? '') : html`<span class="whole">answered ${last.status}</span>`}</small
        >`;
}

function answerOf({ status: answered, error }: Attempt): Html | string {
  return answered === null ? (error ?? '') : html`<strong>${answered}</strong>`;
}

function sendAgain(site: Site, c: Request, delivery: Delivery, kind: 'main' | 'plain'): Html {
  if (site.parts.store.subscriptions.find(delivery.subscription_id) === undefined) return html`<small>Subscription removed</small>`;
  return site.button(c, `${PATH}/${delivery.id}/again`, 'Send again', {
    kind,
    name: `Send again: ${delivery.event} to ${new URL(delivery.url).host}`,
  });
}
