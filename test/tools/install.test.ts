import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, n8nVersion } from '../../tools/rigs/n8n/download.mjs';
import { installN8n } from '../../tools/rigs/n8n/install.ts';
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

/** Begins a download with an npm that does what it is told. */
async function begin(npm: string): Promise<ReturnType<typeof spawn>> {
  const cli = join(folder, 'npm-cli.js');
  await writeFile(cli, npm);
  return spawn(process.execPath, [program], { env: { ...process.env, SCHEDULING_CONNECTOR_CACHE: cache, npm_execpath: cli } });
}

const ended = async (child: ReturnType<typeof spawn>): Promise<number> => ((await once(child, 'exit')) as [number])[0];
const downloaded = async (): Promise<string[]> => (await readdir(cache)).filter((name) => name.endsWith('.downloaded'));

/** An npm that installs n8n as told, and a Bun if there is one for this system: a program that does what `bun` says. */
const works = (bun?: string): string => `
const fs = require('node:fs');
fs.appendFileSync(${JSON.stringify(join(folder, 'calls'))}, 'npm ' + process.argv.slice(2).join(' ') + '\\n');
const bun = ${JSON.stringify(bun ?? null)};
if (process.argv[2] === 'install') setTimeout(() => fs.mkdirSync('node_modules/n8n/by-npm', { recursive: true }), 300);
else if (bun !== null) {
  fs.mkdirSync('node_modules/@oven/bun/bin', { recursive: true });
  fs.writeFileSync('node_modules/@oven/bun/bin/bun', '#!/bin/sh\\necho bun "$@" >> ${join(folder, 'calls')}\\n' + bun, { mode: 0o755 });
}
`;

const calls = async (): Promise<string[]> => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');

it('several that begin at once download once, without the packages’ scripts, and leave one folder', async () => {
  const npm = works('sleep 0.3; mkdir -p node_modules/n8n/by-bun');
  const children = [await begin(npm), await begin(npm), await begin(npm)];
  expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0]);
  const [name, ...others] = await downloaded();
  expect(others).toEqual([]);
  expect(await readdir(join(cache, name ?? ''))).toEqual(expect.arrayContaining(['node_modules', 'package-lock.json', 'package.json']));
  expect(await readdir(join(cache, name ?? '', 'node_modules', 'n8n'))).toEqual(['by-bun']);
  expect(await calls()).toEqual([
    expect.stringMatching(/^npm ci --ignore-scripts/),
    expect.stringMatching(/^bun .*install .*--frozen-lockfile .*--ignore-scripts/),
  ]);
  expect((await readdir(cache)).length).toBe(1);
});

it.each([
  ['there is no Bun for this system', undefined],
  ['Bun reaches no registry', 'mkdir -p node_modules/half; echo "error: ConnectionRefused"; exit 1'],
])('npm downloads if %s', async (_, bun) => {
  expect(await ended(await begin(works(bun)))).toBe(0);
  const [name] = await downloaded();
  expect(await readdir(join(cache, name ?? '', 'node_modules'))).toEqual(['n8n']);
  expect(await readdir(join(cache, name ?? '', 'node_modules', 'n8n'))).toEqual(['by-npm']);
  expect((await calls()).at(-1)).toMatch(/^npm install --ignore-scripts/);
  expect((await readdir(cache)).length).toBe(1);
});

it('one that fails, or is killed in the middle, is never used as a download, and the next one starts again', async () => {
  expect(await ended(await begin('console.error("npm error code E404"); process.exit(1);'))).not.toBe(0);
  expect(await downloaded()).toEqual([]);

  const halted = await begin(works('touch half; sleep 60'));
  for (;;) {
    const partial = (await readdir(cache)).find((name) => name.endsWith(`.partial-${halted.pid}`));
    if (partial !== undefined && (await readdir(join(cache, partial))).includes('half')) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  halted.kill('SIGKILL');
  await once(halted, 'exit');
  expect(await downloaded()).toEqual([]);

  expect(await ended(await begin(works('mkdir node_modules')))).toBe(0);
  const [name] = await downloaded();
  expect(await readdir(join(cache, name ?? ''))).not.toContain('half');
  expect((await readdir(cache)).length).toBe(1);
  // A lock whose process is gone is taken over at once, and not after a minute of silence.
}, 50_000);

it('npm’s own node-gyp compiles, not the one among n8n’s packages, which fails with Python 3.12', async () => {
  const before = process.env['SCHEDULING_CONNECTOR_CACHE'];
  process.env['SCHEDULING_CONNECTOR_CACHE'] = cache;
  try {
    const modules = join(cacheFolder(), `n8n-${n8nVersion}.downloaded`, 'node_modules');
    await mkdir(join(modules, '.bin'), { recursive: true });
    await writeFile(join(modules, '.bin', 'node-gyp'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    await writeFile(join(modules, '.bin', 'node-gyp-build'), '#!/bin/sh\necho prebuilt\n', { mode: 0o755 });
    for (const [name, install] of [
      ['sqlite3', 'node-gyp --version > built'],
      ['isolated-vm', 'node-gyp-build > built'],
    ] as const) {
      await mkdir(join(modules, name));
      await writeFile(join(modules, name, 'package.json'), JSON.stringify({ name, version: '1.0.0', scripts: { install } }));
    }
    await writeFile(join(modules, '..', 'package.json'), '{"dependencies":{"sqlite3":"*","isolated-vm":"*"}}');
    const { folder: installed } = await installN8n();
    const built = (name: string): Promise<string> => readFile(join(installed, 'node_modules', name, 'built'), 'utf8');
    expect(await built('sqlite3')).toMatch(/^v\d+/);
    expect(await built('isolated-vm')).toBe('prebuilt\n');
  } finally {
    if (before === undefined) delete process.env['SCHEDULING_CONNECTOR_CACHE'];
    else process.env['SCHEDULING_CONNECTOR_CACHE'] = before;
  }
});
