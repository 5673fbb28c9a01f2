import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { brand } from '../../shared/brand.ts';
import { mustRun } from '../../tools/process/command.ts';
import { ourPackage, testOwner } from '../../tools/rigs/n8n/connected.ts';
import { N8nSession, redirectUri } from '../../tools/rigs/n8n/session.ts';
import { startN8n, type N8n } from '../../tools/rigs/n8n/instance.ts';
import { root } from '../../tools/root.cjs';
import { openEditor, type Editor } from './support/editor.ts';

/** The part of the picture with the page. What is said has a bar of its own below, so that it covers nothing. */
const SEEN = { width: 1280, height: 648 };
const BAR_HEIGHT = 72;
/** The sizes in a style are for a picture 288 high, whatever the video has. */
const STYLE = 'Fontname=Liberation Sans,Fontsize=11,MarginV=9,Outline=0,Shadow=0';
/** Every browser and every video editor opens it. */
const CODEC = ['-c:v', 'libx264', '-preset', 'slow', '-crf', '24', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];
/** Seconds after which a picture without a change is cut: nobody watches a machine think. */
const LONGEST_WAIT_S = 0.7;

/** A silent recording of what a person sees, with the pointer. Its pace is the same on a fast machine and on a slow one. */
class Recording {
  readonly #frames: { image: Buffer; atMs: number; staysS: number }[] = [];
  readonly #said: { line: string; from: number }[] = [];
  #seen: Page | undefined;

  /** Turns to a page: from now on, only it is recorded. */
  async see(page: Page): Promise<void> {
    await this.#seen?.screencast.stop().catch(() => 'The page has closed itself.');
    this.#seen = page;
    await page.bringToFront();
    await page.screencast.showActions({ duration: 700, style: { title: 'display: none' } });
    await page.screencast.start({
      onFrame: ({ data, timestamp }) => void this.#frames.push({ image: data, atMs: timestamp, staysS: 0 }),
      size: SEEN,
      quality: 95,
    });
  }

  /** Shows a line below the page from now on. */
  async say(line: string): Promise<void> {
    await this.stay(0);
    const last = this.#frames.at(-1);
    if (last !== undefined) this.#said.push({ line, from: this.#frames.push({ ...last, staysS: 0 }) - 1 });
  }

  /** Stays with what is seen now. */
  async stay(seconds: number): Promise<void> {
    await this.#seen?.waitForTimeout(500);
    const last = this.#frames.at(-1);
    if (last !== undefined) last.staysS += seconds;
  }

  /** Writes the video. */
  async keep(path: string): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'recording-'));
    const starts: number[] = [];
    const list = ['ffconcat version 1.0'];
    let now = 0;
    for (const [index, { image, atMs, staysS }] of this.#frames.entries()) {
      await writeFile(join(folder, `${index}.jpg`), image);
      const untilNext = Math.max(0, (this.#frames[index + 1]?.atMs ?? atMs) - atMs) / 1000;
      const lasts = staysS + Math.min(untilNext, LONGEST_WAIT_S);
      list.push(`file ${index}.jpg`, `duration ${lasts.toFixed(3)}`);
      starts.push(now);
      now += lasts;
    }
    // Only with something after it does the last one stay.
    list.push(`file ${starts.length - 1}.jpg`);
    const clock = (seconds = now): string => new Date(seconds * 1000).toISOString().slice(11, 23).replace('.', ',');
    const subtitles = this.#said.map(
      ({ line, from }, index) => `${index}\n${clock(starts[from])} --> ${clock(starts[this.#said[index + 1]?.from ?? -1])}\n${line}\n`,
    );
    await writeFile(join(folder, 'list'), list.join('\n'));
    await writeFile(join(folder, 'said.srt'), subtitles.join('\n'));
    const picture = `fps=12,pad=${SEEN.width}:${SEEN.height + BAR_HEIGHT}:0:0:0x1b2430,subtitles=said.srt:force_style='${STYLE}'`;
    await mustRun('ffmpeg', ['-y', '-f', 'concat', '-i', 'list', '-vf', picture, ...CODEC, path], { cwd: folder });
    await rm(folder, { recursive: true });
  }
}

const minutes = 60_000;
jest.setTimeout(25 * minutes);

/** What is spoken in the video, sentence by sentence, with the number of its step. */
const script = [...readFileSync(join(root, 'docs', 'provider', 'n8n.md'), 'utf8').matchAll(/^(\d)\. .*\*"(.+)"\*/gm)].flatMap(
  ([, step, spoken = '']) => (spoken.match(/[^.]+\./g) ?? []).map((sentence) => `${step}   ${sentence.trim()}`),
);

let sandbox: Sandbox;
let n8n: N8n;
let editor: Editor;

beforeAll(async () => {
  sandbox = await startSandbox({ limits: false });
  // Not yet installed, and on the clock of the account.
  n8n = await startN8n({ unpublished: await ourPackage(), extra: { GENERIC_TIMEZONE: sandbox.account.timezone } });
  await N8nSession.setUp(n8n.origin, testOwner);
  sandbox.allowRedirect(redirectUri(n8n.origin), 'n8n');
  editor = await openEditor(n8n.origin, testOwner);
});
afterAll(async () => {
  await editor?.close();
  await n8n?.stop();
  await sandbox?.stop();
});

it('the script of the video for n8n can be followed, from the installation on; UPDATE_SCREENS=1 records it', async () => {
  const { page, at, parameter, context } = editor;
  const recording = process.env['UPDATE_SCREENS'] === '1' ? new Recording() : undefined;
  const lines = script.values();
  const see = async (seen: Page): Promise<void> => {
    await seen.setViewportSize(SEEN);
    await recording?.see(seen);
  };
  const stay = async (seconds: number): Promise<void> => recording?.stay(seconds);
  const say = async (): Promise<void> => {
    const line = lines.next().value;
    if (line === undefined) throw new Error('The script has too few sentences.');
    await recording?.say(line);
    await stay(2);
  };
  const type = async (field: Locator, text: string): Promise<void> => {
    await field.click();
    await field.fill(recording === undefined ? text : '');
    if (recording !== undefined) await field.pressSequentially(text, { delay: 40 });
  };
  const add = async (what: string): Promise<void> => {
    await type(at('node-creator-search-bar'), brand.name);
    await page.getByText(brand.name, { exact: true }).last().click();
    await stay(1);
    await page.getByText(what, { exact: true }).click();
  };
  const addAfter = async (what: string): Promise<void> => {
    await at('canvas-handle-plus').last().click();
    await add(what);
  };
  const choose = async (name: string, search: string, text: string): Promise<void> => {
    await at(`resource-locator-${name}`).locator('[data-test-id=rlc-input-container] input').first().click();
    await type(at('rlc-search').locator('input').or(page.getByPlaceholder('Search...')).first(), search);
    await page.getByText(text).last().click();
  };
  /** When the invitee has booked, or weeks later, on the host's clock. */
  const start = (weeksLater: number): string => {
    const booked = sandbox.bookings().find(({ invitee_name: name }) => name === 'Katherine Johnson')?.start_time ?? '';
    const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: sandbox.account.timezone });
    return clock.format(Date.parse(booked) + weeksLater * 7 * 24 * 60 * minutes);
  };
  const run = () => at('node-execute-button').first().click();
  const shown = (text: string) => page.getByText(text).first().waitFor();
  const leave = async (): Promise<void> => {
    await at('ndv-close-button').click();
    await at('ndv').waitFor({ state: 'hidden' });
    await stay(1);
  };

  await editor.go('/settings/community-nodes');
  // n8n's own messages and tips would cover what is shown.
  await page.addStyleTag({ content: '.el-notification { display: none !important }' });
  await page.evaluate("localStorage.setItem('N8N_PIN_DATA_DISCOVERY_NDV', 'true')");
  await shown('Install a community node');
  await see(page);
  await say();
  await page.getByText('Install a community node').click();
  await type(at('package-name-input'), `n8n-nodes-${brand.slug}`);
  await at('user-agreement-checkbox').click();
  await at('install-community-package-button').click();
  await at('package-name-input').waitFor({ state: 'hidden' });
  await at('community-package-card').waitFor();
  await stay(2.5);

  await editor.go('/workflow/new');
  await at('canvas-add-button').waitFor();
  await say();
  await at('canvas-add-button').click();
  await add('On booking created');
  const connect = page.getByText(`Connect to ${brand.name}`, { exact: true }).last();
  await connect.waitFor();
  await say();
  await connect.click();
  await type(parameter('clientId'), sandbox.client.id);
  await type(parameter('clientSecret'), sandbox.client.secret);
  await type(parameter('baseUrl'), sandbox.baseUrl);
  const opened = context.waitForEvent('page');
  await page.locator('[data-test-id=quick-connect-button]:visible').click();
  const consent = await opened;
  await consent.waitForURL(/oauth\/authorize/);
  await see(consent);
  await stay(3);
  await consent.getByRole('button', { name: 'Allow' }).click();
  await see(page);
  await at('credential-edit-button').click();
  const credential = at('editCredential-modal');
  await credential.getByText('Account connected').waitFor();
  await say();
  await credential.locator('.el-dialog__headerbtn').click();
  await credential.waitFor({ state: 'hidden' });
  // n8n has looked for event types before the account was connected. It looks again when the panel is opened.
  await leave();
  await at('canvas-node').dblclick();
  await page.getByText('Intro Call (30 min)').first().waitFor({ state: 'attached' });

  await run();
  await shown('Listening for test event');
  await stay(0);
  await say();
  const host = await context.newPage();
  await host.goto(`${sandbox.origin}/host/types`);
  await see(host);
  await say();
  await host.getByRole('link', { name: 'Book Coffee Chat' }).click();
  await type(host.getByLabel('Name'), 'Katherine Johnson');
  await type(host.getByLabel('Email'), 'katherine@example.com');
  const book = host.getByRole('button', { name: 'Book', exact: true });
  await book.scrollIntoViewIfNeeded();
  await stay(1);
  await book.click();
  await host.getByText('The booking was created.').waitFor();
  await stay(2);
  await see(page);
  await host.close();
  await at('radio-button-json').last().click();
  await shown('Katherine Johnson');
  await say();
  await stay(1);
  await leave();

  await say();
  await addAfter('Create booking');
  await choose('eventTypeId', 'support', 'Support Session (30 min)');
  await type(parameter('startTime'), start(0));
  await page.keyboard.press('Enter');
  await type(parameter('inviteeName'), 'Ada Lovelace');
  await type(parameter('inviteeEmail'), 'ada@example.com');
  await at('parameter-input-urgent').first().scrollIntoViewIfNeeded();
  await say();
  await type(parameter('phone').first(), '+44 20 7946 0123');
  await run();
  await shown('That time is not free for this event type');
  await say();
  await stay(1);
  await type(parameter('startTime'), start(8));
  await page.keyboard.press('Enter');
  await run();
  await at('output-panel').getByText('CONFIRMED').waitFor();
  await say();
  await stay(1);
  await leave();

  await say();
  await addAfter('Cancel booking permanently');
  await choose('bookingId', 'ada', ', Ada Lovelace, ');
  await run();
  await shown('CANCELLED');
  await stay(2.5);
  await leave();
  await stay(1.5);

  await editor.go('/workflow/new');
  await at('canvas-add-button').waitFor();
  await say();
  await at('canvas-add-button').click();
  await type(at('node-creator-search-bar'), 'AI Agent');
  await page.getByText('AI Agent', { exact: true }).first().click();
  await leave();
  await at('canvas-handle-plus').last().click();
  await type(at('node-creator-search-bar'), brand.name);
  await page.getByText(`${brand.name} Tool`, { exact: true }).last().click();
  await at('from-ai-override-button').first().waitFor();
  await say();
  for (let field = 0; field < 3; field++) await at('from-ai-override-button').first().click();
  await stay(1.5);
  await leave();
  await stay(3);
  expect([...lines]).toEqual([]);
  await recording?.keep(join(root, 'docs', 'images', 'n8n.mp4'));
});
