import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { brand } from '../../shared/brand.ts';
import { proxyFor } from '../../sdk/client/proxy.ts';
import { mcpProgram, builtFolder } from '../../tools/build/products.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { majors, nodeOf } from '../support/node.ts';
import { Browser } from '../../tools/rigs/zapier/browser.ts';
import { CompanyNetwork } from '../support/companyNetwork.ts';
import { until } from '../support/until.ts';
import { Stage } from './stage.ts';

describe('the proxy of the environment', () => {
  const address = 'https://api.example.com/v1';

  test.each<[Record<string, string>, string | undefined]>([
    [{}, undefined],
    [{ HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
    [{ https_proxy: 'http://p:1', HTTPS_PROXY: 'http://q:1' }, 'http://p:1'],
    [{ https_proxy: ' ', HTTPS_PROXY: ' http://q:1 ' }, 'http://q:1'],
    [{ HTTP_PROXY: 'http://p:1' }, 'http://p:1'],
    [{ http_proxy: 'http://p:1', HTTPS_PROXY: 'http://q:1' }, 'http://q:1'],
    [{ HTTPS_PROXY: '"http://p:1"\n' }, 'http://p:1'],
    [{ ALL_PROXY: 'socks5://p:1' }, undefined],
  ])('with %j, it is %s', (env, proxy) => {
    expect(proxyFor(address, env)).toBe(proxy);
    // Plain HTTP is only sent to this machine.
    expect(proxyFor('http://127.0.0.1:4010/v1', env)).toBeUndefined();
  });

  test.each<[string, excepted: boolean, of?: string]>([
    ['*', true],
    ['localhost, api.example.com', true],
    ['localhost other.example', false],
    ['example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['API.Example.com:443', true],
    ['api.example.com:8443', false],
    ['api.example.com:8443', true, 'https://api.example.com:8443/v1'],
    ['ample.com', false],
    ['10.0.0.1', true, 'https://10.0.0.1/v1'],
    ['::1', true, 'https://[::1]:8443/v1'],
    ['[::1]:8443', true, 'https://[::1]:8443/v1'],
    ['10.0.0.0/8', true, 'https://10.1.2.3/v1'],
    ['10.0.0.0/8', false, 'https://11.1.2.3/v1'],
    ['fd00::/8', true, 'https://[fd12::1]/v1'],
    ['10.0.0.0/99, fd00::/8, 10/8, example/8', false, 'https://10.1.2.3/v1'],
    ['10.0.0.0/8', false],
    ['', false],
  ])('NO_PROXY "%s" excepts the service: %s', (list, isExcepted, of = address) => {
    for (const name of ['NO_PROXY', 'no_proxy'])
      expect(proxyFor(of, { HTTPS_PROXY: 'http://p:1', [name]: list }, net) === undefined).toBe(isExcepted);
  });
});

let stage: Stage;
let network: CompanyNetwork;
let home: string;
beforeEach(async () => {
  stage = await Stage.open();
  network = await CompanyNetwork.open(Number(new URL(stage.sandbox.origin).port));
  home = await mkdtemp(join(tmpdir(), 'network-'));
});
afterEach(async () => {
  await network.close();
  await stage.close();
  await rm(home, { recursive: true, force: true, maxRetries: 10 });
});

/** A program of somebody in the network, with pipes in place of a terminal. */
function started(node: string, args: readonly string[], env: Record<string, string> = {}) {
  const all = { ...network.env, SCHEDULING_BASE_URL: network.baseUrl, SCHEDULING_FOLDER: home, ...env };
  const child = spawn(node, args, { env: all, stdio: 'pipe' });
  const said = { out: '', all: '' };
  child.stdout.on('data', (piece: Buffer) => (said.out += String(piece)));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said.all += String(piece)));
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out: said.out, said: said.all }));
  return { child, said, ended };
}

const commandLine = async (): Promise<string> => join(await builtFolder('sdk'), 'dist', 'cli.js');

/** Signs in with a browser on another machine, outside of the network, whose last address is pasted. */
async function signedIn(node: string, program: string): Promise<string> {
  const redirect = `http://localhost:${await freePort()}`;
  stage.sandbox.allowRedirect(redirect);
  const { client } = stage.sandbox;
  const { child, said, ended } = started(node, [program, 'login', '--no-browser', '--redirect', redirect], {
    SCHEDULING_CLIENT_ID: client.id,
    SCHEDULING_CLIENT_SECRET: client.secret,
  });
  const consent = await until(() => /https\S+oauth\/authorize\S+(?=\n)/.exec(said.all)?.[0]);
  const browser = new Browser();
  const page = await browser.open(consent.replace(new URL(network.baseUrl).origin, stage.sandbox.origin));
  const { url } = await browser.press(page, /approve/i, { stopAt: redirect });
  // The pipe stays open, like a terminal: the program ends all the same.
  child.stdin.write(`${url}\n`);
  const { code, said: all } = await ended;
  expect([code, all]).toEqual([0, expect.stringContaining('Connected as Morgan Host (morgan@host.example).')]);
  return all;
}

const options = (fields: Record<string, string>) => Object.entries(fields).map(([key, value]) => `--${key.replaceAll('_', '-')}=${value}`);

describe.each(majors)("behind a company's proxy, with its certificate and no browser, on Node.js %i", (major) => {
  let node: string;
  beforeAll(async () => void (node = await nodeOf(major)));

  test('the command line signs in by a pasted address, and books', async () => {
    const said = await signedIn(node, await commandLine());
    expect(said).toContain('If your browser is on another machine, it is sent to an address that it cannot open.');
    const { wanted } = stage;
    const booked = await started(node, [await commandLine(), 'bookings', 'create', ...options(wanted), '--json']).ended;
    expect([booked.code, JSON.parse(booked.out)]).toEqual([0, expect.objectContaining({ invitee_email: wanted.invitee_email })]);
    expect(stage.bookingsOf(wanted.invitee_email)).toHaveLength(1);
    expect(new Set(network.asked.map(([target]) => target))).toEqual(new Set([`${network.host}:443`]));
  });

  test('the MCP server signs in by a pasted address, and books', async () => {
    const program = await mcpProgram();
    await signedIn(node, program);
    const client = new Client({ name: 'a client', version: '1.0.0' });
    const env = { ...network.env, SCHEDULING_FOLDER: home };
    await client.connect(new StdioClientTransport({ command: node, args: [program], env, stderr: 'ignore' }));
    try {
      const { wanted } = stage;
      const booked = await client.callTool({ name: 'create_booking', arguments: wanted });
      expect(booked.structuredContent).toMatchObject({ invitee_email: wanted.invitee_email });
    } finally {
      await client.close();
    }
  });

  test("a script on the package reaches the service, also over Node's own support for proxies, where there is one", async () => {
    const script = `
      import { createClient } from ${JSON.stringify(join(await builtFolder('sdk'), 'dist', 'index.js'))};
      const client = createClient({ auth: process.env.TOKEN, baseUrl: process.env.SCHEDULING_BASE_URL });
      console.log((await client.users.current()).email);`;
    for (const more of [{}, { NODE_USE_ENV_PROXY: '1' }] as Record<string, string>[]) {
      const ran = await started(node, ['--input-type=module', '-e', script], { TOKEN: stage.token(), ...more }).ended;
      expect([ran.code, ran.out]).toEqual([0, 'morgan@host.example\n']);
    }
  });
});

describe('what the network answers in place of the service', () => {
  const create = async (env: Record<string, string> = {}) => {
    const { wanted } = stage;
    const token = { SCHEDULING_ACCESS_TOKEN: stage.token() };
    const { code, said } = await started(process.execPath, [await commandLine(), 'bookings', 'create', ...options(wanted)], {
      ...token,
      ...env,
    }).ended;
    expect([code, stage.bookingsOf(wanted.invitee_email)]).toEqual([1, []]);
    // It was certainly not sent.
    expect(said).not.toMatch(/may or may not/);
    return said;
  };

  test.each<[what: string, CompanyNetwork['policy'], env: Record<string, string>, words: string]>([
    ['a refusal', 403, {}, 'it answered with status 403. Check HTTPS_PROXY'],
    ['a question for a password', 407, {}, 'it answered with status 407. Put the user name and the password into HTTPS_PROXY'],
    ['a refusal to Node itself', 403, { NODE_USE_ENV_PROXY: '1' }, 'it answered with status 403. Check HTTPS_PROXY'],
    [
      'a proxy that is not there',
      'connect',
      { HTTPS_PROXY: 'http://127.0.0.1:9' },
      `The proxy at 127.0.0.1:9 on the way to ${brand.name} could not be reached (ECONNREFUSED). Check HTTPS_PROXY`,
    ],
    [
      'a proxy of another kind',
      'connect',
      { HTTPS_PROXY: 'socks5://127.0.0.1:9' },
      'The address of the proxy cannot be used: it must look like http://name:password@proxy:3128, with # and / in a password as %23 and %2F. Check',
    ],
    [
      'a password of a proxy that ends its address',
      'connect',
      { HTTPS_PROXY: 'http://name:p#ss@127.0.0.1:9' },
      'The address of the proxy cannot be used: it must look like http://name:password@proxy:3128, with # and / in a password as %23 and %2F. Check',
    ],
    ['a break inside the tunnel', 'breaks', {}, 'broke off (ECONNRESET). Ask the person who runs the proxy'],
    ['a certificate that is unknown', 'connect', { NODE_EXTRA_CA_CERTS: '' }, 'set NODE_EXTRA_CA_CERTS'],
  ])('%s is told, with the setting that mends it', async (_, policy, env, words) => {
    network.policy = policy;
    expect(await create(env)).toContain(words);
  });

  test('a silence is not waited for as long as for an answer', async () => {
    network.policy = 'silence';
    const script = `
      import { createClient } from ${JSON.stringify(join(await builtFolder('sdk'), 'dist', 'index.js'))};
      const onRequest = ({ durationMs }) => { console.log(durationMs); process.exit(); };
      await createClient({ auth: 'token', baseUrl: process.env.SCHEDULING_BASE_URL, onRequest }).users.current();`;
    const { out } = await started(process.execPath, ['--input-type=module', '-e', script]).ended;
    // An answer is waited for 20 seconds.
    expect(Number(out)).toBeLessThan(19_000);
  });

  test('a refusal on the way to the token endpoint is told too', async () => {
    await signedIn(process.execPath, await commandLine());
    network.policy = 407;
    const { said } = await started(process.execPath, [await commandLine(), 'logout']).ended;
    expect(said).toContain('407');
  });

  test('a password in the address of the proxy is sent to it', async () => {
    const { code } = await started(process.execPath, [await commandLine(), 'status'], {
      SCHEDULING_ACCESS_TOKEN: stage.token(),
      HTTPS_PROXY: network.proxy.replace('//', '//ada:50%25%20off@'),
    }).ended;
    expect([code, network.asked]).toEqual([0, [[`${network.host}:443`, `Basic ${btoa('ada:50% off')}`]]]);
  });
});
