import type { Browser } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { launchChromium, openContext } from '../../tools/rigs/browser.ts';
import type { Installed } from '../sdk/installed.ts';
import { until } from '../support/until.ts';
import { Application, copiedExample } from './application.ts';

let sandbox: Sandbox;
let installed: Installed;
let app: Application;
let browser: Browser;
beforeAll(async () => {
  sandbox = await startSandbox();
  installed = await copiedExample();
  app = await Application.start(installed, sandbox);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.stop();
  await installed.close();
  await sandbox.stop();
});

// A consent page forbids browsers to follow its answer beyond the registered address. Only a real browser shows whether that works.
test('in a real browser, the example connects an account, books, and shows what was delivered', async () => {
  const page = await (await openContext(browser)).newPage();
  await page.goto(`${app.own}/`);
  await page.getByRole('button', { name: 'Connect an account' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('The account is connected').waitFor();
  expect(page.url()).toContain(`${app.own}/connected`);

  // Its code has been used: the page still leads on.
  await page.reload();
  await page.getByRole('link', { name: 'Book something' }).click();
  await page.getByRole('link', { name: 'Coffee Chat' }).click();
  await page.getByLabel('Start').fill('2040-01-31T09:00');
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByRole('button', { name: 'Book' }).click();
  await until(async () => {
    await page.goto(`${app.own}/`);
    return (await page.locator('body').innerText()).includes('Booking created');
  });
});
