import type { Browser, Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/service.ts';

/** How somebody looks at a page. */
export interface Look {
  width: number;
  javaScript?: boolean;
  /** Takes what the browser complains about: errors of scripts, what the policy refused, parts that are missing. A page's own status is none. */
  complaints?: string[];
}

export const PHONE = 375;
export const DESKTOP = 1280;

/** The two ways to look at a page of this width. */
export const looksAt = (words: string, width: number): [string, Look][] => [
  [words, { width, javaScript: true }],
  [`${words} without JavaScript`, { width, javaScript: false }],
];

/** Opens a page of the host as somebody who was never there before. */
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
