import { operations } from '../../shared/operations/index.ts';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mcpFolder, mcpProgram } from '../../tools/build/products.ts';
import { bundleName } from '../../tools/build/names.ts';
import { root } from '../../tools/root.cjs';
import { unzip } from '../../tools/rigs/zapier/unzip.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { agree } from '../../tools/rigs/mcp/browser.ts';
import { serving, start } from './program.ts';
import { call, freeStart, somebody, Stage, textOf, until } from './stage.ts';

jest.setTimeout(120_000);

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

const run = promisify(execFile);
const wanted = () => ({ event_type_id: stage.coffee.id, start_time: freeStart(), invitee_name: 'Ada Lovelace', invitee_email: somebody() });

test.each([
  ['the protocol of 2025', true],
  ['the protocol of 2026', false],
])('over standard input and output it lists, books and cancels: %s', async (_, isOld) => {
  const { client, said } = await start(stage, [], isOld);
  expect((await client.listTools()).tools).toHaveLength(operations.length);
  const { id } = (await call(client, 'create_booking', wanted())).structuredContent as { id: string };
  expect((await call(client, 'cancel_booking', { booking_id: id, confirm: true })).structuredContent).toMatchObject({
    id,
    status: 'CANCELLED',
  });
  expect(said()).toBe('');
});

test('it offers what is chosen when it is started', async () => {
  const { client } = await start(stage, ['--read-only', '--tools', 'get_booking,create_booking']);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['get_booking']);
});

test('killed in the middle of a booking and started again, it finds the booking that was made when the call is repeated', async () => {
  const given = wanted();
  stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'delay-after', delayMs: 60_000 });
  const { client, pid } = await start(stage);
  call(client, 'create_booking', given).catch(() => undefined);
  await until(() => stage.bookingsOf(given.invitee_email).length > 0);
  process.kill(pid, 'SIGKILL');
  const { client: next } = await start(stage);
  const found = await call(next, 'create_booking', given);
  expect(found.structuredContent).toMatchObject({ id: stage.bookingsOf(given.invitee_email)[0]?.id });
  expect(stage.bookingsOf(given.invitee_email)).toHaveLength(1);
});

test('no open write is left behind for a booking that was made', async () => {
  const { client } = await start(stage);
  await call(client, 'create_booking', wanted());
  expect(await readdir(stage.file.openWrites(stage.file.read().id))).toEqual([]);
});

test('four processes with one expired token renew it once, and each continues', async () => {
  await stage.connect({ expiresInSeconds: -1 });
  const programs = await Promise.all([1, 2, 3, 4].map(() => start(stage)));
  const results = await Promise.all(programs.flatMap(({ client }) => Array.from({ length: 50 }, () => call(client, 'get_current_user'))));
  expect(results.filter(({ isError }) => isError)).toEqual([]);
  expect(stage.sandbox.requests().filter(({ path }) => path === '/api/oauth/token')).toHaveLength(1);
});

test('a message that is too long ends the program that gets it, and not its neighbour', async () => {
  const [one, other] = [await start(stage), await start(stage)];
  await expect(call(one.client, 'create_booking', { ...wanted(), notes: 'x'.repeat(11_000_000) })).rejects.toThrow();
  expect((await call(other.client, 'get_current_user')).isError).toBeUndefined();
});

test('it connects through the consent page, serves, and disconnects', async () => {
  const redirect = `http://localhost:${await freePort()}`;
  stage.sandbox.allowRedirect(redirect);
  const folder = await mkdtemp(join(tmpdir(), 'mcp-login-'));
  try {
    const { client: application, baseUrl } = stage.sandbox;
    const env = {
      ...process.env,
      SCHEDULING_MCP_FOLDER: join(folder, 'own'),
      SCHEDULING_CLIENT_ID: application.id,
      SCHEDULING_CLIENT_SECRET: application.secret,
      SCHEDULING_BASE_URL: baseUrl,
    };
    const login = spawn(process.execPath, [await mcpProgram(), 'login', '--no-browser', '--redirect', redirect], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    login.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
    await until(() => /http\S+oauth\/authorize\S+/.test(said));
    await agree(/http\S+oauth\/authorize\S+/.exec(said)?.[0] ?? '');
    await until(() => login.exitCode !== null);
    expect([login.exitCode, said]).toEqual([0, expect.stringContaining('which only your user can read. They are not encrypted')]);
    expect(said).not.toContain(application.secret);
    expect((await stat(join(folder, 'own', 'connection.json'))).mode & 0o777).toBe(0o600);

    const { stderr } = await run(process.execPath, [await mcpProgram(), 'logout'], { env });
    expect(stderr).toContain('Disconnected. The tokens are revoked and deleted.');
    expect(await readdir(join(folder, 'own'))).not.toContain('connection.json');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('if nobody can be asked, it names what is missing to connect', async () => {
  const env = { PATH: process.env['PATH'], SCHEDULING_MCP_FOLDER: stage.file.folder };
  await expect(run(process.execPath, [await mcpProgram(), 'login'], { env })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Client id (SCHEDULING_CLIENT_ID) is missing') as unknown,
  });
});

test('an unknown command ends with a sentence', async () => {
  await expect(run(process.execPath, [await mcpProgram(), 'lgoin'])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"lgoin" is not a command.') as unknown,
  });
});

test('over HTTP it says where it serves, and ends when it is told to', async () => {
  const { address, child } = await serving(stage);
  const client = await stage.client(address);
  expect((await call(client, 'get_current_user')).structuredContent).toMatchObject({ email: stage.sandbox.account.email });
  child.kill('SIGTERM');
  await until(() => child.exitCode !== null);
  expect(child.exitCode).toBe(0);
});

describe('a pipe that nobody reads any more', () => {
  const spawned = async (...args: string[]) => {
    const child = spawn(process.execPath, [await mcpProgram(), ...args], { env: { SCHEDULING_MCP_FOLDER: stage.file.folder } });
    stage.later(async () => void child.kill('SIGKILL'));
    child.stdin.on('error', () => undefined);
    let said = '';
    child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
    const ended = () => until(() => child.exitCode !== null || child.signalCode !== null);
    return { child, said: () => said, ended };
  };
  const request = (id: number, method: string, params: object): string => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const hello = request(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } });

  test('standard output: the program ends without a word', async () => {
    const { child, said, ended } = await spawned();
    child.stdout.destroy();
    for (let id = 1; child.exitCode === null && id < 20; id += 1) child.stdin.write(hello + request(id, 'tools/list', {}));
    await ended();
    expect([child.exitCode, said()]).toEqual([0, '']);
  });

  test.each(['--help', '--version'])('standard output of %s: no failure', async (option) => {
    const { child, said, ended } = await spawned(option);
    child.stdout.destroy();
    await ended();
    expect([child.exitCode, said()]).toEqual([0, '']);
  });

  test('standard error: the next call is answered, and a message that is not understood harms nothing', async () => {
    const { child } = await spawned();
    child.stderr.destroy();
    let out = '';
    child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
    for (let id = 1; id <= 3; id += 1) {
      child.stdin.write(`${id === 1 ? hello : ''}{"no":1}\n${request(id, 'tools/call', { name: 'get_current_user', arguments: {} })}`);
      await until(() => out.includes(`"id":${id}`));
    }
    expect(out).toContain(stage.sandbox.account.email);
    expect(child.exitCode).toBeNull();
  });
});

test('a booking without an account says what to do', async () => {
  await stage.file.forget();
  const { client } = await start(stage);
  expect(textOf(await call(client, 'create_booking', wanted()))).toMatch(/No account is connected here\. Run `npx \S+-mcp login`/);
});

test('the package holds the program and its instructions', async () => {
  const made = await mcpFolder();
  const beside = (await readdir(made)).filter((name) => !/\.(tgz|mcpb)$/.test(name));
  expect(beside.sort()).toEqual(['LICENSE', 'README.md', 'dist', 'manifest.json', 'package.json', 'skill']);
});

test('the bundled code comes with its licences', async () => {
  const text = await readFile(join(await mcpFolder(), 'dist', 'LICENSES.txt'), 'utf8');
  for (const name of ['@modelcontextprotocol/server 2.4.0', '@hono/node-server ', 'zod ']) expect(text).toContain(name);
});

test('the bundle for desktop clients unpacks to the program that its manifest names, and it runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mcpb-'));
  try {
    await unzip(join(await mcpFolder(), bundleName), folder);
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      version: string;
      server: { entry_point: string };
    };
    const { stdout } = await run(process.execPath, [join(folder, manifest.server.entry_point), '--version']);
    expect(stdout.trim()).toBe(manifest.version);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the entry for the registry follows its rules and has the name that the package declares', async () => {
  const read = async (name: string) => JSON.parse(await readFile(join(root, 'mcp', name), 'utf8')) as Record<string, never>;
  const [entry, own] = [await read('server.json'), await read('package.json')];
  expect(entry).toMatchObject({
    name: own['mcpName'],
    version: own['version'],
    packages: [{ registryType: 'npm', identifier: own['name'], version: own['version'], transport: { type: 'stdio' } }],
  });
  expect(entry['name']).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(String(entry['description']).length).toBeLessThanOrEqual(100);
});
