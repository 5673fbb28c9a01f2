import type * as Adapter from '../../n8n/adapter/execute.ts';
import { startSandbox, virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { operations } from '../../shared/operations/index.ts';
import { testStart } from '../support/service.ts';
import { executeHost } from './support/host.ts';

let sandbox: Sandbox;

// The node's waits advance the sandbox's clock instead of taking a minute.
jest.mock('n8n-workflow', () => ({
  ...jest.requireActual<object>('n8n-workflow'),
  sleep: (milliseconds: number) => sandbox.clock.advance(milliseconds),
}));

// Imported after the mock, because the adapter takes its sleep from there.
const { execute } = jest.requireActual<typeof Adapter>('../../n8n/adapter/execute.ts');

beforeEach(() => jest.spyOn(Date, 'now').mockImplementation(() => sandbox.clock.now()));
afterEach(async () => {
  jest.restoreAllMocks();
  await sandbox.stop();
});

const half = 30 * 60_000;
const firstSlot = Date.parse('2030-06-03T00:00:00Z');
const slot = (index: number) => new Date(firstSlot + index * half).toISOString();

const book = (count: number) =>
  execute(
    executeHost({
      sandbox,
      parameters: {
        resource: 'booking',
        operation: 'create',
        eventTypeId: sandbox.eventTypes().find(({ name }) => name === 'Intro Call')?.id,
        inviteeName: 'Ada Lovelace',
        inviteeEmail: 'ada@example.com',
        questionResponsesMode: 'fields',
        questionResponses: { mappingMode: 'defineBelow', value: null },
        additionalFields: {},
      },
      items: Array.from({ length: count }, (_, index) => ({ parameters: { startTime: slot(index) } })),
    }),
    operations,
  );

it('a thousand items make a thousand bookings, none twice, in order, and no request is refused', async () => {
  sandbox = await startSandbox({ clock: virtualClock(testStart), tokenLifetimeSeconds: 36_000, limits: {} });
  const before = sandbox.bookings().length;
  const items = await book(1000);
  expect(items.map(({ json }) => new Date(json['start_time'] as string).toISOString())).toEqual(
    Array.from({ length: 1000 }, (_, index) => slot(index)),
  );
  expect(items.every(({ pairedItem }, item) => (pairedItem as { item: number }).item === item)).toBe(true);
  expect(sandbox.bookings()).toHaveLength(before + 1000);
  expect(sandbox.requests().filter(({ status }) => status === 429)).toEqual([]);
});
