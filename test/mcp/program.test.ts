import { toolName } from '../../mcp/adapter/names.ts';
import { operations } from '../../shared/operations/index.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mcpFolder } from '../../tools/build/products.ts';
import { bundleName } from '../../tools/build/products.ts';
import { root } from '../../tools/root.cjs';
import { unzip } from '../../tools/build/zip.ts';
import { until } from '../support/until.ts';
import { piped, start } from './program.ts';
import { nowhere } from '../contract/forms.ts';
import { call, Stage, textOf } from './stage.ts';
import { asLine, callLine, hello } from './talk.ts';

jest.setTimeout(120_000);

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

const run = promisify(execFile);

test.each([
  ['the protocol of 2025', true],
  ['the protocol of 2026', false],
])('over standard input and output it lists and books, cancels only with permission, and shows a secret once: %s', async (_, isOld) => {
  const { client, said } = await start(stage, [], isOld);
  const given = async (name: string, fields: Record<string, unknown>) =>
    (await call(client, name, fields)).structuredContent as Record<string, unknown>;
  expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(operations.map(toolName).sort());
  const { id: booking_id } = await given('create_booking', stage.wanted);
  const refused = await call(client, 'cancel_booking', { booking_id });
  expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('nothing was changed')]);
  expect(await given('cancel_booking', { booking_id, confirm: true })).toMatchObject({ id: booking_id, status: 'CANCELLED' });
  const { id: subscription_id, signing_secret: secret } = await given('create_subscription', {
    url: nowhere,
    events: ['BOOKING_CREATED'],
  });
  const listed = JSON.stringify(await call(client, 'list_subscriptions'));
  expect([listed.includes(String(subscription_id)), listed.includes(String(secret))]).toEqual([true, false]);
  expect(await given('delete_subscription', { subscription_id, confirm: true })).toMatchObject({ deleted: true });
  expect(said()).toBe('');
  expect(await readdir(stage.file.openWrites(stage.file.read().id))).toEqual([]);
});

test('killed in the middle of a booking and started again, it finds the booking that was made when the call is repeated', async () => {
  const given = stage.wanted;
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

test('a message that is too long ends the program that gets it, and not its neighbour', async () => {
  const [one, other] = [await start(stage), await start(stage)];
  await expect(call(one.client, 'create_booking', { ...stage.wanted, notes: 'x'.repeat(11_000_000) })).rejects.toThrow();
  expect((await call(other.client, 'get_current_user')).isError).toBeUndefined();
});

describe('a pipe that the client closes', () => {
  test('standard output: the program ends without a word', async () => {
    const { child, said, ended } = await piped(stage);
    child.stdout.destroy();
    for (let id = 1; child.exitCode === null && id < 20; id += 1) child.stdin.write(hello + asLine({ id, method: 'tools/list' }));
    await ended();
    expect([child.exitCode, said()]).toEqual([0, '']);
  });

  test.each(['--help', '--version'])('standard output of %s: no failure', async (option) => {
    const { child, said, ended } = await piped(stage, [option]);
    child.stdout.destroy();
    await ended();
    expect([child.exitCode, said()]).toEqual([0, '']);
  });

  test('standard input that ends while two calls with the same id run: no failure', async () => {
    const { child, said, ended } = await piped(stage);
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'delay', delayMs: 60_000, times: 2 });
    const ask = callLine(1, 'get_current_user');
    child.stdin.write(hello + ask + ask);
    await until(() => stage.sandbox.faults.waiting().length === 0);
    child.stdin.end();
    await ended();
    expect([child.exitCode, said()]).toEqual([0, '']);
  });

  test('standard error: the next call is answered, and a message that is not understood harms nothing', async () => {
    const { child } = await piped(stage);
    child.stderr.destroy();
    let out = '';
    child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
    for (let id = 1; id <= 3; id += 1) {
      child.stdin.write(`${id === 1 ? hello : ''}{"no":1}\n${callLine(id, 'get_current_user')}`);
      await until(() => out.includes(`"id":${id}`));
    }
    expect(out).toContain(stage.sandbox.account.email);
    expect(child.exitCode).toBeNull();
  });
});

test('the package holds the program and its instructions', async () => {
  const made = await mcpFolder();
  const beside = (await readdir(made)).filter((name) => !/\.(tgz|mcpb)$/.test(name));
  expect(beside.sort()).toEqual(['.claude-plugin', 'LICENSE', 'README.md', 'dist', 'icon.png', 'manifest.json', 'package.json', 'skill']);
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
      tools: object[];
    };
    // What a client shows before it has started the server.
    expect(manifest.tools).toContainEqual({ name: 'get_contact', description: 'Gets one contact' });
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
