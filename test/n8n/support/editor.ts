import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { Owner } from '../../../tools/rigs/n8n/session.ts';
import { root } from '../../../tools/root.cjs';
import { noteN8nPicture } from '../../../tools/check/n8nPictures.ts';
import { launchChromium } from '../../../tools/rigs/browser.ts';

/** A person before n8n's editor. */
export interface Editor {
  page: Page;
  context: BrowserContext;
  /** What stands under one of the editor's own test ids. */
  at(testId: string): Locator;
  /** The input of a parameter. */
  parameter(name: string): Locator;
  /** Opens a new workflow and, in its node creator, what is found under a name. */
  searchNodes(text: string): Promise<void>;
  /** Keeps a picture: for people in `docs/images` when UPDATE_SCREENS=1, else where it is only compared by eye. */
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

  const at = (testId: string) => page.locator(`[data-test-id="${testId}"]`);
  return {
    page,
    context,
    at,
    parameter: (name) => at(`parameter-input-${name}`).locator('input'),
    async searchNodes(text) {
      await page.goto(`${origin}/workflow/new`);
      await at('canvas-add-button').click();
      await at('node-creator-search-bar').fill(text);
    },
    async picture(name, of = page) {
      const folder = process.env['UPDATE_SCREENS'] === '1' ? join(root, 'docs', 'images') : join(root, '.local', 'screens');
      const path = join(folder, `${name}.png`);
      await mkdir(dirname(path), { recursive: true });
      // Toasts and the caret come and go.
      await of.waitForTimeout(600);
      await of.screenshot({ path, animations: 'disabled' });
      if (process.env['UPDATE_SCREENS'] === '1') await noteN8nPicture(name);
    },
    close: () => browser.close(),
  };
}
