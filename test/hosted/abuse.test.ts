import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Sandbox } from '../../sandbox/service.ts';
import { askTool } from '../../bench/mcpProcesses.ts';
import { startHosted, type Hosted } from '../../tools/rigs/mcp/hosted.ts';
import { Browser, textOf, type ShownPage } from '../../tools/rigs/zapier/browser.ts';
import { certified } from '../support/certificates.ts';
import { openSandbox, openedForFile } from '../support/hosted.ts';
import { Assistant } from '../support/assistant.ts';
import * as byHand from '../support/byHand.ts';

let sandbox: Sandbox;
let hosted: Hosted;
let folder: string;
let host: string;
/** What the host of clients' documents does now. */
let answers: RequestListener;
const opened = openedForFile();

const redirectUri = 'https://attacked.example/callback';
const described: RequestListener = ({ url }, answer) =>
  answer.end(JSON.stringify({ client_id: `https://${host}${String(url)}`, client_name: 'Described', redirect_uris: [redirectUri] }));

beforeAll(async () => {
  sandbox = await openSandbox(opened);
  folder = await opened.temporaryFolder('hosted-');
  const { company, service } = certified('localhost');
  const documents = createServer(service, (request, answer) => answers(request, answer));
  await new Promise<void>((resolve) => documents.listen(0, '127.0.0.1', resolve));
  opened.add('the host of documents', async () => {
    documents.closeAllConnections();
    documents.close();
  });
  host = `localhost:${(documents.address() as AddressInfo).port}`;
  await writeFile(join(folder, 'company.pem'), company);
  hosted = await startHosted(
    { sandbox, folder, env: { SCHEDULING_MCP_INSIDE: host, NODE_EXTRA_CA_CERTS: join(folder, 'company.pem') } },
    opened,
  );
});

const register = (): Promise<string> => byHand.registered(hosted.origin, { redirect_uris: [redirectUri] });
const authorize = (clientId: string): string => hosted.origin + byHand.authorizePath(clientId, redirectUri);

/** Sends bytes as they are. @returns the status line of the answer */
const status = (request: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(hosted.port, '127.0.0.1', () => socket.write(request));
    let answer = '';
    socket.on('data', (part) => (answer += part.toString())).once('error', reject);
    socket.once('close', () => resolve(answer.split('\r\n')[0] ?? ''));
  });

/** A request whose length nobody has announced, as some proxies pass them on. */
const unannounced = (path: string, type: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost:${hosted.port}\r\nConnection: close\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

describe('a body', () => {
  it.each([
    ['/reg', 'application/json', JSON.stringify({ redirect_uris: [redirectUri] }), 201],
    ['/token', 'application/x-www-form-urlencoded', 'grant_type=refresh_token&refresh_token=x&client_id=x', 401],
    ['/reg', 'application/json', 'x'.repeat(100_000), 413],
    ['/token', 'application/json', 'x'.repeat(100_000), 413],
    // Whoever has no token is refused before the body is read.
    ['/mcp', 'application/json', 'x'.repeat(900_000), 401],
  ])('of no announced length is read at %s', async (path, type, body, expected) => {
    expect(await status(unannounced(path, type, body))).toMatch(`HTTP/1.1 ${expected} `);
  });

  it.each(['POST', 'DELETE'])('that is not there is no fault of the server: %s', async (method) => {
    expect(await status(`${method} /mcp HTTP/1.1\r\nHost: localhost:${hosted.port}\r\nConnection: close\r\n\r\n`)).toMatch(/ 401 /);
  });

  it('with more fields than any call has holds up nobody: it is refused', async () => {
    const assistant = new Assistant(hosted.origin, 'Many fields');
    await assistant.signIn();
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]));
    const message = { method: 'tools/call', params: { name: 'list_bookings', _meta: fields } };
    expect((await byHand.call(hosted.origin, assistant.stored.tokens?.access_token, message)).status).toBe(413);
  });
});

it('whoever sends the longest that is read, again and again, holds up nobody', async () => {
  // Read one byte at a time from each of them, this would take minutes.
  for (let times = 0; times < 100; times += 1) {
    const body = `grant_type=refresh_token&client_id=x&resource=${'/'.repeat(31_000)}x`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await fetch(`${hosted.origin}/token`, { method: 'POST', headers, body })).status).toBe(401);
  }
});

describe('a person', () => {
  /** Goes through the pages, with fewer permissions at the service than the assistant asks for. */
  async function allow(clientId: string, scope: string): Promise<ShownPage> {
    const browser = new Browser();
    const ours = await browser.open(authorize(clientId));
    const asked = new URL((await browser.press(ours, /^continue/i, { stopAt: new URL(sandbox.baseUrl).origin })).url);
    asked.searchParams.set('scope', scope);
    return browser.press(await browser.open(asked.href), /^allow/i, { stopAt: redirectUri });
  }

  it('who allows less than was asked is not asked again, and no later request of the assistant widens it', async () => {
    const clientId = await register();
    const { url } = await allow(clientId, 'bookings:read');
    const { body } = await byHand.tokenFrom(hosted.origin, byHand.codeForm(clientId, redirectUri, url));
    expect(body['scope']).toBe('bookings:read');
    const wider = { ...byHand.refreshForm(clientId, body['refresh_token']), scope: 'bookings:read bookings:write' };
    expect((await byHand.tokenFrom(hosted.origin, wider)).body).toMatchObject({ error: 'invalid_scope' });
  });

  it("whose cookies a neighbouring domain has set does not answer the neighbour's sign-in", async () => {
    const begun = await fetch(authorize(await register()), { redirect: 'manual' });
    const cookies = begun.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    const page = new URL(begun.headers.get('location') ?? '', hosted.origin);
    const shown = (held: string[]) => fetch(page, { headers: { cookie: held.join('; ') } });
    expect((await shown(cookies)).status).toBe(200);
    // Only those that belong to the sign-in can be planted; that of the browser cannot (its name forbids it).
    expect((await shown(cookies.filter((cookie) => cookie.startsWith('_interaction')))).status).toBe(400);
  });

  it('is asked for what the server knows, in whatever way the request is written', async () => {
    const written = byHand.authorizePath(await register(), redirectUri, { scope: 'openid bookings:read' });
    const query = encodeURIComponent(written.slice('/auth?'.length));
    for (const path of [`/auth/%3F${query}`, `/auth/x%3F${query}`]) {
      const { headers, status: code } = await fetch(hosted.origin + path, { redirect: 'manual' });
      expect({ code, location: headers.get('location') }).toEqual({ code: 400, location: null });
    }
  });
});

describe('a client that describes itself in a document', () => {
  const address = (): string => `https://${host}/${randomUUID()}.json`;
  const asked = (clientId: string): Promise<number> => fetch(authorize(clientId), { redirect: 'manual' }).then((answer) => answer.status);

  it('connects without registering, is shown with the host of its document, and stays connected until that says that there is none', async () => {
    answers = described;
    const id = address();
    const assistant = new Assistant(hosted.origin, 'Described', { redirect_uris: [redirectUri] }, id);
    await assistant.signIn();
    expect(assistant.stored.client?.client_id).toBe(id);
    expect(textOf((await new Browser().open(String(assistant.asked))).html)).toContain(`described at ${host}`);
    const refreshed = async (): Promise<string> => {
      assistant.stored.tokens = { ...assistant.stored.tokens, access_token: 'expired', token_type: 'Bearer' };
      return assistant.open().then(
        () => 'refreshed',
        (error: unknown) => (error as { code?: string }).code ?? String(error),
      );
    };
    await restarted();
    answers = (_, answer) => answer.writeHead(403).end();
    expect(await refreshed()).toBe('refreshed');
    await restarted();
    answers = (_, answer) => answer.writeHead(410).end();
    expect(await refreshed()).toBe('invalid_client');
  });

  it('that answers with another protocol keeps nobody waiting', async () => {
    answers = ({ socket }) => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    expect(await asked(address())).toBe(400);
  });

  it('is read, however many documents somebody invents at a site of their own', async () => {
    answers = described;
    await Promise.all(Array.from({ length: 130 }, (_, at) => asked(`https://a${at}.evil.localhost/client.json`)));
    expect(await asked(address())).toBe(303);
  });

  /** Without what a process remembers. */
  async function restarted(): Promise<void> {
    await hosted.program.stop();
    const env = { SCHEDULING_MCP_INSIDE: host, NODE_EXTRA_CA_CERTS: join(folder, 'company.pem') };
    hosted = await startHosted({ sandbox, folder, port: hosted.port, env }, opened);
  }
});

describe('somebody who can write to the database', () => {
  it('sees no connection of another account on the page of their own, by whatever row it is moved', async () => {
    const [ada, eve] = [sandbox.addAccount({ name: 'Ada' }), sandbox.addAccount({ name: 'Eve' })];
    await new Assistant(hosted.origin, 'Of Ada').signIn(ada.id);
    await new Assistant(hosted.origin, 'Of Eve').signIn(eve.id);
    const database = new DatabaseSync(join(folder, 'mcp-server.sqlite'), { timeout: 10_000 });
    const accounts = database.prepare("SELECT DISTINCT account FROM mcp_kept WHERE kind = 'Connection'").all();
    expect(accounts.length).toBeGreaterThan(1);
    const browser = new Browser();
    const consent = await browser.press(await browser.open(`${hosted.origin}/connections`), /^sign in/i);
    for (const { account } of accounts) {
      database.prepare("UPDATE mcp_kept SET account = ? WHERE kind = 'Connection'").run(String(account));
      const page = await browser.press(consent, /^allow/i, { fields: { account: eve.id } });
      expect(textOf(page.html)).not.toContain('Of Ada');
    }
    database.close();
  });

  it('acts for no other account with a token of their own, by whatever row is given to another connection', async () => {
    const [ada, eve] = [sandbox.addAccount({ name: 'Ada' }), sandbox.addAccount({ name: 'Eve' })];
    const [ofAda, ofEve] = [new Assistant(hosted.origin, 'Of Ada'), new Assistant(hosted.origin, 'Of Eve')];
    await (await ofAda.signIn(ada.id)).close();
    await (await ofEve.signIn(eve.id)).close();
    const ask = () => askTool(hosted.port, ofEve.stored.tokens?.access_token ?? '', 'get_current_user', {});
    expect((await ask()).record).toMatchObject({ id: eve.id });
    const database = new DatabaseSync(join(folder, 'mcp-server.sqlite'), { timeout: 10_000 });
    const grants = database.prepare("SELECT grant_id FROM mcp_kept WHERE kind = 'Connection' ORDER BY used_at DESC LIMIT 2").all();
    for (const kind of ['Connection', 'Tokens', 'AccessToken'])
      for (const { grant_id: grant } of grants) {
        const before = database.prepare('SELECT id, grant_id FROM mcp_kept WHERE kind = ?').all(kind);
        database.prepare('UPDATE mcp_kept SET grant_id = ? WHERE kind = ?').run(String(grant), kind);
        const { status: answered, record } = await ask();
        expect([undefined, eve.id]).toContain(record['id']);
        if (kind === 'AccessToken') expect(answered).toBe(record['id'] === undefined ? 401 : 200);
        for (const { id, grant_id: own } of before)
          database.prepare('UPDATE mcp_kept SET grant_id = ? WHERE kind = ? AND id = ?').run(own ?? null, kind, id ?? null);
      }
    expect((await ask()).record).toMatchObject({ id: eve.id });
    database.close();
  });
});
