import * as oauth from 'oauth4webapi';
import { type Sandbox } from '../../sandbox/service.ts';
import { startHosted, type Hosted } from '../../tools/rigs/mcp/hosted.ts';
import { Browser, textOf } from '../../tools/rigs/zapier/browser.ts';
import { openSandbox, openedForFile, tokenUnderWay } from '../support/hosted.ts';
import { Assistant, throughPages, callTool, idsOf } from '../support/assistant.ts';
import * as byHand from '../support/byHand.ts';

let sandbox: Sandbox;
let hosted: Hosted;
const opened = openedForFile();

beforeAll(async () => {
  sandbox = await openSandbox(opened);
  hosted = await startHosted({ sandbox, folder: await opened.temporaryFolder('hosted-') }, opened);
});

const register = (said: object) => byHand.register(hosted.origin, said);
const authorizationUrl = (clientId: unknown, redirectUri: string, more: Record<string, string> = {}): string =>
  hosted.origin + byHand.authorizePath(String(clientId), redirectUri, more);
const token = (form: Record<string, string>) => byHand.tokenFrom(hosted.origin, form);

/** Registers, signs in and exchanges the code. */
async function connectedWith(
  said: { redirect_uris: string[]; client_name?: string } & object,
  asked: Record<string, string> = {},
  redirectUri = said.redirect_uris[0] ?? '',
) {
  const clientId = await byHand.registered(hosted.origin, said);
  const landed = await throughPages(new Browser(), authorizationUrl(clientId, redirectUri, asked), redirectUri);
  const form = byHand.codeForm(clientId, redirectUri, landed.url);
  return { clientId, form, exchanged: await token(form) };
}

const call = (token: unknown, message?: object) => byHand.call(hosted.origin, token, message);

describe('a sign-in', () => {
  it("connects the protocol's own client, which then calls tools for the account that the person chose", async () => {
    const account = sandbox.addAccount({ name: 'Ada' });
    const client = await new Assistant(hosted.origin, 'Assistant').signIn(account.id);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('create_booking');
    expect(JSON.stringify(await callTool(client, 'get_current_user'))).toContain(account.email);
  });

  it('begins with a 401 that names the metadata, for any request without a token', async () => {
    const answer = await call('', { method: 'initialize', params: {} });
    expect(answer.status).toBe(401);
    const { resource_metadata: metadata = '' } =
      /resource_metadata="(?<resource_metadata>[^"]+)"/.exec(answer.headers.get('www-authenticate') ?? '')?.groups ?? {};
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource: `${hosted.origin}/mcp`,
      authorization_servers: [hosted.origin],
    });
  });

  it('describes itself in documents that no network in between keeps after an upgrade', async () => {
    for (const name of ['oauth-protected-resource', 'oauth-authorization-server'])
      expect((await fetch(`${hosted.origin}/.well-known/${name}/mcp`)).headers.get('cache-control')).toBe('no-store');
  });

  it('works with an independent client that follows the standards to the letter', async () => {
    const options = { [oauth.allowInsecureRequests]: true } as const;
    const issuer = new URL(hosted.origin);
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options }));
    const redirectUri = 'https://independent.example/callback';
    const registered = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(as, { redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }, options),
    );
    const landed = await throughPages(
      new Browser(),
      authorizationUrl(registered.client_id, redirectUri, { resource: `${hosted.origin}/mcp`, state: 's' }),
      redirectUri,
    );
    const client = { client_id: registered.client_id };
    const parameters = oauth.validateAuthResponse(as, client, new URL(landed.url), 's');
    const answer = await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), parameters, redirectUri, byHand.verifier, options);
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, answer);
    expect((await call(tokens.access_token)).status).toBe(200);
  });

  it('asks each time, also for a client that is connected in the same browser, and never answers without the person', async () => {
    const redirectUri = 'https://again.example/callback';
    const { body } = await register({ redirect_uris: [redirectUri] });
    const browser = new Browser();
    const first = await throughPages(browser, authorizationUrl(body['client_id'], redirectUri), redirectUri);
    expect(new URL(first.url).searchParams.get('code')).not.toBeNull();
    const again = await browser.open(authorizationUrl(body['client_id'], redirectUri), { stopAt: redirectUri });
    expect(again.status).toBe(200);
    const silent = await browser.open(authorizationUrl(body['client_id'], redirectUri, { prompt: 'none' }), { stopAt: redirectUri });
    expect(new URL(silent.url).searchParams.get('error')).toMatch(/_required$/);
  });

  it('gives only what the person allowed: other tools are absent, and a call of one asks for the permission', async () => {
    const { exchanged } = await connectedWith({ redirect_uris: ['https://reader.example/callback'] }, { scope: 'bookings:read' });
    const listed = await (await call(exchanged.body['access_token'])).text();
    expect(listed).toContain('list_bookings');
    expect(listed).not.toContain('create_booking');
    const wanted = { method: 'tools/call', params: { name: 'create_booking', arguments: {} } };
    const refused = await call(exchanged.body['access_token'], wanted);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toMatch(/insufficient_scope.*bookings:write|bookings:write.*insufficient_scope/);
  });
});

describe('offline_access', () => {
  const said = { client_name: 'Stays', redirect_uris: ['https://stays.example/callback'] };

  it('is listed by the authorization server, returned to whoever asked for it, shown to nobody, and asked for by nobody else', async () => {
    const metadata = (await (await fetch(`${hosted.origin}/.well-known/oauth-authorization-server`)).json()) as {
      scopes_supported: string[];
    };
    expect(metadata.scopes_supported).toContain('offline_access');
    const { body } = await register(said);
    const page = await new Browser().open(
      authorizationUrl(body['client_id'], said.redirect_uris[0] ?? '', { scope: 'bookings:read offline_access' }),
    );
    expect(textOf(page.html)).not.toMatch(/offline/i);
    const { exchanged } = await connectedWith({ ...said, client_name: 'Asks' }, { scope: 'bookings:read offline_access' });
    expect(exchanged.body['scope']).toBe('bookings:read offline_access');
    const { exchanged: other } = await connectedWith({ ...said, client_name: 'Asks not' }, { scope: 'bookings:read' });
    expect(other.body).toMatchObject({ scope: 'bookings:read', refresh_token: expect.any(String) as string });
  });

  it.each([
    ['what it was granted', 'bookings:read offline_access', 'bookings:read offline_access', 'bookings:read offline_access'],
    ['what it asked for, with what was passed over', 'openid bookings:read mcp:all', 'openid bookings:read mcp:all', 'bookings:read'],
    ['only what was passed over', 'bookings:read', 'openid profile', 'bookings:read'],
    ['offline_access alone, which it never asked for', 'bookings:read', 'offline_access', 'bookings:read'],
    ['less than it was granted', 'bookings:read contacts:read offline_access', 'contacts:read', 'contacts:read offline_access'],
    ['scopes with commas', 'bookings:read,contacts:read', 'contacts:read,bookings:read', 'contacts:read bookings:read'],
  ])('a refresh that names %s passes', async (_, asked, named, granted) => {
    const { clientId, exchanged } = await connectedWith({ ...said, client_name: `Repeats ${asked}` }, { scope: asked });
    const refreshed = await token({ ...byHand.refreshForm(clientId, exchanged.body['refresh_token']), scope: named });
    expect({ status: refreshed.status, scope: String(refreshed.body['scope']).split(' ').sort() }).toEqual({
      status: 200,
      scope: granted.split(' ').sort(),
    });
    expect((await call(refreshed.body['access_token'])).status).toBe(200);
  });

  it('alone asks for everything, as no scope does', async () => {
    const { exchanged } = await connectedWith({ ...said, client_name: 'Alone' }, { scope: 'offline_access' });
    expect(exchanged.body['scope']).toMatch(/bookings:write.* offline_access$/);
  });
});

describe('a client that does not read the metadata', () => {
  it('signs in at /authorize, /register, /token and /revoke', async () => {
    const redirectUri = 'https://old.example/callback';
    const json = { 'content-type': 'application/json', origin: 'https://old.example' };
    let id = '';
    for (const path of ['/reg', '/register']) {
      const answer = await fetch(hosted.origin + path, { ...byHand.registration({ redirect_uris: [redirectUri] }), headers: json });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([201, '*']);
      ({ client_id: id } = (await answer.json()) as { client_id: string });
    }
    const address = authorizationUrl(id, redirectUri).replace('/auth?', '/authorize?');
    const landed = await throughPages(new Browser(), address, redirectUri);
    const { body } = await token(byHand.codeForm(id, redirectUri, landed.url));
    expect((await call(body['access_token'])).status).toBe(200);
    const revoked = new URLSearchParams({ client_id: id, token: String(body['refresh_token']) });
    expect((await fetch(`${hosted.origin}/revoke`, { method: 'POST', body: revoked })).status).toBe(200);
    expect((await call(body['access_token'])).status).toBe(401);
  });

  it('signs in and calls at the address without /mcp, where a browser sees the page', async () => {
    const assistant = new Assistant(hosted.origin, 'Bare', {}, undefined, '/');
    const client = await assistant.signIn();
    expect(idsOf(await callTool(client, 'list_event_types'))).not.toEqual([]);
    const refused = await fetch(hosted.origin, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${hosted.origin}/.well-known/oauth-protected-resource"`);
    expect((await fetch(hosted.origin, { headers: { accept: 'text/event-stream' } })).status).toBe(401);
    expect(await (await fetch(hosted.origin, { headers: { accept: 'text/html' } })).text()).toContain(`${hosted.origin}/mcp`);
  });

  it('shows a person who opens the address of the protocol how to use it', async () => {
    const opened = await fetch(`${hosted.origin}/mcp`, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect([opened.status, opened.headers.get('content-type')]).toEqual([401, 'text/html; charset=UTF-8']);
    expect(opened.headers.get('www-authenticate')).toContain(`${hosted.origin}/.well-known/oauth-protected-resource/mcp`);
    expect(await opened.text()).toContain('Add this address to your AI assistant');
  });

  it('reads JSON where nothing is', async () => {
    const answer = await fetch(`${hosted.origin}/sse`, { method: 'POST' });
    expect(await answer.json()).toMatchObject({
      error: 'not_found',
      error_description: expect.stringContaining(`${hosted.origin}/mcp`) as string,
    });
  });

  it('names itself in a Basic header with an empty secret', async () => {
    const { clientId, exchanged } = await connectedWith({ redirect_uris: ['https://basic.example/callback'] });
    const basic = (credentials: string, form: Record<string, string>) =>
      fetch(`${hosted.origin}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: String(exchanged.body['refresh_token']), ...form }),
      });
    expect((await basic(`${clientId}:`, {})).status).toBe(200);
    expect((await basic(`${clientId}:`, { client_id: clientId })).status).toBe(200);
    expect((await basic(`${clientId}:`, { client_id: 'another' })).status).toBe(400);
    expect((await basic(`${clientId}:guessed`, {})).status).toBe(401);
  });
});

describe('sign-ins that broke elsewhere', () => {
  it('a refresh that was under way while the same client refreshed twice is its own, and not a stolen one', async () => {
    const { clientId, exchanged } = await connectedWith({ redirect_uris: ['https://held.example/callback'] });
    const form = (refreshToken: unknown) => byHand.refreshForm(clientId, refreshToken);
    const late = await tokenUnderWay(hosted.origin);
    const second = await token(form(exchanged.body['refresh_token']));
    const third = await token(form(second.body['refresh_token']));
    expect((await late(form(exchanged.body['refresh_token']))).status).toBe(200);
    expect((await call(third.body['access_token'])).status).toBe(200);
    expect((await token(form(exchanged.body['refresh_token']))).status).toBe(400);
  });

  it.each([
    ['no scope', {}],
    ['scopes that only other servers know, and openid', { scope: 'openid profile mcp:all' }],
    ['offline_access with prompt=consent', { scope: 'bookings:read offline_access', prompt: 'consent' }],
    ['prompt=select_account', { prompt: 'select_account' }],
  ])('asks for %s, and gets tokens with a refresh token', async (_, asked) => {
    const { exchanged } = await connectedWith({ redirect_uris: ['https://plain.example/callback'] }, asked);
    expect(exchanged).toMatchObject({ status: 200, body: { token_type: 'Bearer', refresh_token: expect.any(String) as string } });
    expect(exchanged.body).not.toHaveProperty('id_token');
  });

  it.each(['/mcp', '/mcp/', '', '/', '/mcp?a=b'])(
    'writes the resource as the origin with "%s", also at the token endpoint',
    async (end) => {
      const said = { redirect_uris: ['https://resource.example/callback'] };
      const { clientId, exchanged } = await connectedWith(said, { resource: `${hosted.origin}${end}` });
      expect((await call(exchanged.body['access_token'])).status).toBe(200);
      const refreshed = await token({
        ...byHand.refreshForm(clientId, exchanged.body['refresh_token']),
        resource: `${hosted.origin}${end === '/mcp' ? '/mcp/' : '/mcp'}`,
      });
      expect(refreshed.status).toBe(200);
      expect((await call(refreshed.body['access_token'])).status).toBe(200);
    },
  );

  it('a token for another resource is not given: the person reads so, and the assistant too once they have agreed to it', async () => {
    const redirectUri = 'https://other.example/callback';
    const { body } = await register({ client_name: 'Other', redirect_uris: [redirectUri] });
    const browser = new Browser();
    const wrong = authorizationUrl(body['client_id'], redirectUri, { resource: 'https://elsewhere.example/mcp' });
    const told = await browser.open(wrong, { stopAt: redirectUri });
    expect({ status: told.status, text: textOf(told.html) }).toMatchObject({
      status: 400,
      text: expect.stringContaining('resource is') as string,
    });
    await throughPages(browser, authorizationUrl(body['client_id'], redirectUri), redirectUri);
    expect(new URL((await browser.open(wrong, { stopAt: redirectUri })).url).searchParams.get('error')).toBe('invalid_target');
  });

  it.each(['/mcp', '/reg', '/token', '/register', '/revoke', '/', '/.well-known/oauth-protected-resource/mcp'])(
    'an assistant in a browser may send its token to %s',
    async (path) => {
      const asked = 'authorization,content-type,mcp-protocol-version';
      const headers = {
        origin: 'https://assistant.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      };
      const answer = await fetch(hosted.origin + path, { method: 'OPTIONS', headers });
      // A wildcard does not cover it (Fetch, section 4.9).
      expect(answer.headers.get('access-control-allow-headers')).toBe(asked);
    },
  );

  it('/mcp/ is the same address as /mcp', async () => {
    const answer = await fetch(`${hosted.origin}/mcp/`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(401);
  });

  const cursor = [
    'cursor://anysphere.cursor-retrieval/oauth/user-callback',
    'https://www.cursor.example/agents/callback',
    'http://localhost:8787/callback',
  ];
  it.each([
    ["an editor's set with a scheme of its own", { redirect_uris: cursor }],
    ['the same as "web"', { redirect_uris: cursor, application_type: 'web' }],
    [
      'with the device grant',
      { redirect_uris: ['http://127.0.0.1/callback'], grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'] },
    ],
    ['at plain http in a network', { redirect_uris: ['http://n8n.lan/rest/oauth2-credential/callback'] }],
    ['on a computer and in its network', { redirect_uris: ['http://localhost:3000/callback', 'http://chat.lan/callback'] }],
    ['with an unknown scope', { redirect_uris: ['https://scoped.example/cb'], scope: 'everything openid' }],
    ['that wants a secret', { redirect_uris: ['https://secret.example/cb'], token_endpoint_auth_method: 'client_secret_post' }],
  ])('registers a client %s', async (_, said) => {
    const { status, body } = await register(said);
    expect({ status, method: body['token_endpoint_auth_method'] }).toEqual({ status: 201, method: 'none' });
    expect(body).not.toHaveProperty('client_secret');
  });

  it('each registration of the same client gets the same id, and another address another one', async () => {
    const said = { client_name: 'n8n', redirect_uris: ['https://n8n.example/callback'] };
    const ids = [await register(said), await register(said), await register({ ...said, redirect_uris: ['https://n8n.example/other'] })].map(
      ({ body }) => body['client_id'],
    );
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('a code counts once, and its second use ends the connection, unless both were under way at the same time', async () => {
    const late = await tokenUnderWay(hosted.origin);
    const { form, exchanged } = await connectedWith({ redirect_uris: ['https://code.example/callback'] });
    expect(await late(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await call(exchanged.body['access_token'])).status).toBe(200);
    expect(await token(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await call(exchanged.body['access_token'])).status).toBe(401);
  });

  it('an assistant that revokes its token is disconnected, also at the service', async () => {
    const { clientId, exchanged } = await connectedWith({ redirect_uris: ['https://leaving.example/callback'] });
    const form = { client_id: clientId, token: String(exchanged.body['refresh_token']) };
    expect((await fetch(`${hosted.origin}/token/revocation`, { method: 'POST', body: new URLSearchParams(form) })).status).toBe(200);
    expect((await call(exchanged.body['access_token'])).status).toBe(401);
  });
});
