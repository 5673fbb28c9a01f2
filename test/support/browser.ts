import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core';
import { chromiumNames, chromiumPath } from './chromiumPath.ts';

/** Starts the Chromium of this machine. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: ['--disable-gpu'] });
  throw new Error(
    `These tests open pages in Chromium, but none of ${chromiumNames.join(', ')} is on the PATH. Install one: apt-get install chromium fonts-liberation`,
  );
}

/** How long a page is waited for. Four minutes, because machines are busy: it is a bound for what never comes. Milliseconds. */
const PATIENCE_MS = 240_000;

/** A browser's own place for pages, which waits patiently for what is looked for in them. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}
