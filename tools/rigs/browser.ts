import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core';

/** The first is the browser without its windows, which other ones lay out even if nobody sees them: half of their processor time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const elsewhere = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** The Chromium of this machine, if there is one. */
export const chromiumPath = (): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name))), ...elsewhere].find(
    (file) => existsSync(file),
  );

/** Starts the Chromium of this machine. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: ['--disable-gpu'] });
  throw new Error(
    `These tests open pages in Chromium, but none of ${names.join(', ')} is on the PATH. Install one: apt-get install chromium fonts-liberation`,
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
