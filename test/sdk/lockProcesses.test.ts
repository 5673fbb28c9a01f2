import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
