import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import * as z from 'zod/v4';
import { brand } from '../../shared/brand.ts';
import { EVENTS } from '../../sandbox/records.ts';
import { virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { root } from '../../tools/root.cjs';
import { launchChromium, openContext } from '../../tools/rigs/browser.ts';
import { caller, inHtml, type Receiver, send, start, startReceiver, stopAll, typeNamed } from './support.ts';

const folder = join(root, 'docs', 'images');
/** For each picture: what it shows, and in which file it is. */
const list = join(folder, 'host-pictures.json');

afterEach(stopAll);

/** A week of a host, always the same one. */
async function someDays(): Promise<Sandbox> {
  const sandbox = await start({ clock: virtualClock(Date.UTC(2027, 2, 1, 9)) });
  const [editor, crm] = [await startReceiver(), await startReceiver()];
  const subscribe = (receiver: Receiver, path: string, events: readonly string[]) =>
    caller(sandbox)('POST', '/hooks', { url: receiver.url.replace('/hook', path), events });
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
  const design = { event_type_id: typeNamed(sandbox, 'Design Review'), question_responses: { link: 'https://drafts.example' } };
  const omar = sandbox.host.book({ ...design, invitee_name: 'Omar Nasser', invitee_email: 'omar@example.com' });
  await step(() => sandbox.host.approve(omar.id));
  crm.answers.push(503, 503, 503);
  await step(
    () =>
      sandbox.host.cancel(sandbox.bookings().find(({ invitee_name }) => invitee_name === lea.invitee_name)?.id ?? '', { reason: 'Ill' }),
    0.2,
  );
  return sandbox;
}

/** What a picture shows, without what differs each time (ids, ports and the token) and without the brand, which belongs to the maker. */
async function fingerprint(sandbox: Sandbox, path: string): Promise<string> {
  const { text } = await send(`${sandbox.origin}${path}`);
  const name = inHtml(brand.name);
  const shown = text
    .replace(`- ${name} sandbox`, '- brand sandbox')
    .replace(`<span>${name} <small>`, '<span>brand <small>')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'address')
    .replaceAll(/\b[a-z]{3}_[0-9a-z]{16}\b/g, 'id')
    .replaceAll(/name="token" value="[^"]*"/g, 'token');
  const { text: style } = await send(`${sandbox.origin}/host/assets/style.css`);
  return digest(shown + style);
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

const PICTURES: [name: string, path: string, width: number, height: number][] = [
  ['host-bookings', '/host', 1280, 900],
  ['host-deliveries', '/host/deliveries', 1280, 900],
  ['host-phone', '/host', 375, 812],
];

/**
 * Machines draw pages differently because of their fonts. So the test compares what was drawn, and that the file is the picture that was
 * taken of it.
 */
it.each(PICTURES)('the picture %s shows the current page, and is small', async (name, path, width, height) => {
  const sandbox = await someDays();
  const file = join(folder, `${name}.png`);
  const taken = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(list, 'utf8')));
  const of = await fingerprint(sandbox, path);
  if (process.env['UPDATE_PICTURES'] === '1') {
    const browser = await launchChromium();
    const page = await (await openContext(browser, { viewport: { width, height } })).newPage();
    await page.goto(`${sandbox.origin}${path}`);
    writeFileSync(file, await page.screenshot());
    await browser.close();
    taken[name] = `${of} ${digest(readFileSync(file))}`;
    writeFileSync(list, `${JSON.stringify(taken, null, 2)}\n`);
  }
  const is = `${of} ${digest(readFileSync(file))}`;
  if (taken[name] !== is)
    throw new Error(
      `docs/images/${name}.png does not show the page as it is. Take it anew, and look at it: UPDATE_PICTURES=1 npm test -- test/sandbox/hostPictures`,
    );
  expect(statSync(file).size).toBeLessThan(300_000);
});
