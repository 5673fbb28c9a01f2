import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { mustRun } from '../../../tools/process/command.ts';
import type { Owner } from '../../../tools/rigs/n8n/session.ts';
import { root } from '../../../tools/root.cjs';
import { launchChromium, openContext } from '../../../tools/rigs/browser.ts';
import { until } from '../../support/until.ts';

/** Whether the pictures and the recording in `docs/images` are made anew. */
export const updatesPictures = process.env['UPDATE_SCREENS'] === '1';

/** The editor's own Vue application, in its page. */
const app = `document.querySelector('#app').__vue_app__.config.globalProperties`;

/** A person using n8n's editor. */
export type Editor = Awaited<ReturnType<typeof openEditor>>;

export async function openEditor(origin: string, owner: Owner) {
  const browser = await launchChromium();
  const context = await openContext(browser, { viewport: { width: 1280, height: 850 }, reducedMotion: 'reduce' });
  // The page for signing in would be the whole editor, loaded once more.
  const { email: emailOrLdapLoginId, password } = owner;
  await context.request.post(`${origin}/rest/login`, { data: { emailOrLdapLoginId, password }, failOnStatusCode: true });
  const page = await context.newPage();

  const asked = new Set<Request>();
  page.on('request', (request) => {
    if (request.url().startsWith(`${origin}/rest/`) && request.resourceType() !== 'eventsource') asked.add(request);
  });
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
  const drawn = () => page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');

  /** The element with one of the editor's own test ids. */
  const at = (testId: string) => page.locator(`[data-test-id="${testId}"]`);
  /** Waits until the editor has drawn everything, and n8n has answered all requests for it. */
  const answered = async (): Promise<void> => {
    // The answers may add fields that send requests themselves.
    do {
      await until(() => asked.size === 0);
      await drawn();
    } while (asked.size > 0);
  };
  const inFront = at('ndv').or(at('editCredential-modal'));
  /** Opens one of the editor's addresses like a link in it: the editor itself, which takes seconds of processor time, is loaded only once. */
  const go = async (path: string): Promise<void> => {
    if (!page.url().startsWith(origin)) return void (await page.goto(`${origin}${path}`));
    // A panel would stay in front of the next page.
    await until(async () => (await inFront.count()) === 0 || (await page.keyboard.press('Escape')));
    // The editor saves changes by itself, a little later. It would ask about those that it has not saved, and return to what it is saving.
    await until(() => page.evaluate<boolean>(`!${app}.$pinia._s.get('ui').stateIsDirty`));
    await answered();
    await page.evaluate(`${app}.$router.push('${path}').then(() => undefined)`);
  };
  return {
    page,
    context,
    at,
    /** The input of a parameter. */
    parameter: (name: string) => at(`parameter-input-${name}`).locator('input'),
    answered,
    go,
    /** Opens a workflow like a link in the editor. */
    async openWorkflow(id: string) {
      const before = await page.$('[data-test-id="canvas-node"]');
      await go(`/workflow/${id}`);
      // From now on, what is on the canvas belongs to this workflow, and not to a node of the same name in the last one.
      await before?.waitForElementState('hidden');
    },
    /** Opens a new workflow and, in its node creator, the node that is found under a name. */
    async searchNodes(text: string) {
      await go('/workflow/new');
      await at('canvas-add-button').click();
      await at('node-creator-search-bar').fill(text);
    },
    /** Waits until the page is drawn, and keeps a picture of it in `docs/images` if UPDATE_SCREENS=1. */
    async picture(name: string, of = page) {
      if (of === page) await answered();
      if (updatesPictures) await of.screenshot({ path: join(root, 'docs', 'images', `${name}.png`), animations: 'disabled' });
    },
    close: () => browser.close(),
  };
}

/** The part of the picture with the page. What is said has a bar of its own below, so that it covers nothing. */
const SEEN = { width: 1280, height: 648 };
const BAR_HEIGHT = 72;
/** The sizes in a style are for a picture 288 high, whatever the video has. */
const STYLE = 'Fontname=Liberation Sans,Fontsize=11,MarginV=9,Outline=0,Shadow=0';
/** Every browser and every video editor opens it. */
const CODEC = ['-c:v', 'libx264', '-preset', 'slow', '-crf', '24', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];
/** Seconds after which a picture without a change is cut: nobody watches a machine think. */
const LONGEST_WAIT_S = 0.7;

/**
 * A silent recording of what a person sees, with the pointer, if UPDATE_SCREENS=1. Its pace is the same on a fast machine and on a slow one.
 */
export class Recording {
  readonly #frames: { image: Buffer; atMs: number; staysS: number }[] = [];
  readonly #said: { line: string; from: number }[] = [];
  #seen: Page | undefined;

  /** Turns to a page: from now on, only it is recorded. */
  async see(page: Page): Promise<void> {
    await page.setViewportSize(SEEN);
    if (!updatesPictures) return;
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
    if (!updatesPictures) return;
    await this.stay(0);
    const last = this.#frames.at(-1);
    if (last !== undefined) this.#said.push({ line, from: this.#frames.push({ ...last, staysS: 0 }) - 1 });
    await this.stay(2);
  }

  /** Stays with what is seen now. */
  async stay(seconds: number): Promise<void> {
    if (!updatesPictures) return;
    await this.#seen?.waitForTimeout(500);
    const last = this.#frames.at(-1);
    if (last !== undefined) last.staysS += seconds;
  }

  /** Writes the video. */
  async keep(path: string): Promise<void> {
    if (!updatesPictures) return;
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
