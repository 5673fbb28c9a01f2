import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/v4';
import { unzip } from './unzip.ts';

const run = promisify(execFile);

const platform = 'zapier-platform-core';
/** Imports the platform, and the app with everything that it contains. */
const wrapper = './zapierwrapper.js';

/**
 * How many milliseconds a new process needs to load something. The best of many rounds, because other work on the machine can only add
 * time.
 */
export interface LoadTime {
  /** zapier-platform-core alone. */
  platformMs: number;
  /** The whole archive, platform included. */
  archiveMs: number;
}

/**
 * Measures a cold start of the archive and of the platform alone, in alternating processes.
 *
 * @param zip the built archive
 */
export async function measureLoadTime(zip: string, rounds: number): Promise<LoadTime> {
  return unzipped(zip, async (folder) => {
    let [platformMs, archiveMs] = [Infinity, Infinity];
    for (let round = 0; round < rounds; round += 1) {
      platformMs = Math.min(platformMs, await timeOf(platform, folder));
      archiveMs = Math.min(archiveMs, await timeOf(wrapper, folder));
    }
    return { platformMs, archiveMs };
  });
}

const Loaded = z.record(z.string(), z.number());

/**
 * The files that Node reads when the archive starts.
 *
 * @param zip the built archive
 * @returns sizes in bytes, by the file's path in the archive: for the platform alone, and for what the app adds
 */
export async function loadedFiles(zip: string): Promise<{ platform: Record<string, number>; app: Record<string, number> }> {
  return unzipped(zip, async (folder) => {
    const [alone, all] = [await filesOf(platform, folder), await filesOf(wrapper, folder)];
    return { platform: alone, app: Object.fromEntries(Object.entries(all).filter(([file]) => !(file in alone))) };
  });
}

async function timeOf(module: string, folder: string): Promise<number> {
  return Number(
    await evaluate(
      `const start = performance.now(); await import('${module}'); console.log(performance.now() - start); process.exit();`,
      folder,
    ),
  );
}

async function filesOf(module: string, folder: string): Promise<Record<string, number>> {
  const program = `
    import { statSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    import { relative } from 'node:path';
    import { fileURLToPath } from 'node:url';
    const files = {};
    registerHooks({ load: (url, context, next) => {
      if (url.startsWith('file:')) files[relative(process.cwd(), fileURLToPath(url))] = statSync(new URL(url)).size;
      return next(url, context);
    } });
    await import('${module}');
    console.log(JSON.stringify(files));
    process.exit();`;
  return Loaded.parse(JSON.parse(await evaluate(program, folder)));
}

async function evaluate(program: string, folder: string): Promise<string> {
  const { PATH = '' } = process.env;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder, env: { PATH } });
  return stdout;
}

async function unzipped<T>(zip: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'zapier-load-'));
  try {
    await unzip(zip, folder);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
