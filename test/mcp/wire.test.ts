import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { mcpProgram } from '../../tools/build/products.ts';
import { until } from '../support/until.ts';
import { Stage } from './stage.ts';

jest.setTimeout(120_000);

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

type Message = Readonly<Record<string, unknown>>;

const asLine = (message: Message): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

const call = (id: unknown, name: string, more: Message = {}): string => asLine({ id, method: 'tools/call', params: { name, ...more } });

const hello = asLine({
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'piped', version: '1.0.0' } },
});

/** The built program, and what a client writes to it, byte by byte. */
class Piped {
  readonly answers: Message[] = [];
  readonly child: ChildProcessWithoutNullStreams;
  said = '';

  constructor(program: string) {
    this.child = spawn(process.execPath, [program], { env: { SCHEDULING_MCP_FOLDER: stage.file.folder } });
    createInterface({ input: this.child.stdout }).on('line', (line) => void this.answers.push(JSON.parse(line) as Message));
    this.child.stderr.on('data', (piece: Buffer) => (this.said += piece.toString()));
    // What is written to a program that has ended is lost.
    this.child.stdin.on('error', () => undefined);
    stage.later(async () => void this.child.kill());
  }

  static async start(): Promise<Piped> {
    const piped = new Piped(await mcpProgram());
    await piped.ask('hello', hello);
    return piped;
  }

  write(text: string | Buffer): void {
    this.child.stdin.write(text);
  }

  answer = (id: unknown): Promise<Message> => until(() => this.answers.find((each) => each['id'] === id));

  async ask(id: unknown, text: string): Promise<Message> {
    this.write(text);
    return this.answer(id);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}

test('a call gets the same answer, whichever way the program reads it', async () => {
  const piped = await Piped.start();
  const [{ id } = { id: '' }] = stage.sandbox.bookings();
  const given = { arguments: { booking_id: id } };
  const { result } = await piped.ask(1, call(1, 'get_booking', given));
  expect(result).toMatchObject({ structuredContent: { id } });
  expect(await piped.ask('two', call('two', 'get_booking', { ...given, _meta: { progressToken: 7 } }))).toMatchObject({ result });
  // A call with more than a name and arguments goes through the SDK.
  expect(await piped.ask(3, call(3, 'get_booking', { ...given, more: true }))).toMatchObject({ result });
  const refused = await piped.ask(4, call(4, 'get_booking', { arguments: { booking: id } }));
  expect(refused).toMatchObject({ result: { isError: true } });
  expect(await piped.ask(5, call(5, 'get_booking', { arguments: { booking: id }, more: true }))).toMatchObject({
    result: refused['result'],
  });
});

test('the answer to `initialize` comes first, even if the client sends calls without waiting for it', async () => {
  const piped = new Piped(await mcpProgram());
  piped.write(hello + call(1, 'get_current_user', { arguments: { user: 1 } }) + call(2, 'get_current_user'));
  await piped.answer(2);
  expect(piped.answers.map(({ id }) => id)).toEqual(['hello', 1, 2]);
});

test.each<[string, Message]>([
  ['an unknown tool', { params: { name: 'get_everything' } }],
  ['arguments that are a list', { params: { name: 'get_booking', arguments: ['bkg_1'] } }],
  ['arguments that are null', { params: { name: 'get_booking', arguments: null } }],
  ['no name', { params: { arguments: {} } }],
  ['no parameters', {}],
])('%s: a protocol error', async (_, more) => {
  const piped = await Piped.start();
  expect(await piped.ask(1, asLine({ id: 1, method: 'tools/call', ...more }))).toMatchObject({ error: { code: -32602 } });
  expect(await piped.ask(2, call(2, 'get_current_user'))).toMatchObject({ result: { structuredContent: {} } });
});

test('lines may come in any pieces, many at once, with other line ends, and between lines that are not messages', async () => {
  const piped = await Piped.start();
  const text = [
    call(1, 'get_current_user', { arguments: {}, _meta: { note: 'Grüße 🙂' } }),
    call(2, 'get_current_user').replace('\n', '\r\n'),
    '\n',
    '{"jsonrpc":"2.0","id":3,\n',
    call(4, 'search_contacts', { arguments: { email: 'zoe@example.com' }, _meta: { note: 'Zoë' } }),
  ].join('');
  for (const byte of Buffer.from(text)) piped.write(Buffer.of(byte));
  piped.write(Array.from({ length: 40 }, (_, index) => call(100 + index, 'get_current_user')).join(''));
  for (const id of [1, 2, 4, ...Array.from({ length: 40 }, (_, index) => 100 + index)])
    expect(await piped.answer(id)).toMatchObject({ result: { structuredContent: {} } });
  expect(piped.said).toBe('');
  piped.write('[1, 2]\n');
  await until(() => piped.said.includes('A message was not understood'));
  expect(await piped.ask(5, asLine({ id: 5, method: 'ping' }))).toMatchObject({ result: {} });
});

test('a cancelled call is not answered; others at the same time are', async () => {
  const piped = await Piped.start();
  const slow = () => stage.sandbox.requests().filter(({ path }) => path === '/v1/event-types');
  stage.sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'delay', delayMs: 1_500 });
  piped.write(call('slow', 'list_event_types'));
  await until(() => stage.sandbox.faults.waiting().length === 0);
  piped.write(asLine({ method: 'notifications/cancelled', params: { requestId: 'slow', reason: 'enough' } }));
  piped.write(asLine({ method: 'notifications/cancelled', params: { requestId: 'unknown' } }));
  expect(await piped.ask(2, call(2, 'get_current_user'))).toMatchObject({ result: { structuredContent: {} } });
  await until(() => slow().some(({ status }) => status === 200));
  // By then the program has received the service's answer.
  await piped.ask(3, call(3, 'get_current_user'));
  expect(piped.answers.filter(({ id }) => id === 'slow')).toEqual([]);
  // The same id may be used again for another call.
  expect(await piped.ask('slow', call('slow', 'get_current_user'))).toMatchObject({ result: { structuredContent: {} } });
  expect(piped.said).toBe('');
});

test('a message that never ends is not kept, and ends the program', async () => {
  const piped = await Piped.start();
  piped.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"');
  for (let part = 0; part < 11 && !piped.hasEnded; part += 1) piped.write('a'.repeat(1_000_000));
  await until(() => piped.hasEnded);
  expect(piped.said).toBe('A message was not understood (RangeError).\n');
});

test('input that ends while a call runs ends the program as well', async () => {
  const piped = await Piped.start();
  expect(await piped.ask(1, call(1, 'get_current_user'))).toMatchObject({ result: { structuredContent: {} } });
  piped.write(call(2, 'get_current_user'));
  piped.child.stdin.end();
  await until(() => piped.hasEnded);
  expect([piped.child.exitCode, piped.said]).toEqual([0, '']);
});

test('input that ends while two calls with the same id run ends the program without an error', async () => {
  const piped = await Piped.start();
  stage.sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'delay', delayMs: 500, times: 2 });
  piped.write(call(1, 'list_event_types') + call(1, 'list_event_types'));
  await until(() => stage.sandbox.faults.waiting().length === 0);
  piped.child.stdin.end();
  await until(() => piped.hasEnded);
  expect([piped.child.exitCode, piped.said]).toEqual([0, '']);
});

test('an id that is used again at once belongs to the new call, which is answered or cancelled by itself', async () => {
  const piped = await Piped.start();
  const cancel = asLine({ method: 'notifications/cancelled', params: { requestId: 0 } });
  stage.sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'delay', delayMs: 500, times: 3 });
  const list = call(0, 'list_event_types');
  piped.write(list + cancel + list + cancel + call(0, 'get_current_user'));
  expect(await piped.answer(0)).toMatchObject({ result: { structuredContent: { id: expect.any(String) as unknown } } });
  piped.write(list);
  await until(() => piped.answers.filter(({ id }) => id === 0).length > 1);
  // The first call and its copy are both answered, as the protocol wants it.
  piped.write(list + list);
  await until(() => piped.answers.filter(({ id }) => id === 0).length > 3);
  expect([piped.answers.length, piped.said]).toEqual([5, '']);
});
