import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { mustRun } from '../../../tools/process/command.ts';

/** The part of the picture with the page. What is said has a bar of its own below, so that it covers nothing. */
export const SEEN = { width: 1280, height: 648 };
const BAR_HEIGHT = 72;
/** The sizes in a style are for a picture 288 high, whatever the video has. */
const STYLE = 'Fontname=Liberation Sans,Fontsize=11,MarginV=9,Outline=0,Shadow=0';
/** Every browser and every video editor opens it. */
const CODEC = ['-c:v', 'libx264', '-preset', 'slow', '-crf', '24', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];
/** Seconds after which a picture without a change is cut: nobody watches a machine think. */
const LONGEST_WAIT_S = 0.7;

/** A silent recording of what a person sees, with the pointer. Its pace is the same on a fast machine and on a slow one. */
export class Recording {
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
