import { until } from '../support/until.ts';
import { InProcess, talkTo } from './inProcess.ts';
import { Stage } from './stage.ts';
import { asLine, callLine, hello } from './talk.ts';
import { wireCases } from './wireCases.ts';

wireCases((stage) => talkTo(stage));

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

const greeted = async () => (await talkTo(stage)).greeted();

test('a message that never ends is not kept, and nothing after it is answered', async () => {
  const piped = await greeted();
  piped.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"');
  for (let part = 0; part < 11; part += 1) piped.write('a'.repeat(1_000_000));
  await until(() => piped.said !== '');
  piped.write(`"}}\n${asLine({ id: 2, method: 'ping' })}`);
  expect(piped.said).toBe('A message was not understood (Error).\n');
});

test('what a client asked for is not sent again once the client has ended its input', async () => {
  const piped = await greeted();
  const refusal = { kind: 'status', status: 429, headers: { 'retry-after': '1' } } as const;
  stage.sandbox.faults.add({ route: 'GET /v1/event-types', ...refusal });
  stage.sandbox.forgetRequests();
  piped.write(callLine(1, 'list_event_types'));
  await until(() => stage.sandbox.faults.waiting().length === 0);
  piped.end();
  // A client that came later is asked to wait as long, and is served.
  stage.sandbox.faults.add({ route: 'GET /v1/contacts', ...refusal });
  expect(await (await greeted()).ask(2, callLine(2, 'list_contacts'))).toMatchObject({ result: { structuredContent: {} } });
  expect(stage.sandbox.requests().filter(({ path }) => path === '/v1/event-types')).toHaveLength(1);
  expect(piped.said).toBe('');
});

test('a client of the newer protocol gets the same answer to every call', async () => {
  const talk = await talkTo(stage);
  const about = {
    protocolVersion: '2026-07-28',
    clientInfo: { name: 'newer', version: '1.0.0' },
    clientCapabilities: {},
  };
  const _meta = Object.fromEntries(Object.entries(about).map(([key, value]) => [`io.modelcontextprotocol/${key}`, value]));
  const answers: unknown[] = [];
  for (const id of [1, 2, 3]) answers.push((await talk.ask(id, callLine(id, 'get_current_user', { arguments: {}, _meta })))['result']);
  expect(answers[0]).toMatchObject({ resultType: 'complete', structuredContent: { email: stage.sandbox.account.email } });
  expect(answers.slice(1)).toEqual([answers[0], answers[0]]);
});

describe('a client that reads no answers', () => {
  const tools = (id: number): string => asLine({ id, method: 'tools/list' });

  /** The program, whose answers nobody reads. */
  async function unread() {
    const own = new InProcess([], { SCHEDULING_MCP_FOLDER: stage.file.folder });
    stage.later(async () => void own.stdin.end());
    await own.run();
    own.stdin.write(hello);
    await until(() => own.stdout.readableLength > 0);
    return own;
  }

  test('and leaves more of them than it ever asks for at once: the program says so and stops', async () => {
    const own = await unread();
    own.stdout.write(Buffer.alloc(64_000_000 - own.stdout.writableLength));
    own.stdin.write(tools(1));
    await until(() => own.stdout.writableLength > 64_000_000);
    expect(own.exits).toEqual([]);
    own.stdin.write(tools(2));
    await until(() => own.exits.length > 0);
    expect([own.exits, own.written.said]).toEqual([[1], 'The client no longer reads answers, so this program stops.\n']);
    own.stdout.resume();
  });

  test('because it has gone: the program stops', async () => {
    const own = await unread();
    own.stdout.destroy(new Error('EPIPE'));
    await until(() => own.exits.length > 0);
    expect([own.exits, own.written.said]).toEqual([[0], '']);
  });

  describe('and ends its input', () => {
    const realTimes = ['setImmediate', 'setTimeout', 'nextTick', 'performance', 'Date', 'queueMicrotask'] as const;
    beforeEach(() => void jest.useFakeTimers({ doNotFake: [...realTimes] }));
    afterEach(() => void jest.useRealTimers());

    async function ended(asked: number) {
      const own = await unread();
      for (let id = 1; id <= asked; id += 1) own.stdin.write(tools(id));
      if (asked > 0) await until(() => own.stdout.writableLength + own.stdout.readableLength > 0);
      own.stdin.end();
      await until(() => jest.getTimerCount() > 0);
      return own;
    }

    test('for longer than anyone needs to read: the program stops', async () => {
      const own = await ended(100);
      jest.advanceTimersByTime(5_000);
      jest.advanceTimersByTime(5_000);
      expect([own.exits[0], own.written.said]).toEqual([0, '']);
    });

    test('and still reads them, however slowly: the program waits', async () => {
      const own = await ended(1);
      for (let count = 0; count < 20; count += 1) own.stdout.write(Buffer.alloc(100_000));
      for (let count = 0; count < 5; count += 1) {
        const left = own.stdout.writableLength;
        own.stdout.read();
        await until(() => own.stdout.writableLength < left);
        expect(own.stdout.writableLength).toBeGreaterThan(0);
        jest.advanceTimersByTime(5_000);
      }
      expect(own.exits).toEqual([]);
    });

    test('and has read them all: the program is not stopped', async () => {
      const own = await ended(0);
      own.stdout.resume();
      jest.advanceTimersByTime(20_000);
      expect(own.exits).toEqual([]);
    });
  });
});
