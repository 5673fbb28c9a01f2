import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectionFile } from '../../sdk/node/connectionFile.ts';
import { login } from '../../sdk/node/login.ts';
import { brand } from '../../shared/brand.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { agree } from '../../tools/rigs/mcp/connected.ts';
import { Browser } from '../../tools/rigs/zapier/browser.ts';
import { serve } from '../support/serve.ts';
import { until } from '../support/until.ts';
import { send } from './deliveries.ts';
import { failureOf, Stage } from './stage.ts';

let stage: Stage;
let file: ConnectionFile;
beforeEach(async () => {
  stage = await Stage.open();
  file = new ConnectionFile(await mkdtemp(join(tmpdir(), 'login-')), { connect: 'connect', folder: 'FOLDER' });
});
afterEach(async () => {
  await rm(file.folder, { recursive: true, force: true });
  await stage.close();
});

const patienceMs = 60_000;
const application = () => {
  const { redirectUri: _, ...own } = stage.application;
  return own;
};

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
  const failure = await failureOf(login(file, application(), { redirectUri, patienceMs, show }));
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
    await login(
      file,
      { ...application(), baseUrl: `${stage.sandbox.baseUrl}/` },
      { redirectUri, patienceMs, show: (url) => void agree(url) },
    );
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
    await expect(login(file, application(), { redirectUri, patienceMs, show })).rejects.toThrow(sentence);
  expect(show).not.toHaveBeenCalled();
});

test.each([
  ['does not answer', 1, 'The account was not connected, because the consent page did not answer. Try again.'],
  ['outlives the program', patienceMs, 'The account was not connected, because the program is ending.'],
])('a consent page that %s is not waited for without end, and the port is left', async (_, waitMs, sentence) => {
  const redirectUri = await redirectAt('127.0.0.1');
  const ending = new AbortController();
  const show = (): void => void (waitMs > 1 && ending.abort());
  const given = { redirectUri, patienceMs: waitMs, show, signal: ending.signal };
  await expect(login(file, application(), given)).rejects.toThrow(sentence);
  await expect(fetch(redirectUri)).rejects.toThrow('fetch failed');
  expect(await readdir(file.folder)).toEqual([]);
});

describe('the page that the person comes back to', () => {
  const usual = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
    connection: 'close',
    'referrer-policy': 'no-referrer',
  };

  /** An answer with the sentence on its page. */
  const shown = async (...request: Parameters<typeof send>) => {
    const answer = await send(...request);
    return { ...answer, text: /<p>(.*)<\/p>$/.exec(answer.text)?.[1] };
  };

  const notConnected = 'Not connected. The program that opened this page says why. You can close this page.';

  test('says that it is connected once its tokens are saved, to a browser that sends the answer twice as well', async () => {
    const redirectUri = await redirectAt('127.0.0.1');
    let said: unknown;
    const twice = async (consent: string): Promise<void> => {
      const back = await approved(consent, redirectUri);
      const page = shown(back, { method: 'GET', headers: {} }).then(({ text }) => (said = [text, file.read().clientId]));
      await Promise.allSettled([page, fetch(back)]);
    };
    await login(file, application(), { redirectUri, patienceMs, show: (url) => void twice(url) });
    expect(await until(() => said)).toEqual([`Connected to ${brand.name}. You can close this page.`, stage.sandbox.client.id]);
  });

  test('is not waited for if the browser leaves while the tokens are fetched, and its other connections are closed', async () => {
    stage.sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'delay', delayMs: 300 });
    const redirectUri = await redirectAt('127.0.0.1');
    let spare: Socket | undefined;
    const leave = async (consent: string): Promise<void> => {
      spare = connect(Number(new URL(redirectUri).port), '127.0.0.1').on('error', () => undefined);
      const left = new AbortController();
      const page = fetch(await approved(consent, redirectUri), { signal: left.signal }).catch(() => undefined);
      await until(() => stage.requestsTo('/api/oauth/token').length > 0);
      left.abort();
      await page;
    };
    await login(file, application(), { redirectUri, patienceMs, show: (url) => void leave(url) });
    expect(file.read()).toMatchObject({ clientId: stage.sandbox.client.id });
    await until(() => spare?.resume().closed);
  });

  test.each<[query: string, reason: string | undefined]>([
    ['&code=unknown', undefined],
    ['&error=access_denied&error_description=Not%20now.%1b%0a', 'Not now'],
    ['&code=', 'no reason given'],
  ])('says that it is not, after %j, and so does the program', async (query, reason) => {
    let page: unknown;
    const error = await answered(async (back) => (page = await shown(back(query), { method: 'GET', headers: {} })));
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
      for (const [address, request] of others) refused.push(await shown(address, request));
      await send(back('&error=enough'), { method: 'GET', headers: {} });
    });
    expect(error).toMatchObject({ message: 'The account was not connected: enough.' });
    const answer = { status: 400, text: 'This answer does not belong to a sign-in that was started here.', headers: usual };
    expect(refused).toMatchObject(Array(5).fill(answer));
  });
});
