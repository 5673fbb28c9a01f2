import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
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
/** The time of the file system, which stays when a test's date is years ahead. */
const machineTime = (): number => performance.timeOrigin + performance.now();
const minuteAgo = new Date(machineTime() - 61_000);
/** No program has this id. */
const nobody = 999_999_999;

describe('a lock', () => {
  beforeEach(() => void jest.spyOn(Date, 'now').mockImplementation(machineTime));
  afterEach(() => jest.restoreAllMocks());

  it('lets one work at a time, and is gone afterwards, even if the work fails', async () => {
    let inside = 0;
    const work = async (): Promise<string> => {
      expect((inside += 1)).toBe(1);
      const held = await readFile(path, 'utf8');
      expect(held).toContain(`${hostname()} ${process.pid} `);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      await turn();
      expect(await readFile(path, 'utf8')).toBe(held);
      inside -= 1;
      return 'done';
    };
    await expect(withLock(path, () => Promise.reject(new Error('as it happens')))).rejects.toThrow('as it happens');
    expect(await Promise.all(Array.from({ length: 5 }, () => withLock(path, work)))).toEqual(Array(5).fill('done'));
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['its program has ended', `${hostname()} ${nobody} a`, undefined],
    ['it is older than any work takes, and its program runs', `${hostname()} ${process.pid} a`, minuteAgo],
    ['it is that old, and belongs to another machine', `elsewhere ${nobody} a`, minuteAgo],
    ['it is that old, and names nobody', '', minuteAgo],
  ])('was left behind if %s', async (_, owner, changed) => {
    await writeFile(path, owner);
    if (changed !== undefined) await utimes(path, changed, changed);
    expect(await withLock(path, async () => 'done')).toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['its program runs', `${hostname()} ${process.pid} a`],
    ['it belongs to another machine', `elsewhere ${nobody} a`],
  ])('is waited for if %s', async (_, owner) => {
    await writeFile(path, owner);
    let isInside = false;
    const done = withLock(path, async () => void (isInside = true));
    // Each try writes a file of its own, and removes it.
    for (let tries = 0; tries < 3; tries += 1) {
      for (let isTrying = false; !isTrying; isTrying = (await readdir(folder)).length > 1) await turn();
      for (let isTrying = true; isTrying; isTrying = (await readdir(folder)).length > 1) await turn();
    }
    expect([isInside, await readFile(path, 'utf8')]).toEqual([false, owner]);
    await rm(path);
    await done;
    expect(isInside).toBe(true);
  });

  it('that another program took meanwhile stays with that program', async () => {
    const owner = `elsewhere ${nobody} a`;
    await withLock(path, () => writeFile(path, owner));
    expect(await readFile(path, 'utf8')).toBe(owner);
  });

  it('that somebody removed meanwhile is no failure of the work', async () => {
    expect(await withLock(path, () => rm(path).then(() => 'done'))).toBe('done');
  });

  it('that cannot be put in place is reported', async () => {
    await expect(withLock(join(folder, 'missing', 'the.lock'), async () => 'done')).rejects.toThrow('ENOENT');
  });
});

describe('a file for the state of a poller', () => {
  const file = (): string => join(folder, 'inner', 'changes.json');

  it('keeps it, for its owner alone', async () => {
    const store = changesFile(file());
    expect(await store.read()).toBeUndefined();
    await store.alone(async () => store.write({ known: { a: 1 } }));
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
    expect(await changesFile(join(folder, 'a', 'b', 'changes.json')).alone(async () => 'done')).toBe('done');
    expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o700);
  });
});
