import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleName, builtFolder } from '../../tools/build/products.ts';
import { runCommand } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';
import { unzip } from '../../tools/build/zip.ts';
import { until } from '../support/until.ts';
import { piped, start } from './program.ts';
import { call, Stage } from './stage.ts';
import { asLine, callLine, hello } from './inProcess.ts';

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

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

const isServed = async (client: Parameters<typeof call>[0]): Promise<boolean> =>
  (await call(client, 'get_current_user')).isError === undefined;

test('a client that never reads is dropped before its answers fill the memory, and another client is served meanwhile', async () => {
  const { client } = await start(stage);
  const { child, said } = await piped(stage);
  child.stdin.write(hello);
  let asked = 0;
  await until(async () => {
    for (let count = 0; count < 500; count += 1) child.stdin.write(asLine({ id: (asked += 1), method: 'tools/list' }));
    expect(await isServed(client)).toBe(true);
    return child.exitCode !== null;
  });
  expect([child.exitCode, said()]).toEqual([1, 'The client no longer reads responses, so this program stops.\n']);
});

describe('a pipe that the client closes', () => {
  test('standard output: the program ends without a word', async () => {
    const { child, said, ended } = await piped(stage);
    child.stdout.destroy();
    for (let id = 1; child.exitCode === null && id < 20; id += 1) child.stdin.write(hello + asLine({ id, method: 'tools/list' }));
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

test('the package holds the program, its instructions, and the licences of the bundled code', async () => {
  const made = await builtFolder('mcp');
  const beside = (await readdir(made)).filter((name) => !/\.(tgz|mcpb)$/.test(name));
  expect(beside.sort()).toEqual(['.claude-plugin', 'LICENSE', 'README.md', 'dist', 'icon.png', 'manifest.json', 'package.json', 'skill']);
  const text = await readFile(join(made, 'dist', 'LICENSES.txt'), 'utf8');
  for (const name of ['@modelcontextprotocol/server 2.4.0', '@hono/node-server ', 'zod ']) expect(text).toContain(name);
});

test('the bundle for desktop clients unpacks to the program that its manifest names, and it runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mcpb-'));
  try {
    await unzip(join(await builtFolder('mcp'), bundleName), folder);
    const text = await readFile(join(folder, 'manifest.json'), 'utf8');
    const { version, server, tools } = JSON.parse(text) as { version: string; server: { entry_point: string }; tools: object[] };
    // What a client shows before it has started the server.
    expect(tools).toContainEqual({ name: 'get_contact', description: 'Gets a contact' });
    const { output } = await runCommand(process.execPath, [join(folder, server.entry_point), '--version'], { cwd: folder });
    expect(output.trim()).toBe(version);
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

test('the buttons in the guide and the plugin start exactly what the guide shows', async () => {
  const guide = await readFile(join(root, 'docs', 'use', 'agents.md'), 'utf8');
  const { mcpServers: shown } = JSON.parse(/```json\n([^]*?)```/.exec(guide)?.[1] ?? '') as { mcpServers: Record<string, object> };
  const linked = (label: string): URLSearchParams => new URL(new RegExp(`\\[${label}\\]\\(([^)]+)\\)`).exec(guide)?.[1] ?? '').searchParams;
  const [cursor, code] = [linked('Add to Cursor'), linked('Add to VS Code')];
  expect({ [String(cursor.get('name'))]: JSON.parse(Buffer.from(String(cursor.get('config')), 'base64').toString()) as unknown }).toEqual(
    shown,
  );
  const [[name = '', server] = []] = Object.entries(shown);
  expect([code.get('name'), JSON.parse(String(code.get('config')))]).toEqual([name, { type: 'stdio', ...server }]);
  const plugin = JSON.parse(await readFile(join(root, 'mcp', '.claude-plugin', 'plugin.json'), 'utf8')) as Record<string, unknown>;
  expect(plugin).toMatchObject({ name, mcpServers: shown, skills: ['./skill'] });
  expect(guide).toContain(`claude plugin install ${name}@${name}\n`);
});
