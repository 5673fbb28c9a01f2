import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { EVENTS } from '../../sandbox/records.ts';
import { virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { root } from '../../scripts/root.cjs';
import { DESKTOP, launchChromium, PHONE, visit } from './chromium.ts';
import { caller, start, startReceiver, stopAll, typeNamed, type Receiver } from './support.ts';

jest.setTimeout(120_000);

const folder = join(root, 'docs', 'images');
/** Ids and ports are others each time; a page that looks otherwise is further away. */
const DISTANCE_MAX = 0.01;
const TAKE_IT = 'Take it anew, and look at it: UPDATE_PICTURES=1 npm test -- test/sandbox/hostPictures';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  await stopAll();
});

/** A week at a host's desk, always the same one. */
async function someDays(): Promise<Sandbox> {
  const sandbox = await start({ clock: virtualClock(Date.UTC(2027, 2, 1, 9)) });
  const [editor, crm] = [await startReceiver(), await startReceiver()];
  const subscribe = (receiver: Receiver, path: string, events: readonly string[]) => caller(sandbox)('POST', '/hooks', { url: receiver.url.replace('/hook', path), events });
  await subscribe(editor, '/webhook/5f3c9c1e/webhook', EVENTS);
  await subscribe(crm, '/bookings', ['BOOKING_CREATED', 'BOOKING_CANCELLED']);
  const step = async (work: () => void, minutes = 7): Promise<void> => {
    work();
    await sandbox.settled();
    await sandbox.clock.advance(minutes * 60_000);
    await sandbox.settled();
  };
  const lea = { invitee_name: 'Lea Brandt', invitee_email: 'lea.brandt@example.com' };
  await step(() => sandbox.host.book(lea));
  await step(() => sandbox.host.approve(sandbox.host.book({ event_type_id: typeNamed(sandbox, 'Design Review'), question_responses: { link: 'https://drafts.example' }, invitee_name: 'Omar Nasser', invitee_email: 'omar@example.com' }).id));
  crm.answers.push(503, 503, 503);
  await step(() => sandbox.host.cancel(sandbox.bookings().find(({ invitee_name }) => invitee_name === lea.invitee_name)?.id ?? '', { reason: 'Ill' }), 0.2);
  return sandbox;
}

/**
 * How far a picture of the documents is from the page as it is: 0 where they are alike, 1 where nothing is. Both are brought
 * down to a few points before they are compared, for no two machines draw letters alike.
 */
async function distance(name: string, page: Page): Promise<number> {
  const file = join(folder, `${name}.png`);
  if (!existsSync(file)) throw new Error(`docs/images/${name}.png is missing. ${TAKE_IT}`);
  const canvas = await (await browser.newContext()).newPage();
  const urls = [await page.screenshot(), readFileSync(file)].map((png) => `data:image/png;base64,${png.toString('base64')}`);
  return canvas.evaluate<number>(`(${COMPARE})(...${JSON.stringify(urls)})`);
}

/** Runs in the browser, which can read pictures: the mean difference of two, from 0 (alike) to 1; 1 where their sizes differ. */
const COMPARE = `async (...urls) => {
  const points = await Promise.all(urls.map(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const context = Object.assign(document.createElement('canvas'), { width: 64, height: 64 }).getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, 64, 64);
    return { size: image.width + 'x' + image.height, data: [...context.getImageData(0, 0, 64, 64).data] };
  }));
  const [one, other] = points;
  return one.size === other.size ? one.data.reduce((sum, value, at) => sum + Math.abs(value - other.data[at]), 0) / one.data.length / 255 : 1;
}`;

it.each([
  ['host-bookings', '/host', DESKTOP],
  ['host-deliveries', '/host/deliveries', DESKTOP],
  ['host-phone', '/host', PHONE],
])('the picture %s shows the page as it is, and is small', async (name, path, width) => {
  const page = await visit(browser, await someDays(), path, { width });
  const file = join(folder, `${name}.png`);
  if (process.env['UPDATE_PICTURES'] === '1') writeFileSync(file, await page.screenshot());
  if ((await distance(name, page)) > DISTANCE_MAX) throw new Error(`docs/images/${name}.png does not show the page as it is. ${TAKE_IT}`);
  expect(statSync(file).size).toBeLessThan(300_000);
});

it('a picture of another page, or of another width, is found out', async () => {
  const sandbox = await someDays();
  expect(await distance('host-bookings', await visit(browser, sandbox, '/host/contacts', { width: DESKTOP }))).toBeGreaterThan(DISTANCE_MAX);
  expect(await distance('host-bookings', await visit(browser, sandbox, '/host', { width: PHONE }))).toBeGreaterThan(DISTANCE_MAX);
});
