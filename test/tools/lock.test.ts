import { mkdtemp, readdir, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { withLock } from '../../tools/process/lock.mjs';

describe('the lock of an installation', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lock-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('lets only one work at a time, and the others after it', async () => {
    let inside = 0;
    let most = 0;
    let waits = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise((done) => setTimeout(done, 20));
      return --inside;
    };
    await Promise.all([1, 2, 3].map(() => withLock(join(folder, 'lock'), work, () => waits++)));
    expect({ most, waits }).toEqual({ most: 1, waits: 2 });
    expect(await readdir(folder)).toEqual([]);
  });

  it('is released if the work fails, and passes on the failure', async () => {
    const failing = withLock(join(folder, 'lock'), () => Promise.reject(new Error('no network')));
    await expect(failing).rejects.toThrow('no network');
    expect(await readdir(folder)).toEqual([]);
  });

  /** A lock of another process. */
  const lockOf = async (owner: number, touched: Date): Promise<void> => {
    await mkdir(join(folder, 'lock'));
    await writeFile(join(folder, 'lock', 'owner'), String(owner));
    await utimes(join(folder, 'lock'), touched, touched);
  };
  const minutes = 60_000;
  const fromNow = (milliseconds: number): Date => new Date(Date.now() + milliseconds);

  it.each([
    ['a process that is gone, however new the lock is', () => spawnSync(process.execPath, ['-e', '']).pid, 60 * minutes],
    ['a process that has been silent for more than a minute', () => process.ppid, -1.1 * minutes],
  ])('is taken over from %s', async (_, owner, touched) => {
    await lockOf(owner(), fromNow(touched));
    await expect(withLock(join(folder, 'lock'), () => Promise.resolve('done'))).resolves.toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not taken over from a process that works, until that one ends it', async () => {
    await lockOf(process.ppid, fromNow(60 * minutes));
    const others = jest.fn();
    let isFree = false;
    const work = withLock(join(folder, 'lock'), () => Promise.resolve(isFree), others);
    await new Promise((done) => setTimeout(done, 1_200));
    expect(others).toHaveBeenCalledTimes(1);
    isFree = true;
    await rm(join(folder, 'lock'), { recursive: true });
    expect(await work).toBe(true);
  });

  it('is left alone at the end if somebody has taken it over in the meantime', async () => {
    await withLock(join(folder, 'lock'), () => writeFile(join(folder, 'lock', 'owner'), '1'));
    expect(await readdir(folder)).toEqual(['lock']);
  });
});
