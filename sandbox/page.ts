import { html } from 'hono/html';
import { brand } from '../shared/brand.ts';
import type { Request } from './context.ts';

export type Html = ReturnType<typeof html>;

/**
 * A page of the sandbox for a person who is not a host, on its own card.
 *
 * @param options.formTarget where the answer to the page's form leads: browsers also apply `form-action` to redirects
 */
export function renderPage(
  c: Request,
  title: string,
  content: Html,
  options: { status?: 200 | 400; formTarget?: string } = {},
): Response | Promise<Response> {
  const target = options.formTarget === undefined ? '' : ` ${originOf(options.formTarget)}`;
  protect(c, `style-src 'self'; img-src 'self'; form-action 'self'${target}`);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        ${headOf(`${title} - ${brand.name} sandbox`)}
      </head>
      <body class="alone">
        <main>
          ${brandMark()}
          <div class="card">
            <h1>${title}</h1>
            ${content}
          </div>
        </main>
      </body>
    </html>`;
  return c.html(page, options.status ?? 200);
}

/** What every page has in its head. */
export const headOf = (title: string, origin = ''): Html =>
  html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="stylesheet" href="${origin}/host/assets/style.css" />`;

export const brandMark = (origin = ''): Html =>
  html`<p class="brand">
    <img src="${origin}/host/assets/icon.svg" alt="" width="28" height="28" /> <span>${brand.name} <small>sandbox</small></span>
  </p>`;

/**
 * The headers of every page: they forbid it to run, load or be framed by anything that the policy does not allow.
 *
 * @param policy directives of the content security policy, in addition to those that forbid everything else
 */
export function protect(c: Request, policy: string): void {
  c.header('content-security-policy', `default-src 'none'; ${policy}; frame-ancestors 'none'; base-uri 'none'`);
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
