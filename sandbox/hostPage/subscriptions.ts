import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env, Request } from '../context.ts';
import { eventLabel } from '../events.ts';
import type { Subscription } from '../records.ts';
import { renderForm } from './fields.ts';
import type { Html } from './layout.ts';
import type { Site } from './site.ts';
import { badge, liveSwitch, renderTable } from './tables.ts';
import { fromNow, moment } from './times.ts';
import { receiverOf } from './deliveries.ts';

const PATH = '/host/subscriptions';

/** The subscriptions, and how many of the allowed number are in use (section 8). */
export function subscriptionPages(site: Site): Hono<Env> {
  const { host, store, maxSubscriptions } = site.parts;
  const act =
    (work: (id: string) => unknown, result: string) =>
    (c: Request): Response | Promise<Response> =>
      site.act(c, {
        to: () => PATH,
        work: () => {
          work(c.req.param('id') ?? '');
          return `The subscription ${result}`;
        },
      });

  return new Hono<Env>()
    .get('/', (c) => {
      const { id, timezone } = c.get('account');
      const subscriptions = store.subscriptions.all({ where: 'account = ?', values: [id], order: 'newest' });
      return site.show(c, {
        title: 'Subscriptions',
        section: 'subscriptions',
        lead: 'Addresses that receive events. Each Zap that is on and each published workflow uses one.',
        actions: liveSwitch,
        content: html`<p id="taken" data-live>
            <strong>${subscriptions.filter(({ active }) => active).length}</strong> of ${maxSubscriptions} used
          </p>
          ${renderTable<Subscription>(
            'subscriptions',
            'Subscriptions',
            [
              { label: 'Receiver', cell: ({ url }) => receiverOf(url) },
              { label: 'Events', cell: ({ events }) => events.map(eventLabel).join(', ') },
              { label: 'Status', cell: (subscription) => state(site, subscription) },
              { label: 'Created', cell: ({ created_at }) => moment(created_at, timezone) },
              { label: 'Action', cell: actions },
            ],
            subscriptions,
            'No subscriptions yet. Turn on a Zap or publish a workflow.',
          )}`,
      });
    })
    .post(
      '/:id/pause',
      act((id) => host.setActive(id, false), 'is paused and receives nothing. Its application was not notified.'),
    )
    .post(
      '/:id/resume',
      act((id) => host.setActive(id, true), 'is active again. To resend deliveries that failed, open Deliveries.'),
    )
    .post(
      '/:id/remove',
      act((id) => host.deleteSubscription(id), 'was removed. Its application was not notified.'),
    );
}

/** Whether its deliveries are signed, whether it gets any, and since when they have failed. */
function state({ parts: { clock } }: Site, { active, failing_since: since, signing_secret: secret }: Subscription): Html {
  const sent = !active ? badge('bad', 'Paused') : since == null ? badge('good', 'Active') : badge('warn', 'Failing');
  const failed = since != null && html`<small>first failed ${fromNow(Date.parse(since), clock.now())}</small>`;
  return html`<div class="row">${secret === null ? badge('warn', 'Unsigned') : badge('good', 'Signed')}${sent}${failed}</div>`;
}

function actions({ id, url, active }: Subscription): Html {
  const button = (path: string, label: string): Html =>
    renderForm(`${PATH}/${id}/${path}`, label, { kind: 'quiet', name: `${label} the subscription of ${new URL(url).host}` });
  return html`<div class="row">${active ? button('pause', 'Pause') : button('resume', 'Resume')}${button('remove', 'Remove')}</div>`;
}
