import { randomBytes } from 'node:crypto';
import { html, raw } from 'hono/html';
import { brand } from '../shared/brand.ts';
import type { Request } from './context.ts';

export type Html = ReturnType<typeof html>;

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 36rem; margin: 3rem auto; padding: 0 1rem; }
  h1 { font-size: 1.4rem; } code { font-size: .85em; opacity: .8; }
  fieldset { border: 1px solid #8888; border-radius: .4rem; } label { display: block; padding: .2rem 0; }
  button { font: inherit; padding: .5rem 1.2rem; border: 1px solid #1257b8; border-radius: .4rem; background: #1257b8; color: #fff; cursor: pointer; }
  button.plain { background: transparent; color: inherit; border-color: #8888; }
`;

/**
 * A page of the sandbox.
 *
 * @param options.formTarget where the answer to the page's form leads to: browsers apply `form-action` to redirects too
 */
export function renderPage(
  c: Request,
  title: string,
  content: Html,
  options: { status?: 200 | 400; formTarget?: string } = {},
): Response | Promise<Response> {
  const nonce = randomBytes(16).toString('base64');
  const target = options.formTarget === undefined ? '' : ` ${originOf(options.formTarget)}`;
  protect(c, `style-src 'nonce-${nonce}'; form-action 'self'${target}`);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} - ${brand.name} sandbox</title>
        <style nonce="${nonce}">
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
  return c.html(page, options.status ?? 200);
}

/**
 * What every page is sent with: nothing runs, loads or frames it beyond what the policy lets in.
 *
 * @param policy directives of the content security policy, beside those that forbid everything else
 */
export function protect(c: Request, policy: string): void {
  c.header('content-security-policy', `default-src 'none'; ${policy}; frame-ancestors 'none'; base-uri 'none'`);
  c.header('x-frame-options', 'DENY');
  c.header('x-content-type-options', 'nosniff');
  // Not no-referrer: browsers would send `Origin: null` with the form, and it could not be told from a foreign one.
  c.header('referrer-policy', 'same-origin');
  c.header('cache-control', 'no-store');
}

function originOf(address: string): string {
  const { protocol, origin } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? origin : protocol;
}
