import { fork, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectionFile } from '../../sdk/node/connectionFile.ts';
import { fileStore } from '../../sdk/node/index.ts';
import { root } from '../../tools/root.cjs';
import { until } from '../support/until.ts';

let folder: string;
let running: ChildProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  running = [];
});
afterEach(async () => {
  for (const each of running) each.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const lock = (): string => join(folder, 'the.lock');

async function taker(): Promise<ChildProcess> {
  const made = fork(join(root, 'test', 'sdk', 'lockTaker.ts'), [lock(), join(folder, 'inside')], {
    execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
  });
  running.push(made);
  await once(made, 'message');
  return made;
}

/** @returns whether it was alone inside */
async function turn(process: ChildProcess, heldMs: number): Promise<unknown> {
  process.send(heldMs);
  const [wasAlone] = (await once(process, 'message')) as unknown[];
  return wasAlone;
}

/** A process takes the lock and is killed. */
async function leaveBehind(): Promise<void> {
  const dying = await taker();
  dying.send(60_000);
  await until(async () => (await readdir(folder)).includes('inside'));
  dying.kill('SIGKILL');
  await once(dying, 'exit');
  await rm(join(folder, 'inside'));
}

test('a lock that a killed process left behind is taken by one of ten at a time, in 600 turns', async () => {
  const ten = await Promise.all(Array.from({ length: 10 }, taker));
  const alone: unknown[] = [];
  await leaveBehind();
  const left = join(folder, 'left');
  await cp(lock(), left, { recursive: true });
  for (let round = 0; round < 60; round += 1) {
    await cp(left, lock(), { recursive: true });
    alone.push(...(await Promise.all(ten.map((each) => turn(each, 2)))));
  }
  expect(alone).toHaveLength(600);
  expect(alone.filter((wasAlone) => wasAlone !== true)).toEqual([]);
  expect(await readdir(folder)).toEqual(['left']);
});

test('a lock stays with its owner for as long as the owner works, however old it looks', async () => {
  const [owner, other] = [await taker(), await taker()];
  const first = turn(owner, 1_500);
  await until(async () => (await readdir(folder)).includes('inside'));
  const old = new Date(Date.now() - 10 * 60_000);
  for (const file of [lock(), ...(await readdir(lock())).map((name) => join(lock(), name))]) await utimes(file, old, old);
  expect(await Promise.all([first, turn(other, 1)])).toEqual([true, true]);
});

test.each<[string, string, (path: string) => { withLock: (work: () => Promise<void>) => Promise<void> }]>([
  ['a store', 'tokens.json', fileStore],
  ['the file of login', 'connection.json', () => new ConnectionFile(folder, { connect: 'login', folder: 'FOLDER' })],
])(
  'what a process left behind that was killed while it wrote %s goes with the next change, and nothing else does',
  async (_, name, over) => {
    const path = join(folder, name);
    const others = [name, `${name}.tmp`, `other.json.${randomUUID()}.tmp`, `${name}.mine.tmp`];
    for (const other of others) await writeFile(join(folder, other), 'old');
    const program = `import { writeAtomically } from ${JSON.stringify(join(root, 'sdk', 'node', 'atomicWrite.ts'))};
    await writeAtomically(${JSON.stringify(path)}, 'a secret '.repeat(20_000_000));`;
    const writing = spawn(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--input-type=module', '--eval', program]);
    running.push(writing);
    await until(async () => (await readdir(folder)).length > others.length);
    writing.kill('SIGKILL');
    await once(writing, 'exit');
    expect(await readdir(folder)).toHaveLength(others.length + 1);
    await over(path).withLock(async () => undefined);
    expect((await readdir(folder)).sort()).toEqual(others.sort());
    expect(await readFile(path, 'utf8')).toBe('old');
  },
);
