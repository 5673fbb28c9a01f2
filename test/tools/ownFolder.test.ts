import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/service.ts';
import { ownFolder } from '../../tools/start/dataFolder.ts';

let base: string;
let mask: number;
/** The default on most machines: everybody can read what nobody has restricted. */
beforeAll(() => (mask = process.umask(0o022)));
afterAll(() => process.umask(mask));
beforeEach(async () => (base = await mkdtemp(join(tmpdir(), 'own-'))));
afterEach(() => rm(base, { recursive: true }));

const rights = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe('the data folder of a start', () => {
  it('is created for its user alone, and so are the folders above it', async () => {
    const folder = join(base, 'a', 'b');
    await ownFolder(folder);
    expect([await rights(folder), await rights(join(base, 'a'))]).toEqual(['700', '700']);
  });

  it.each([
    ['empty', []],
    ["an earlier start's", ['memory.json', 'sandbox.sqlite']],
  ])('is closed to others if it already existed, was open, and %s', async (_, held) => {
    const folder = join(base, 'there');
    await mkdir(folder);
    for (const name of held) await writeFile(join(folder, name), '');
    expect(await rights(folder)).toBe('755');
    await ownFolder(folder);
    expect(await rights(folder)).toBe('700');
  });

  it("is refused, and left as it is, if others can look into it and it holds somebody's other things", async () => {
    await chmod(base, 0o755);
    await writeFile(join(base, 'thesis.txt'), '');
    await expect(ownFolder(base)).rejects.toThrow(
      /Other users of this machine can look into .* Name a folder that is used only for this: --data <folder>$/,
    );
    expect(await rights(base)).toBe('755');
  });

  it('may hold other things if nobody else can look into it', async () => {
    await writeFile(join(base, 'thesis.txt'), '');
    await ownFolder(base);
    expect(await readdir(base)).toEqual(['thesis.txt']);
  });
});

describe("the sandbox's data file", () => {
  const inFolder = async (folder: string) =>
    Object.fromEntries(await Promise.all((await readdir(folder)).map(async (name) => [name, await rights(join(folder, name))] as const)));
  const closed = { 'data.sqlite': '600', 'data.sqlite-wal': '600', 'data.sqlite-shm': '600' };

  it('is for its user alone, with the two files that SQLite keeps beside it and the folder in which it is created', async () => {
    const sandbox = await startSandbox({ file: join(base, 'data', 'data.sqlite') });
    try {
      expect(await inFolder(join(base, 'data'))).toEqual(closed);
      expect(await rights(join(base, 'data'))).toBe('700');
    } finally {
      await sandbox.stop();
    }
  });

  it('is closed to others if it existed with wider permissions; a folder of other things stays as it is', async () => {
    const file = join(base, 'data.sqlite');
    await chmod(base, 0o755);
    await (await startSandbox({ file })).stop();
    await chmod(file, 0o644);
    const sandbox = await startSandbox({ file });
    try {
      expect(await inFolder(base)).toEqual(closed);
      expect(await rights(base)).toBe('755');
    } finally {
      await sandbox.stop();
    }
  });
});
