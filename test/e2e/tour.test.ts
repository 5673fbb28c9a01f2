import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { freePort } from '../../tools/process/freePort.ts';
import { launchChromium, openContext } from '../../tools/rigs/browser.ts';
import { root } from '../../tools/root.cjs';
import { until } from '../support/until.ts';
import { launch, type Started } from './npmStart.ts';

const SIZE = { width: 1100, height: 688 };
/** How long each picture of the README is shown. */
const SHOWN_S = 2.5;

let folder: string;
let running: Started;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tour-'));
  const ports = { sandbox: await freePort(), n8n: await freePort(), zapier: await freePort() };
  running = launch(['--data', folder, ...Object.entries(ports).flatMap(([name, port]) => [`--${name}-port`, String(port)])]);
  let isOver = false;
  void running.ended.then(() => (isOver = true));
  await until(() => isOver || running.output().includes('Deliveries:'));
  if (isOver) throw new Error(`It ended: ${running.output()}`);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  running.child.kill('SIGINT');
  await running.ended;
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

it('is followed by a person in a browser: booked as an invitee, received on the start page, opened in n8n with one click', async () => {
  const frames: Buffer[] = [];
  const look = async (page: Page): Promise<void> => void frames.push(await page.screenshot({ type: 'jpeg', quality: 70 }));
  const page = await (await openContext(browser, { viewport: SIZE, reducedMotion: 'reduce' })).newPage();
  await page.goto(/Start here +(\S+)/.exec(running.output())?.[1] ?? '');
  await look(page);

  await page.getByRole('link', { name: 'Book as an invitee' }).click();
  await page.getByRole('link', { name: 'Book Coffee Chat' }).click();
  await page.getByLabel('Name').fill('Katherine Johnson');
  await page.getByLabel('Email').fill('katherine@example.com');
  await look(page);
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await page.getByText('The booking was created.').waitFor();
  await look(page);

  await page.getByRole('link', { name: 'Start', exact: true }).click();
  const received = (by: string) => page.getByRole('row', { name: new RegExp(`Booking Created Katherine Johnson.* ${by} Received`) });
  for (const receiver of ['n8n', 'the Zap']) await received(receiver).waitFor();
  await received('n8n').scrollIntoViewIfNeeded();
  await look(page);

  await page.getByRole('link', { name: 'What the trigger has started' }).click();
  await page
    .getByText(/Succeeded/)
    .first()
    .waitFor();
  await page.locator('[data-test-id="canvas-node"]').first().waitFor();
  // n8n's own advice for a new workflow would cover it.
  await page.locator('[data-test-id="suggested-actions-close"]').click();
  await look(page);

  if (process.env['UPDATE_PICTURES'] === '1') await writeFile(join(root, 'docs', 'images', 'tour.svg'), slides(frames));
});

/** The pictures one after another, in a file that browsers show as an image. */
function slides(frames: readonly Buffer[]): string {
  const { width, height } = SIZE;
  const share = 100 / frames.length;
  const images = frames.map(
    (frame, index) =>
      `<image width="${width}" height="${height}" style="animation-delay:${index * SHOWN_S}s" href="data:image/jpeg;base64,${frame.toString('base64')}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">
<style>
image{opacity:0;animation:show ${frames.length * SHOWN_S}s step-end infinite}
image:first-of-type{opacity:1}
@keyframes show{0%{opacity:1}${share}%{opacity:0}}
</style>
${images.join('\n')}
</svg>
`;
}
