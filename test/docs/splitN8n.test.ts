import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtFolder } from '../../tools/build/products.ts';
import { mustRun } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';

const run = promisify(execFile);
jest.setTimeout(10 * 60_000);

let folder: string;
/** Run as a person runs it, because n8n's rules judge file names differently when they believe that they are being tested. */
const script = (name: string) => mustRun('npm', ['run', name], { cwd: folder, env: { NODE_ENV: '' } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'n8n-repository-'));
  // Of those who own the repository, and of an earlier split.
  await writeFile(join(folder, 'NOTES.txt'), '');
  await mkdir(join(folder, 'nodes'));
  await writeFile(join(folder, 'nodes', 'left-over.ts'), '');
  await mustRun('npm', ['run', 'split-n8n', '--', '--to', folder], { cwd: root });
  // The tools that its manifest pins are the ones of this project. The script that installs them has a test of its own below.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await script('build');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('builds what this project builds, but for the letters of short names, which follow how often a letter is in the sources', async () => {
  const here = await builtFolder('n8n');
  await run('diff', ['--recursive', '--exclude=index.js', join(here, 'dist'), join(folder, 'dist')]);
  const sizes = [here, folder].map(async (of) => (await readFile(join(of, 'dist', 'index.js'))).length);
  expect(new Set(await Promise.all(sizes)).size).toBe(1);
});

it.each(['types', 'lint', 'scan'])('%s finds nothing', async (name) => {
  expect(await script(name)).not.toMatch(/\d+ problems?/);
});

describe('installing its tools', () => {
  const install = async (npm: string) => {
    const bin = await mkdtemp(join(tmpdir(), 'npm-'));
    await writeFile(join(bin, 'npm'), `#!/bin/sh\ncp package.json '${bin}/seen.json'\n${npm}\n`, { mode: 0o755 });
    const before = await readFile(join(folder, 'package.json'), 'utf8');
    const failed = await run(process.execPath, ['scripts/install.mjs'], {
      cwd: folder,
      env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
    }).then(
      () => false,
      () => true,
    );
    const seen = JSON.parse(await readFile(join(bin, 'seen.json'), 'utf8')) as { overrides?: object };
    await rm(bin, { recursive: true });
    return { failed, seen, unchanged: (await readFile(join(folder, 'package.json'), 'utf8')) === before };
  };

  it.each([
    ['succeeds', 'exit 0', false],
    ['is stopped by Ctrl-C', 'kill -INT $PPID $$', true],
  ])('if npm %s, it saw the overrides, and the manifest is as it was', async (_, npm, failed) => {
    const result = await install(npm);
    expect(result).toMatchObject({ failed, unchanged: true });
    expect(result.seen.overrides).toHaveProperty('@n8n/ai-node-sdk');
  });

  it('an older Node is told what it needs, before npm starts', async () => {
    const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})`;
    await expect(run(process.execPath, ['--import', older, 'scripts/install.mjs'], { cwd: folder })).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'You need Node.js 24 or newer, and this is 20.20.2. Install one, then run the same command again.\n',
    });
  });
});

it('its manifest pins every tool, and a package that uses it brings nothing along', async () => {
  const { devDependencies, peerDependencies, dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string> | undefined
  >;
  expect(Object.values(devDependencies ?? {}).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  expect([peerDependencies, dependencies]).toEqual([{ 'n8n-workflow': '*' }, undefined]);
});

it('it replaces the files of an earlier split, and leaves those that others keep there', async () => {
  expect(await readdir(join(folder, 'nodes'))).not.toContain('left-over.ts');
  expect(await readdir(folder)).toContain('NOTES.txt');
});
