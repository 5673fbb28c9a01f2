import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/service.ts';
import { launchChromium, openContext } from '../../tools/rigs/browser.ts';
import { listenToAll, type Listener } from './support.ts';
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
    await leaveAll(browser);
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

/**
 * The pages of each browser that may be used again, by look. A new one takes a browser more processor time than all that a test does with it:
 * it starts processes.
 */
const pages = new WeakMap<Browser, Map<string, Page>>();
const nothing = 'about:blank';

/** A page that shows nothing. */
async function emptyPage(browser: Browser, { width, javaScript = true }: Look): Promise<Page> {
  const known = pages.get(browser) ?? new Map<string, Page>();
  pages.set(browser, known);
  const look = `${width} ${javaScript}`;
  const viewport = { width, height: width === PHONE ? 812 : 900 };
  const left = known.get(look);
  if (left?.url() === nothing) {
    await left.setViewportSize(viewport);
    await left.emulateMedia({ colorScheme: null });
    return left;
  }
  const context = await openContext(browser, { viewport, javaScriptEnabled: javaScript });
  const page = await context.newPage();
  known.set(look, page);
  page.once('close', () => known.delete(look));
  return page;
}

/** Ends all visits: what is open asks the sandbox for nothing more, and nobody listens to it. */
async function leaveAll(browser: Browser): Promise<void> {
  const known = new Set(pages.get(browser)?.values());
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    if (!known.has(page)) {
      await page.close();
      continue;
    }
    page.removeAllListeners('pageerror').removeAllListeners('console');
    await page.goto(nothing);
  }
}

/** Opens a page of the host like a first-time visitor. */
export async function visit(browser: Browser, sandbox: Sandbox, path: string, look: Look): Promise<Page> {
  const page = await emptyPage(browser, look);
  await page.context().clearCookies();
  // An earlier sandbox may have had the same address.
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Storage.clearDataForOrigin', { origin: sandbox.origin, storageTypes: 'all' });
  await devTools.send('Network.clearBrowserCache');
  await devTools.detach();
  const { complaints = [] } = look;
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && message.location().url !== page.url()) complaints.push(message.text());
  });
  await page.goto(`${sandbox.origin}${path}`);
  return page;
}
