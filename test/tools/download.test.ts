import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { root } from '../../tools/root.cjs';

const program = join(root, 'tools', 'rigs', 'n8n', 'download.mjs');
let folder: string;
let cache: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'download-'));
  cache = join(folder, 'cache');
  await mkdir(cache);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Begins a download with an npm that does as it is told. */
async function begin(npm: string): Promise<ReturnType<typeof spawn>> {
  const cli = join(folder, 'npm-cli.js');
  await writeFile(cli, npm);
  return spawn(process.execPath, [program], { env: { ...process.env, SCHEDULING_CONNECTOR_CACHE: cache, npm_execpath: cli } });
}

const ended = async (child: ReturnType<typeof spawn>): Promise<number> => ((await once(child, 'exit')) as [number])[0];
const downloaded = async (): Promise<string[]> => (await readdir(cache)).filter((name) => name.endsWith('.downloaded'));

const works = `
const fs = require('node:fs');
fs.appendFileSync(${JSON.stringify('CALLS')}, process.argv.slice(2).join(' ') + '\\n');
setTimeout(() => fs.mkdirSync('node_modules/n8n', { recursive: true }), 300);
`;

it('several that begin at once download once, without the scripts of packages, and leave one folder', async () => {
  const calls = join(folder, 'calls');
  const npm = works.replace('"CALLS"', JSON.stringify(calls));
  const children = [await begin(npm), await begin(npm), await begin(npm)];
  expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0]);
  const [name, ...others] = await downloaded();
  expect(others).toEqual([]);
  expect(await readdir(join(cache, name ?? ''))).toEqual(expect.arrayContaining(['node_modules', 'package-lock.json', 'package.json']));
  expect((await readFile(calls, 'utf8')).trim().split('\n')).toEqual([expect.stringMatching(/^install --ignore-scripts/)]);
  expect((await readdir(cache)).length).toBe(1);
});

it('one that fails, or is killed in the middle, is never taken for a download, and the next one begins anew', async () => {
  expect(await ended(await begin('console.error("npm error code E404"); process.exit(1);'))).not.toBe(0);
  expect(await downloaded()).toEqual([]);

  const halted = await begin("require('node:fs').writeFileSync('half', ''); setInterval(() => {}, 1000);");
  for (;;) {
    const partial = (await readdir(cache)).find((name) => name.endsWith(`.partial-${halted.pid}`));
    if (partial !== undefined && (await readdir(join(cache, partial))).includes('half')) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  halted.kill('SIGKILL');
  await once(halted, 'exit');
  expect(await downloaded()).toEqual([]);

  expect(await ended(await begin(works.replace('"CALLS"', JSON.stringify(join(folder, 'calls')))))).toBe(0);
  const [name] = await downloaded();
  expect(await readdir(join(cache, name ?? ''))).not.toContain('half');
  expect((await readdir(cache)).length).toBe(1);
});
