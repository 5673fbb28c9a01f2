import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mcpProgram } from '../../tools/build/products.ts';
import { until } from '../support/until.ts';
import { Stage } from './stage.ts';
import { callLine, Talk } from './talk.ts';
import { wireCases } from './wireCases.ts';

jest.setTimeout(120_000);

/** The built program as a client starts it. */
class Program extends Talk {
  readonly child: ChildProcessWithoutNullStreams;

  constructor(child: ChildProcessWithoutNullStreams) {
    super(child);
    this.child = child;
  }

  static async start(stage: Stage): Promise<Program> {
    const child = spawn(process.execPath, [await mcpProgram()], { env: { SCHEDULING_MCP_FOLDER: stage.file.folder } });
    stage.later(async () => void child.kill());
    return new Program(child);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}

describe('the built program', () => wireCases((stage) => Program.start(stage)));

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

const greeted = async (): Promise<Program> => (await Program.start(stage)).greeted();

test('a message that never ends is not kept, and ends the program', async () => {
  const piped = await greeted();
  piped.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"');
  for (let part = 0; part < 11 && !piped.hasEnded; part += 1) piped.write('a'.repeat(1_000_000));
  await until(() => piped.hasEnded);
  expect(piped.said).toBe('A message was not understood (Error).\n');
});

test('input that ends while a call runs ends the program as well', async () => {
  const piped = await greeted();
  expect(await piped.ask(1, callLine(1, 'get_current_user'))).toMatchObject({ result: { structuredContent: {} } });
  piped.write(callLine(2, 'get_current_user'));
  piped.end();
  await until(() => piped.hasEnded);
  expect([piped.child.exitCode, piped.said]).toEqual([0, '']);
});

test('input that ends while two calls with the same id run ends the program without an error', async () => {
  const piped = await greeted();
  stage.sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'delay', delayMs: 60_000, times: 2 });
  piped.write(callLine(1, 'list_event_types') + callLine(1, 'list_event_types'));
  await until(() => stage.sandbox.faults.waiting().length === 0);
  piped.end();
  await until(() => piped.hasEnded);
  expect([piped.child.exitCode, piped.said]).toEqual([0, '']);
});
