import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/service.ts';
import { ownFolder, reset } from '../../tools/start/dataFolder.ts';
import { bookAMeeting } from '../../tools/start/n8nSide.ts';
import { optionsOf } from '../../tools/start/options.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

it('--reset deletes what a start has kept, and nothing else in the folder', async () => {
  const said = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  for (const name of ['memory.json', 'thesis.txt']) await writeFile(join(folder, name), '');
  await mkdir(join(folder, 'n8n'));
  await reset(folder);
  expect(await readdir(folder)).toEqual(['memory.json', 'n8n', 'thesis.txt']);
  for (const name of ['sandbox.sqlite', 'sandbox.sqlite-wal']) await writeFile(join(folder, name), '');
  await reset(folder);
  expect(await readdir(folder)).toEqual(['thesis.txt']);
  for (const name of ['n8n', 'memory.json', 'sandbox.sqlite']) expect(said.mock.calls.join('\n')).toContain(`  ${name}`);
});

it('the first workflow that a newcomer opens shows the panel at its best: a list, a date, and every question as a field, without any code', async () => {
  const sandbox = await startSandbox();
  const [, node] = bookAMeeting('scheduler', {}, sandbox).nodes;
  const eventType = sandbox.eventTypes().find(({ name }) => name === 'Project Kick-off');
  await sandbox.stop();
  expect(node?.parameters).toMatchObject({
    eventTypeId: { mode: 'list', value: eventType?.id, cachedResultName: 'Project Kick-off (60 min)' },
    startTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) as string,
    questionResponses: { value: { company: 'Analytical Engines Ltd', budget: 'Up to 5,000', 'services::Design': true } },
  });
  expect(JSON.stringify(node)).not.toMatch(/"=|json/i);
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

it('--reset with --once, which begins with new data, is refused unless a folder is named', async () => {
  await expect(optionsOf({ once: true, reset: true }, '')).rejects.toThrow('it takes --reset only together with --data <folder>.');
  expect(await optionsOf({ once: true, reset: true, data: folder }, '')).toMatchObject({ folder, reset: true });
});
