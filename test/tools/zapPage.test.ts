import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { Browser } from 'playwright-core';
import { chromiumPath, launchChromium } from '../../tools/rigs/browser.ts';
import { Backend } from '../../tools/rigs/zapier/backend.ts';
import type { Outcome } from '../../tools/rigs/zapier/zap.ts';
import { zapPage } from '../../tools/start/zapPage.ts';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const outcome = (items: Record<string, unknown>[]): Outcome => ({
  request: {} as Outcome['request'],
  items,
  error: undefined,
  arrivedAt: Date.now(),
  doneAt: 0,
});
const booking = {
  event: 'BOOKING_CREATED',
  invitee_name: '<b>Ada</b> & "Co"',
  event_type_name: 'Intro Call',
  start_time: '2030-03-05T09:00:00Z',
};

let backend: Backend;
let outcomes: Outcome[];
beforeEach(async () => {
  outcomes = [];
  backend = await Backend.start();
  backend.page = () => zapPage({ trigger: 'booking_created', outcomes }, 'http://127.0.0.1:4010');
});
afterEach(() => backend.stop());

/** The status under the name by which the browser was sent here. */
const statusUnder = (host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(backend.origin, { headers: { host } }, (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end();
  });

test('the page of the Zap says what to do while nothing has come, and then what came, the newest first, and what was dropped', async () => {
  const shown = async () => (await fetch(backend.origin)).text();
  expect(await shown()).toContain('Nothing has come yet.');
  outcomes.push(outcome([booking]), outcome([]));
  const page = await shown();
  expect(page.indexOf('Dropped')).toBeLessThan(page.indexOf('Booking Created</td>'));
  expect(page).toContain('&#60;b&#62;Ada&#60;/b&#62; &#38; &#34;Co&#34;, Intro Call, ');
  expect(page).not.toContain('<b>');
});

test('it answers by names of this machine alone: a page from elsewhere cannot read it', async () => {
  const { port } = new URL(backend.origin);
  expect(await statusUnder(`localhost:${port}`)).toBe(200);
  expect(await statusUnder(`evil.example:${port}`)).toBe(403);
  expect((await fetch(backend.origin)).headers.get('access-control-allow-origin')).toBeNull();
});

(chromiumPath() === undefined ? describe.skip : describe)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await launchChromium()), 60_000);
  afterAll(() => browser.close());

  test('it shows by itself what comes, axe finds nothing, and it fits a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 812 } });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(backend.origin);
    outcomes.push(outcome([booking]), outcome([]));
    await page.getByRole('cell', { name: /Ada/ }).waitFor();
    // By the protocol, which no policy of a page forbids.
    await page.evaluate(axe);
    const violations = await page.evaluate<{ id: string }[]>('axe.run().then(({ violations }) => violations.map(({ id }) => ({ id })))');
    expect(violations).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(complaints).toEqual([]);
  }, 60_000);
});
