import { maxCalls } from '../../mcp/adapter/account.ts';
import { until } from '../support/until.ts';
import { Stage } from './stage.ts';
import { asLine, callLine, hello, InProcess, type Message, talkTo } from './inProcess.ts';

// What a client sees that starts the program and writes to it, byte by byte.
let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

const greeted = async () => (await talkTo(stage)).greeted();

test('a cancelled call is not answered; others at the same time are', async () => {
  const piped = await greeted();
  stage.sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'delay', delayMs: 60_000 });
  piped.write(callLine('slow', 'list_event_types'));
  await until(() => stage.sandbox.faults.waiting().length === 0);
  piped.write(asLine({ method: 'notifications/cancelled', params: { requestId: 'slow', reason: 'enough' } }));
  piped.write(asLine({ method: 'notifications/cancelled', params: { requestId: 'unknown' } }));
  expect(await piped.ask(2, callLine(2, 'get_current_user'))).toMatchObject({ result: { structuredContent: {} } });
  await stage.sandbox.clock.advance(60_000);
  await until(() => stage.sandbox.requests().some(({ path, status }) => path === '/v1/event-types' && status === 200));
  // By then the program has received the service's answer.
  await piped.ask(3, callLine(3, 'get_current_user'));
  expect([piped.answers.filter(({ id }) => id === 'slow'), piped.said]).toEqual([[], '']);
});

test('messages that are not part of the protocol are ignored without a word of theirs in the log, and the next one is answered', async () => {
  const piped = await greeted();
  const secret = 'secret-that-was-sent';
  for (const odd of [
    'no JSON',
    'null',
    `{"${secret}":1}`,
    `{"jsonrpc":"2.0","id":3,"result":{"${secret}":1}}`,
    '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"create_booking","arguments":[]}}',
    '{"jsonrpc":"2.0","id":6,"method":"__proto__","params":{}}',
    '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"constructor","arguments":{}}}',
    '\u0000\u0001\uFFFF',
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
    const refused = 2_000 - maxCalls;
    const answers = (): Message[] => piped.answers.filter(({ id }) => typeof id === 'number');
    await until(() => answers().length >= refused);
    for (const answer of answers()) expect(JSON.stringify(answer)).toContain('This call was not made, and nothing was changed');
    expect(JSON.stringify(await piped.ask('tools', asLine({ id: 'tools', method: 'tools/list' })))).toContain('list_contacts');
    // Of those that were begun, a few are more than the service allows in a minute.
    expect(answers().length - refused).toBeLessThan(50);
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
