import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { mustRun, runCommand } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';
import { Application } from './application.ts';

let sandbox: Sandbox;
let folder: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  folder = await mkdtemp(join(tmpdir(), 'my-site-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await sandbox.stop();
});

/** The commands of the guide between copying the example and opening its first page. */
const steps = async (): Promise<string[]> => {
  const guide = await readFile(join(root, 'docs', 'guides', 'example.md'), 'utf8');
  return [...guide.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'));
};

it('copied out and installed as its guide says, it starts', async () => {
  expect(await steps()).toEqual(expect.arrayContaining(['npm run example -- --to ../my-site', 'npm install', 'npm start']));
  await mustRun('npm', ['run', 'example', '--', '--to', folder], { cwd: root });
  await mustRun('npm', ['install'], { cwd: folder });
  expect(await readdir(join(folder, 'node_modules'))).toEqual(expect.arrayContaining(['hono', 'zod']));
  const app = await Application.start({ folder }, sandbox);
  try {
    expect(await (await fetch(app.own)).text()).toContain('Connect an account');
  } finally {
    await app.stop();
  }
});

it('names the Node.js that it needs, instead of an error about a file extension', async () => {
  const manifest = JSON.parse(await readFile(join(root, 'examples', 'custom-app', 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(manifest.scripts['prestart']).toBe('node checkNode.mjs');
  const older = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.1.0'}})";
  const { code, output } = await runCommand(process.execPath, ['--import', older, 'checkNode.mjs'], {
    cwd: join(root, 'examples', 'custom-app'),
  });
  expect([code, output]).toEqual([1, expect.stringContaining('needs Node.js 24 or newer')]);
});
