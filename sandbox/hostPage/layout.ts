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

/** What a page shows below the navigation. */
export interface View {
  title: string;
  /** The part of the navigation that the page belongs to. */
  section?: Section;
  /** A line below the title. */
  lead?: Html | string;
  /** Links beside the title. */
  actions?: Html;
  content: Html;
  status?: 400 | 403 | 404 | 500;
}

/** The host who looks at the page. A page that refuses a request has no viewer. */
export interface Viewer {
  account: Account;
  flash: Flash | undefined;
  /** The start page, if the person came from there. */
  start: string | undefined;
}

/** A complete page for the host. */
export function renderHostPage(c: Request, view: View, viewer?: Viewer): Response | Promise<Response> {
  protect(c, "form-action 'self'");
  const { flash, start } = viewer ?? {};
  const section = SECTIONS[view.section ?? 'bookings'];
  const page = renderFrame({
    ...view,
    ...(c.req.path !== section.path && { back: section }),
    title: `${view.status === 400 ? 'Error: ' : ''}${view.title} - ${brand.name} sandbox`,
    heading: view.title,
    navigation: renderNavigation({ current: view.section, start }),
    ...(viewer && { side: who(viewer.account) }),
    ...(flash && {
      flash:
        flash.kind === 'done'
          ? html`<p class="flash good" role="status">${flash.text}</p>`
          : html`<p class="flash bad" role="alert">${flash.text}</p>`,
    }),
  });
  return c.html(page, view.status ?? 200);
}

/** What fills the frame of a page. */
interface Frame extends Pick<View, 'lead' | 'actions' | 'content'> {
  /** The list that the page belongs to. */
  back?: { path: string; label: string };
  /** The title in the browser. */
  title: string;
  heading: string;
  /** The address of the sandbox, for a page that another server shows. */
  origin?: string;
  navigation: Html;
  side?: Html;
  /** What has just happened, above everything else. */
  flash?: Html;
  /** What comes after the content. */
  end?: Html;
}

/** The look and the navigation that all pages have, also the start page, which another server shows. */
export function renderFrame({ origin = '', back, lead, actions, ...frame }: Frame): Html {
  const body = html`<body>
    <a class="skip" href="#content">Skip to the content</a>
    <header class="container top">
      ${brandMark(origin)}
      <nav aria-label="Host">${frame.navigation}</nav>
      ${frame.side}
    </header>
    <main class="container" id="content" tabindex="-1">
      ${frame.flash}
      <div class="bar">
        <div>
          ${back && html`<small><a href="${back.path}">Back to ${back.label.toLowerCase()}</a></small>`}
          <h1>${frame.heading}</h1>
          ${lead !== undefined && html`<p class="lead">${lead}</p>`}
        </div>
        ${actions && html`<div class="row">${actions}</div>`}
      </div>
      ${frame.content}
    </main>
    ${frame.end}
  </body>`;
  return documentOf(frame.title, body, origin);
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

/**
 * The links that all pages have.
 *
 * @param current the part that the page belongs to, or the start page
 * @param start the address of the start page, if there is one
 * @param at turns the path of a part into its address
 */
export function renderNavigation({
  current,
  start,
  at = (path) => path,
}: {
  current: Section | 'start' | undefined;
  start: string | undefined;
  at?: (path: string) => string;
}): Html {
  const sections = Object.entries(SECTIONS).map(([name, { path, label }]) => ({ name, address: at(path), label }));
  const all = start === undefined ? sections : [{ name: 'start', address: start, label: 'Start' }, ...sections];
  return html`<ul>
    ${all.map(
      ({ name, address, label }) => html`<li><a href="${address}" ${name === current && html`aria-current="page"`}>${label}</a></li>`,
    )}
  </ul>`;
}

const who = ({ name, email, timezone, plan }: Account): Html =>
  html`<div class="host">
    <strong>${name}</strong>
    <small>${email}<br />${timezone}, ${planLabel({ plan })}</small>
  </div>`;
