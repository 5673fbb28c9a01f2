import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/service.ts';
import { launchChromium } from '../../tools/rigs/browser.ts';
import { listenToAll, type Listener } from './listener.ts';
import { start, stopAll } from './support.ts';

/** How somebody looks at a page. */
export interface Look {
  width: number;
  javaScript?: boolean;
  /**
   * Collects what the browser complains about: script errors, what the policy refused, and missing parts. A page's own status does not
   * count.
   */
  complaints?: string[];
}

/** What a test of the host's pages works with. */
export interface Scene {
  browser: Browser;
  sandbox: Sandbox;
  /** Is subscribed to all of the sandbox's events. */
  listener: Listener;
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
    use({ browser, sandbox, listener: await listenToAll(sandbox) });
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    await stopAll();
  });
}

export const PHONE = 375;
export const DESKTOP = 1280;

/** The two ways to look at a page of this width. */
export const looksAt = (words: string, width: number): [string, Look][] => [
  [words, { width, javaScript: true }],
  [`${words} without JavaScript`, { width, javaScript: false }],
];

/** Opens a page of the host like a first-time visitor. */
export async function visit(
  browser: Browser,
  sandbox: Sandbox,
  path: string,
  { width, javaScript = true, complaints = [] }: Look,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: width === PHONE ? 812 : 900 }, javaScriptEnabled: javaScript });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && message.location().url !== page.url()) complaints.push(message.text());
  });
  await page.goto(`${sandbox.origin}${path}`);
  return page;
}
