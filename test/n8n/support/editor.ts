import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core';
import type { Owner } from '../../../tools/rigs/n8n/session.ts';
import { root } from '../../../tools/root.cjs';
import { launchChromium, openContext } from '../../../tools/rigs/browser.ts';
import { until } from '../../support/until.ts';

/** The editor's own Vue application, in its page. */
const app = `document.querySelector('#app').__vue_app__.config.globalProperties`;

/** A person using n8n's editor. */
export interface Editor {
  page: Page;
  context: BrowserContext;
  /** The element with one of the editor's own test ids. */
  at(testId: string): Locator;
  /** The input of a parameter. */
  parameter(name: string): Locator;
  /** Opens one of the editor's addresses like a link in it: the editor itself, which takes seconds of processor time, is loaded only once. */
  go(path: string): Promise<void>;
  /** Opens a workflow like a link in the editor. */
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
  const context = await openContext(browser, { viewport: { width: 1280, height: 850 }, reducedMotion: 'reduce' });
  // The page for signing in would be the whole editor, loaded once more.
  const { email: emailOrLdapLoginId, password } = owner;
  await context.request.post(`${origin}/rest/login`, { data: { emailOrLdapLoginId, password }, failOnStatusCode: true });
  const page = await context.newPage();

  const asked = new Set<Request>();
  page.on('request', (request) => {
    if (request.url().startsWith(`${origin}/rest/`) && request.resourceType() !== 'eventsource') asked.add(request);
  });
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
  const drawn = () => page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');

  const at = (testId: string) => page.locator(`[data-test-id="${testId}"]`);
  const answered = async (): Promise<void> => {
    // The answers may add fields that send requests themselves.
    do {
      await until(() => asked.size === 0);
      await drawn();
    } while (asked.size > 0);
  };
  const inFront = at('ndv').or(at('editCredential-modal'));
  const go = async (path: string): Promise<void> => {
    if (!page.url().startsWith(origin)) return void (await page.goto(`${origin}${path}`));
    // A panel would stay in front of the next page.
    await until(async () => (await inFront.count()) === 0 || (await page.keyboard.press('Escape')));
    // The editor saves changes by itself, a little later. It would ask about those that it has not saved, and return to what it is saving.
    await until(() => page.evaluate<boolean>(`!${app}.$pinia._s.get('ui').stateIsDirty`));
    await answered();
    await page.evaluate(`${app}.$router.push('${path}').then(() => undefined)`);
  };
  return {
    page,
    context,
    at,
    parameter: (name) => at(`parameter-input-${name}`).locator('input'),
    answered,
    go,
    async openWorkflow(id) {
      const before = await page.$('[data-test-id="canvas-node"]');
      await go(`/workflow/${id}`);
      // From now on, what is on the canvas belongs to this workflow, and not to a node of the same name in the last one.
      await before?.waitForElementState('hidden');
    },
    async searchNodes(text) {
      await go('/workflow/new');
      await at('canvas-add-button').click();
      await at('node-creator-search-bar').fill(text);
    },
    async picture(name, of = page) {
      const folder = process.env['UPDATE_SCREENS'] === '1' ? join(root, 'docs', 'images') : join(root, '.local', 'screens');
      const path = join(folder, `${name}.png`);
      await mkdir(dirname(path), { recursive: true });
      if (of === page) await answered();
      await of.screenshot({ path, animations: 'disabled' });
    },
    close: () => browser.close(),
  };
}
