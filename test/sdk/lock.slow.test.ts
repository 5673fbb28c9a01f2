import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changesFile, fileStore, withLock } from '../../sdk/node/index.ts';
import { root } from '../../tools/root.cjs';
import { until } from '../support/until.ts';

let folder: string;
let path: string;
let running: ChildProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  path = join(folder, 'the.lock');
  running = [];
});
afterEach(async () => {
  for (const each of running) each.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function takenBy(name: string): Promise<string> {
  await mkdir(path);
  await writeFile(join(path, name), '');
  return join(path, name);
}

describe('a lock', () => {
  /** Nobody here waits for half a minute. */
  beforeEach(() => void jest.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void) => setImmediate(work)) as never));
  afterEach(() => jest.restoreAllMocks());

  it('lets one work at a time, and is gone afterwards, even if the work fails', async () => {
    let inside = 0;
    const work = async (): Promise<string> => {
      expect((inside += 1)).toBe(1);
      await turn();
      expect((await stat(path)).mode & 0o777).toBe(0o700);
      inside -= 1;
      return 'done';
    };
    await expect(withLock(path, () => Promise.reject(new Error('as it happens')))).rejects.toThrow('as it happens');
    expect(await Promise.all(Array.from({ length: 5 }, () => withLock(path, work)))).toEqual(Array(5).fill('done'));
    expect(await readdir(folder)).toEqual([]);
  });

  it('was left behind if its owner, of another machine or under the id of a new process, shows no sign for half a minute', async () => {
    let own = '';
    await withLock(path, async () => void ([own = ''] = await readdir(path)));
    for (const name of ['a 1 elsewhere', own]) {
      await takenBy(name);
      expect(await withLock(path, async () => 'done')).toBe('done');
    }
  });

  it('is waited for as long as its owner shows that it works, whatever its clock says', async () => {
    const file = await takenBy('a 1 elsewhere');
    let isInside = false;
    const looks: (() => void)[] = [];
    jest.mocked(setTimeout).mockImplementation(((look: () => void) => looks.push(look)) as never);
    const done = withLock(path, async () => void (isInside = true));
    for (let sign = 0; sign < 200; sign += 1) {
      const somewhen = new Date(1_000_000_000_000 - sign * 60_000);
      await utimes(file, somewhen, somewhen);
      // One look at each sign, however long the disk takes to write it.
      while (looks.length === 0) await turn();
      for (const look of looks.splice(0)) look();
    }
    expect(isInside).toBe(false);
    await rm(file);
    jest.mocked(setTimeout).mockImplementation(((look: () => void) => setImmediate(look)) as never);
    for (const look of looks) look();
    await done;
    expect(isInside).toBe(true);
  });

  it('shows that its owner works', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    await withLock(path, async () => {
      const [name = ''] = await readdir(path);
      const old = new Date(0);
      await utimes(join(path, name), old, old);
      jest.advanceTimersByTime(5_000);
      jest.useRealTimers();
      while ((await stat(join(path, name))).mtimeMs === 0) await turn();
    });
  });

  it('that cannot be put in place is reported; one that somebody removed meanwhile is no failure of the work', async () => {
    await expect(withLock(join(folder, 'missing', 'the.lock'), async () => 'done')).rejects.toThrow('ENOENT');
    expect(await withLock(path, () => rm(path, { recursive: true }).then(() => 'done'))).toBe('done');
  });
});

describe('a file', () => {
  const file = (): string => join(folder, 'inner', 'kept.json');

  it.each<[string, typeof changesFile | typeof fileStore, object]>([
    ['the state of a poller', changesFile, { known: { a: 1 } }],
    ['tokens', fileStore, { access_token: 'a', refresh_token: 'b' }],
  ])('keeps %s, for its owner alone, and is written completely or not at all', async (_, open, value) => {
    const store = open(file());
    expect(await store.read()).toBeUndefined();
    // The folder is made before it is locked.
    await store.withLock(async () => store.write(value as never));
    expect(await open(file()).read()).toEqual(value);
    expect([(await stat(file())).mode & 0o777, (await stat(join(folder, 'inner'))).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await readdir(join(folder, 'inner'))).toEqual(['kept.json']);
    await store.delete();
    await store.delete();
    expect(await store.read()).toBeUndefined();
  });

  it('that is damaged counts as no state; as tokens, it is reported and not shown, and so is one that cannot be read', async () => {
    await changesFile(file()).write({});
    await writeFile(file(), '{"access_token": "my secret"');
    expect(await changesFile(file()).read()).toBeUndefined();
    await expect(fileStore(file()).read()).rejects.toThrow(
      /^\S+kept\.json does not contain tokens\. Delete the file and connect the account again\.$/,
    );
    await expect(fileStore(folder).read()).rejects.toThrow('EISDIR');
  });
});

/** A process that takes the lock each time it is told to, and says whether it was alone inside. */
async function taker(): Promise<ChildProcess> {
  const program = `import { rm, writeFile } from 'node:fs/promises';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { fileStore } from ${JSON.stringify(join(root, 'sdk', 'node', 'index.ts'))};
  const inside = ${JSON.stringify(join(folder, 'inside'))};
  process.on('message', (heldMs) => {
    void fileStore(${JSON.stringify(join(folder, 'the'))}).withLock(async () => {
      const wasAlone = await writeFile(inside, '', { flag: 'wx' }).then(() => true, () => false);
      await sleep(heldMs);
      await rm(inside, { force: true });
      return wasAlone;
    }).then((wasAlone) => process.send(wasAlone));
  });
  process.send('ready');`;
  const made = started(program);
  await once(made, 'message');
  return made;
}

function started(program: string): ChildProcess {
  const args = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--input-type=module', '--eval', program];
  const made = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  running.push(made);
  return made;
}

it('the lock of a file, which a killed process left behind, is taken by one of ten at a time, in 600 turns', async () => {
  const ten = await Promise.all(Array.from({ length: 10 }, taker));
  const alone: unknown[] = [];
  const dying = await taker();
  dying.send(60_000);
  await until(async () => (await readdir(folder)).includes('inside'));
  dying.kill('SIGKILL');
  await once(dying, 'exit');
  await rm(join(folder, 'inside'));
  const left = join(folder, 'left');
  await cp(path, left, { recursive: true });
  for (let round = 0; round < 60; round += 1) {
    await cp(left, path, { recursive: true });
    for (const each of ten) each.send(2);
    const ends = await Promise.all(ten.map((each) => once(each, 'message')));
    alone.push(...ends.map(([wasAlone]: unknown[]) => wasAlone));
  }
  expect(alone).toHaveLength(600);
  expect(alone.filter((wasAlone) => wasAlone !== true)).toEqual([]);
  expect(await readdir(folder)).toEqual(['left']);
});

it('what a process left behind that was killed while it wrote a file goes with the next change, and nothing else does', async () => {
  const kept = join(folder, 'tokens.json');
  const others = ['tokens.json', 'tokens.json.tmp', `other.json.${randomUUID()}.tmp`, 'tokens.json.mine.tmp'];
  for (const other of others) await writeFile(join(folder, other), 'old');
  // It ends itself in the middle: seen from here, the file could already be whole.
  const program = `import { readdir } from 'node:fs/promises';
  import { writeAtomically } from ${JSON.stringify(join(root, 'sdk', 'node', 'atomicWrite.ts'))};
  void writeAtomically(${JSON.stringify(kept)}, 'a secret '.repeat(20_000_000));
  while ((await readdir(${JSON.stringify(folder)})).length === ${others.length}) continue;
  process.kill(process.pid, 'SIGKILL');`;
  await once(started(program), 'exit');
  expect(await readdir(folder)).toHaveLength(others.length + 1);
  await fileStore(kept).withLock(async () => undefined);
  expect((await readdir(folder)).sort()).toEqual(others.sort());
  expect(await readFile(kept, 'utf8')).toBe('old');
});
