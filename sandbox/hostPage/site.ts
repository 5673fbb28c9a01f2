import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Hono, type MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { SandboxEnv, Request } from '../context.ts';
import type { SandboxParts } from '../parts.ts';
import { ApiRefusal } from '../errors.ts';
import { isFromHere } from '../guard.ts';
import { parsedJson } from '../requestLog.ts';
import { folder } from './assets/folder.cjs';
import { type HostHtml, renderHostPage, SECTIONS, type SectionName, sentFields, type View } from './layout.ts';
import type { RecordSection } from './section.ts';

const ASSETS = { 'style.css': 'text/css', 'icon.svg': 'image/svg+xml' } as const;

/** Reads a file for browsers. The build has already inlined what the style sheet imports; without a build, this does. */
const readAsset = (name: string): string =>
  readFileSync(join(folder, name), 'utf8').replace(/^@import '(.+)';/, (_all, sheet: string) =>
    readFileSync(createRequire(join(folder, name)).resolve(sheet), 'utf8'),
  );

/** Additional pages of the host: returns the response to a request, or `undefined` if there is no such page. */
export type MorePages = (c: Request) => Response | Promise<Response> | undefined;

/**
 * The host's pages: a table for each kind of record, and what a host or an invitee can do to each. They serve only this machine, and accept
 * only their own forms.
 */
export function hostPageRoutes(parts: SandboxParts, sections: Record<SectionName, RecordSection>, more?: MorePages): Hono<SandboxEnv> {
  /** The result of the last action, for the next page. */
  let result: HostHtml | undefined;
  const tell = (isDone: boolean, text: string): void => {
    result = html`<p class="flash ${isDone ? 'good' : 'bad'}" role="${isDone ? 'status' : 'alert'}">${text}</p>`;
  };
  function show(c: Request, view: View): Response | Promise<Response> {
    const frame = { account: parts.store.accounts.first(), told: result };
    result = undefined;
    return renderHostPage(c, view, frame);
  }
  const originOf = (c: Request): string => new URL(c.req.url).origin;

  const pages = new Hono<SandboxEnv>();
  // Not restricted to this machine, because any browser can open the consent page.
  for (const [name, type] of Object.entries(ASSETS)) {
    const content = readAsset(name);
    pages.get(`/assets/${name}`, (c) =>
      c.body(content, 200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }),
    );
  }
  pages.use('*', ownForms).get('/', (c) => c.redirect('/host/bookings'));

  for (const name of Object.keys(SECTIONS) as SectionName[]) {
    const { view, act } = sections[name];
    pages
      .get(`/${name}`, (c) => show(c, view(originOf(c))))
      .post(`/${name}/:id/:action`, (c) => {
        const text = sentFields(c).get('input')?.replaceAll('\r\n', '\n');
        const done = { id: c.req.param('id'), action: c.req.param('action') };
        try {
          tell(true, act(done, text === undefined ? {} : parsedJson(text)));
          c.get('entry').committed = true;
        } catch (error) {
          if (!(error instanceof ApiRefusal) || error.code === 'NOT_FOUND') throw error;
          tell(false, `Nothing was changed. ${error.message}`);
          if (text !== undefined) return show(c, { ...view(originOf(c), { ...done, text }), status: 400 });
        }
        // The result is on another page, so that a reload does not repeat the action.
        return c.redirect(`/host/${name}`, 303);
      });
  }

  const none = (c: Request) =>
    show(c, { title: 'Page not found', status: 404, content: html`<p>There is no page at <code>${c.req.path}</code>.</p>` });
  return pages
    .all('*', (c) => more?.(c) ?? none(c))
    .onError((error, c) => {
      if (error instanceof ApiRefusal) return show(c, { title: 'Not found', status: 404, content: html`<p>${error.message}</p>` });
      parts.log(`${c.req.method} ${c.req.path} failed: ${error.stack ?? error.message}`);
      const content = html`<p>The sandbox had an internal error. Its terminal shows the details.</p>`;
      return renderHostPage(c, { title: 'Something went wrong', status: 500, content });
    });
}

/** Accepts only browsers of this machine and forms of these pages. */
const ownForms: MiddlewareHandler<SandboxEnv> = async (c, next) => {
  const refuse = (why: string) => renderHostPage(c, { title: 'Request refused', status: 403, content: html`<p>${why}</p>` });
  if (!isFromHere(c)) return refuse('This page is only available on the machine that runs the sandbox, at localhost or 127.0.0.1.');
  // Browsers send the origin with every form.
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && c.req.header('origin') !== new URL(c.req.url).origin)
    return refuse('The form did not come from a page of this sandbox, so nothing was changed.');
  return next();
};
