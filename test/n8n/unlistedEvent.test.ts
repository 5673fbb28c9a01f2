import type * as Poll from '../../n8n/adapter/poll.ts';
import type * as TriggerProperties from '../../n8n/adapter/triggerProperties.ts';
import type * as Changes from '../../sdk/changes/index.ts';
import type * as Events from '../../shared/events.ts';
import { brand } from '../../shared/brand.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { pollHost } from './support/host.ts';

// One more row in the table of events, which no list shows.
jest.mock('../../shared/events.ts', () => {
  const table = jest.requireActual<typeof Events>('../../shared/events.ts');
  const { shown: _, ...row } = { ...table.events.BOOKING_CREATED, label: 'Booking Missed', description: 'Triggers when nobody came' };
  (table.events as Record<string, unknown>)['BOOKING_MISSED'] = row;
  return { ...table, eventRows: [...table.eventRows, table.eventRow('BOOKING_MISSED', row)] };
});

const { pollNode } = jest.requireActual<typeof Poll>('../../n8n/adapter/poll.ts');
const { pollingProperties, triggerProperties } = jest.requireActual<typeof TriggerProperties>('../../n8n/adapter/triggerProperties.ts');
const { createPoller, memoryStore } = jest.requireActual<typeof Changes>('../../sdk/changes/index.ts');

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ limits: false })));
afterAll(() => sandbox.stop());

const namesIn = (properties: ReturnType<typeof pollingProperties>) =>
  properties.find(({ name }) => name === 'events')?.options?.map(({ name }) => name);

it('an event that no list shows is a choice of the trigger, and none of the polling trigger', () => {
  expect(namesIn(triggerProperties())).toContain('Booking Missed');
  expect(namesIn(pollingProperties())).toHaveLength(7);
  expect(namesIn(pollingProperties())).not.toContain('Booking Missed');
});

it.each(['trigger', 'manual'] as const)(
  'chosen anyway, by a saved workflow or an expression, it ends in a sentence that names it: %s',
  async (mode) => {
    const { host } = pollHost({
      sandbox,
      mode,
      workflowId: 'workflow-unlisted',
      staticData: {},
      parameters: { events: ['BOOKING_CREATED', 'BOOKING_MISSED'] },
    });
    await expect(pollNode(host)).rejects.toThrow(
      `"Events" names Booking Missed, which ${brand.name}'s lists do not show, so a poll cannot find it.`,
    );
  },
);

it('the package refuses a handler for it, and names it', () => {
  const poller = createPoller({ client: undefined as never, store: memoryStore() });
  expect(() => poller.on('BOOKING_MISSED' as never, () => undefined)).toThrow('Lists do not show the event BOOKING_MISSED');
  expect(() => poller.on('BOOKING_MISED' as never, () => undefined)).toThrow('There is no event "BOOKING_MISED"');
  expect(() => poller.on('BOOKING_CREATED', () => undefined)).not.toThrow();
});
