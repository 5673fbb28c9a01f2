import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { startHosted, type Hosted } from '../../tools/rigs/mcp/hosted.ts';
import { askTool } from '../../bench/mcpProcesses.ts';
import { openedForFile } from '../support/hosted.ts';
import { errorOf } from '../support/wire.ts';
import { connectedPerson } from '../support/assistant.ts';
import { authorizePath, refreshForm, registration } from '../support/byHand.ts';

let sandbox: Sandbox;
let hosted: Hosted;
let database: DatabaseSync;
const opened = openedForFile();

beforeAll(async () => {
  // With the service's own limits: 20 token requests a minute.
  sandbox = await opened.start('the sandbox', () => startSandbox({ file: ':memory:' }));
  const folder = await opened.temporaryFolder('hosted-');
  hosted = await startHosted({ sandbox, folder, env: { SCHEDULING_MCP_PROXIES: '1', SCHEDULING_MCP_TOKEN_REQUESTS: '20' } }, opened);
  database = new DatabaseSync(join(folder, 'mcp-server.sqlite'), { timeout: 10_000 });
  opened.add('the database', async () => database.close());
});

// Each test has a minute of its own at the service.
beforeEach(() => sandbox.forward(61_000));

const redirectUri = 'https://stranger.example/callback';

/** A request that the proxy got from an address. */
const from = (address: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(hosted.origin + path, { redirect: 'manual', ...init, headers: { ...init.headers, 'x-forwarded-for': address } });

const register = (address: string, name: string): Promise<Response> =>
  from(address, '/reg', registration({ client_name: name, redirect_uris: [redirectUri] }));

const authorize = (clientId: string, state = 's'): string => authorizePath(clientId, redirectUri, { state });

const idOf = async (answer: Response): Promise<string> => ((await answer.json()) as { client_id: string }).client_id;

const held = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; ');

/** Begins a sign-in and comes back with a code that nobody gave out. */
async function madeUpCode(address: string, clientId: string): Promise<Response> {
  const begun = await from(address, authorize(clientId));
  const page = new URL(begun.headers.get('location') ?? '', hosted.origin).pathname;
  const headers = { cookie: held(begun), origin: hosted.origin, accept: 'text/html' };
  const gone = await from(address, page, { method: 'POST', headers });
  const state = new URL(gone.headers.get('location') ?? '').searchParams.get('state') ?? '';
  return from(address, `${page}/done?${new URLSearchParams({ state, code: 'made-up' }).toString()}`, { headers });
}

async function connected(name: string) {
  const { token, ...others } = await connectedPerson(sandbox, hosted.origin, name);
  return { ...others, ask: () => askTool(hosted.port, token, 'list_event_types', {}) };
}

/** As if so much had been taken. */
const took = (name: string, taken: number): unknown => database.prepare('UPDATE mcp_shares SET taken = ? WHERE name = ?').run(taken, name);
const forgotten = (): unknown => database.prepare('DELETE FROM mcp_shares').run();

const refused = { status: 429, wait: expect.stringMatching(/^[1-9]\d*$/) as string };
const told = ({ status, headers }: Response) => ({ status, wait: headers.get('retry-after') });

const tokenRequests = (): number => sandbox.requests().filter(({ path }) => path === '/api/oauth/token').length;

it('made-up codes spend what is left over, so refreshes and the sign-ins of others go on', async () => {
  const { ask } = await connected('Ada');
  const client = await idOf(await register('192.0.2.1', 'Codes'));
  const before = tokenRequests();
  const answers: Response[] = [];
  for (let at = 0; at < 12; at += 1) {
    answers.push(await madeUpCode('192.0.2.1', client));
    // The half minute does not end meanwhile, however slow the machine is.
    database.prepare('UPDATE mcp_shares SET until = MAX(until, ?)').run(Date.now() + 20_000);
  }
  expect(tokenRequests() - before).toBe(2);
  expect(answers.slice(2).map(told)).toEqual(answers.slice(2).map(() => refused));
  // The page goes on by itself.
  expect(answers.at(-1)?.headers.get('refresh')).toBe(answers.at(-1)?.headers.get('retry-after'));
  // The service's access token expires now.
  sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'status', status: 401, body: errorOf('Unauthorized', 'INVALID_TOKEN') });
  const exchanged = tokenRequests();
  expect(await ask()).toMatchObject({ status: 200, isError: false });
  expect(tokenRequests() - exchanged).toBe(1);
  await connected('Grace');
});

it('a refresh that the service holds back for a moment waits, and the call that needs it does not fail', async () => {
  forgotten();
  const { ask } = await connected('Waits');
  const [expired, full] = [errorOf('Unauthorized', 'INVALID_TOKEN'), { error: 'rate_limited' }];
  sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'status', status: 401, body: expired });
  sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status: 429, body: full, headers: { 'retry-after': '1' } });
  const before = tokenRequests();
  expect(await ask()).toMatchObject({ status: 200, isError: false });
  expect(tokenRequests() - before).toBe(2);
});

it('new clients are shared out: one address takes half, another one still registers, and known clients always do', async () => {
  forgotten();
  const known = await idOf(await register('192.0.2.1', 'Known'));
  took('clients', 500);
  expect(told(await register('192.0.2.1', 'One more'))).toEqual(refused);
  expect((await register('198.51.100.7', 'Of somebody else')).status).toBe(201);
  expect(await idOf(await register('192.0.2.1', 'Known'))).toBe(known);
  // Whoever else asks as well gets a third of it, and nobody more than there is.
  database.prepare("UPDATE mcp_shares SET taken = 1000 WHERE name = 'clients' AND who = ''").run();
  expect(told(await register('203.0.113.9', 'Too late'))).toEqual(refused);
});

it('sign-ins that are begun are shared out, by network, and what a proxy before the own one says counts for nothing', async () => {
  forgotten();
  const client = await idOf(await register('2001:db8:1:2::1', 'Begun'));
  const begin = (address: string) => from(address, authorize(client));
  expect((await begin('2001:db8:1:2::1')).status).toBe(303);
  took('sign-ins', 5_000);
  for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '198.51.100.1, 2001:db8:1:2::1', '[2001:db8:1:2::5]:4711'])
    expect(told(await begin(address))).toEqual(refused);
  for (const address of ['2001:db8:1:3::1', '2001:db8:1:2::1, 198.51.100.1', '198.51.100.1:4711', '::ffff:198.51.100.1'])
    expect((await begin(address)).status).toBe(303);
  for (const path of ['/connections', '/interaction/x'])
    expect(told(await from('2001:db8:1:2::1', path, { method: 'POST', headers: { origin: hosted.origin } }))).toEqual(refused);
  expect((await from('2001:db8:1:2::1', '/connections')).status).toBe(200);
});

it('a request to sign in, and a registration, keep no more than a few thousand bytes', async () => {
  forgotten();
  const client = await idOf(await register('192.0.2.1', 'Long'));
  expect((await from('192.0.2.1', authorize(client, 'x'.repeat(4_000)))).status).toBe(303);
  expect((await from('192.0.2.1', authorize(client, 'x'.repeat(9_000)))).status).toBe(414);
  const tooLong = await register('192.0.2.1', 'x'.repeat(9_000));
  expect([tooLong.status, tooLong.headers.get('connection')]).toEqual([413, 'close']);
});

it('documents are counted for whoever asks, whatever hosts they name', async () => {
  forgotten();
  const asked = (address: string, host: string) => from(address, authorize(`https://${host}/client.json`));
  expect((await asked('192.0.2.1', 'a.co.invalid')).status).toBe(400);
  took('documents', 500);
  expect(told(await asked('192.0.2.1', 'b.co.invalid'))).toEqual(refused);
  expect((await asked('198.51.100.1', 'c.co.invalid')).status).toBe(400);
});

it('an assistant that refreshes all the time is held back, and stays connected', async () => {
  forgotten();
  const { ask, refresh, client } = await connected('Restless');
  const refreshed = () =>
    from('192.0.2.1', '/token', {
      method: 'POST',
      body: new URLSearchParams(refreshForm(client, refresh)),
    });
  expect((await refreshed()).status).toBe(200);
  took('refreshes', 300);
  expect(told(await refreshed())).toEqual(refused);
  expect(await ask()).toMatchObject({ status: 200, isError: false });
});

it('made-up tokens, codes and revocations cost nothing that is shared', async () => {
  const client_id = await idOf(await register('192.0.2.1', 'Made up'));
  const kept = () =>
    ['mcp_kept', 'mcp_shares', 'mcp_locks'].map((table) => database.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get()?.['n']);
  const before = [kept(), tokenRequests()];
  const post = (path: string, form: Record<string, string>) =>
    from('192.0.2.1', path, { method: 'POST', body: new URLSearchParams({ client_id, ...form }) }).then(({ status }) => status);
  expect([
    await post('/token', { grant_type: 'refresh_token', refresh_token: 'made-up' }),
    await post('/token', { grant_type: 'refresh_token', refresh_token: 'x'.repeat(22_000) }),
    await post('/token', { grant_type: 'authorization_code', code: 'made-up', code_verifier: 'v'.repeat(43), redirect_uri: redirectUri }),
    await post('/revoke', { token: 'made-up' }),
    (await from('192.0.2.1', '/.well-known/oauth-authorization-server')).status,
    (await from('192.0.2.1', '/mcp', { method: 'POST', headers: { authorization: 'Bearer made-up' }, body: '{}' })).status,
  ]).toEqual([400, 400, 400, 200, 200, 401]);
  expect([kept(), tokenRequests()]).toEqual(before);
});
