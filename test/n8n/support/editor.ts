import { join } from 'node:path';
import type { Request } from 'playwright-core';
import type { Owner } from '../../../tools/rigs/n8n/session.ts';
import { root } from '../../../tools/root.cjs';
import { launchChromium, openContext } from '../../support/browser.ts';
import { until } from '../../support/until.ts';

/** Whether the pictures in `docs/images` are made anew. */
export const updatesPictures = process.env['UPDATE_SCREENS'] === '1';

/** Nothing moves: each frame of a movement is drawn by the processor. */
const still = `addEventListener('DOMContentLoaded', () => {
  const style = document.createElement('style');
  style.textContent = '*, ::before, ::after { animation: none !important; transition: none !important }';
  document.head.append(style);
})`;

/** The editor's own Vue application, in its page. */
const app = `document.querySelector('#app').__vue_app__.config.globalProperties`;

/** A person using n8n's editor. */
export type Editor = Awaited<ReturnType<typeof openEditor>>;

export async function openEditor(origin: string, owner: Owner) {
  const browser = await launchChromium();
  const context = await openContext(browser, { viewport: { width: 1280, height: 850 }, reducedMotion: 'reduce' });
  await context.addInitScript(still);
  // The page for signing in would be the whole editor, loaded once more.
  const data = { emailOrLdapLoginId: owner.email, password: owner.password };
  await context.request.post(`${origin}/rest/login`, { data, failOnStatusCode: true });
  const page = await context.newPage();

  const asked = new Set<Request>();
  page.on('request', (request) => {
    if (request.url().startsWith(`${origin}/rest/`) && request.resourceType() !== 'eventsource') asked.add(request);
  });
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
  const drawn = () => page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');

  /** The element with one of the editor's own test ids. */
  const at = (testId: string) => page.locator(`[data-test-id="${testId}"]`);
  /** Waits until the editor has drawn everything, and n8n has answered all requests for it. */
  const answered = async (): Promise<void> => {
    // The answers may add fields that send requests themselves.
    do {
      await until(() => asked.size === 0);
      await drawn();
    } while (asked.size > 0);
  };
  const inFront = at('ndv').or(at('editCredential-modal'));
  /** Opens one of the editor's addresses like a link in it: the editor itself, which takes seconds of processor time, is loaded only once. */
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
    /** The input of a parameter. */
    parameter: (name: string) => at(`parameter-input-${name}`).locator('input'),
    answered,
    go,
    /** Opens a workflow like a link in the editor. */
    async openWorkflow(id: string) {
      const before = await page.$('[data-test-id="canvas-node"]');
      await go(`/workflow/${id}`);
      // From now on, what is on the canvas belongs to this workflow, and not to a node of the same name in the last one.
      await before?.waitForElementState('hidden');
    },
    /** Opens a new workflow and, in its node creator, the node that is found under a name. */
    async searchNodes(text: string) {
      await go('/workflow/new');
      await at('canvas-add-button').click();
      await at('node-creator-search-bar').fill(text);
    },
    /** Waits until the page is drawn, and keeps a picture of it in `docs/images` if UPDATE_SCREENS=1. */
    async picture(name: string, of = page) {
      if (of === page) await answered();
      if (updatesPictures) await of.screenshot({ path: join(root, 'docs', 'images', `${name}.png`), animations: 'disabled' });
    },
    close: () => browser.close(),
  };
}
