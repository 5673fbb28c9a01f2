import { html } from 'hono/html';
import { brand } from '../../shared/brand.ts';
import type { Request } from '../context.ts';
import { planLabel, type Account } from '../records.ts';

export type Html = ReturnType<typeof html>;

export const SECTIONS = {
  bookings: { path: '/host/bookings', label: 'Bookings' },
  types: { path: '/host/types', label: 'Event types' },
  subscriptions: { path: '/host/subscriptions', label: 'Subscriptions' },
  deliveries: { path: '/host/deliveries', label: 'Deliveries' },
  applications: { path: '/host/applications', label: 'Applications' },
} as const;

export type Section = keyof typeof SECTIONS;

/** A message that the next page shows once: the result of what was just done. */
export interface Flash {
  kind: 'done' | 'refused';
  text: string;
}

/** What a page shows: below the title a line, beside it links. */
export interface View {
  title: string;
  /** The part of the navigation that the page belongs to. */
  section?: Section | 'start';
  lead?: Html | string;
  actions?: Html;
  content: Html;
  status?: 400 | 403 | 404 | 500;
}

/** The host who looks at the page. A page that refuses a request has no viewer. */
interface Viewer {
  account: Account;
  flash: Flash | undefined;
  /** The start page, if the person came from there. */
  start: string | undefined;
}

/** A complete page for the host. */
export function renderHostPage(c: Request, view: View, viewer?: Viewer): Response | Promise<Response> {
  protect(c, "form-action 'self'");
  const { flash, start, account } = viewer ?? {};
  const told =
    flash &&
    html`<p class="flash ${flash.kind === 'done' ? 'good' : 'bad'}" role="${flash.kind === 'done' ? 'status' : 'alert'}">${flash.text}</p>`;
  return c.html(renderFrame(view, { start, account, told }), view.status ?? 200);
}

/**
 * The look and the navigation that all pages have, also the start page, which another server shows.
 *
 * @param frame.at turns the path of a part into its address, on a page that another server shows
 */
export function renderFrame(
  { title, section, lead, actions, content }: View,
  frame: {
    start?: string | undefined;
    account?: Account | undefined;
    told?: Html | undefined;
    origin?: string;
    at?: (path: string) => string;
    end?: Html;
  },
): Html {
  const { start, account, told, origin = '', at = (path) => path, end } = frame;
  const parts = Object.entries(SECTIONS).map(([name, { path, label }]) => ({ name, address: at(path), label }));
  const all = start === undefined ? parts : [{ name: 'start', address: start, label: 'Start' }, ...parts];
  const body = html`<body>
    <a class="skip" href="#content">Skip to the content</a>
    <header class="container top">
      ${brandMark(origin)}
      <nav aria-label="Host">
        <ul>
          ${all.map(
            ({ name, address, label }) => html`<li><a href="${address}" ${name === section && html`aria-current="page"`}>${label}</a></li>`,
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
    ${end}
  </body>`;
  return documentOf(`${title} - ${brand.name} sandbox`, body, origin);
}

/**
 * A page of the sandbox for a person who is not a host, on its own card.
 *
 * @param options.formTarget where the answer to the page's form leads: browsers also apply `form-action` to redirects
 */
export function renderCardPage(
  c: Request,
  title: string,
  content: Html,
  { status = 200, formTarget }: { status?: 200 | 400; formTarget?: string } = {},
): Response | Promise<Response> {
  protect(c, `form-action 'self'${formTarget === undefined ? '' : ` ${originOf(formTarget)}`}`);
  const body = html`<body>
    <main class="container alone">
      ${brandMark()}
      <article>
        <h1>${title}</h1>
        ${content}
      </article>
    </main>
  </body>`;
  return c.html(documentOf(`${title} - ${brand.name} sandbox`, body), status);
}

const documentOf = (title: string, body: Html, origin = ''): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${origin}/host/assets/style.css" />
        <link rel="icon" href="${origin}/host/assets/icon.svg" type="image/svg+xml" />
      </head>
      ${body}
    </html>`;

const brandMark = (origin = ''): Html =>
  html`<p class="brand">
    <img src="${origin}/host/assets/icon.svg" alt="" width="28" height="28" /> <span>${brand.name} <small>sandbox</small></span>
  </p>`;

/**
 * The headers of every page: they forbid it to run, load or be framed by anything that the policy does not allow.
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
  // Not no-referrer: browsers would then send `Origin: null` with the form, which looks like a form from another site.
  c.header('referrer-policy', 'same-origin');
  c.header('cache-control', 'no-store');
}

function originOf(address: string): string {
  const { protocol, origin } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? origin : protocol;
}
