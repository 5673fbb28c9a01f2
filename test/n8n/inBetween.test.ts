import type { NodeApiError } from 'n8n-workflow';
import type * as Adapter from '../../n8n/adapter/execute.ts';
import { startSandbox, virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { typeNamed } from '../contract/fixtures.ts';
import { aboutTheAccount, bare, hiding, inBetween, type InBetween } from '../support/inBetween.ts';
import { testStart } from '../support/service.ts';
import { executeHost } from './support/host.ts';

let sandbox: Sandbox;

// The node's waits advance the sandbox's clock instead of taking half a minute.
jest.mock('n8n-workflow', () => ({
  ...jest.requireActual<object>('n8n-workflow'),
  sleep: (milliseconds: number) => sandbox.clock.advance(milliseconds),
}));

// Imported after the mock, because the adapter takes its sleep from there.
const { execute } = jest.requireActual<typeof Adapter>('../../n8n/adapter/execute.ts');

beforeAll(async () => {
  sandbox = await startSandbox({ clock: virtualClock(testStart), tokenLifetimeSeconds: 360_000, limits: false });
  jest.spyOn(Date, 'now').mockImplementation(() => sandbox.clock.now());
});
afterEach(() => sandbox.faults.clear());
afterAll(async () => {
  jest.restoreAllMocks();
  await sandbox.stop();
});

const answers = (route: string, answer: InBetween, more: { commits?: boolean } = {}) =>
  sandbox.faults.add({ route, kind: 'status', ...answer, times: 'always', ...more });
let runs = 0;
const run = (parameters: Record<string, unknown>) =>
  execute(executeHost({ sandbox, parameters, credentialId: `credential ${runs}`, executionId: String((runs += 1)) }));
const told = (parameters: Record<string, unknown>): Promise<string> =>
  run(parameters).then(
    (items) => `It gave ${JSON.stringify(items)} permission`,
    ({ message, description }: NodeApiError) => `${message} ${description}`,
  );

const me = { resource: 'user', operation: 'getCurrent' };
const get = { resource: 'booking', operation: 'get', bookingId: 'bkg_1' };
const list = { resource: 'booking', operation: 'getMany', returnAll: true, filters: {} };
const create = () => ({
  resource: 'booking',
  operation: 'create',
  eventTypeId: { __rl: true, mode: 'list', value: typeNamed(sandbox, 'Intro Call').id },
  startTime: new Date(Date.UTC(2059, 0, 6 + runs, 9)).toISOString(),
  inviteeName: 'Ada Lovelace',
  inviteeEmail: 'ada@example.com',
  questionResponsesMode: 'fields',
  questionResponses: { mappingMode: 'defineBelow', value: null },
  additionalFields: {},
});

describe('in n8n, what is not the answer of the service', () => {
  it.each(inBetween)('is not told as that of the account, nor as a result: %j', async (answer) => {
    const before = sandbox.bookings().length;
    answers('*', answer);
    for (const parameters of [me, get, list, create()]) expect(await told(parameters)).not.toMatch(aboutTheAccount);
    expect(sandbox.bookings()).toHaveLength(before);
  });

  it.each(bare.filter(({ status }) => status === 404))('and may be, names both: %j', async (answer) => {
    answers('*', answer);
    for (const parameters of [me, get]) expect(await told(parameters)).toContain('no proxy or firewall');
  });

  it.each(hiding)('hides no booking that was made: %j', async (answer) => {
    const before = sandbox.bookings().length;
    answers('POST /v1/bookings', answer, { commits: true });
    expect(await run(create())).toHaveLength(1);
    expect(sandbox.bookings()).toHaveLength(before + 1);
  });
});
