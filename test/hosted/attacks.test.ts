import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isInside } from '../../hosted/signIn/clients.ts';
import { type Sandbox } from '../../sandbox/service.ts';
import { startHosted, type Hosted } from '../../tools/rigs/mcp/hosted.ts';
import { Browser, textOf } from '../../tools/rigs/zapier/browser.ts';
import { openSandbox, openedForFile } from '../support/hosted.ts';
import { Assistant, callTool } from '../support/assistant.ts';
import { authorizePath, registered, registration } from '../support/byHand.ts';

let sandbox: Sandbox;
let hosted: Hosted;
let folder: string;
const opened = openedForFile();

beforeAll(async () => {
  sandbox = await openSandbox(opened);
  folder = await opened.temporaryFolder('hosted-');
  hosted = await startHosted({ sandbox, folder }, opened);
});

const redirectUri = 'https://attacked.example/callback';

const authorize = (clientId: string, more: Record<string, string> = {}): string =>
  hosted.origin + authorizePath(clientId, redirectUri, more);
const register = (said: object = {}): Promise<string> => registered(hosted.origin, { redirect_uris: [redirectUri], ...said });
const statusOf = async (said: unknown): Promise<number> => (await fetch(`${hosted.origin}/reg`, registration(said))).status;

describe('somebody else', () => {
  it('cannot answer a sign-in that another browser began: not its pages, and not with the answer of the service', async () => {
    const victim = new Browser();
    const ours = await victim.open(authorize(await register()));
    const attacker = new Browser();
    expect((await attacker.open(ours.url)).status).toBe(400);
    // The attacker consents with their own account, and gives the victim the address that ends the sign-in.
    const own = new Browser();
    const theirs = await own.press(await own.open(authorize(await register())), /^continue/i);
    const ending = await own.press(theirs, /^allow/i, { stopAt: `${hosted.origin}/callback` });
    const shown = await victim.open(ending.url, { stopAt: redirectUri });
    expect({ status: shown.status, text: textOf(shown.html) }).toMatchObject({
      status: 400,
      text: expect.stringContaining('expired') as string,
    });
    // The victim's own sign-in still works.
    const landed = await victim.press(await victim.press(ours, /^continue/i), /^allow/i, { stopAt: redirectUri });
    expect(new URL(landed.url).searchParams.get('code')).not.toBeNull();
  });

  it.each(['https://attacked.example/callback?code=1', 'attacked://callback?code=1'])(
    'cannot make "Cancel" look like "Allow" by an address such as %s',
    async (own) => {
      const clientId = await register({ redirect_uris: [own] });
      const victim = new Browser();
      const ours = await victim.open(authorize(clientId, { redirect_uri: own }));
      const cancelled = await victim.press(ours, /^cancel/i, { stopAt: redirectUri });
      expect(textOf(cancelled.html)).not.toContain('allowed');
      // Nobody has agreed to that address, so a request that is wrong leads nobody there.
      const wrong = authorize(clientId, { redirect_uri: own, response_type: 'token' });
      expect((await victim.open(wrong, { stopAt: own })).status).toBe(400);
    },
  );

  it('cannot send a form of ours from a page of theirs', async () => {
    const browser = new Browser();
    const page = await browser.open(authorize(await register()));
    const action = /action="([^"]+)"/.exec(page.html)?.[1] ?? '';
    for (const path of [action, '/connections', '/connections/disconnect']) {
      const answer = await fetch(hosted.origin + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect({ path, status: answer.status }).toEqual({ path, status: 403 });
      // Or the operator has set another address than people use.
      expect(await answer.text()).toContain(`not sent from <code>${hosted.origin}</code>`);
    }
  });

  it.each(['/', '/connections', '/auth?client_id=unknown', '/interaction/unknown', '/callback'])(
    'cannot show %s inside a page of theirs',
    async (path) => {
      const { headers } = await fetch(hosted.origin + path, { redirect: 'manual' });
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    },
  );

  it.each([
    ['another address', { redirect_uri: 'https://evil.example/callback' }],
    ['a longer one', { redirect_uri: `${redirectUri}/../evil` }],
    ['a scheme that runs', { redirect_uri: 'javascript:alert(1)' }],
  ])('gets no answer at %s', async (_, more) => {
    const answer = await fetch(authorize(await register(), more), { redirect: 'manual' });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(textOf(await answer.text())).toContain('a redirect address that it did not register');
  });

  it.each([
    ['of another kind', { response_type: 'token' }],
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['for another resource', { resource: 'https://elsewhere.example/mcp' }],
    ['that may show nothing', { prompt: 'none' }],
    ['to be answered by a form', { response_mode: 'form_post', response_type: 'token' }],
    ['with a request object', { request: 'x' }],
    ['for a scope that is none', { scope: 'a"b', prompt: 'none' }],
  ])('sends nobody to their address by a request %s', async (_, more) => {
    const answer = await fetch(authorize(await register({ client_name: 'Stranger' }), more), { redirect: 'manual' });
    expect({ status: answer.status, location: answer.headers.get('location') }).toEqual({ status: 400, location: null });
    expect(await answer.text()).not.toMatch(/http-equiv|<script/);
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'googlechrome://evil.example/',
    'googlechromes://evil.example/',
    'microsoft-edge:https://evil.example/',
    'microsoft-edge-https://evil.example/',
    'x-safari-https://evil.example/',
    'firefox-focus://open-url?url=x',
    'opera-https://evil.example/',
    'intent://evil.example/#Intent;scheme=https;end',
    'intent://evil.example/',
    'ms-word:ofe|u|x',
    'mailto:evil@evil.example',
    'some-browser:https://evil.example/',
    'some-browser://open?url=https%3A%2F%2Fevil.example',
    'some-browser://open?url=https%253A%252F%252Fevil.example',
    'some-browser:javascript:alert(1)',
    'file:///etc/passwd',
    'https://user:pass@evil.example/',
    'https://evil.example/#x',
    '',
  ])('cannot register %s as an address', async (address) => {
    expect(await statusOf({ redirect_uris: [address] })).toBe(400);
  });

  it.each([
    'cursor://anysphere.cursor-retrieval/oauth/callback',
    'vscode://publisher.extension/callback',
    'com.example.app:/oauth2redirect',
  ])('is not the app at %s, whose whole address a person reads', async (address) => {
    const id = await register({ redirect_uris: [address] });
    const { html } = await new Browser().open(authorize(id, { redirect_uri: address }));
    expect(textOf(html)).toContain(address);
  });

  it.each([
    ['\u3164\u2800\u115f', 'An assistant without a name'],
    ['Cl\u3164aude\u202e', 'Cl aude'],
    ['Claude (Verified)', 'Claude (Verified)'],
    ['Chat <b>', 'Chat &lt;b&gt;'],
  ])('that calls itself %j stands in no heading as if we said so, and its name hides nothing', async (name, shown) => {
    const { html } = await new Browser().open(authorize(await register({ client_name: name })));
    expect(textOf(/<h1>([^]*?)<\/h1>/.exec(html)?.[1] ?? '')).toBe('Connect an assistant');
    expect(textOf(html)).toContain(`An assistant that calls itself “ ${shown} ” wants`);
  });
});

describe('a document in which a client describes itself', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '::7f00:1',
    '198.18.0.1',
    '203.0.113.1',
    '3fff::1',
    '2002:7f00:1::',
    'ff02::1',
  ])('at %s is inside', (address) => expect(isInside(address)).toBe(true));

  it.each(['93.184.216.34', '8.8.8.8', '2606:4700::1111', '2a00:1450:4001:81b::200e'])('at %s is outside', (address) =>
    expect(isInside(address)).toBe(false),
  );

  it('is not read from inside: nobody there is connected to, by name or by number', async () => {
    let connections = 0;
    const listener = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as AddressInfo;
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      '2130706433',
      'localhost',
      `127.1:${port}`,
    ]) {
      const { status } = await fetch(authorize(`https://${host}/client.json`), { redirect: 'manual' });
      expect({ host, status }).toEqual({ host, status: 400 });
    }
    listener.close();
    expect(connections).toBe(0);
  });
});

describe('somebody with the database and without the key', () => {
  it('finds no token, no name and no address in it', async () => {
    const account = sandbox.addAccount({ name: 'Zebulon Quist', email: 'zebulon@quist.example' });
    const assistant = new Assistant(hosted.origin, 'Stolen');
    const client = await assistant.signIn(account.id);
    await callTool(client, 'list_bookings');
    const files = await Promise.all(
      ['mcp-server.sqlite', 'mcp-server.sqlite-wal'].map((name) => readFile(join(folder, name), 'latin1').catch(() => '')),
    );
    const { tokens, client: registered } = assistant.stored;
    const secrets = [
      tokens?.access_token,
      tokens?.refresh_token,
      registered?.client_id,
      account.id,
      'Zebulon',
      'quist.example',
      'stolen.example',
    ];
    expect(files.join('').length).toBeGreaterThan(1_000);
    expect(secrets.filter((secret) => secret === undefined || files.join('').includes(secret))).toEqual([]);
  });

  it('finds no secret in the log either', () => {
    expect(hosted.program.printed).not.toMatch(/Zebulon|quist\.example|Bearer|eyJ/);
  });
});
