import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { launchChromium, openContext } from '../../tools/rigs/browser.ts';
import { Backend } from '../../tools/rigs/zapier/backend.ts';
import type { Outcome } from '../../tools/rigs/zapier/zap.ts';
import { zapPage } from '../../tools/start/zapPage.ts';
import { booking, outcome } from './support/outcomes.ts';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let backend: Backend;
const outcomes: Outcome[] = [];
beforeAll(async () => {
  browser = await launchChromium();
  backend = await Backend.start();
  backend.page = () => zapPage({ trigger: 'booking_created', outcomes }, 'http://127.0.0.1:4010');
});
afterAll(async () => {
  await backend.stop();
  await browser.close();
});

test('the page of the Zap updates by itself, axe finds nothing, and it fits a phone', async () => {
  const context = await openContext(browser, { viewport: { width: 390, height: 812 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(backend.origin);
  outcomes.push(outcome([booking]), outcome([]));
  await page.getByRole('cell', { name: /Ada/ }).waitFor();
  // Through the protocol, which no policy of a page can forbid.
  await page.evaluate(axe);
  const violations = await page.evaluate<{ id: string }[]>('axe.run().then(({ violations }) => violations.map(({ id }) => ({ id })))');
  expect(violations).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(complaints).toEqual([]);
});
