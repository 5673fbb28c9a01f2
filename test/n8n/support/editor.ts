import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core';
import type { Owner } from '../../../tools/rigs/n8n/session.ts';
import { root } from '../../../tools/root.cjs';
import { noteN8nPicture } from '../../../tools/check/n8nPictures.ts';
import { launchChromium } from '../../../tools/rigs/browser.ts';
import { until } from '../../support/until.ts';

/** A person using n8n's editor. */
export interface Editor {
  page: Page;
  context: BrowserContext;
  /** The element with one of the editor's own test ids. */
  at(testId: string): Locator;
  /** The input of a parameter. */
  parameter(name: string): Locator;
  /**
   * Opens a workflow like a link in the editor. The editor itself, which takes some seconds of processor time, is only loaded if no
   * workflow is open yet. The open workflow must have no unsaved changes.
   */
  openWorkflow(id: string): Promise<void>;
  /** Waits until the editor has drawn everything, and n8n has answered all requests for it. */
  answered(): Promise<void>;
  /** Opens a new workflow and, in its node creator, the node that is found under a name. */
  searchNodes(text: string): Promise<void>;
  /** Keeps a picture: for people in `docs/images` if UPDATE_SCREENS=1, otherwise in a folder where people only compare it by eye. */
  picture(name: string, of?: Page): Promise<void>;
  close(): Promise<void>;
}

export async function openEditor(origin: string, owner: Owner): Promise<Editor> {
  const browser: Browser = await launchChromium();
  const context = await browser.newContext({ viewport: { width: 1280, height: 850 } });
  context.setDefaultTimeout(45_000);
  const page = await context.newPage();
  await page.goto(`${origin}/signin`);
  await page.fill('input[name=emailOrLdapLoginId]', owner.email);
  await page.fill('input[name=password]', owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/home|workflow/);

  const asked = new Set<Request>();
  page.on('request', (request) => {
    if (request.url().startsWith(`${origin}/rest/`) && request.resourceType() !== 'eventsource') asked.add(request);
  });
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
  const drawn = () => page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');

  const at = (testId: string) => page.locator(`[data-test-id="${testId}"]`);
  return {
    page,
    context,
    at,
    parameter: (name) => at(`parameter-input-${name}`).locator('input'),
    async openWorkflow(id) {
      // A page that is still loading another address would continue to that one.
      if (!page.url().startsWith(`${origin}/workflow/`)) return void (await page.goto(`${origin}/workflow/${id}`));
      const before = await page.$('[data-test-id="canvas-node"]');
      await page.evaluate(`history.pushState({}, '', '/workflow/${id}'); dispatchEvent(new PopStateEvent('popstate', { state: {} }))`);
      // From now on, what is on the canvas belongs to this workflow, and not to a node of the same name in the last one.
      await before?.waitForElementState('hidden');
    },
    async answered() {
      // The answers may add fields that send requests themselves.
      do {
        await until(() => asked.size === 0);
        await drawn();
      } while (asked.size > 0);
    },
    async searchNodes(text) {
      await page.goto(`${origin}/workflow/new`);
      await at('canvas-add-button').click();
      await at('node-creator-search-bar').fill(text);
    },
    async picture(name, of = page) {
      const folder = process.env['UPDATE_SCREENS'] === '1' ? join(root, 'docs', 'images') : join(root, '.local', 'screens');
      const path = join(folder, `${name}.png`);
      await mkdir(dirname(path), { recursive: true });
      // Toasts and the text cursor come and go.
      await of.waitForTimeout(600);
      await of.screenshot({ path, animations: 'disabled' });
      if (process.env['UPDATE_SCREENS'] === '1') await noteN8nPicture(name);
    },
    close: () => browser.close(),
  };
}
