import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { brand } from '../../shared/brand.ts';
import type { Request } from '../context.ts';
import { planLabel, type Account, type Owned } from '../records.ts';

export type HostHtml = ReturnType<typeof html>;

/** The tables of the host's pages, each at `/host/<name>`. */
export const SECTIONS = {
  bookings: 'Bookings',
  types: 'Event types',
  subscriptions: 'Subscriptions',
  deliveries: 'Deliveries',
  applications: 'Applications',
} as const;

export type SectionName = keyof typeof SECTIONS;

/** The content of a page. `lead` is a line below the title, `actions` are links beside it. */
export interface View {
  title: string;
  /** The navigation entry of the page. */
  section?: SectionName;
  lead?: HostHtml | string;
  actions?: HostHtml;
  content: HostHtml;
  status?: 400 | 403 | 404 | 500;
}

/** What surrounds a page: the signed-in account, the result of the last action, and the only script that may run. */
interface Frame {
  account?: Account | undefined;
  told?: HostHtml | undefined;
  script?: string;
}

/** A complete page for the host, with the common design and navigation. */
export function renderHostPage(c: Request, view: View, { account, told, script }: Frame = {}): Response | Promise<Response> {
  const scripts = script && `; connect-src 'self'; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  protect(c, `form-action 'self'${scripts ?? ''}`);
  const { title, section, lead, actions, content, status = 200 } = view;
  const body = html`<body>
    <a class="skip" href="#content">Skip to the content</a>
    <header class="container top">
      ${brandMark}
      <nav aria-label="Host">
        <ul>
          ${Object.entries(SECTIONS).map(
            ([name, label]) => html`<li><a href="/host/${name}" ${name === section && html`aria-current="page"`}>${label}</a></li>`,
          )}
        </ul>
      </nav>
      ${account &&
      html`<div class="host">
        <strong>${account.name}</strong>
        <small>${account.email}<br />${account.timezone}, ${planLabel(account)}</small>
      </div>`}
    </header>
    <main class="container" id="content" tabindex="-1">
      ${told}
      <div class="bar">
        <div>
          <h1>${title}</h1>
          ${lead !== undefined && html`<p class="lead">${lead}</p>`}
        </div>
        ${actions && html`<div class="row">${actions}</div>`}
      </div>
      ${content}
    </main>
    ${script && raw(`<script>${script}</script>`)}
  </body>`;
  return c.html(documentOf(title, body), status);
}

/**
 * A page for a person who is not a host, as a single card.
 *
 * @param options.formTarget where the page's form finally leads: browsers also apply `form-action` to redirects
 */
export function renderCardPage(
  c: Request,
  title: string,
  content: HostHtml,
  { status = 200, formTarget }: { status?: 200 | 400; formTarget?: string } = {},
): Response | Promise<Response> {
  protect(c, `form-action 'self'${formTarget === undefined ? '' : ` ${originOf(formTarget)}`}`);
  const body = html`<body>
    <main class="container alone">
      ${brandMark}
      <article>
        <h1>${title}</h1>
        ${content}
      </article>
    </main>
  </body>`;
  return c.html(documentOf(title, body), status);
}

const documentOf = (title: string, body: HostHtml): HostHtml =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} - ${brand.name} sandbox</title>
        <link rel="stylesheet" href="/host/assets/style.css" />
        <link rel="icon" href="/host/assets/icon.svg" type="image/svg+xml" />
      </head>
      ${body}
    </html>`;

const brandMark: HostHtml = html`<p class="brand">
  <img src="/host/assets/icon.svg" alt="" width="28" height="28" /> <span>${brand.name} <small>sandbox</small></span>
</p>`;

export interface Column<R> {
  label: string;
  cell: (record: R) => HostHtml | string;
}

/**
 * A table, shown as cards on a phone. The ARIA roles keep it a table for screen readers, whatever its cells look like.
 *
 * @param id by which style sheets and the start page's script find it
 */
export function renderTable<R extends Owned>(id: string, caption: string, columns: Column<R>[], records: R[], empty: string): HostHtml {
  return html`<table role="table" id="${id}">
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(({ label }) => html`<th role="columnheader" scope="col">${label}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${records.map(
        (record) =>
          html`<tr role="row" id="${record.id}">
            ${columns.map(({ label, cell }) => html`<td role="cell" data-label="${label}"><div>${cell(record)}</div></td>`)}
          </tr>`,
      )}${records.length === 0 &&
      html`<tr role="row" class="empty">
        <td role="cell" colspan="${columns.length}">${empty}</td>
      </tr>`}
    </tbody>
  </table>`;
}

/** A name, and below it what distinguishes it. */
export const named = (name: string, note: HostHtml | string): HostHtml => html`${name}<br /><small>${note}</small>`;

/** @param kind whether the text is good or bad news */
export const badge = (kind: 'good' | 'warn' | 'bad' | 'info' | 'quiet', text: string): HostHtml =>
  html`<span class="badge ${kind}">${text}</span>`;

/** The fields of the submitted form. */
export const sentFields = (c: Request): URLSearchParams => new URLSearchParams(new TextDecoder().decode(c.get('body')));

/**
 * Sets the headers of every page, which forbid it to run, load or be framed by anything that the policy does not allow.
 *
 * @param policy directives of the content security policy, in addition to those that forbid everything else
 */
function protect(c: Request, policy: string): void {
  c.header(
    'content-security-policy',
    `default-src 'none'; style-src 'self'; img-src 'self' data:; ${policy}; frame-ancestors 'none'; base-uri 'none'`,
  );
  c.header('x-frame-options', 'DENY');
  c.header('x-content-type-options', 'nosniff');
  // Not `no-referrer`: browsers would then send `Origin: null` with a form, as if it came from another site.
  c.header('referrer-policy', 'same-origin');
  c.header('cache-control', 'no-store');
}

function originOf(address: string): string {
  const { protocol, origin } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? origin : protocol;
}
