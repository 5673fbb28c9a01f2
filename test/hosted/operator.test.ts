import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect as connectTo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { readRegisteredClients } from '../../hosted/signIn/clients.ts';
import { type Sandbox } from '../../sandbox/service.ts';
import { Program } from '../../tools/process/program.ts';
import { startHosted, testKeys, type Hosted } from '../../tools/rigs/mcp/hosted.ts';
import { Browser, textOf } from '../../tools/rigs/zapier/browser.ts';
import { root } from '../../tools/root.cjs';
import { until } from '../support/until.ts';
import { openSandbox, openedForFile } from '../support/hosted.ts';
import { Assistant, connectionsPage, throughPages, callTool, idsOf } from '../support/assistant.ts';
import { call } from '../support/byHand.ts';

let sandbox: Sandbox;
const opened = openedForFile();

beforeAll(async () => {
  sandbox = await openSandbox(opened);
});

const main = join(root, 'hosted', 'main.ts');
/** Starts the program with settings that it refuses. @returns what it says */
async function refused(env: Record<string, string>, usual: NodeJS.ProcessEnv = process.env): Promise<string> {
  const program = new Program(process.execPath, [main], { env: { ...usual, ...env } });
  expect(await program.ended).toBe(1);
  return program.printed;
}
/** Settings with which it starts. */
const enough = {
  ...{ SCHEDULING_MCP_URL: 'http://localhost:1', SCHEDULING_CLIENT_ID: 'x', SCHEDULING_CLIENT_SECRET: 'y' },
  SCHEDULING_MCP_KEYS: testKeys.old,
};
/** A server with a folder of its own. */
const startAlone = async (env: Record<string, string> = {}): Promise<Hosted> =>
  startHosted({ sandbox, folder: await opened.temporaryFolder('hosted-'), env }, opened);

describe('settings', () => {
  it('that are missing are all named at once, with what they are for', async () => {
    const said = await refused({ SCHEDULING_MCP_URL: 'http://mcp.example.com' }, { PATH: process.env['PATH'] });
    expect(said).toContain('Only on your own machine may it begin with http://');
    for (const name of ['CLIENT_ID', 'CLIENT_SECRET', 'MCP_KEYS']) expect(said).toContain(`SCHEDULING_${name} is missing.`);
  });

  it('with another key under the name of the one that has encrypted what is there are refused in a sentence', async () => {
    const folder = await opened.temporaryFolder('hosted-');
    const { program: before } = await startHosted({ sandbox, folder }, opened);
    await before.stop();
    const [name = ''] = testKeys.old.split(':');
    const SCHEDULING_MCP_KEYS = `${name}:${testKeys.new.split(':')[1] ?? ''}`;
    await expect(startHosted({ sandbox, folder, env: { SCHEDULING_MCP_KEYS } }, opened)).rejects.toThrow(
      `is not the one with which this database was encrypted`,
    );
  });

  it('with another address than before refuse the tokens that were given for the old one, as one whose time is over is refused', async () => {
    const folder = await opened.temporaryFolder('hosted-');
    const before = await startHosted({ sandbox, folder }, opened);
    const assistant = new Assistant(before.origin, 'Moved');
    await (await assistant.signIn(sandbox.addAccount().id)).close();
    const statusAt = async (origin: string): Promise<number> => (await call(origin, assistant.stored.tokens?.access_token)).status;
    expect(await statusAt(before.origin)).toBe(200);
    await before.program.stop();
    const after = await startHosted({ sandbox, folder }, opened);
    expect(await statusAt(after.origin)).toBe(401);
    await after.program.stop();
    const back = await startHosted({ sandbox, folder, port: before.port }, opened);
    expect(await statusAt(back.origin)).toBe(200);
    const database = new DatabaseSync(join(folder, 'mcp-server.sqlite'), { timeout: 10_000 });
    database.exec("UPDATE mcp_kept SET until = until - 3600000 WHERE kind = 'AccessToken'");
    database.close();
    expect(await statusAt(back.origin)).toBe(401);
  });

  it('of a database that is not there name it with the reason', async () => {
    const said = await refused({ ...enough, DATABASE_URL: 'postgres://127.0.0.1:1/mcp' });
    expect(said).toMatch(/^The database in DATABASE_URL cannot be used \(.*ECONNREFUSED.*\)\.$/m);
  });

  it('with a port that is taken name it', async () => {
    const { port } = await startAlone();
    const SCHEDULING_MCP_FOLDER = await opened.temporaryFolder('hosted-');
    const said = await refused({ ...enough, SCHEDULING_MCP_FOLDER, PORT: String(port) });
    expect(said).toContain(`Port ${port} is taken. Choose another with PORT.`);
  });

  it('that lead the way out through a proxy let clients register, because no document is read through one', async () => {
    const { origin } = await startAlone({ HTTPS_PROXY: 'http://127.0.0.1:9' });
    const metadata = (await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json()) as object;
    expect(metadata).toMatchObject({ client_id_metadata_document_supported: false, registration_endpoint: `${origin}/reg` });
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id: 'https://localhost/a-client',
      redirect_uri: 'https://localhost/',
    });
    expect(textOf(await (await fetch(`${origin}/auth?${asked.toString()}`)).text())).toContain('at localhost cannot be read or used now');
  });

  it('take a key that the program has made', async () => {
    const program = new Program(process.execPath, [main, 'new-key'], { env: process.env });
    expect(await program.ended).toBe(0);
    expect(program.printed.trim()).toMatch(/^\w+:[\w-]{43}$/);
  });
});

describe('a client that the operator registers by hand', () => {
  const redirectUri = 'https://by-hand.example/callback';
  const secret = 'a+secret/of=more:than%41-twenty%:';
  const clients = [
    { client_id: 'with-secret', client_name: 'By hand', redirect_uris: [redirectUri], client_secret: secret },
    { client_id: 'without', redirect_uris: [redirectUri] },
  ];

  it('signs in with its secret or, if it has none, without; nothing else does', async () => {
    const { origin } = await startAlone({ SCHEDULING_MCP_CLIENTS: JSON.stringify(clients) });
    const connect = async (client: { client_id: string; client_secret?: string }) => {
      const assistant = new Assistant(origin, 'By hand');
      assistant.stored.client = { ...client, redirect_uris: [redirectUri] };
      return assistant.signIn();
    };
    for (const client of [{ client_id: 'with-secret', client_secret: secret }, { client_id: 'without' }])
      expect(idsOf(await callTool(await connect(client), 'list_event_types'))).not.toEqual([]);
    for (const client of [{ client_id: 'with-secret', client_secret: `${secret}!` }, { client_id: 'with-secret' }])
      await expect(connect(client)).rejects.toThrow();
    const metadata = (await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json()) as object;
    expect(metadata).toMatchObject({ token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'] });
  });

  it.each(['as it is, like most', 'encoded as in a form, like the standard'])('writes its secret into the header %s', async (how) => {
    const { origin } = await startAlone({ SCHEDULING_MCP_CLIENTS: JSON.stringify(clients) });
    const written = how.startsWith('as') ? secret : encodeURIComponent(secret);
    const headers = { authorization: `Basic ${Buffer.from(`with-secret:${written}`).toString('base64')}` };
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'made-up' });
    // Its token is not known; it is.
    expect(await (await fetch(`${origin}/token`, { method: 'POST', headers, body })).json()).toMatchObject({ error: 'invalid_grant' });
  });

  it.each([
    ['with-secret', 'it is not a JSON list.'],
    ['{}', 'it is not a JSON list.'],
    ['[{"client_id":"a b"}]', 'client 1: client_id must be'],
    [JSON.stringify([{ client_id: 'a' }]), 'client 1: redirect_uris must be a list'],
    [JSON.stringify([{ client_id: 'a', redirect_uris: [] }]), 'client 1: redirect_uris must be a list'],
    [
      JSON.stringify([clients[1], { client_id: 'a', redirect_uris: ['javascript:x'] }]),
      'client 2: The redirect address javascript:x cannot be used.',
    ],
    [JSON.stringify([clients[1], clients[1]]), 'a client_id occurs twice.'],
    [JSON.stringify([{ ...clients[1], client_secret: 'short' }]), 'client 1: client_secret must be'],
  ])('as %s is refused in a sentence', (text, sentence) => expect(() => readRegisteredClients(text)).toThrow(sentence));
});

describe('a log', () => {
  it('is a line of JSON, each line, also what libraries, Node.js and an error that ends the process say', async () => {
    const folder = await opened.temporaryFolder('hosted-');
    const file = join(folder, 'noisy.mjs');
    await writeFile(
      file,
      `process.once('SIGUSR2', () => {
        console.warn('a warning of a library'); console.error(new Error('secret')); console.log('two\\nlines');
        process.emitWarning('a warning of Node.js');
        process.once('SIGUSR2', () => { Promise.reject(new TypeError('secret')); });
      });`,
    );
    const { origin, program } = await startAlone({ NODE_OPTIONS: `--import=${pathToFileURL(file).href}` });
    await new Assistant(origin, 'Logged').signIn();
    for (const path of ['/', '/connections']) await fetch(origin + path, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    process.kill(program.pid, 'SIGUSR2');
    await until(() => program.said().includes('a warning of Node.js'));
    void program.stop('SIGUSR2');
    expect(await program.ended).toBe(1);
    const lines = program.printed.trim().split('\n');
    const parsed = lines.map((line) => JSON.parse(line) as { message: string });
    for (const words of ['a warning of a library', 'two\\nlines', 'a warning of Node.js', 'ended by an error', 'TypeError'])
      expect(JSON.stringify(parsed)).toContain(words);
    expect(program.printed).not.toContain('secret');
    // Without the setting, a stranger behind the same proxy would take half of what all have.
    expect(parsed.filter(({ message }) => message.includes('SCHEDULING_MCP_PROXIES'))).toHaveLength(1);
  });
});

describe('a connection that rests', () => {
  it('stays open longer than balancers keep it', async () => {
    const { port } = await startAlone();
    const { headers } = await fetch(`http://127.0.0.1:${port}/healthz`);
    expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(900);
  });
});

describe('a sign-in that was never finished', () => {
  it('is no connection: it is not listed, and its tokens are revoked at the service; with a first token it is one', async () => {
    const folder = await opened.temporaryFolder('hosted-');
    const hosted = await startHosted({ sandbox, folder }, opened);
    const { id: account } = sandbox.addAccount({ name: 'Unfinished' });
    const unfinished = new Assistant(hosted.origin, 'Never back');
    await unfinished.open().catch(() => undefined);
    await throughPages(new Browser(), String(unfinished.asked), unfinished.redirectUrl, account);
    await new Assistant(hosted.origin, 'Back').signIn(account);
    const page = textOf((await connectionsPage(new Browser(), hosted.origin, account)).html);
    expect(page).toContain('Back');
    expect(page).not.toContain('Never back');
    await hosted.program.stop('SIGTERM', 10_000);
    const revoked = (): number => sandbox.requests().filter(({ path }) => path.endsWith('/revoke')).length;
    const before = revoked();
    const database = new DatabaseSync(join(folder, 'mcp-server.sqlite'), { timeout: 10_000 });
    database.exec("UPDATE mcp_kept SET used_at = used_at - 16 * 60000 WHERE kind = 'Begun'");
    const kept = () => database.prepare("SELECT COUNT(*) AS kept FROM mcp_kept WHERE kind IN ('Begun', 'Tokens')").get();
    expect(kept()).toEqual({ kept: 3 });
    await startHosted({ sandbox, folder, port: hosted.port }, opened);
    await until(() => revoked() > before);
    await until(() => (kept() as { kept: number }).kept === 1);
    database.close();
  });
});

describe('a key', () => {
  it('is replaced without signing anybody out: the new one is added, and then the old one removed', async () => {
    const folder = await opened.temporaryFolder('hosted-');
    const start = (keys: string, port?: number) => startHosted({ sandbox, folder, port, env: { SCHEDULING_MCP_KEYS: keys } }, opened);
    const first = await start(testKeys.old);
    const assistant = new Assistant(first.origin, 'Rotated');
    await assistant.signIn();
    await first.program.stop();
    const both = await start(`${testKeys.new},${testKeys.old}`, first.port);
    await until(() => both.program.said().includes('older ones may be removed'));
    await both.program.stop();
    await start(testKeys.new, first.port);
    const before = assistant.stored.tokens;
    expect(idsOf(await callTool(await assistant.open(), 'list_event_types'))).not.toEqual([]);
    // It did not have to refresh or sign in again, and can refresh.
    expect(assistant.stored.tokens).toBe(before);
    assistant.stored.tokens = { ...before, access_token: 'expired', token_type: 'Bearer' };
    expect(idsOf(await callTool(await assistant.open(), 'list_event_types'))).not.toEqual([]);
  });
});

describe('a stop', () => {
  it('that is asked for twice ends no call, tells whoever keeps a connection to leave it, and is over with the last call, whoever else is connected', async () => {
    const hosted = await startAlone();
    const assistant = new Assistant(hosted.origin, 'Keeping');
    await (await assistant.signIn()).close();
    const headers = {
      authorization: `Bearer ${assistant.stored.tokens?.access_token ?? ''}`,
      'content-type': 'application/json',
      accept: 'application/json',
    };
    const params = { name: 'list_event_types', arguments: {} };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    sandbox.forgetRequests();
    sandbox.faults.add({ kind: 'delay', route: 'GET /v1/event-types', delayMs: 25_000 });
    const answered = fetch(`${hosted.origin}/mcp`, { method: 'POST', headers, body });
    // Browsers connect before they have anything to ask.
    const silent = connectTo(hosted.port, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    await until(() => sandbox.requests().some(({ path }) => path === '/v1/event-types'));
    process.kill(hosted.program.pid, 'SIGTERM');
    const isConnectable = () =>
      fetch(`http://127.0.0.1:${hosted.port}/healthz`).then(
        () => true,
        () => false,
      );
    await until(async () => !(await isConnectable()));
    // It would wait a minute for who is connected. Killed before, it does not end with 0.
    const ended = hosted.program.stop('SIGTERM', 50_000);
    await sandbox.clock.advance(25_000);
    const answer = await answered;
    expect(answer.headers.get('connection')).toBe('close');
    expect(await answer.json()).toMatchObject({ id: 1 });
    expect(await ended).toBe(0);
    silent.destroy();
  });
});

/** Starts a process on a database that nobody has used for some days. */
async function startLater(folder: string, origin: string, days: number): Promise<Hosted> {
  const database = new DatabaseSync(join(folder, 'mcp-server.sqlite'), { timeout: 10_000 });
  const by = days * 24 * 60 * 60_000;
  database.exec(
    `UPDATE mcp_kept SET used_at = used_at - ${by}, consumed_at = consumed_at - ${by},
     until = CASE WHEN until = ${Number.MAX_SAFE_INTEGER} THEN until ELSE until - ${by} END`,
  );
  database.close();
  return startHosted({ sandbox, folder, origin, port: Number(new URL(origin).port) }, opened);
}

describe('a connection', () => {
  it('lasts as long as somebody uses it, and what its assistant has used up is not kept for as long', async () => {
    const folder = await opened.temporaryFolder('hosted-');
    let hosted = await startHosted({ sandbox, folder }, opened);
    const { origin } = hosted;
    const assistant = new Assistant(origin, 'Faithful');
    await assistant.signIn();
    for (const days of [40, 40]) {
      await hosted.program.stop('SIGTERM', 10_000);
      hosted = await startLater(folder, origin, days);
      expect(idsOf(await callTool(await assistant.open(), 'list_event_types'))).not.toEqual([]);
    }
    const database = new DatabaseSync(join(folder, 'mcp-server.sqlite'), { timeout: 10_000 });
    const used =
      "SELECT COUNT(*) AS used FROM mcp_kept WHERE kind = 'RefreshToken' AND consumed_at IS NOT NULL AND until > consumed_at + 90000000";
    expect(database.prepare(used).get()).toEqual({ used: 0 });
    database.close();
  });

  it('ends after 60 days without use, also at the service', async () => {
    const folder = await opened.temporaryFolder('hosted-');
    const { origin, program } = await startHosted({ sandbox, folder }, opened);
    const account = sandbox.addAccount({ name: 'Left' });
    const assistant = new Assistant(origin, 'Forgotten');
    await assistant.signIn(account.id);
    await program.stop('SIGTERM', 10_000);
    const before = sandbox.requests().filter(({ path }) => path.endsWith('/revoke')).length;
    await startLater(folder, origin, 61);
    await until(() => sandbox.requests().filter(({ path }) => path.endsWith('/revoke')).length > before);
    await expect(assistant.open()).rejects.toThrow();
  });
});

describe('a client that registered', () => {
  it('stays known as long as somebody uses it', async () => {
    const folder = await opened.temporaryFolder('hosted-');
    const hosted = await startHosted({ sandbox, folder }, opened);
    const assistant = new Assistant(hosted.origin, 'Old');
    await assistant.signIn();
    const database = new DatabaseSync(join(folder, 'mcp-server.sqlite'), { timeout: 10_000 });
    const [day, now] = [24 * 60 * 60_000, Date.now()];
    database.prepare("UPDATE mcp_kept SET used_at = ?, until = ? WHERE kind = 'Client'").run(now - 2 * day, now + day);
    assistant.stored.tokens = { ...assistant.stored.tokens, access_token: 'expired', token_type: 'Bearer' };
    await assistant.open();
    const { until: kept } = database.prepare("SELECT until FROM mcp_kept WHERE kind = 'Client'").get() as { until: number };
    database.close();
    expect(kept - now).toBeGreaterThan(80 * day);
  });
});
