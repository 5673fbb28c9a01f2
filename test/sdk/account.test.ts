import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { homedir, networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../sdk/index.ts';
import { ConnectionFile, newConnectionId, storeIn } from '../../sdk/node/connectionFile.ts';
import { ownAccount } from '../../sdk/node/index.ts';
import { login } from '../../sdk/node/login.ts';
import { clearUp, openWritesIn } from '../../sdk/node/openWrites.ts';
import { settingsIn } from '../../sdk/node/settings.ts';
import { brand } from '../../shared/brand.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { agree } from '../../tools/rigs/mcp/connected.ts';
import { Browser } from '../../tools/rigs/zapier/browser.ts';
import { serve } from '../support/serve.ts';
import { until } from '../support/until.ts';
import { send } from './deliveries.ts';
import { failureOf, Stage } from './stage.ts';

let stage: Stage;
let folder: string;
let file: ConnectionFile;
beforeEach(async () => {
  stage = await Stage.open();
  folder = await mkdtemp(join(tmpdir(), 'own-'));
  file = new ConnectionFile(folder, ways);
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await stage.close();
});

const ways = { connect: 'connect', folder: 'FOLDER' };
const application = () => {
  const { redirectUri: _, ...own } = stage.application;
  return own;
};

async function connected(place = folder): Promise<ConnectionFile> {
  const { access_token, refresh_token } = stage.sandbox.issueToken();
  const kept = new ConnectionFile(place, ways);
  await kept.write({ id: newConnectionId(), ...application(), tokens: { access_token, refresh_token } });
  return kept;
}

test('the account for scripts is that of an access token, or the one that the command line connected, with its service', async () => {
  const own = { SCHEDULING_FOLDER: folder, SCHEDULING_ACCESS_TOKEN: '', SCHEDULING_BASE_URL: 'https://elsewhere.example/api/v1' };
  expect(() => ownAccount(own)).toThrow('No account is connected here.');
  await connected();
  const given = ownAccount(own);
  expect(given.baseUrl).toBe(stage.sandbox.baseUrl);
  expect((await createClient(given).users.current()).email).toBe(stage.sandbox.account.email);
  const token = { auth: 'token', baseUrl: 'https://elsewhere.example/api/v1' };
  expect(ownAccount({ ...own, SCHEDULING_ACCESS_TOKEN: 'token' })).toEqual(token);
});

test('values that were copied into the environment lose what came along at their ends', () => {
  const given = { SCHEDULING_ACCESS_TOKEN: '"token"\n', SCHEDULING_CLIENT_ID: ' id\u200b', SCHEDULING_CLIENT_SECRET: "'secret'\r\n" };
  expect(settingsIn({ ...given, SCHEDULING_BASE_URL: ' ' })).toMatchObject({
    ...{ accessToken: 'token', clientId: 'id', clientSecret: 'secret', baseUrl: brand.baseUrl },
  });
});

test.each([
  [{ SCHEDULING_FOLDER: '/own', APPDATA: '/app' }, '/own'],
  [{ SCHEDULING_FOLDER: '', APPDATA: '/app', XDG_CONFIG_HOME: '/xdg' }, join('/app', brand.slug)],
  [{}, join(homedir(), '.config', brand.slug)],
])('with %j, the connection is kept in %s', (env, place) => {
  const { file: kept, ...others } = settingsIn({ ...env, SCHEDULING_ACCESS_TOKEN: '', SCHEDULING_CLIENT_ID: '', SCHEDULING_BASE_URL: '' });
  expect([kept.folder, others]).toEqual([place, { baseUrl: brand.baseUrl }]);
});

describe('the file of a connection', () => {
  test('that cannot be read is reported, with what to do, and nothing of it is shown', async () => {
    await mkdir(file.path);
    expect(() => file.read()).toThrow(`The connection in ${file.path} cannot be read (EISDIR).`);
    await rm(file.path, { recursive: true });
    // An id becomes part of a path.
    const wrongId = JSON.stringify({ ...(await connected()).read(), id: '../0123456789ab' });
    for (const text of ['', '{"id": "my secret"', '{"id": "zz", "tokens": {"access_token": "my secret"}}', wrongId]) {
      await writeFile(file.path, text);
      const error = (await failureOf(Promise.resolve().then(() => file.read()))) as Error;
      expect(error).toMatchObject({ kind: 'unauthenticated', message: `The connection in ${file.path} cannot be read.` });
    }
  });

  test('is for its owner alone, in a folder of its own: beside what this program leaves there, and beside nothing else', async () => {
    for (const [at, name] of ['connection.lock', 'open-0123456789abcdef', ''].entries()) {
      const place = join(folder, String(at), 'own');
      if (name !== '') {
        await mkdir(place, { recursive: true, mode: 0o755 });
        await writeFile(join(place, name), '');
      }
      await connected(place);
      expect([(await stat(place)).mode & 0o777, (await stat(join(place, 'connection.json'))).mode & 0o777]).toEqual([0o700, 0o600]);
    }
    await writeFile(join(folder, 'reopen-1'), '');
    await expect(connected()).rejects.toThrow('Set FOLDER to an empty or new folder.');
  });

  test('keeps the rest when its tokens are renewed, and takes its open writes along when it is deleted', async () => {
    await connected();
    const before = file.read();
    const store = storeIn(file);
    expect(await store.read()).toEqual({ ...before.tokens, connection: before.id });
    await store.write({ access_token: 'a', refresh_token: 'b' });
    expect(file.read()).toEqual({ ...before, tokens: { access_token: 'a', refresh_token: 'b' } });
    await store.write({ access_token: 'c' });
    expect(file.read().tokens).toStrictEqual({ access_token: 'c' });
    await openWritesIn(file.openWrites(before.id)).set('key', { a: 1 });
    await store.delete();
    expect(await readdir(folder)).toEqual([]);
    expect(() => file.read()).toThrow('No account is connected here.');
  });
});

describe('open writes', () => {
  const place = (): string => join(folder, 'a', 'open');

  test('are kept for every process of their owner, each under its key; damaged ones count as missing', async () => {
    expect(await openWritesIn(place()).set('one', { a: 1 })).toBe(true);
    await openWritesIn(place()).set('two', [2]);
    const other = openWritesIn(place());
    expect([await other.get('one'), await other.get('two'), await other.get('three')]).toEqual([{ a: 1 }, [2], undefined]);
    await other.delete('one');
    await other.delete('three');
    expect(await other.get('one')).toBeUndefined();
    const [name = '', ...more] = await readdir(place());
    expect([name, more]).toEqual([expect.stringMatching(/^[a-f0-9]{64}\.json$/), []]);
    // Somebody may still ask for it.
    await clearUp(place());
    expect([(await stat(place())).mode & 0o777, (await stat(join(place(), name))).mode & 0o777]).toEqual([0o700, 0o600]);
    await writeFile(join(place(), name), '{');
    expect(await other.get('two')).toBeUndefined();
  });

  test('in a place that cannot be written are not kept, and this is said', async () => {
    await writeFile(join(folder, 'file'), '');
    const nowhere = openWritesIn(join(folder, 'file'));
    expect([await nowhere.set('one', 1), await nowhere.get('one'), await nowhere.delete('one')]).toEqual([false, undefined, undefined]);
  });
});

async function redirectAt(host: string): Promise<string> {
  const redirectUri = `http://${host}:${await freePort()}/done`;
  stage.sandbox.allowRedirect(redirectUri);
  return redirectUri;
}

/** Connects; `answer` stands for the browser and gets the address to come back to, with the right state. */
async function answered(answer: (back: (query: string) => string) => Promise<unknown>): Promise<unknown> {
  const redirectUri = await redirectAt('127.0.0.1');
  let answering: Promise<unknown> | undefined;
  const show = (address: string): void => {
    const state = new URL(address).searchParams.get('state');
    answering = answer((query) => `${redirectUri}?state=${state}${query}`);
  };
  const failure = await failureOf(login(file, application(), { redirectUri, show }));
  await answering;
  return failure;
}

/** Presses approve like a person, and stops before the browser goes back: the address that it would open. */
async function approved(consent: string, redirectUri: string): Promise<string> {
  const browser = new Browser();
  return (await browser.press(await browser.open(consent), /approve/i, { stopAt: redirectUri })).url;
}

/** Some containers have no IPv6. */
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

test.each(['localhost', '127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])])(
  'the answer comes to %s, and nothing listens afterwards',
  async (host) => {
    const redirectUri = await redirectAt(host);
    await login(file, { ...application(), baseUrl: `${stage.sandbox.baseUrl}/` }, { redirectUri, show: (url) => void agree(url) });
    expect(file.read()).toMatchObject({ baseUrl: stage.sandbox.baseUrl, clientId: stage.sandbox.client.id });
    await expect(fetch(redirectUri)).rejects.toThrow('fetch failed');
  },
);

test('an address that the answer cannot come to is named before anybody is asked, and so is a port that another program uses', async () => {
  const other = createServer();
  const port = await serve(() => undefined, other);
  const show = jest.fn();
  for (const [redirectUri, sentence] of [
    ...['https://localhost:9000/', 'http://localhost/', 'http://localhost.example:9000/', 'nonsense'].map((address) => [
      address,
      `The redirect address ${address} cannot be used. It must be on this machine and have a port, such as http://localhost:9000.`,
    ]),
    [
      `http://127.0.0.1:${port}`,
      `Port ${port} is taken. If another consent page is open, answer that one. Otherwise stop what uses the port, or register another redirect address and pass it with --redirect.`,
    ],
  ] as [string, string][])
    await expect(login(file, application(), { redirectUri, show })).rejects.toThrow(sentence);
  expect(show).not.toHaveBeenCalled();
});

test.each([
  ['does not answer', 'TimeoutError', 'The account was not connected, because the consent page did not answer. Try again.'],
  ['outlives the program', 'AbortError', 'The account was not connected, because the program is ending.'],
])('a consent page that %s is not waited for without end, and the port is left', async (_, name, sentence) => {
  const redirectUri = await redirectAt('127.0.0.1');
  const over = new AbortController();
  const show = (): void => over.abort(new DOMException('It is over.', name));
  await expect(login(file, application(), { redirectUri, show, signal: over.signal })).rejects.toThrow(sentence);
  await expect(fetch(redirectUri)).rejects.toThrow('fetch failed');
  expect(await readdir(file.folder)).toEqual([]);
});

describe('the page that the person comes back to', () => {
  const usual = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

  const notConnected = 'Not connected. The program that opened this page says why. You can close this page.';

  test('says that it is connected once its tokens are saved, to a browser that sends the answer twice as well', async () => {
    const redirectUri = await redirectAt('127.0.0.1');
    let said: unknown;
    const twice = async (consent: string): Promise<void> => {
      const back = await approved(consent, redirectUri);
      const page = send(back, { method: 'GET', headers: {} }).then(({ text }) => (said = [text, file.read().clientId]));
      await Promise.allSettled([page, fetch(back)]);
    };
    await login(file, application(), { redirectUri, show: (url) => void twice(url) });
    expect(await until(() => said)).toEqual([`Connected to ${brand.name}. You can close this page.`, stage.sandbox.client.id]);
  });

  test.each<[query: string, reason: string | undefined]>([
    ['&code=unknown', undefined],
    ['&error=access_denied&error_description=Not%20now.%1b%0a', 'Not now'],
    ['&code=', 'no reason given'],
  ])('says that it is not, after %j, and so does the program', async (query, reason) => {
    let page: unknown;
    const error = await answered(async (back) => (page = await send(back(query), { method: 'GET', headers: {} })));
    expect(error).toMatchObject(
      reason === undefined ? { kind: 'unauthenticated' } : { message: `The account was not connected: ${reason}.` },
    );
    expect(page).toMatchObject({ status: 200, text: notConnected, headers: usual });
  });

  test('is refused to everything else, which changes nothing', async () => {
    const refused: unknown[] = [];
    const error = await answered(async (back) => {
      const right = back('&code=c');
      const others = [
        [right, { method: 'POST', headers: {} }],
        [right, { method: 'GET', headers: { host: 'attacker.example' } }],
        [right.replace('/done', '/other'), { method: 'GET', headers: {} }],
        [right.replace(/state=./, 'state='), { method: 'GET', headers: {} }],
        [right.replace(/\?.*/, ''), { method: 'GET', headers: {} }],
      ] as const;
      for (const [address, request] of others) refused.push(await send(address, request));
      await send(back('&error=enough'), { method: 'GET', headers: {} });
    });
    expect(error).toMatchObject({ message: 'The account was not connected: enough.' });
    const answer = { status: 400, text: 'This answer does not belong to a sign-in that was started here.', headers: usual };
    expect(refused).toMatchObject(Array(5).fill(answer));
  });
});
