import { html } from 'hono/html';
import { brand } from '../../shared/brand.ts';
import type { Request } from '../context.ts';
import { brandMark, headOf, protect, type Html } from '../page.ts';
import { planLabel, type Account } from '../records.ts';

export const SECTIONS = {
  bookings: { path: '/host', label: 'Bookings' },
  types: { path: '/host/types', label: 'Event types' },
  contacts: { path: '/host/contacts', label: 'Contacts' },
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
  /** Links and buttons beside the title. */
  actions?: Html;
  content: Html;
  status?: 400 | 403 | 404 | 500;
}

/** The person who looks at the page. A page that refuses a request has no viewer. */
export interface Viewer {
  account: Account;
  accounts: Account[];
  flash: Flash | undefined;
  /** The start page, if the person came from there. */
  start: string | undefined;
}

/** A complete page for the host. */
export function renderHostPage(c: Request, view: View, viewer?: Viewer): Response | Promise<Response> {
  protect(c, "style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'");
  const { flash, start } = viewer ?? {};
  const section = SECTIONS[view.section ?? 'bookings'];
  const page = renderFrame({
    ...view,
    ...(c.req.path !== section.path && { back: section }),
    title: `${view.status === 400 ? 'Error: ' : ''}${view.title} - ${brand.name} sandbox`,
    heading: view.title,
    head: html`<script type="module" src="/host/assets/live.mjs"></script>`,
    navigation: renderNavigation({ current: view.section, start }),
    ...(viewer && { side: whoActs(viewer) }),
    ...(flash && { flash: html`<p class="flash ${flash.kind}" role="${flash.kind === 'done' ? 'status' : 'alert'}">${flash.text}</p>` }),
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
  head?: Html;
  navigation: Html;
  side?: Html;
  /** What has just happened, above everything else. */
  flash?: Html;
  /** What comes after the content. */
  end?: Html;
}

/** The look and the navigation that all pages have, also the start page, which another server shows. */
export function renderFrame({ origin = '', back, lead, actions, ...frame }: Frame): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        ${headOf(frame.title, origin)}
        <link rel="icon" href="${origin}/host/assets/icon.svg" type="image/svg+xml" />
        ${frame.head}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="side">
          ${brandMark(origin)}
          <nav aria-label="Host">${frame.navigation}</nav>
          ${frame.side}
        </header>
        <main id="content" tabindex="-1">
          ${frame.flash}
          <div class="head">
            <div>
              ${back && html`<a class="back" href="${back.path}">Back to ${back.label.toLowerCase()}</a>`}
              <h1>${frame.heading}</h1>
              ${lead !== undefined && html`<p class="lead">${lead}</p>`}
            </div>
            ${actions && html`<div class="actions">${actions}</div>`}
          </div>
          ${frame.content}
        </main>
        ${frame.end}
      </body>
    </html>`;
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

function whoActs({ account, accounts }: Viewer): Html {
  return html`<div class="host">
    <ul>
      <li><strong>${account.name}</strong></li>
      <li>${account.email}</li>
      <li>${account.timezone}</li>
      <li>${planLabel(account)}</li>
    </ul>
    ${accounts.length > 1 &&
    html`<form method="post" action="/host/account" class="switch">
      <label for="acting">Act as</label>
      <select id="acting" name="account">
        ${accounts.map(({ id, name, email }) => html`<option value="${id}" ${id === account.id && 'selected'}>${name}, ${email}</option>`)}
      </select>
      <button class="plain small">Switch</button>
    </form>`}
  </div>`;
}
