import { until } from '../support/until.ts';
import { talkTo } from './inProcess.ts';
import { Stage } from './stage.ts';
import { asLine, callLine } from './talk.ts';
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
  expect(piped.said).toBe('A message was not understood (RangeError).\n');
});

describe('a client that ends its input', () => {
  const sleeping = (): void => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'setTimeout', 'nextTick', 'performance', 'Date'] });
  afterEach(() => void jest.useRealTimers());

  test('while calls wait for the service: what was not sent stays unsent, and the program does not complain', async () => {
    const piped = await greeted();
  });
});
