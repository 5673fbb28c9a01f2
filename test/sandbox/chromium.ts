import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/service.ts';
import { launchChromium, openContext } from '../../tools/rigs/browser.ts';
import { listenToAll, start, stopAll, type Listener } from './support.ts';

export const PHONE = 375;
export const DESKTOP = 1280;

interface Look {
  width?: number;
  javaScript?: boolean;
  /**
   * Collects what the browser complains about: script errors, what the policy refused, and missing parts. A page's own status does not
   * count.
   */
  complaints?: string[];
}

/** What a test of the host's pages works with. */
export interface Scene {
  sandbox: Sandbox;
  /** Is subscribed to all of the sandbox's events. */
  listener: Listener;
  /** Opens a page of the host like a first-time visitor: of this sandbox, or of the given one. */
  visit(path: string, look?: Look, of?: Sandbox): Promise<Page>;
}

/** Opens one browser for all tests of a file, and starts a sandbox for each test; `use` receives both before each test. */
export function withBrowser(use: (scene: Scene) => void): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    const sandbox = await start();
    use({
      sandbox,
      listener: await listenToAll(sandbox),
      async visit(path, { width = DESKTOP, javaScript = true, complaints = [] } = {}, of = sandbox) {
        const viewport = { width, height: width === PHONE ? 812 : 900 };
        const page = await (await openContext(browser, { viewport, javaScriptEnabled: javaScript })).newPage();
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('console', (message) => {
          if (message.type() === 'error' && message.location().url !== page.url()) complaints.push(message.text());
        });
        await page.goto(`${of.origin}${path}`);
        return page;
      },
    });
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    await stopAll();
  });
}
