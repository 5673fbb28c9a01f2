import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzip } from './unzip.ts';

const run = promisify(execFile);

/** Milliseconds that a fresh process needs to load something, the best of many: whatever else the machine does only ever adds to it. */
export interface LoadTime {
  /** zapier-platform-core alone. */
  platformMs: number;
  /** The archive's wrapper: the platform, and the app with everything it brings along. */
  archiveMs: number;
  /** What the app adds, as a share of the platform alone. */
  share: number;
  rounds: number;
}

/**
 * Measures what the app in an archive adds to a cold start, over processes that take turns, `least` of each. On a busy machine both need more
 * turns to find a quiet moment: they are given until the share is at most `wanted`, up to `most` in all.
 *
 * @param zip the built archive
 */
export async function measureLoadTime(zip: string, { wanted = 0, least = 10, most = 40 } = {}): Promise<LoadTime> {
  const folder = await mkdtemp(join(tmpdir(), 'zapier-load-'));
  try {
    await unzip(zip, folder);
    let [platformMs, archiveMs, rounds] = [Infinity, Infinity, 0];
    const share = () => (archiveMs - platformMs) / platformMs;
    while (rounds < least || (share() > wanted && rounds < most)) {
      platformMs = Math.min(platformMs, await timeOf('zapier-platform-core', folder));
      archiveMs = Math.min(archiveMs, await timeOf('./zapierwrapper.js', folder));
      rounds += 1;
    }
    return { platformMs, archiveMs, share: share(), rounds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function timeOf(module: string, folder: string): Promise<number> {
  const program = `const start = performance.now(); await import('${module}'); console.log(performance.now() - start); process.exit();`;
  const { PATH = '' } = process.env;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder, env: { PATH } });
  return Number(stdout);
}
