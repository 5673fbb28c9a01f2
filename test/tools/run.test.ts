import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../tools/process/lock.mjs';
import { nodeOf, oldest } from '../../tools/rigs/node.ts';
import { root } from '../../tools/root.cjs';
import { Reader } from '../support/reader.ts';
import { until } from '../support/until.ts';

const run = join(root, 'tools', 'run.mjs');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run script '));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function script(name: string, source: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, source);
  return path;
}

/** A project as it is after cloning. Its only package brings Node.js along, like npm's own package for it. */
async function freshClone(to: string): Promise<string> {
  await cp(join(root, 'tools'), join(to, 'tools'), { recursive: true });
  const name = `node-${process.platform}-${process.arch}`;
  await mkdir(join(to, 'brought', 'bin'), { recursive: true });
  await symlink(process.execPath, join(to, 'brought', 'bin', 'node'));
  await writeFile(join(to, 'brought', 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
  const own = { name: 'a-clone', version: '1.0.0', type: 'module', dependencies: { [name]: 'file:./brought' } };
  await writeFile(join(to, 'package.json'), JSON.stringify(own));
  await writeFile(
    join(to, 'version.ts'),
    "const major: number = Number(process.versions.node.split('.')[0]); console.log(major >= 24 ? '24 and newer' : major);",
  );
  return to;
}

/** Waits until a process has printed a line, and returns it. */
async function line(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout ?? fail(), 'data')) as [Buffer];
  return chunk.toString().trim();
}

const gone = (pid: number): Promise<true> => until(() => !isAlive(pid));

describe(`the script that every command goes through, started with Node.js ${oldest}`, () => {
  let node: string;
  beforeAll(async () => {
    node = await nodeOf(oldest);
  });

  it('in a fresh clone it first installs the packages and says so, and never again', async () => {
    const reader = await Reader.with(oldest);
    try {
      const clone = await freshClone(join(reader.home, 'a clone'));
      await reader.must('npm install --package-lock-only --silent', clone);
      await rm(join(clone, 'node_modules'), { recursive: true, force: true });
      const command = 'node tools/run.mjs version.ts';
      expect(await reader.must(command, clone)).toMatch(/^Installing the packages [^]*Packages installed in \d+ s\.\n24 and newer\n$/);
      expect(await reader.must(command, clone)).toBe('24 and newer\n');
    } finally {
      await reader.close();
    }
  });

  it('ends the script when the process that started it is gone', async () => {
    const path = await script('orphan.ts', 'setInterval(() => {}, 1000); console.log(process.pid);');
    const starter = spawn(node, [
      '-e',
      `require("node:child_process").spawn(process.execPath, [${JSON.stringify(run)}, ${JSON.stringify(path)}], { stdio: "inherit" })`,
    ]);
    const pid = Number(await line(starter));
    expect(isAlive(pid)).toBe(true);
    starter.kill('SIGKILL');
    await gone(pid);
  });
});

function fail(): never {
  throw new Error('The process has no output.');
}
