import { join } from 'node:path';
import { html } from 'hono/html';
import { brand } from '../../shared/brand.ts';
import { badge, type Column, type HostHtml, renderHostPage, renderTable, type View } from '../../sandbox/hostPage/layout.ts';
import type { MorePages } from '../../sandbox/hostPage/site.ts';
import type { Delivery } from '../../sandbox/service.ts';
import manifest from '../../sdk/package.json' with { type: 'json' };
import { root } from '../root.cjs';
import { signIn } from '../rigs/n8n/session.ts';
import { about, clock, isItemOf, labelOf, receiverOf, recordIn } from './shown.ts';
import type { Sides } from './sides.ts';

/** How often the deliveries are read again, in seconds. */
const again = 1;

/** The number of rows: what two bookings send. All deliveries are on the host's page. */
const shownRows = 6;

/**
 * Updates the deliveries without touching the rest of the page, where somebody may be selecting text: new rows move in. Books without
 * leaving the page, and copies texts.
 */
const script = `
  const said = ({ cells }) => [...cells].slice(0, -1).map(({ textContent }) => textContent).join();
  const update = async (options) => {
    try {
      const page = new DOMParser().parseFromString(await (await fetch(location.href, options)).text(), 'text/html');
      const [now, next] = [document, page].map((each) => each.querySelector('#arrived'));
      if (now.innerHTML.replaceAll(' class="new"', '') === next.innerHTML) return;
      const known = new Set([...now.querySelectorAll('tr')].map(said));
      for (const row of next.querySelectorAll('tr')) if (!known.has(said(row))) row.className = 'new';
      now.innerHTML = next.innerHTML;
    } catch {
      document.title = 'Stopped';
    }
  };
  setInterval(update, ${again * 1000});
  addEventListener('submit', (event) => {
    event.preventDefault();
    update({ method: 'POST' });
  });
  addEventListener('click', async ({ target }) => {
    const copied = target.closest('[data-copies]');
    if (copied === null) return;
    await navigator.clipboard.writeText(document.getElementById(copied.dataset.copies).textContent);
    copied.textContent = 'Copied';
    setTimeout(() => (copied.textContent = 'Copy'), 2000);
  });
`;

/** The package is not published yet, and a start does not need it. */
const installing = `npm run build --prefix '${root}' -- sdk && npm install '${join(root, '.local', 'sdk-package', `${brand.slug}-${manifest.version}.tgz`)}'`;

/** Below the start page's address: signs the browser in to n8n and opens the page of n8n that the rest of the path names. */
const IN_N8N = '/n8n';

/**
 * The page for everything that `npm start` has started: what it is, how to open or connect it, and each delivery as it arrives. It is one
 * of the service's own pages.
 *
 * @param path of the start page, which nobody else on this machine knows: whoever can sign in to n8n can run code there
 */
export const startPages =
  (sides: Sides, path: string): MorePages =>
  (c) => {
    if (!`${c.req.path}/`.startsWith(`${path}/`)) return undefined;
    const below = c.req.path.slice(path.length);
    const { session, owner } = sides.n8n;
    if (below.startsWith(`${IN_N8N}/`)) return signIn(session.origin, owner, below.slice(IN_N8N.length));
    if (c.req.method !== 'POST') return renderHostPage(c, startPage(sides, path), { script });
    sides.sandbox.host.book();
    // A redirect, so that a reload does not book again.
    return c.redirect(path, 303);
  };

function startPage(sides: Sides, path: string): View {
  const { sandbox, n8n, zapier, agent } = sides;
  const content = html`<section id="arrived" aria-live="polite">${arrived(sides)}</section>
    <div class="columns">
      ${card(
        'n8n',
        html`<p>The package is installed, and its credential is connected.</p>
          <ul>
            <li><a href="${path}${IN_N8N}/workflow/${n8n.booking.id}">The workflow that books</a>: press <em>Execute workflow</em></li>
            <li><a href="${path}${IN_N8N}/workflow/${n8n.listening.id}/executions">What the trigger has started</a></li>
            <li><a href="${path}${IN_N8N}/home/workflows">All workflows</a></li>
          </ul>
          <p>Each link signs you in as ${n8n.owner.firstName} ${n8n.owner.lastName}. The terminal shows the email and password.</p>
          <p>For your own credential, use <a href="#base">the base URL, client id and secret</a>.</p>`,
      )}
      ${card(
        'Zapier',
        html`<p>
            A Zap with the trigger ${labelOf(zapier.zap.trigger.toUpperCase())} is on. <a href="#arrived">What arrived</a> shows what it
            received.
          </p>
          <p>The app runs here as it does on Zapier, from the code that is uploaded there.</p>`,
      )}
      ${card(
        'An agent',
        html`<p>Paste this into your client's configuration, and ask <q>What can I book, and when is my next booking?</q></p>
          ${copyable('agent', '', JSON.stringify(agent.configuration, null, 2))}
          <p>
            In VS Code, the outer key is <code>servers</code>, and each server also has <code>"type": "stdio"</code>. For more, see
            <code>docs/use/agents.md</code>.
          </p>`,
      )}
      ${card(
        'Your own code',
        html`<p>Every guide that asks for a client id and secret works with these:</p>
          ${copyable('base', 'Base URL', sandbox.baseUrl)} ${copyable('client-id', 'Client id', sandbox.client.id)}
          ${copyable('client-secret', 'Client secret', sandbox.client.secret)}
          ${copyable('package', 'To install the package in your own folder', installing)}
          <p><a href="/openapi.json">OpenAPI document</a></p>`,
      )}
    </div>`;
  return {
    title: 'Book, and see it arrive',
    lead: 'n8n and a Zap are listening. What they receive appears below.',
    actions: html`<a href="/host/types">Book as an invitee</a>
      <form method="post" action="${path}"><button>Make a booking</button></form>`,
    content,
  };
}

const card = (title: string, content: HostHtml): HostHtml =>
  html`<article>
    <h2>${title}</h2>
    ${content}
  </article>`;

const copyable = (id: string, label: string, value: string): HostHtml =>
  html`<div class="copyable">
    ${label === '' ? '' : html`<small>${label}</small>`}
    <pre id="${id}">${value}</pre>
    <button class="outline secondary" data-copies="${id}" aria-label="Copy ${label || 'the configuration'}">Copy</button>
  </div>`;

/** The latest deliveries, newest first: who received what, the result, and how long it took. */
function arrived(sides: Sides): HostHtml {
  const { sandbox, zapier } = sides;
  const { timezone: zone } = sandbox.account;
  /** Zapier responds before the app has read a delivery. What an earlier start received is no longer known. */
  const hasStarted = (delivery: Delivery): boolean =>
    delivery.url !== zapier.zap.targetUrl || zapier.zap.outcomes.some(({ items }) => items.some(isItemOf(delivery)));
  const onItsWay = badge('info', 'On its way');
  const result = (delivery: Delivery): HostHtml => {
    const last = delivery.attempts.at(-1);
    if (delivery.status === 'delivered' && last !== undefined) {
      const tookMs = Date.parse(last.at) + last.took_ms - Date.parse(delivery.created_at);
      if (hasStarted(delivery)) return html`${badge('good', 'Received')} <small>after ${tookMs} ms</small>`;
      return zapier.zap.isBusy ? onItsWay : badge('warn', 'Dropped');
    }
    const advice = html`${last?.error}. Check the program there, or <a href="/host/subscriptions">remove its subscription</a>.`;
    return html`${delivery.status === 'pending' ? onItsWay : badge('bad', 'Not received')}
      <small>${last?.error == null ? '' : advice}</small>`;
  };
  const columns: Column<Delivery>[] = [
    { label: 'When', cell: ({ created_at: at }) => clock(Date.parse(at), zone) },
    { label: 'Event', cell: ({ event }) => labelOf(event) },
    { label: 'About', cell: (delivery) => about(recordIn(delivery), zone) },
    { label: 'Receiver', cell: (delivery) => receiverOf(sides, delivery) },
    { label: 'Result', cell: result },
  ];
  const rows = sandbox.deliveries().slice(-shownRows).reverse();
  return html`<h2>
      What arrived <small>times in ${zone}, <a href="/host/deliveries">all deliveries</a></small>
    </h2>
    ${renderTable('latest', 'What arrived', columns, rows, 'Nothing has arrived yet.')}`;
}
