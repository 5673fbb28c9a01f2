import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core';
import { chromiumNames, chromiumPath } from './chromiumPath.ts';

/** Starts this machine's Chromium. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: ['--disable-gpu'] });
  throw new Error(
    `These tests open pages in Chromium, but none of ${chromiumNames.join(', ')} is on the PATH. Install one: apt-get install chromium fonts-liberation`,
  );
}

/** How long to wait for a page, in milliseconds. Four minutes, because machines are busy: it only limits waits for what never comes. */
const PATIENCE_MS = 240_000;

/** A new context for pages, whose waits are patient. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}
