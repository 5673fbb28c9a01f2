import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { root } from '../../tools/root.cjs';
import { until } from '../support/until.ts';
import { bookingBody, deliver, headersOf, raw, statusIn } from './deliveries.ts';

interface Said {
  url?: string;
  refused?: string;
  error?: string;
  handling?: boolean;
}

let host: ChildProcess;
let said: Said[];
let url: string;

async function start(kind: string): Promise<void> {
  said = [];
  host = fork(`${root}/test/sdk/handlerHost.ts`, [kind], { execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'] });
  host.on('message', (message: Said) => said.push(message));
  url = await until(() => said.find((each) => each.url !== undefined)?.url);
}

async function stop(): Promise<void> {
  host.kill();
  if (host.exitCode === null && host.signalCode === null) await once(host, 'exit');
}

const errors = (): string[] => said.flatMap(({ error }) => error ?? []);
const refused = (): string[] => said.flatMap((each) => each.refused ?? []);
/** Its handler takes so long. Milliseconds. */
const taking = (milliseconds: number): string => bookingBody({ notes: String(milliseconds) });

const answeredBefore = expect.stringContaining('Your application had answered a delivery before') as unknown;
const leftBefore = expect.stringContaining('The service closed the connection before') as unknown;

/** A request that goes on after this. */
const request = (habit: string, length: number, more = ''): string =>
  `POST /deliveries?${encodeURIComponent(habit)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n${more}\r\n`;
const stopped = (habit: string, length = 100): string => `${request(habit, length)}{"event":`;

/** A signed delivery, without the end of its connection. */
function signed(body: string): string {
  const headers = Object.entries(headersOf({ body })).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return request('', Buffer.byteLength(body), headers.join('')) + body;
}

async function written(text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(text, resolve));
  return socket;
}

describe.each(['node:http', 'Express'])('an application on %s', (kind) => {
  beforeAll(() => start(kind));
  afterAll(stop);
  beforeEach(() => void (said = []));
  /** It still runs, and handles the next delivery. */
  afterEach(async () => {
    expect(await deliver(url, { body: bookingBody() })).toMatchObject({ status: 200, text: 'Thank you.' });
    expect([host.exitCode, host.signalCode]).toEqual([null, null]);
  });
  const delivered = (habit: string) => deliver(`${url}?${encodeURIComponent(habit)}`, { body: taking(300) });

  test.each(['has a timeout that answers', 'has a timer that answers'])('that %s outlives a body that stops arriving', async (habit) => {
    expect(statusIn(await raw(url, stopped(habit), { isOpen: true }))).toBe(503);
    await until(() => errors().length > 0 || refused().includes('brokenOff'));
  });

  test.each(['has a timeout that answers', 'has a timer that answers'])('that %s outlives a handler that is slower', async (habit) => {
    expect((await delivered(habit)).status).toBe(503);
    await until(() => errors().length > 0);
    expect(errors()).toEqual([answeredBefore]);
  });

  test.each(['answers before', 'has begun to answer'])('that %s is told so, and its answer stays', async (habit) => {
    expect(await delivered(habit)).toMatchObject({ status: 202, text: 'mine' });
    await until(() => errors().length > 0);
    expect(errors()).toEqual([answeredBefore]);
  });

  test.each(['has a timeout that closes the connection', 'gives up responses'])('that %s is told so', async (habit) => {
    await expect(delivered(habit)).rejects.toThrow('socket hang up');
    await until(() => errors().length > 0);
    expect(errors()).toEqual([leftBefore]);
  });

  test('is told if the service leaves while a delivery is handled', async () => {
    const socket = await written(signed(taking(300)));
    await until(() => said.some(({ handling }) => handling));
    socket.destroy();
    await until(() => errors().length > 0);
    expect(errors()).toEqual([leftBefore]);
  });

  test('outlives a sender that leaves in the middle of a body, or after a body that is too long', async () => {
    for (const text of [stopped(''), stopped('', 2_000_000)]) (await written(text)).resetAndDestroy();
    await until(() => refused().length === 2);
    expect(errors()).toEqual([]);
  });

  test('outlives headers that are named like members of every object', async () => {
    const text = `${request('', 2, '__proto__: a\r\nconstructor: b\r\n')}{}`;
    expect(statusIn(await raw(url, text))).toBe(401);
    expect(errors()).toEqual([]);
  });
});

describe('an application over HTTP/2', () => {
  beforeAll(() => start('node:http2'));
  afterAll(stop);
  beforeEach(() => void (said = []));

  /** @returns the status and the text; status 0 if the stream was closed without an answer */
  async function sent(
    headers: Record<string, string | string[]>,
    body: string,
    { habit = '', leaves = false } = {},
  ): Promise<[status: number, text: string]> {
    const session = connectHttp2(new URL(url).origin);
    const stream = session.request({ ':method': 'POST', ':path': `/deliveries?${encodeURIComponent(habit)}`, ...headers });
    stream.on('error', () => undefined);
    let [status, text] = [0, ''];
    stream.on('response', (answer) => (status = Number(answer[':status'])));
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    stream.end(body);
    if (leaves) void until(() => said.some(({ handling }) => handling)).then(() => stream.close(constants.NGHTTP2_CANCEL));
    await once(stream, 'close');
    session.close();
    return [status, text];
  }

  test('outlives its own answer and a sender that leaves, and is told', async () => {
    const [first, second, third] = [taking(300), taking(300), bookingBody()];
    expect(await sent(headersOf({ body: first }), first, { habit: 'has begun to answer' })).toEqual([202, 'mine']);
    await until(() => errors().length > 0);
    said = [];
    expect(await sent(headersOf({ body: second }), second, { leaves: true })).toEqual([0, '']);
    await until(() => errors().length > 0);
    expect(errors()).toEqual([leftBefore]);
    expect(await sent(headersOf({ body: third }), third)).toEqual([200, 'Thank you.']);
  });
});
