import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../tools/process/lock.cjs';
import { root } from '../../tools/root.cjs';

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

/** Waits until a process has printed a line, and gives it. */
async function line(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout ?? fail(), 'data')) as [Buffer];
  return chunk.toString().trim();
}

async function gone(pid: number): Promise<void> {
  for (let tries = 0; isAlive(pid); tries += 1) {
    if (tries > 100) throw new Error(`Process ${pid} is still there.`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

describe('the script that every command goes through', () => {
  it('runs TypeScript on Node 24 or newer, with that Node first on the path and the arguments passed on', async () => {
    const path = await script(
      'version.ts',
      'const major: number = Number(process.versions.node.split(".")[0]); console.log(major, process.env.PATH?.split(":")[0] === process.execPath.replace(/.node$/, ""), process.argv.slice(2).join("|"));',
    );
    const child = spawn(process.execPath, [run, path, 'an argument', '--flag']);
    const [major, isFirst, args] = (await line(child)).split(/ (.*?) (.*)/);
    expect(Number(major)).toBeGreaterThanOrEqual(24);
    expect([isFirst, args]).toEqual(['true', 'an argument|--flag']);
  });

  it("ends with the script's own exit code", async () => {
    const child = spawn(process.execPath, [run, await script('seven.ts', 'process.exit(7)')]);
    expect((await once(child, 'exit'))[0]).toBe(7);
  });

  it('passes a signal on, and ends when the script has dealt with it', async () => {
    const path = await script(
      'signal.ts',
      'process.on("SIGTERM", () => { console.log("told"); process.exit(3); }); setInterval(() => {}, 1000); console.log("up");',
    );
    const child = spawn(process.execPath, [run, path]);
    expect(await line(child)).toBe('up');
    child.kill('SIGTERM');
    expect(await line(child)).toBe('told');
    expect((await once(child, 'exit'))[0]).toBe(3);
  });

  it('ends the script when the process that started it is gone', async () => {
    const path = await script('orphan.ts', 'setInterval(() => {}, 1000); console.log(process.pid);');
    const starter = spawn(process.execPath, [
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
