import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env, Request } from '../context.ts';
import { eventLabel } from '../events.ts';
import { type Account, type EventName, EVENTS, type Subscription } from '../records.ts';
import { errorSummary, type Field, type Filled, filledWith, renderButton, renderField, sentFields, textOf } from './fields.ts';
import type { Html } from './layout.ts';
import type { Site } from './site.ts';
import { badge, liveSwitch, renderTable } from './tables.ts';
import { fromNow, moment } from './times.ts';
import { receiverOf } from './deliveries.ts';

const PATH = '/host/subscriptions';
const FIELDS: Field[] = [
  { name: 'url', label: 'Address', kind: 'url', required: true, hint: 'Where deliveries are sent, such as http://127.0.0.1:8080/hook.' },
  {
    name: 'events',
    label: 'Events',
    kind: 'checkboxes',
    required: true,
    choices: EVENTS.map((value) => ({ value, label: eventLabel(value) })),
  },
];

/** The subscriptions, and how many of the allowed number are in use (section 8). */
export function subscriptionPages(site: Site): Hono<Env> {
  const { host } = site.parts;

  function show(c: Request, filled: Filled): Response | Promise<Response> {
    return site.show(c, {
      title: 'Subscriptions',
      section: 'subscriptions',
      lead: 'Addresses that receive events. Each Zap that is on and each published workflow uses one.',
      actions: liveSwitch(c),
      ...(filled.errors.length > 0 && { status: 400 }),
      content: html`${group(site, c.get('account'))}
        <details ${filled.errors.length > 0 && 'open'}>
          <summary>Add an unsigned subscription</summary>
          <p class="muted">
            Its deliveries carry no signature, as in subscriptions made before signing existed. It belongs to ${c.get('account').name}.
          </p>
          <form method="post" action="${PATH}" novalidate>
            ${errorSummary(FIELDS, filled)}${FIELDS.map((field) => renderField(field, filled))}<button>Add</button>
          </form>
        </details>`,
    });
  }

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
    .get('/', (c) => show(c, filledWith()))
    .post('/', (c) => {
      const values = sentFields(c);
      return site.act(c, {
        to: () => PATH,
        work: () => {
          host.addSecretlessSubscription(
            { url: textOf(values, 'url'), events: values.getAll('events') as EventName[] },
            c.get('account').id,
          );
          return 'The subscription was added. Its deliveries are not signed.';
        },
        again: (errors) => show(c, { values, errors }),
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

function group(site: Site, account: Account): Html {
  const { store, maxSubscriptions } = site.parts;
  const subscriptions = store.subscriptions.all({ where: 'account = ?', values: [account.id], order: 'newest' });
  const taken = subscriptions.filter(({ active }) => active).length;
  const id = `subscriptions-${account.id}`;
  return html`<section aria-labelledby="${id}-title">
    <div class="bar">
      <h2 id="${id}-title">${account.name} <small>${account.email}</small></h2>
      <p class="row" id="${id}-taken" data-live>
        <meter
          min="0"
          max="${maxSubscriptions}"
          low="${maxSubscriptions * 0.7}"
          high="${maxSubscriptions * 0.9}"
          optimum="0"
          value="${taken}"
          aria-label="Subscriptions of ${account.name}"
        >
          ${taken}
        </meter>
        <span><strong>${taken}</strong> of ${maxSubscriptions} used</span>
      </p>
    </div>
    ${renderTable<Subscription>(
      id,
      `Subscriptions of ${account.name}`,
      [
        { label: 'Receiver', cell: ({ url }) => receiverOf(url) },
        {
          label: 'Events',
          cell: ({ events }) => events.map(eventLabel).join(', '),
        },
        { label: 'Status', cell: (subscription) => state(site, subscription) },
        { label: 'Created', cell: ({ created_at }) => moment(created_at, account.timezone) },
        {
          label: 'Action',
          cell: ({ id: subscription, url, active }) => {
            const button = (path: string, label: string): Html =>
              renderButton(`${PATH}/${subscription}/${path}`, label, {
                kind: 'quiet',
                name: `${label} the subscription of ${new URL(url).host}`,
              });
            return html`<div class="row">
              ${active ? button('pause', 'Pause') : button('resume', 'Resume')}${button('remove', 'Remove')}
            </div>`;
          },
        },
      ],
      subscriptions,
      'No subscriptions yet. Turn on a Zap or publish a workflow.',
    )}
  </section>`;
}
