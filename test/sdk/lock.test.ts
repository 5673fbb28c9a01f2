import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changesFile, fileStore, withLock } from '../../sdk/node/index.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  path = join(folder, 'the.lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What the lock's owner puts in it, which names its process and its machine. */
async function ownersFile(): Promise<string> {
  let name = '';
  await withLock(path, async () => void ([name = ''] = await readdir(path)));
  return name;
}

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

  it('was left behind if its process has ended', async () => {
    const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(ended, 'exit');
    await takenBy((await ownersFile()).replace(` ${process.pid} `, ` ${ended.pid} `));
    expect(await withLock(path, async () => 'done')).toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });

  it('was left behind if its owner, of another machine or under the id of a new process, shows no sign for half a minute', async () => {
    for (const name of ['a 1 elsewhere', await ownersFile()]) {
      await takenBy(name);
      expect(await withLock(path, async () => 'done')).toBe('done');
    }
  });

  it('is waited for as long as its owner shows that it works, whatever its clock says', async () => {
    const file = await takenBy('a 1 elsewhere');
    let isInside = false;
    const done = withLock(path, async () => void (isInside = true));
    for (let sign = 0; sign < 200; sign += 1) {
      const somewhen = new Date(1_000_000_000_000 - sign * 60_000);
      await utimes(file, somewhen, somewhen);
      await turn();
    }
    expect(isInside).toBe(false);
    await rm(file);
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

  it('that somebody removed meanwhile is no failure of the work', async () => {
    expect(await withLock(path, () => rm(path, { recursive: true }).then(() => 'done'))).toBe('done');
  });

  it('that cannot be put in place is reported', async () => {
    await expect(withLock(join(folder, 'missing', 'the.lock'), async () => 'done')).rejects.toThrow('ENOENT');
    await writeFile(path, '');
    await expect(withLock(path, async () => 'done')).rejects.toThrow('ENOTDIR');
  });
});

describe('a file for the state of a poller', () => {
  const file = (): string => join(folder, 'inner', 'changes.json');

  it('keeps it, for its owner alone', async () => {
    const store = changesFile(file());
    expect(await store.read()).toBeUndefined();
    await store.withLock(async () => store.write({ known: { a: 1 } }));
    expect(await changesFile(file()).read()).toEqual({ known: { a: 1 } });
    expect([(await stat(file())).mode & 0o777, (await stat(join(folder, 'inner'))).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await readdir(join(folder, 'inner'))).toEqual(['changes.json']);
    await store.delete();
    await store.delete();
    expect(await store.read()).toBeUndefined();
  });

  it.each(['', '{"known": 1', '"text"', 'null'])('that contains %j counts as empty', async (text) => {
    const store = changesFile(file());
    await store.write({});
    await writeFile(file(), text);
    expect(await store.read()).toBeUndefined();
  });

  it('that cannot be read is reported', async () => {
    for (const store of [changesFile(folder), fileStore(folder)]) await expect(store.read()).rejects.toThrow('EISDIR');
  });

  it('makes its folder before it locks it', async () => {
    expect(await changesFile(join(folder, 'a', 'b', 'changes.json')).withLock(async () => 'done')).toBe('done');
    expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o700);
  });
});
