import { brand } from '../../shared/brand.ts';
import { startHosted, type Hosted } from '../../tools/rigs/mcp/hosted.ts';
import { Browser, textOf } from '../../tools/rigs/zapier/browser.ts';
import { openSandbox, openedForFile } from '../support/hosted.ts';
import { Assistant, throughPages } from '../support/assistant.ts';
import { authorizePath, refreshForm, registered, registration } from '../support/byHand.ts';

/** What clients do that keep to the letter of no standard, and proxies and libraries in between. */
const opened = openedForFile();
let hosted: Hosted;
let assistant: Assistant;

beforeAll(async () => {
  const sandbox = await openSandbox(opened);
  hosted = await startHosted({ sandbox, folder: await opened.temporaryFolder('hosted-odd-') }, opened);
  assistant = new Assistant(hosted.origin, 'Odd');
  await (await assistant.signIn()).close();
});

const clientId = (): string => assistant.stored.client?.client_id ?? '';
const callWith = (method: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${hosted.origin}/mcp`, {
    method,
    headers: { authorization: `Bearer ${assistant.stored.tokens?.access_token ?? ''}`, 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) }),
  });

it.each(['/mcp/.well-known/oauth-protected-resource', '/mcp/.well-known/oauth-authorization-server'])(
  'a client that appends the well-known path finds %s, also from a page',
  async (path) => {
    const [answer, usual] = await Promise.all([path, `${path.replace('/mcp', '')}/mcp`].map((each) => fetch(hosted.origin + each)));
    expect([answer?.status, answer?.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(await answer?.json()).toEqual(await usual?.json());
  },
);

it('a registry reads its address from its server card', async () => {
  const card: unknown = await (await fetch(`${hosted.origin}/.well-known/mcp/server-card.json`)).json();
  expect(card).toMatchObject({ title: brand.name, remotes: [{ type: 'streamable-http', url: `${hosted.origin}/mcp` }] });
});

it('a token after two spaces is a token', async () => {
  expect((await callWith('POST', { authorization: `Bearer  ${assistant.stored.tokens?.access_token ?? ''}` })).status).toBe(200);
});

it.each(['GET', 'DELETE', 'HEAD'])(
  '%s is answered with 405 and what is allowed, for clients that ask for a stream or end a session',
  async (method) => {
    const answer = await callWith(method, { accept: 'text/event-stream', 'mcp-session-id': 'of an earlier process', 'last-event-id': '7' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  },
);

it('a call of a session that this process does not know is answered', async () => {
  expect((await callWith('POST', { 'mcp-session-id': 'of an earlier process' })).status).toBe(200);
});

it.each([
  [
    'the version that it and its settings name',
    { 'mcp-protocol-version': '2025-11-25, 2025-11-25', 'content-type': 'application/json, application/json' },
    200,
  ],
  ['no version, because it knows none yet', { 'mcp-protocol-version': '' }, 200],
  ['two versions that differ', { 'mcp-protocol-version': '2025-11-25, 2025-06-18' }, 400],
])('a call whose headers name %s', async (_, headers, status) => {
  expect((await callWith('POST', headers)).status).toBe(status);
});

it.each([
  ['on this machine, with and without a certificate', { redirect_uris: ['https://localhost:5000/cb', 'http://localhost:5000/cb'] }],
  ['in a body that it calls text', { redirect_uris: ['https://odd-text.example/cb'] }, 'text/plain'],
])('a client registers %s', async (_, said, type = 'application/json') => {
  const request = { ...registration(said), headers: { 'content-type': type } };
  expect((await fetch(`${hosted.origin}/register`, request)).status).toBe(201);
});

it.each([
  ['http://127.0.0.1:33418', 'http://127.0.0.1:40517/', 303],
  ['http://127.0.0.1:33418/', 'http://127.0.0.1:40517', 303],
  ['https://Odd-case.example:443/cb', 'https://odd-case.example/cb', 303],
  ['https://odd-path.example/cb', 'https://odd-path.example/cb/', 400],
])('a client that registered %s and asks for %s is answered with %d', async (address, redirect_uri, status) => {
  // Without a state, which not all of them send.
  const path = authorizePath(await registered(hosted.origin, { redirect_uris: [address] }), redirect_uri).replace('state=s&', '');
  expect((await fetch(hosted.origin + path, { redirect: 'manual' })).status).toBe(status);
});

it('a browser that sends along large cookies of neighbouring hosts is answered', async () => {
  const path = authorizePath(
    await registered(hosted.origin, { redirect_uris: ['https://cookies.example/cb'] }),
    'https://cookies.example/cb',
  );
  const headers = { cookie: `session=${'x'.repeat(20_000)}` };
  expect((await fetch(hosted.origin + path, { redirect: 'manual', headers })).status).toBe(303);
});

/** A refresh as the official client sends it, and what is put in addition by its library. */
const refreshWith = async (more: Record<string, string>, headers: Record<string, string> = {}): Promise<number> => {
  const form = { ...refreshForm(clientId(), assistant.stored.tokens?.refresh_token), ...more };
  const answer = await fetch(`${hosted.origin}/token`, { method: 'POST', headers, body: new URLSearchParams(form) });
  return answer.status;
};
const basic = (secret: string): string => `Basic ${Buffer.from(`${clientId()}:${secret}`).toString('base64')}`;

it.each([
  ['the header of its calls', {}, (): string => 'Bearer an-old-token'],
  ['a secret that it does not have', { client_secret: 'undefined' }, undefined],
  ['a secret that is null', { client_secret: 'null' }, undefined],
  ['a secret that is None', { client_secret: 'None' }, undefined],
  ['a resource that it does not know', { resource: 'undefined' }, undefined],
  ['such a secret in a header', {}, (): string => basic('undefined')],
] as const)('a refresh that comes with %s passes', async (_, more, header) => {
  expect(await refreshWith(more, header === undefined ? {} : { authorization: header() })).toBe(200);
});

it('a refresh that is written as JSON passes', async () => {
  const form = registration(refreshForm(clientId(), assistant.stored.tokens?.refresh_token));
  expect((await fetch(`${hosted.origin}/token`, form)).status).toBe(200);
});

it.each([
  ['leaves the redirect address out, as OAuth 2.1 does, is answered', {}, 200],
  ['writes it otherwise than before is answered', { redirect_uri: 'https://Odd-two.example:443/callback' }, 200],
  ['names another one of its redirect addresses is refused', { redirect_uri: 'https://odd-two.example/other' }, 400],
])('a token request that %s', async (_, more, status) => {
  const two = new Assistant(hosted.origin, 'Two', { redirect_uris: ['https://odd-two.example/callback', 'https://odd-two.example/other'] });
  await expect(two.open()).rejects.toThrow('Unauthorized');
  const { url } = await throughPages(new Browser(), String(two.asked), two.redirectUrl);
  const code = new URL(url).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id: two.stored.client?.client_id ?? '', code_verifier: two.codeVerifier(), code };
  expect((await fetch(`${hosted.origin}/token`, { method: 'POST', body: new URLSearchParams({ ...form, ...more }) })).status).toBe(status);
});

it('a refresh that comes with any other secret is refused, and harms nothing', async () => {
  expect(await refreshWith({ client_secret: 'a secret that somebody made up' })).toBe(401);
  expect(await refreshWith({})).toBe(200);
});

it.each([
  [{ response_type: 'token' }, 'response_type'],
  [{ request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  [{ client_id: undefined }, 'client_id'],
  [{ redirect_uri: 'https://odd.example/callback#part' }, 'redirect_uri'],
])('a request to sign in that cannot be answered says why: %j', async (wrong, named) => {
  const asked = { response_type: 'code', client_id: clientId(), redirect_uri: assistant.redirectUrl, state: 's', ...wrong };
  const query = new URLSearchParams(Object.entries(asked).filter((each): each is [string, string] => each[1] !== undefined));
  const page = textOf(await (await fetch(`${hosted.origin}/authorize?${query.toString()}`)).text());
  expect(page).toContain('Not connected');
  expect(page).toMatch(new RegExp(`${named}|a redirect address that it did not register`));
});

it('a client that asks for JSON before it shows a page learns that it is not known any more, and registers again; a browser gets a page', async () => {
  const path = authorizePath('forgotten', 'http://127.0.0.1:3334/oauth/callback');
  const answer = await fetch(hosted.origin + path, { headers: { accept: 'application/json' } });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    error: 'invalid_client',
    error_description: expect.stringMatching(/add it again/) as string,
  });
  const page = await fetch(hosted.origin + path, { headers: { accept: 'text/html;charset=utf-8' } });
  expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('Not connected')]);
});
