import { mkdtemp, readdir, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { withLock } from '../../tools/process/lock.cjs';

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

  it('is taken over from a process that is gone', async () => {
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    await mkdir(join(folder, 'lock'));
    await writeFile(join(folder, 'lock', 'owner'), String(gone));
    await expect(withLock(join(folder, 'lock'), () => Promise.resolve('done'))).resolves.toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is left alone at the end if somebody has taken it over in the meantime', async () => {
    await withLock(join(folder, 'lock'), () => writeFile(join(folder, 'lock', 'owner'), '1'));
    expect(await readdir(folder)).toEqual(['lock']);
  });
});
