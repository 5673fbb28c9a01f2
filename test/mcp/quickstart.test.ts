import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { mcpFolder } from '../../tools/build/products.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { agree } from '../../tools/rigs/mcp/browser.ts';
import { root } from '../../tools/root.cjs';
import { commandBlocks } from '../docs/guides.ts';
import { Reader, readersHave } from '../support/reader.ts';
import { inTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const path = 'docs/mcp.md';
const login = commandBlocks
  .filter((block) => block.path === path)
  .flatMap(({ commands }) => commands.filter((each) => / login$/.test(each)));

/** What the guide lets people put into the file of their client. */
async function configured(): Promise<{ command: string; args: string[] }> {
  const [, text = ''] = /```json\n([^]*?)```/.exec(await readFile(join(root, path), 'utf8')) ?? [];
  const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, { command: string; args: string[] }> };
  const [server] = Object.values(mcpServers);
  if (server === undefined) throw new Error(`${path} configures no server.`);
  return server;
}

describe.each(readersHave)('followed with Node.js %d in an empty home folder', (major) => {
  let reader: Reader | undefined;
  let sandbox: Sandbox;
  let own: string;
  beforeAll(async () => {
    [reader, sandbox] = [await Reader.with(major), await startSandbox()];
    if (reader === undefined) return;
    own = join(reader.home, 'own');
    await mkdir(own);
  });
  afterAll(async () => {
    await sandbox.stop();
    await reader?.close();
  });

  test('an account is connected by whoever types the id and the secret', async () => {
    if (reader === undefined) return;
    const made = await mcpFolder();
    const [tarball = ''] = (await readdir(made)).filter((name) => name.endsWith('.tgz'));
    // In place of the registry, from which npx would take it.
    await reader.must(`npm install '${join(made, tarball)}'`, own);
    const opened = await reader.withBrowser();
    const redirect = `http://localhost:${await freePort()}`;
    sandbox.allowRedirect(redirect);
    const connecting = inTerminal(`${login.join()} --redirect ${redirect}`, {
      cwd: own,
      env: { ...reader.env, SCHEDULING_BASE_URL: sandbox.baseUrl },
      answers: [
        [/Client id[^]*:/, sandbox.client.id],
        [/Client secret[^]*:/, sandbox.client.secret],
      ],
    });
    const address = await until(opened);
    expect(connecting.said()).toContain(address);
    await agree(address);
    expect([await connecting.end, connecting.said()]).toEqual([0, expect.stringContaining('Connected. ')]);
    expect(connecting.said()).not.toContain(sandbox.client.secret);
    const [, where = ''] = /`~\/(\.config\/\S+\/connection\.json)`/.exec(await readFile(join(root, path), 'utf8')) ?? [];
    expect((await stat(join(reader.home, where))).mode & 0o777).toBe(0o600);
  });

  test('the server starts as the client is told to start it, lists, books, and cancels with leave', async () => {
    if (reader === undefined) return;
    const { command, args } = await configured();
    const client = new Client({ name: 'a client', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command, args, cwd: own, env: { ...reader.env } }));
    try {
      const ask = async (name: string, given: Record<string, unknown> = {}) => await client.callTool({ name, arguments: given });
      const { records } = (await ask('list_event_types')).structuredContent as { records: { id: string; name: string }[] };
      const wanted = {
        event_type_id: records.find(({ name }) => name === 'Coffee Chat')?.id,
        start_time: '2031-01-15T10:00:00+01:00',
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
