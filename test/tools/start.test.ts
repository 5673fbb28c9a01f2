import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recall, reset } from '../../tools/start/dataFolder.ts';

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

  it('deletes what a start has kept, and nothing else in the folder', async () => {
    for (const name of ['sandbox.sqlite', 'sandbox.sqlite-wal', 'memory.json', 'thesis.txt']) await writeFile(join(folder, name), '');
    await mkdir(join(folder, 'n8n'));
    await writeFile(join(folder, 'n8n', 'encryption-key'), '');
    await mkdir(join(folder, 'photos'));
    const said = say();
    await reset(folder);
    expect(await readdir(folder)).toEqual(['photos', 'thesis.txt']);
    for (const name of ['n8n', 'memory.json', 'sandbox.sqlite']) expect(said.mock.calls.join('\n')).toContain(`  ${name}`);
  });

  it('deletes no n8n that a start has not made, and only the link if it is a link', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'));
    await writeFile(join(elsewhere, 'encryption-key'), '');
    await writeFile(join(folder, 'memory.json'), '');
    await mkdir(join(folder, 'n8n'));
    say();
    await reset(folder);
    expect(await readdir(folder)).toEqual(['n8n']);
    await rm(join(folder, 'n8n'), { recursive: true });
    await writeFile(join(folder, 'memory.json'), '');
    await symlink(elsewhere, join(folder, 'n8n'));
    await reset(folder);
    expect([await readdir(folder), await readdir(elsewhere)]).toEqual([[], ['encryption-key']]);
    await rm(elsewhere, { recursive: true });
  });
});

it('damaged stored data is reported with its file and what to do', async () => {
  await writeFile(join(folder, 'memory.json'), '{half');
  await expect(recall(folder)).rejects.toThrow(
    `${join(folder, 'memory.json')} is damaged and cannot be read. Start over with --reset, or name another folder with --data.`,
  );
});
