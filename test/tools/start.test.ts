import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { claim, type Claim } from '../../tools/start/claim.ts';
import { recall } from '../../tools/start/memory.ts';
import { checkPorts, resets } from '../../tools/start/options.ts';
import { Progress } from '../../tools/start/progress.ts';
import { reset } from '../../tools/start/reset.ts';
import { root } from '../../tools/root.cjs';

let folder: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

describe('a data folder belongs to one start', () => {
  const held = (): Claim => {
    const claimed = claim(folder);
    if ('pid' in claimed) throw new Error('Somebody has it.');
    return claimed;
  };

  /** Another process that takes the folder, and keeps it until it is ended. */
  async function another() {
    const work = `import { claim } from ${JSON.stringify(pathToFileURL(join(root, 'tools', 'start', 'claim.ts')).href)};
      const claimed = claim(${JSON.stringify(folder)});
      if ('show' in claimed) claimed.show('its addresses');
      console.log('pid' in claimed ? 'refused' : 'held'); setInterval(() => claimed, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', work], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, said: said.toString().trim() };
  }

  it('the next one learns who has it and what that one printed', async () => {
    const { child, said } = await another();
    expect(said).toBe('held');
    expect(claim(folder)).toEqual({ pid: child.pid, shown: 'its addresses' });
    child.kill('SIGKILL');
    await once(child, 'close');
  });

  it('is free again if its holder was killed, whatever that one left behind', async () => {
    const { child } = await another();
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await readdir(folder)).toContain('running.json');
    held().release();
  });

  it('only one of two processes gets it', async () => {
    const claimed = held();
    const { child, said } = await another();
    expect(said).toBe('refused');
    child.kill('SIGKILL');
    await once(child, 'close');
    claimed.release();
  });
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

  it('is refused with --once, which has nothing to delete, unless a folder is named', () => {
    expect(() => resets({ once: true, reset: true, data: undefined })).toThrow(
      '--once always begins with new data, so it takes --reset only together with --data <folder>.',
    );
    expect(resets({ once: true, reset: true, data: folder })).toBe(true);
    expect(resets({ once: true, reset: false, data: undefined })).toBe(false);
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

describe('progress in a terminal', () => {
  it.each([
    [100, '  ...    starting n8n; building the Zapier app; building the MCP server'],
    [60, '  ...    starting n8n; building the Zapier app; and 1 more'],
    [0, '  ...    starting n8n; building the Zapier app; building the MCP server'],
  ])('says what is going on and calls it done when it is, in %d columns', async (width, running) => {
    const written: string[] = [];
    const out = { isTTY: true, columns: width, write: (text: string) => written.push(text) > 0 };
    const progress = new Progress(out as unknown as NodeJS.WriteStream);
    let end = (): void => undefined;
    const n8n = progress.step(['starting n8n', 'n8n is up'], () => new Promise<void>((resolve) => (end = resolve)));
    void progress.step('building the Zapier app', () => new Promise(() => undefined));
    void progress.step('building the MCP server', () => new Promise(() => undefined));
    expect(written.at(-1)).toBe(`\r\u001B[K${running}`);
    expect(written.join('')).not.toContain('is up');
    end();
    await n8n;
    expect(written.join('')).toMatch(/ok .* n8n is up\n/);
  });
});

describe('ports that are taken', () => {
  it('are named at once, and the suggested command keeps what was typed and changes only the ports', async () => {
    const servers = [createServer(), createServer()];
    const [sandbox = 0, zapier = 0] = await Promise.all(
      servers.map(async (server) => {
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        return (server.address() as AddressInfo).port;
      }),
    );
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port: n8n } = free.address() as AddressInfo;
    await new Promise((done) => free.close(done));
    const args = ['--sandbox-port', String(sandbox), '--verbose', `--zapier-port=${zapier}`, '--data', 'my data'];
    const said = await checkPorts({ sandbox, n8n, zapier }, { name: 'npm start', args }).catch(String);
    for (const server of servers) server.close();
    const [low, high] = [sandbox, zapier].sort((one, other) => one - other);
    expect(said).toContain(`Ports ${low} and ${high} are taken. Stop what listens on them, or use other ports:`);
    expect(said).toMatch(/^  npm start -- --verbose --data 'my data' --sandbox-port \d+ --zapier-port \d+$/m);
    for (const port of [sandbox, zapier]) expect(said).not.toMatch(new RegExp(`--\\w+-port ${port}$`, 'm'));
  });
});
