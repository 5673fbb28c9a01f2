import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/service.ts';
import { ownFolder, recall, reset } from '../../tools/start/dataFolder.ts';
import { resets } from '../../tools/start/options.ts';
import { Progress } from '../../tools/start/progress.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

describe('--reset', () => {
  const say = () => jest.spyOn(console, 'log').mockImplementation(() => undefined);

  it('deletes what a start has kept, and nothing else in the folder: no n8n that it has not made, and of a link only the link', async () => {
    for (const name of ['sandbox.sqlite', 'sandbox.sqlite-wal', 'memory.json', 'thesis.txt']) await writeFile(join(folder, name), '');
    await mkdir(join(folder, 'n8n'));
    const said = say();
    await reset(folder);
    expect(await readdir(folder)).toEqual(['n8n', 'thesis.txt']);
    for (const name of ['memory.json', 'sandbox.sqlite']) expect(said.mock.calls.join('\n')).toContain(`  ${name}`);

    const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'));
    await writeFile(join(elsewhere, 'encryption-key'), '');
    await writeFile(join(folder, 'memory.json'), '');
    await rm(join(folder, 'n8n'), { recursive: true });
    await symlink(elsewhere, join(folder, 'n8n'));
    await reset(folder);
    expect([await readdir(folder), await readdir(elsewhere)]).toEqual([['thesis.txt'], ['encryption-key']]);
    await rm(elsewhere, { recursive: true });
  });

  it('is refused with --once, which has nothing to delete, unless a folder is named', () => {
    expect(() => resets({ once: true, reset: true, data: undefined })).toThrow(
      '--once always begins with new data, so it takes --reset only together with --data <folder>.',
    );
    expect(resets({ once: true, reset: true, data: folder })).toBe(true);
    expect(resets({ once: true, reset: false, data: undefined })).toBe(false);
  });
});

it('damaged stored data is reported with its file and what to do', async () => {
  await writeFile(join(folder, 'memory.json'), '{half');
  await expect(recall(folder)).rejects.toThrow(
    `${join(folder, 'memory.json')} is damaged and cannot be read. Start over with --reset, or name another folder with --data.`,
  );
});

let mask: number;
/** The default on most machines: everybody can read what nobody has restricted. */
beforeAll(() => (mask = process.umask(0o022)));
afterAll(() => process.umask(mask));

const rights = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe('the data folder of a start', () => {
  it('is created for its user alone, and so are the folders above it', async () => {
    const own = join(folder, 'a', 'b');
    await ownFolder(own);
    expect([await rights(own), await rights(join(folder, 'a'))]).toEqual(['700', '700']);
  });

  it.each([
    ['empty', []],
    ["an earlier start's", ['sandbox.sqlite']],
  ])('is closed to others if it already existed, was open, and %s', async (_, held) => {
    for (const name of held) await writeFile(join(folder, name), '');
    await chmod(folder, 0o755);
    await ownFolder(folder);
    expect(await rights(folder)).toBe('700');
  });

  it("that holds somebody's other things is refused, and left as it is, if others can look into it, and only then", async () => {
    await writeFile(join(folder, 'thesis.txt'), '');
    await ownFolder(folder);
    await chmod(folder, 0o755);
    await expect(ownFolder(folder)).rejects.toThrow(
      /Other users of this machine can look into .* Name a folder that is used only for this: --data <folder>$/,
    );
    expect([await rights(folder), await readdir(folder)]).toEqual(['755', ['thesis.txt']]);
  });
});

it("the sandbox's data file is closed to others if it existed with wider permissions; a folder of other things stays as it is", async () => {
  const file = join(folder, 'data.sqlite');
  await chmod(folder, 0o755);
  await writeFile(file, '', { mode: 0o644 });
  const sandbox = await startSandbox({ file });
  try {
    for (const name of ['data.sqlite', 'data.sqlite-wal', 'data.sqlite-shm']) expect(await rights(join(folder, name))).toBe('600');
    expect(await rights(folder)).toBe('755');
  } finally {
    await sandbox.stop();
  }
});

it('steps that run at once are named as far as they fit, and the others are counted', async () => {
  const drawn: string[] = [];
  const terminal = { isTTY: true, columns: 64, write: (text: string) => drawn.push(text.replace('\r\u001B[K', '')) };
  const progress = new Progress(0, terminal as unknown as NodeJS.WriteStream);
  const ended = Promise.withResolvers<undefined>();
  const steps = ['installing n8n', 'building the Zapier app', 'building the MCP server'].map((name) =>
    progress.step(name, () => ended.promise),
  );
  expect(drawn.at(-1)).toBe('  ...    installing n8n (0 s); 2 more');
  progress.end();
  ended.resolve(undefined);
  await Promise.all(steps);
  expect(drawn[1]).toBe('  ...    installing n8n (0 s); building the Zapier app (0 s)');
});
