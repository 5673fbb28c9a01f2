import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { brand } from '../../shared/brand.ts';
import { EVENTS } from '../../sandbox/records.ts';
import { virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { root } from '../../tools/root.cjs';
import { launchChromium, openContext } from '../../tools/rigs/browser.ts';
import { caller, inHtml, send, start, startReceiver, stopAll, typeNamed } from './support.ts';

afterEach(stopAll);

const PICTURES = [
  { name: 'host-bookings', path: '/host', width: 1280, height: 900 },
  { name: 'host-deliveries', path: '/host/deliveries', width: 1280, height: 900 },
  { name: 'host-phone', path: '/host', width: 375, height: 812 },
];
const folder = join(root, 'docs', 'images');
/** A hash of what the pictures show. Machines draw pages differently because of their fonts. */
const taken = join(folder, 'host-pictures.sha256');

/** A week of a host, always the same one. */
async function someDays(): Promise<Sandbox> {
  const sandbox = await start({ clock: virtualClock(Date.UTC(2027, 2, 1, 9)) });
  const [editor, crm] = [await startReceiver(), await startReceiver()];
  const subscribe = (url: string, events: readonly string[]) => caller(sandbox)('POST', '/hooks', { url, events });
  await subscribe(editor.url.replace('/hook', '/webhook/5f3c9c1e/webhook'), EVENTS);
  await subscribe(crm.url.replace('/hook', '/bookings'), ['BOOKING_CREATED', 'BOOKING_CANCELLED']);
  const design = { event_type_id: typeNamed(sandbox, 'Design Review'), question_responses: { link: 'https://drafts.example' } };
  const lea = sandbox.host.book({ invitee_name: 'Lea Brandt', invitee_email: 'lea.brandt@example.com' });
  await sandbox.forward(420_000);
  sandbox.host.approve(sandbox.host.book({ ...design, invitee_name: 'Omar Nasser', invitee_email: 'omar@example.com' }).id);
  await sandbox.forward(420_000);
  crm.answers.push(503, 503, 503);
  sandbox.host.cancel(lea.id, { reason: 'Ill' });
  await sandbox.forward(12_000);
  return sandbox;
}

it('the pictures of the host page in the guides show it as it is', async () => {
  const sandbox = await someDays();
  if (process.env['UPDATE_PICTURES'] === '1') {
    const browser = await launchChromium();
    for (const { name, path, width, height } of PICTURES) {
      const page = await (await openContext(browser, { viewport: { width, height } })).newPage();
      await page.goto(`${sandbox.origin}${path}`);
      writeFileSync(join(folder, `${name}.png`), await page.screenshot());
    }
    await browser.close();
  }
  // Without what differs each time (ids and ports), and without the brand, which belongs to the maker.
  const pages = [...PICTURES.map(({ path }) => path), '/host/assets/style.css'].map((path) => send(`${sandbox.origin}${path}`));
  const shown = (await Promise.all(pages))
    .map(({ text }) => text.replaceAll(inHtml(brand.name), '').replaceAll(/127\.0\.0\.1:\d+|\b[a-z]{3}_[0-9a-z]{16}\b/g, ''))
    .join('');
  const now = `${createHash('sha256').update(shown).digest('hex')}\n`;
  if (process.env['UPDATE_PICTURES'] === '1') writeFileSync(taken, now);
  if (readFileSync(taken, 'utf8') !== now)
    throw new Error('They are stale. Take them again, and look at them: UPDATE_PICTURES=1 npm test -- test/sandbox/hostPictures');
  expect(PICTURES.map(({ name }) => readFileSync(join(folder, `${name}.png`)).length < 300_000)).toEqual([true, true, true]);
});
