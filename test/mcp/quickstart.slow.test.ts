import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { builtFolder } from '../../tools/build/products.ts';
import { oldest } from '../support/node.ts';
import { root } from '../../tools/root.cjs';
import { commandBlocks } from '../docs/guides.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { agree } from '../../tools/rigs/mcp/connected.ts';
import { Reader, signIn } from '../support/reader.ts';
import { until } from '../support/until.ts';

const path = 'docs/use/agents.md';
const login = commandBlocks
  .filter((block) => block.path === path)
  .flatMap(({ commands }) => commands.filter((each) => / login$/.test(each)));

/** What the guide tells people to put into their client's configuration file. */
async function configured(): Promise<{ command: string; args: string[] }> {
  const [, text = ''] = /```json\n([^]*?)```/.exec(await readFile(join(root, path), 'utf8')) ?? [];
  const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, { command: string; args: string[] }> };
  const [server] = Object.values(mcpServers);
  if (server === undefined) throw new Error(`${path} configures no server.`);
  return server;
}

describe(`followed with Node.js ${oldest} in an empty home folder`, () => {
  let reader: Reader;
  let sandbox: Sandbox;
  let own: string;
  beforeAll(async () => {
    [reader, sandbox] = [await Reader.with(oldest), await startSandbox()];
    own = join(reader.home, 'own');
    await mkdir(own);
  });
  afterAll(async () => {
    await sandbox.stop();
    await reader.close();
  });

  test('no terminal is needed if the client has the id and the secret: the first call opens the consent page, and goes on', async () => {
    const opened = await reader.withBrowser();
    const redirect = `http://localhost:${await freePort()}`;
    sandbox.allowRedirect(redirect);
    const client = new Client({ name: 'a client', version: '1.0.0' });
    const env = {
      ...reader.env,
      SCHEDULING_CLIENT_ID: sandbox.client.id,
      SCHEDULING_CLIENT_SECRET: sandbox.client.secret,
      SCHEDULING_BASE_URL: sandbox.baseUrl,
      SCHEDULING_MCP_FOLDER: join(reader.home, 'no terminal'),
    };
    const program = join(await builtFolder('mcp'), 'dist', 'main.js');
    await client.connect(
      new StdioClientTransport({ command: reader.node, args: [program, '--redirect', redirect], env, stderr: 'ignore' }),
    );
    try {
      const first = client.callTool({ name: 'get_current_user', arguments: {} });
      await agree(await until(opened));
      expect((await first).structuredContent).toMatchObject({ email: 'morgan@host.example' });
      expect((await client.callTool({ name: 'list_event_types', arguments: {} })).isError).toBeUndefined();
    } finally {
      await client.close();
    }
    await rm(join(reader.home, 'opened'));
  });

  test('an account is connected by a person who types the id and the secret', async () => {
    const made = await builtFolder('mcp');
    const [tarball = ''] = (await readdir(made)).filter((name) => name.endsWith('.tgz'));
    // Replaces the registry from which npx would download it.
    await reader.must(`npm install '${join(made, tarball)}'`, own);
    const said = await signIn(reader, sandbox, login.join(), own, { SCHEDULING_BASE_URL: sandbox.baseUrl });
    expect(said).toContain('which only your user can read. They are not encrypted');
    const [, where = ''] = /`~\/(\.config\/\S+\/connection\.json)`/.exec(await readFile(join(root, path), 'utf8')) ?? [];
    expect((await stat(join(reader.home, where))).mode & 0o777).toBe(0o600);
    // The login serves the command line of the package as well.
    const program = join(await builtFolder('sdk'), 'dist', 'cli.js');
    expect(await reader.must(`node '${program}' status`, own)).toContain('morgan@host.example');
  });

  test('the server starts with the command that the client is given, lists, books, and cancels once it is allowed to', async () => {
    const { command, args } = await configured();
    const client = new Client({ name: 'a client', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command, args, cwd: own, env: { ...reader.env } }));
    try {
      const ask = async (name: string, given: Record<string, unknown> = {}) => await client.callTool({ name, arguments: given });
      const { records } = (await ask('list_event_types')).structuredContent as { records: { id: string; name: string }[] };
      const wanted = {
        event_type_id: records.find(({ name }) => name === 'Coffee Chat')?.id,
        start_time: '2059-01-15T10:00:00+01:00',
        invitee_name: 'Ada Lovelace',
        invitee_email: 'ada@example.com',
      };
      const { id } = (await ask('create_booking', wanted)).structuredContent as { id: string };
      const cancelled = await ask('cancel_booking', { booking_id: id, confirm: true });
      expect(cancelled.structuredContent).toMatchObject({ id, status: 'CANCELLED' });
      expect(sandbox.bookings().find((each) => each.id === id)?.status).toBe('CANCELLED');
    } finally {
      await client.close();
    }
  });
});
