import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { homedir, networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { readOptions } from '../../mcp/options.ts';
import { readListening } from '../../sdk/cli/listen.ts';
import { readTrigger } from '../../sdk/cli/trigger.ts';
import { createClient } from '../../sdk/index.ts';
import { ConnectionFile, newConnectionId, storeIn } from '../../sdk/node/connectionFile.ts';
import { ownAccount } from '../../sdk/node/index.ts';
import { login } from '../../sdk/node/login.ts';
import { clearUp, openWritesIn } from '../../sdk/node/openWrites.ts';
import { settingsIn } from '../../sdk/node/settings.ts';
import { createOAuth } from '../../sdk/oauth/index.ts';
import { brand } from '../../shared/brand.ts';
import { address } from '../../tools/commandLine/command.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { agree } from '../../tools/rigs/mcp/connected.ts';
import { Browser } from '../../tools/rigs/zapier/browser.ts';
import { until } from '../support/until.ts';
import { withKeyboard } from './commandLine.ts';
import { send } from './deliveries.ts';
import { failureOf, Stage } from './stage.ts';

const ends: (() => unknown)[] = [];
const onTestEnd = (end: () => unknown): void => void ends.push(end);
let stage: Stage;
let folder: string;
let file: ConnectionFile;
beforeEach(async () => {
  stage = await Stage.open();
  folder = await mkdtemp(join(tmpdir(), 'own-'));
  file = new ConnectionFile(folder, ways);
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
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
  const given = {
    SCHEDULING_ACCESS_TOKEN: '"Bearer token"\n',
    SCHEDULING_CLIENT_ID: ' id\u200b',
    SCHEDULING_CLIENT_SECRET: "'secret'\r\n",
  };
  expect(settingsIn({ ...given, SCHEDULING_BASE_URL: ' ' })).toMatchObject({
    ...{ accessToken: 'token', clientId: 'id', clientSecret: 'secret', baseUrl: brand.baseUrl },
  });
  expect(settingsIn({ SCHEDULING_FOLDER: '"/own"\n', SCHEDULING_ACCOUNT: "'work'\r\n" }).file).toMatchObject({
    folder: '/own/accounts/work',
    account: 'work',
  });
});

test('addresses, ports and names on the command lines lose what came along at their ends', () => {
  const to = ' \u201chttp://localhost:3000/in\u201d\u200b';
  const [clean, port] = ['http://localhost:3000/in', '"4041"\n'];
  expect(readTrigger(['BOOKING_CREATED', '--to', to]).to).toBe(clean);
  const listening = readListening(['--url', to, '--forward', to, '--port', port, '--events', '"BOOKING_CREATED", BOOKING_CANCELLED\u200b']);
  expect(listening).toMatchObject({ url: clean, forward: clean, port: 4041, events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'] });
  const options = readOptions(['--http', port, '--tools', "'list_bookings'", '--redirect', to], { SCHEDULING_MCP_KEY: '"key"\n' });
  expect(options).toMatchObject({ http: { port: 4041, key: 'key' }, only: ['list_bookings'], redirectUri: clean });
  expect(address(to, 'base')).toBe(clean);
});

test.each([
  [{ SCHEDULING_FOLDER: '/own', APPDATA: '/app' }, '/own'],
  [{ SCHEDULING_FOLDER: '~/own' }, join(homedir(), 'own')],
  [{ SCHEDULING_FOLDER: '/own', SCHEDULING_ACCOUNT: 'ada@example.com' }, join('/own', 'accounts', 'ada@example.com')],
  [{ SCHEDULING_FOLDER: '', APPDATA: '/app' }, join('/app', brand.slug)],
  // Clients start a server without it, which would then look elsewhere than the terminal in which somebody has logged in.
  [{ XDG_CONFIG_HOME: '/xdg' }, join(homedir(), '.config', brand.slug)],
])('with %j, the connection is kept in %s', (env, place) => {
  const { file: kept, ...others } = settingsIn({ ...env, SCHEDULING_ACCESS_TOKEN: '', SCHEDULING_CLIENT_ID: '', SCHEDULING_BASE_URL: '' });
  expect([kept.folder, others]).toEqual([place, { baseUrl: brand.baseUrl }]);
});

test('a folder with the name of a variable is one, such as that of a user who is called so', async () => {
  const own = await mkdtemp(join(folder, 'ADA$LOVELACE-'));
  expect(settingsIn({ APPDATA: own }).file.folder).toBe(join(own, brand.slug));
});

test('on Windows, a client that leaves APPDATA out is served from the folder that it names', () => {
  const own = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  Object.defineProperty(process, 'platform', { ...own, value: 'win32' });
  try {
    expect(settingsIn({}).file.folder).toBe(join(homedir(), 'AppData', 'Roaming', brand.slug));
  } finally {
    Object.defineProperty(process, 'platform', own);
  }
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

  test('may begin with a byte order mark, as editors on Windows write one', async () => {
    const read = (await connected()).read();
    await writeFile(file.path, `\uFEFF${JSON.stringify(read)}\r\n`);
    expect(file.read()).toEqual(read);
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
    await openWritesIn(file.openWrites(before)).set('key', { a: 1 });
    await store.delete();
    expect(await readdir(folder)).toEqual([]);
    expect(() => file.read()).toThrow('No account is connected here.');
  });
});

describe('open writes', () => {
  test('are found again by their account after a new connection, and not by another account', async () => {
    const placeOf = async (user: object): Promise<string> => {
      await connected();
      await file.belongsTo(user);
      return file.openWrites(file.read());
    };
    const [one, again, other, nameless, moved] = [
      await placeOf({ id: 'usr_1', email: 'a@example.com' }),
      await placeOf({ id: 'usr_1', email: 'moved@example.com' }),
      await placeOf({ id: 'usr_2', email: 'a@example.com' }),
      await placeOf({ name: 'Ada' }),
      await placeOf({ email: 'A@example.com' }),
    ];
    expect(again).toBe(one);
    expect(new Set([one, other, nameless, moved]).size).toBe(4);
    expect(await placeOf({ email: 'a@example.com' })).toBe(moved);
  });

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

test.each(['https://localhost:9000/', 'http://localhost/', 'http://localhost.example:9000/', 'nonsense'])(
  'the redirect address %s, to which the answer cannot come, is named before anybody is asked',
  async (redirectUri) => {
    const show = jest.fn();
    await expect(login(file, application(), { redirectUri, show })).rejects.toThrow(
      `The redirect address ${redirectUri} cannot be used. It must be on this machine and have a port, such as http://localhost:9000.`,
    );
    expect(show).not.toHaveBeenCalled();
  },
);

describe('at the two addresses of localhost', () => {
  /** Another program that holds the port at one of them. */
  async function heldAt(host: string): Promise<string> {
    const other = createServer();
    const port = await freePort();
    await new Promise<void>((listening) => other.listen(port, host, listening));
    onTestEnd(() => other.close());
    const redirectUri = `http://localhost:${port}`;
    stage.sandbox.allowRedirect(redirectUri);
    return redirectUri;
  }
  const hosts = ['127.0.0.1', ...(hasIpv6 ? ['::1'] : [])];

  test('the answer comes to whichever the browser tries', async () => {
    for (const host of hosts) {
      const redirectUri = await redirectAt('localhost');
      const show = async (consent: string): Promise<void> => {
        const { port, pathname, search, host: name } = new URL(await approved(consent, redirectUri));
        await send(`http://${host.includes(':') ? `[${host}]` : host}:${port}${pathname}${search}`, {
          method: 'GET',
          headers: { host: name },
        });
      };
      await login(file, application(), { redirectUri, show: (url) => void show(url) });
      await file.forget();
    }
  });

  test('a program that holds one of them is named at once, before anybody is asked', async () => {
    for (const host of hosts) {
      const redirectUri = await heldAt(host);
      const show = jest.fn();
      const place = hasIpv6 ? ` at ${host}` : '';
      await expect(login(file, application(), { redirectUri, show })).rejects.toThrow(
        `Port ${new URL(redirectUri).port} is taken${place}. If another consent page is open, answer that one. Otherwise stop what uses the port, or register another redirect address and pass that one.`,
      );
      expect(show).not.toHaveBeenCalled();
    }
  });

  test('at a terminal, the answer can be pasted all the same', async () => {
    const redirectUri = await heldAt('127.0.0.1');
    const { said, failure } = await pasting(redirectUri, async (consent) => [await approved(consent, redirectUri)], { isTTY: true });
    expect([failure, file.read().clientId]).toEqual([undefined, stage.sandbox.client.id]);
    expect(said[0]).toMatch(/^Port \d+ is taken.*paste its address here, or stop what uses the port/);
  });
});

/**
 * Signs in on a machine without the browser.
 *
 * @param paste gets the address of the consent page. @returns the lines that are pasted
 * @returns what was said, and how it failed
 */
async function pasting(redirectUri: string, paste: (consent: string) => Promise<string[]>, { isTTY = false } = {}) {
  const keyboard = Object.assign(new PassThrough(), { isTTY });
  const screen = isTTY ? jest.spyOn(process.stderr, 'write').mockReturnValue(true) : undefined;
  const said: string[] = [];
  const show = (consent: string): void => void paste(consent).then((lines) => keyboard.write(lines.map((line) => `${line}\n`).join('')));
  const ended = withKeyboard(keyboard, () => login(file, application(), { redirectUri, show, say: (line) => void said.push(line) }));
  const failure = await ended.then(
    () => undefined,
    (error: unknown) => error,
  );
  screen?.mockRestore();
  // Nothing keeps the program from ending.
  expect(keyboard.isPaused()).toBe(true);
  return { said, failure };
}

describe('on a machine without the browser', () => {
  const elsewhere = 'If your browser is on another machine, it is sent to an address that it cannot open.';
  const codeIn = (address: string): string => new URL(address).searchParams.get('code') ?? '';

  const cut = (at: (address: string) => number) => (address: string) => [address.slice(0, at(address)), address.slice(at(address))];
  test.each<[what: string, lines: (address: string) => string[]]>([
    ['the address that the browser came to', (address) => [address]],
    ['the address in quotes, with a fragment', (address) => [` "${address}#_=_" `]],
    ['its query', (address) => [new URL(address).search.slice(1)]],
    ['the code alone', (address) => [codeIn(address)]],
    ['an address that a line break cuts in its path', cut((address) => address.indexOf('/done') + 2)],
    ['an address that a line break cuts in the code', cut((address) => address.indexOf('code=') + 9)],
    ['an address that a line break cuts after the code', cut((address) => address.indexOf('&', address.indexOf('?')))],
    ['an address that a line break cuts in the state', cut((address) => address.indexOf('state=') + 10)],
  ])('%s connects when it is pasted', async (what, lines) => {
    const redirectUri = await redirectAt('localhost');
    const { said, failure } = await pasting(redirectUri, async (consent) => lines(await approved(consent, redirectUri)));
    // After the first half, the person may have been told what it lacks.
    expect([failure, what.includes('cut') ? [] : said]).toEqual([undefined, []]);
    expect(file.read()).toMatchObject({ baseUrl: stage.sandbox.baseUrl, clientId: stage.sandbox.client.id });
    await expect(fetch(redirectUri)).rejects.toThrow('fetch failed');
  });

  test('what is no answer, or that of another sign-in, is refused in a sentence, and the right one still connects', async () => {
    const redirectUri = await redirectAt('localhost');
    const { said, failure } = await pasting(redirectUri, async (consent) => {
      const right = await approved(consent, redirectUri);
      const [other, without] = [new URL(right), new URL(right)];
      other.searchParams.set('state', 'another');
      without.searchParams.delete('state');
      return ['', consent, 'yes please', redirectUri, other.href, without.href, right];
    });
    const [notThat, another] = [
      `That is not an address from the consent page. ${elsewhere} Copy that address from the browser and paste it here.`,
      'That address belongs to another sign-in. Open the address above, and paste the address that your browser is sent to.',
    ];
    expect([failure, said]).toEqual([undefined, [notThat, notThat, notThat, another, another]]);
  });

  test("a code of somebody else's sign-in, and a refusal that is pasted, end it", async () => {
    const redirectUri = await redirectAt('localhost');
    const others = await createOAuth({ ...application(), redirectUri }).begin();
    const { failure } = await pasting(redirectUri, async () => [codeIn(await approved(others.url, redirectUri))]);
    expect(failure).toMatchObject({ name: 'ServiceError' });
    const refused = await pasting(redirectUri, async (consent) => [
      `${redirectUri}?error=access_denied&error_description=Not%20now&state=${new URL(consent).searchParams.get('state')}`,
    ]);
    expect(refused.failure).toMatchObject({ message: 'The account was not connected: Not now.' });
    expect(() => file.read()).toThrow('No account is connected here.');
  });
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
