import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { brand } from '../shared/brand.ts';
import { wordList } from '../shared/operations/index.ts';
import { scopes, type Scope } from '../shared/scopes.ts';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 38rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; line-height: 1.25; }
form { display: inline; }
button, .button { display: inline-block; font: inherit; padding: .45rem 1rem; border: 1px solid #1a56db; border-radius: .4rem; background: #1a56db; color: #fff; text-decoration: none; cursor: pointer; }
.second { background: none; color: inherit; border-color: #8886; }
.muted { opacity: .75; font-size: .9rem; }
ul.cards { list-style: none; padding: 0; }
ul.cards > li { border: 1px solid #8886; border-radius: .5rem; padding: .75rem 1rem; margin: .75rem 0; }
code { overflow-wrap: anywhere; }`;

/** A page of this server. It runs no script and cannot be shown inside another page. */
export function page(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – ${brand.name}</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
}

export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // Without it at all, browsers would not say which page a form comes from.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function answerWith(c: Context, title: string, content: Html, status: 200 | 400 | 403 | 404 | 502 | 503 = 200) {
  for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value);
  return c.html(page(title, content), status);
}

/** What a connection may do, as a person reads it. */
export const allowedTo = (names: readonly string[]): string =>
  wordList(names.flatMap((name) => (name in scopes ? scopes[name as Scope].words : [])));

/** What a person reads before they go on to the service. */
export const connectPage = (client: { name: string; host: string }, asked: readonly string[], action: string, origin: string): Html => html`
  <p><strong>${client.name}</strong> wants to use your ${brand.name} account. It will be able to:</p>
  <ul>
    ${asked.map((name) => html`<li>${name in scopes ? scopes[name as Scope].words : name}</li>`)}
  </ul>
  <p>Its name is what it calls itself. Your answer goes to <strong>${client.host}</strong>: go on only if you started this there.</p>
  <form method="post" action="${action}"><button>Continue to ${brand.name}</button></form>
  <form method="post" action="${action}/cancel"><button class="second">Cancel</button></form>
  <p class="muted">
    On the next page, you sign in to ${brand.name} and allow access. You can disconnect it at any time at ${origin}/connections.
  </p>
`;

export interface ShownConnection {
  grant: string;
  client: { name: string; host: string };
  scopes: readonly string[];
  connectedAt: number;
  usedAt: number;
}

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const timeOf = (at: number): string => `${moment.format(at)} (UTC)`;

/** The assistants that are connected to an account. @param proof shows with each form that it comes from this page */
export const connectionsPage = (
  account: string,
  connections: readonly ShownConnection[],
  proof: string,
  told: string | undefined,
): Html => html`
  ${told === undefined ? '' : html`<p role="status"><strong>${told}</strong></p>`}
  <p>
    ${connections.length === 0 ? 'No assistant is connected to' : 'These assistants are connected to'} the account of
    <strong>${account}</strong>.
  </p>
  <ul class="cards">
    ${connections.map(
      ({ grant, client, scopes: names, connectedAt, usedAt }) => html`
        <li>
          <strong>${client.name}</strong> at ${client.host}
          <p class="muted">May ${allowedTo(names)}.<br />Connected ${timeOf(connectedAt)}. Last used ${timeOf(usedAt)}.</p>
          <form method="post" action="/connections/disconnect">
            <input type="hidden" name="proof" value="${proof}" />
            <input type="hidden" name="connection" value="${grant}" />
            <button class="second">Disconnect ${client.name}</button>
          </form>
        </li>
      `,
    )}
  </ul>
  <form method="post" action="/connections/leave">
    <input type="hidden" name="proof" value="${proof}" /><button class="second">Leave this page</button>
  </form>
`;

export const signInPage = html`
  <p>See which assistants are connected to your ${brand.name} account, and disconnect them.</p>
  <form method="post" action="/connections"><button>Sign in with ${brand.name}</button></form>
`;

export const startPage = (origin: string): Html => html`
  <p>Add this address to your assistant as an MCP server (some call it a connector):</p>
  <p><code>${origin}/mcp</code></p>
  <p>It opens a page where you sign in to ${brand.name} and decide what it may do.</p>
  <p><a href="/connections">Assistants that are connected</a></p>
`;
