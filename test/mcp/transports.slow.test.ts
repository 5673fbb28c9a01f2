import type { OutgoingHttpHeaders } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Assistant } from '../support/assistant.ts';
import { send } from '../sdk/deliveries.ts';
import { until } from '../support/until.ts';
import { asLine, callLine, hello, InProcess, type Message, talkTo } from './inProcess.ts';
import { Stage } from './stage.ts';

/** Asks in one message, for an answer in JSON. */
const post = (address: string, body: string, more: Record<string, string> = {}): Promise<Response> =>
  fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json', ...more }, body });

/** What each message of the newer protocol says about its client. */
const [about, newest] = ['io.modelcontextprotocol/', '2026-07-28'];
const metaOf = (capabilities: unknown, clientInfo: object) => ({
  _meta: { [`${about}clientCapabilities`]: capabilities, [`${about}clientInfo`]: clientInfo, [`${about}protocolVersion`]: newest },
});

const greeting = { protocolVersion: '2025-06-18', clientInfo: { name: 'loose', version: '1.0.0' } };

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

describe('over HTTP', () => {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

  /** A request as a browser or a program would send it, because `fetch` does not let anyone set a host. */
  const ask = (address: string, headers: OutgoingHttpHeaders = {}, body = message) =>
    send(address, { headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }, body });

  test('a program of this machine is served, and so is its own origin, because no other page of this machine has it', async () => {
    const { address } = await stage.serve();
    expect(new URL(address).hostname).toBe('127.0.0.1');
    expect(await ask(address)).toMatchObject({ status: 200, text: expect.stringContaining('create_booking') as string });
    expect((await ask(address, { origin: new URL(address).origin })).status).toBe(200);
  });

  test.each([
    // No form is named: each is accepted.
    [[], 200],
    ['*/*', 200],
    ['application/*, text/*;q=0.9', 200],
    ['Application/JSON, */*;q=0.1', 200],
    ['application/json', 200],
    ['text/event-stream', 200],
    ['text/html', 406],
  ])('a caller that accepts %j is answered with %d, in a form that it takes', async (accept, status) => {
    const { address } = await stage.serve();
    const answer = await ask(address, { accept });
    expect(answer.status).toBe(status);
    if (accept === 'application/json') expect(JSON.parse(answer.text)).toMatchObject({ result: { tools: expect.any(Array) as unknown } });
  });

  test.each([
    ['a host name that somebody bent towards this machine', { host: 'attacker.example' }],
    ['another page of this machine', { origin: 'http://localhost:3000' }],
    ['a page without an origin of its own', { origin: 'null' }],
  ])('%s is refused, and nothing is called', async (_, headers) => {
    const { address } = await stage.serve();
    const { status, text } = await ask(address, headers);
    expect([status, text.includes('create_booking')]).toEqual([403, false]);
  });

  test('a program in a container, which has another name for this machine, learns that it needs a key, and with it is served', async () => {
    const host = 'host.docker.internal:4040';
    const [open, locked] = [await stage.serve(), await stage.serve({}, { key: 'a long key' })];
    expect(await ask(open.address, { host })).toMatchObject({
      status: 403,
      text: 'Without a key, this server answers only at 127.0.0.1 and localhost. Start it with SCHEDULING_MCP_KEY, and send that key as a bearer token.',
    });
    expect((await ask(locked.address, { host })).status).toBe(401);
    expect((await ask(locked.address, { host, authorization: 'Bearer a long key' })).status).toBe(200);
    const page = { host, origin: 'http://localhost:3000', authorization: 'Bearer a long key' };
    expect((await ask(locked.address, page)).status).toBe(403);
  });

  test('if a key is set, only callers with the key are served', async () => {
    const { address } = await stage.serve({}, { key: 'a long key' });
    expect(await ask(address)).toMatchObject({
      status: 401,
      text: 'The key is missing or wrong.',
      headers: { 'www-authenticate': 'Bearer' },
    });
    expect((await ask(address, { authorization: 'Bearer another' })).status).toBe(401);
    for (const scheme of ['Bearer', 'bearer']) expect((await ask(address, { authorization: `${scheme} a long key` })).status).toBe(200);
    expect((await ask(address, { authorization: 'a long key' })).status).toBe(401);
    const elsewhere = ask(address.replace('/mcp', '/'), { authorization: 'Bearer a long key' });
    expect(await elsewhere).toMatchObject({ status: 404, text: 'The address ends in /mcp.' });
    // A client that knows no key tries to register, and shows the answer to its person.
    const connecting = new StreamableHTTPClientTransport(new URL(address), { authProvider: new Assistant(address, 'Without a key') });
    await expect(new Client({ name: 'without a key', version: '1.0.0' }).connect(connecting)).rejects.toThrow(
      'There is no sign-in: the key',
    );
  });

  test("a web page's form, a message larger than any call, and another path are refused", async () => {
    const { address } = await stage.serve();
    // A form needs no permission from the browser.
    expect((await ask(address, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await ask(`${address}/`)).status).toBe(200);
    expect(await ask(address.replace('/mcp', '/'))).toMatchObject({ status: 404, text: 'The address ends in /mcp.' });
    const tooLong = await ask(address, {}, message.padEnd(2_000_000));
    expect([tooLong.status, tooLong.headers['connection']]).toEqual([413, 'close']);
  });
});

const aDay = '{"from":"2059-07-01T00:00:00Z","to":"2059-07-02T00:00:00Z"}';

/** A call without arguments as programs write it that do not keep to the letter of the protocol, and the list of tools. */
const loose = [
  ['no parameters are null', { method: 'tools/list', params: null }],
  ['no parameters are an empty list', { method: 'tools/list', params: [] }],
  ['no page is null', { method: 'tools/list', params: { cursor: null, _meta: null } }],
  ['no arguments are null', { method: 'tools/call', params: { name: 'get_current_user', arguments: null, _meta: null } }],
  ['no arguments are an empty list', { method: 'tools/call', params: { name: 'get_current_user', arguments: [], _meta: [] } }],
  ['no arguments are an empty text', { method: 'tools/call', params: { name: 'get_current_user', arguments: '' } }],
  ['arguments are text', { method: 'tools/call', params: { name: 'list_bookings', arguments: '{"limit":1}' } }],
  [
    'arguments are kept aside as text, because the try before was no JSON',
    { method: 'tools/call', params: { name: 'get_busy_times', arguments: { __unparsedToolInput: { raw: aDay, len: aDay.length } } } },
  ],
  ['capabilities are lists', { method: 'initialize', params: { ...greeting, capabilities: { roots: [], sampling: [] } } }],
  ['a client does not say what it is', { method: 'initialize', params: { protocolVersion: greeting.protocolVersion } }],
  [
    'its version is a number, and its name nothing',
    { method: 'initialize', params: { ...greeting, clientInfo: { name: null, title: null, version: 2 } } },
  ],
  ['no capabilities are an empty list', { method: 'initialize', params: { ...greeting, capabilities: [] } }],
  ['the version is null', { method: 'initialize', params: { ...greeting, protocolVersion: null } }],
  ['nothing is said at the beginning', { method: 'initialize' }],
  ['a message has members of its own', { method: 'tools/list', timestamp: 5, session: { id: 'mine' } }],
  ['a message has nothing in the members of an answer', { method: 'tools/list', result: null, error: null }],
  ['resources may be there', { method: 'resources/list' }],
  ['templates may be there', { method: 'resources/templates/list', params: {} }],
  ['prompts may be there', { method: 'prompts/list', params: { cursor: null } }],
  ['nobody is told of progress', { method: 'tools/list', params: { _meta: { progressToken: null } } }],
] as const;

describe.each(loose)('a client for which %s', (_, sent) => {
  const message = asLine({ id: 'loose', ...sent });
  const expected = { id: 'loose', result: expect.not.objectContaining({ isError: true }) as unknown };

  test('is answered over standard input and output', async () => {
    const talk = await talkTo(stage);
    if (sent.method !== 'initialize') await talk.greeted();
    expect(await talk.ask('loose', message)).toMatchObject(expected);
  });

  test('is answered over HTTP', async () => {
    const { address } = await stage.serve();
    expect(await (await post(address, message)).json()).toMatchObject(expected);
  });
});

test('a client of the newer protocol for which no capabilities are a list, and its version a number, is answered', async () => {
  const { address } = await stage.serve();
  const body = asLine({ id: 1, method: 'tools/list', params: metaOf([], { name: 'loose', version: 2 }) });
  const answer = await post(address, body, { 'mcp-protocol-version': newest, 'mcp-method': 'tools/list' });
  expect(await answer.json()).toMatchObject({ result: { tools: expect.any(Array) as unknown } });
});

test.each(['resources/read', '__proto__', 'constructor'])('%s is refused, as every method that is not there', async (method) => {
  const { address } = await stage.serve();
  const [names, uri] = method === 'resources/read' ? [{ 'mcp-name': 'a:b' }, { uri: 'a:b' }] : [{}, {}];
  const newer = asLine({ id: 1, method, params: { ...metaOf({}, greeting.clientInfo), ...uri } });
  const answers = [
    await post(address, asLine({ id: 1, method })),
    await post(address, newer, { 'mcp-protocol-version': newest, 'mcp-method': method, ...names }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 404]);
  for (const answer of answers) expect(await answer.json()).toMatchObject({ error: { code: -32601 } });
});

test('a client that knows its request by half a character gets its answer', async () => {
  const { address } = await stage.serve();
  const answer = post(address, '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}');
  expect(await (await answer).json()).toMatchObject({ id: '\ud800', result: {} });
});

describe('over standard input and output', () => {
  const greeted = async () => (await talkTo(stage)).greeted();

  test.each([
    ['without its version', { jsonrpc: undefined, id: 'odd', method: 'ping' }, 'odd'],
    ['whose id is no whole number', { id: 1.5, method: 'ping' }, 1.5],
    ['whose id is longer than a number can be exactly', { id: 2 ** 60, method: 'ping' }, 2 ** 60],
    ['whose method is none', { id: 'odd', method: 5 }, 'odd'],
    ['whose parameters are a text', { id: 'odd', method: 'ping', params: 'none' }, 'odd'],
    ['without an id to answer to', { id: null, method: 'ping' }, undefined],
  ])('a request %s is refused, so that nobody waits for its answer', async (_, message, id) => {
    const talk = await greeted();
    const says = expect.stringContaining('its method a string, and its params an object') as string;
    expect(await talk.ask(id, asLine(message))).toMatchObject({ error: { code: -32600, message: says } });
  });

  test('several messages on one line are answered each, and what is told without an id to nobody', async () => {
    const talk = await greeted();
    const messages = [{ id: 'one' }, { id: null, method: 'notifications/initialized' }, { id: 'two' }];
    talk.write(`${JSON.stringify(messages.map((message) => ({ jsonrpc: '2.0', method: 'ping', ...message })))}\n`);
    expect(await Promise.all(['one', 'two'].map((id) => talk.answer(id)))).toMatchObject([{ result: {} }, { result: {} }]);
    expect(talk.answers).toHaveLength(3);
  });

  test('messages that are not part of the protocol are ignored without a word of theirs in the log, and the next one is answered', async () => {
    const piped = await greeted();
    const secret = 'secret-that-was-sent';
    const nested = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const odd of [
      'no JSON',
      'null',
      `{"${secret}":1}`,
      `{"jsonrpc":"2.0","id":3,"result":{"${secret}":1}}`,
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"create_booking","arguments":[]}}',
      '{"jsonrpc":"2.0","id":6,"method":"__proto__","params":{}}',
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"constructor","arguments":{}}}',
      '\u0000\u0001\uFFFF',
      nested,
      callLine(8, 'get_current_user', { arguments: { a: 'deep' } }).replace('"deep"', nested),
    ])
      piped.write(`${odd}\n`);
    expect(JSON.stringify(await piped.ask('last', callLine('last', 'get_current_user')))).toContain(stage.sandbox.account.email);
    expect(piped.said).toContain('A message was not understood');
    expect(piped.said).not.toContain(secret);
    expect(JSON.stringify(piped.answers)).not.toContain('error in this program');
  });

  test('a client that sends two thousand calls at once gets an answer to each that was not started, and is served meanwhile', async () => {
    const own = await Stage.open();
    try {
      own.sandbox.faults.add({ route: 'GET /v1/contacts', kind: 'delay', delayMs: 600_000, times: 'always' });
      const piped = await (await talkTo(own)).greeted();
      for (let id = 1; id <= 2_000; id += 1) piped.write(callLine(id, 'list_contacts'));
      const refused = 1_000;
      // Those that were begun end in time of their own, with whatever the network says.
      const notMade = (): Message[] =>
        piped.answers.filter(
          (answer) => typeof answer.id === 'number' && JSON.stringify(answer).includes('This call was not made, and nothing was changed'),
        );
      await until(() => notMade().length >= refused);
      expect(JSON.stringify(await piped.ask('tools', asLine({ id: 'tools', method: 'tools/list' })))).toContain('list_contacts');
    } finally {
      await own.close();
    }
  });

  test('a message that never ends is not kept, and nothing after it is answered', async () => {
    const piped = await greeted();
    piped.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"');
    for (let part = 0; part < 11; part += 1) piped.write('a'.repeat(1_000_000));
    await until(() => piped.said !== '');
    piped.write(`"}}\n${asLine({ id: 2, method: 'ping' })}`);
    expect(piped.said).toBe('A message was not understood (Error).\n');
  });

  describe('a client that ends its input before it has read the answers', () => {
    const realTimes = ['setImmediate', 'setTimeout', 'nextTick', 'performance', 'Date', 'queueMicrotask'] as const;
    beforeEach(() => void jest.useFakeTimers({ doNotFake: [...realTimes] }));
    afterEach(() => void jest.useRealTimers());

    test('and still reads them, however slowly: the program waits; once it reads no more, the program stops', async () => {
      const own = new InProcess([], { SCHEDULING_MCP_FOLDER: stage.file.folder });
      await own.run();
      own.stdin.write(hello);
      await until(() => own.stdout.readableLength > 0);
      for (let count = 0; count < 20; count += 1) own.stdout.write(Buffer.alloc(100_000));
      own.stdin.end();
      await until(() => jest.getTimerCount() > 0);
      for (let count = 0; count < 5; count += 1) {
        const left = own.stdout.writableLength;
        own.stdout.read();
        await until(() => own.stdout.writableLength < left);
        jest.advanceTimersByTime(5_000);
      }
      expect(own.exits).toEqual([]);
      jest.advanceTimersByTime(5_000);
      expect([own.exits, own.written.said]).toEqual([[0], '']);
    });
  });
});
