import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { brand } from '../shared/brand.ts';
import type { ServiceError } from '../shared/client/index.ts';
import { wordList } from '../shared/operations/index.ts';
import { scopes, type Scope } from '../shared/scopes.ts';
import type { Connected } from './connections.ts';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const style = `
:root { color-scheme: light dark; --page: #f4f5f7; --card: #fff; --text: #1c2024; --muted: #565d66; --line: #d5d9df; --strong: #1f4fd1; --on-strong: #fff; --note: #eef2fb; }
@media (prefers-color-scheme: dark) { :root { --page: #121417; --card: #1b1e22; --text: #eceef0; --muted: #a8b0b9; --line: #3a4048; --strong: #8fb0ff; --on-strong: #10182c; --note: #232a38; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 8vh 1rem 2rem; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main { max-width: 32rem; margin: 0 auto; }
header { padding: 0 0 .75rem; font-weight: 600; color: var(--muted); }
main { padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
main > :last-child { margin-bottom: 0; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0; font-size: 1rem; }
a { color: var(--strong); }
p, ul { margin: 0 0 1rem; }
ul { padding-left: 1.25rem; }
ul.may > li::first-letter { text-transform: uppercase; }
ul.cards { list-style: none; padding: 0; border-bottom: 1px solid var(--line); }
ul.cards > li { padding: 1rem 0; border-top: 1px solid var(--line); }
ul.cards > li > p { margin: .25rem 0 .75rem; }
.note, code { display: block; padding: .75rem 1rem; background: var(--note); border-radius: .5rem; }
code { font-size: .95rem; user-select: all; }
.muted { color: var(--muted); font-size: .9rem; }
.row { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0 1rem; }
button, a.button { display: inline-block; font: inherit; font-weight: 600; padding: .55rem 1.1rem; border: 1px solid var(--strong); border-radius: .5rem; background: var(--strong); color: var(--on-strong); text-decoration: none; cursor: pointer; }
button.second { background: none; color: inherit; border-color: var(--muted); font-weight: 400; }
button:hover, a.button:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
@media (max-width: 30rem) { body { padding-top: 1rem; } main { padding: 1.25rem; } .row, .row form, .row button { width: 100%; } }`;

/** A page of this server. It runs no script and cannot be framed by another page. */
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
        <header>${brand.name}</header>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
}

export const pageHeaders: Readonly<Record<string, string>> = {
  // No `form-action`: browsers also apply it to the redirects after a form, which lead to the service and to any assistant.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // With no referrer at all, browsers would not tell which page a form comes from.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function answerWith(c: Context, title: string, content: Html, status: 200 | 400 | 401 | 403 | 404 | 414 | 429 | 502 | 503 = 200) {
  for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value);
  return c.html(page(title, content), status);
}

/** Says when to try again. A page that was requested with GET then reloads by itself. */
export function askAgainIn(c: Context, seconds: number): void {
  c.header('retry-after', String(seconds));
  if (c.req.method === 'GET') c.header('refresh', String(seconds));
}

/** The service did not sign a person in. @param onward what the person can do next */
export function answerRefused(c: Context, title: string, { kind, sentence, retryAfterSeconds: seconds }: ServiceError, onward: Html) {
  if (seconds !== undefined) askAgainIn(c, seconds);
  const content = html`<p>${sentence}</p>
    ${onward}`;
  return answerWith(c, title, content, kind === 'forbidden' ? 403 : kind === 'rateLimited' ? 429 : 502);
}

/** Like {@link answerWith}, but within the library, which has set the headers. */
export async function showWith(ctx: KoaContextWithOIDC, status: number, title: string, content: Html): Promise<void> {
  const shown = await page(title, content);
  ctx.remove('location');
  Object.assign(ctx, { status, type: 'html', body: shown.toString() });
}

/**
 * A page that continues by itself. A redirect would count as part of the form that was sent at the service. If the service's page limits
 * where its form may lead (`form-action`), browsers would refuse the last redirect, to the assistant.
 */
export function goOnTo(c: Context, path: string) {
  c.header('refresh', `0; url=${path}`);
  return answerWith(c, 'One moment', html`<p><a href="${path}">Continue</a></p>`);
}

const wordsOf = (names: readonly string[]): string[] => names.map((name) => (name in scopes ? scopes[name as Scope].words : name));

/** What a person reads before going to the service. */
export const connectPage = (client: Connected['client'], asked: readonly string[], action: string, origin: string): Html => html`
  <p>An assistant that calls itself “<strong>${client.name}</strong>” wants to use your ${brand.name} account. It will be able to:</p>
  <ul class="may">
    ${wordsOf(asked).map((words) => html`<li>${words}</li>`)}
  </ul>
  <p class="note">Your answer goes to <strong>${client.host}</strong>. Continue only if you have just started this there.</p>
  <div class="row">
    <form method="post" action="${action}"><button>Continue to ${brand.name}</button></form>
    <form method="post" action="${action}/cancel"><button class="second">Cancel</button></form>
  </div>
  <p class="muted">
    Next, you sign in to ${brand.name} and allow access. You can disconnect the assistant at any time at ${origin}/connections.
  </p>
`;

/** The last page if the assistant is an app: browsers ask before they open one, and stay here. @param to brings the app the result */
export const leavePage = (name: string, to: string, isAllowed: boolean): Html => html`
  <meta http-equiv="refresh" content="0; url=${to}" />
  <p>
    ${isAllowed
      ? html`You have allowed <strong>${name}</strong>. Open the app to finish.`
      : html`<strong>${name}</strong> was not connected.`}
  </p>
  <p><a class="button" href="${to}">${isAllowed ? 'Open the app' : 'Go back to the app'}</a></p>
  <p class="muted">If your browser asks, let it open the app. Then you can close this page.</p>
`;

/** Shown to a person who returns to a completed sign-in. */
export const answeredPage = (name: string): Html => html` <p><strong>${name}</strong> is connected. You can close this page.</p> `;

/** An invalid request, before the person has agreed to anything. @param to tells the assistant */
export const goBackPage = (client: Omit<Connected['client'], 'id'>, to: string, reason: string): Html => html`
  <p>An assistant that calls itself <strong>${client.name}</strong> sent a request that cannot be answered: ${reason}</p>
  <p>Nothing was connected. Tell its makers, or add the connector again.</p>
  <p class="muted">It waits for an answer at ${client.host}. <a href="${to}">Tell it</a></p>
`;

const days = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
const passed = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const minuteMs = 60_000;

/** A time, readable in any time zone. */
function timeOf(at: number): string {
  const minutes = Math.floor((Date.now() - at) / minuteMs);
  if (minutes < 2) return 'just now';
  if (minutes < 120) return passed.format(-minutes, 'minute');
  return minutes < 48 * 60 ? passed.format(-Math.floor(minutes / 60), 'hour') : days.format(at);
}

/** The assistants that are connected to an account. */
export const connectionsPage = (
  account: string,
  connections: readonly (Connected & { usedAt: number })[],
  told: string | undefined,
): Html => html`
  ${told === undefined ? '' : html`<p class="note" role="status">${told}</p>`}
  <p>
    ${connections.length === 0 ? 'No assistant is connected to' : 'These assistants can use'} the ${brand.name} account of
    <strong>${account}</strong>.
  </p>
  ${connections.length === 0
    ? ''
    : html`<ul class="cards">
        ${connections.map(
          ({ grant, client, scopes: names, connectedAt, usedAt }) => html`
            <li>
              <h2>${client.name}</h2>
              <p>It can ${wordList(wordsOf(names))}.</p>
              <p class="muted">Connected from ${client.host}, ${timeOf(connectedAt)}. Last used ${timeOf(usedAt)}.</p>
              <form method="post" action="/connections/disconnect">
                <input type="hidden" name="connection" value="${grant}" />
                <button class="second">Disconnect ${client.name}</button>
              </form>
            </li>
          `,
        )}
      </ul>`}
  <form method="post" action="/connections/leave"><button class="second">Sign out</button></form>
`;

export const signInPage = html`
  <p>Sign in to see which assistants can use your ${brand.name} account, and to disconnect them.</p>
  <form method="post" action="/connections"><button>Sign in with ${brand.name}</button></form>
`;

export const startPage = (origin: string): Html => html`
  <p>Add this address to your AI assistant, as an MCP server or custom connector:</p>
  <p><code>${origin}/mcp</code></p>
  <p>Your assistant then opens a page where you sign in to ${brand.name} and see what it will be able to do.</p>
  <p><a href="/connections">See and disconnect connected assistants</a></p>
`;
