import { randomUUID } from 'node:crypto';
import { pollNode } from '../../n8n/adapter/poll.ts';
import { isSubscribed, subscribeNode } from '../../n8n/adapter/subscription.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { shownWords } from '../contract/platforms/n8nPanel.ts';
import { hookHost, pollHost, type PollHostOptions } from './support/host.ts';

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await startSandbox({ limits: false, allowNonLoopback: true })));
afterEach(() => sandbox.stop());

type Begin = (options: PollHostOptions) => Promise<unknown>;

describe.each<[string, Begin]>([
  ['that is delivered to', async (options) => (await isSubscribed(hookHost(options))) || subscribeNode(hookHost(options))],
  ['that polls', (options) => pollNode(pollHost(options).host)],
])('the filter by event types of a trigger %s', (_, begin) => {
  const limited = (eventTypes: unknown, more: Partial<PollHostOptions> = {}) => {
    const place = { url: 'http://localhost:5678/webhook/5b0c/webhook', workflowId: randomUUID(), staticData: {} };
    return begin({ sandbox, ...place, parameters: { events: ['BOOKING_CREATED'], eventTypes }, ...more });
  };
  const typeIds = () => sandbox.eventTypes().map(({ id }) => id);
  const lookups = () => sandbox.requests().filter(({ path }) => path.startsWith('/v1/event-types')).length;

  it('is looked up in one request when it is published, and in none if there is none', async () => {
    await limited(typeIds().slice(0, 3));
    for (const untouched of [undefined, null, '', []]) await limited(untouched);
    expect(lookups()).toBe(1);
  });

  it.each([{}, { activation: 'update' }, { mode: 'manual' }] as const)(
    'is refused if it names one that does not exist: %j',
    async (more) => {
      await expect(limited([typeIds()[0], 'evt_gone'], more)).rejects.toThrow('The event type "evt_gone" was not found.');
      expect(sandbox.subscriptions()).toEqual([]);
    },
  );

  it('is not looked up when n8n itself begins the trigger', async () => {
    await limited('evt_gone', { activation: 'init' });
    expect(lookups()).toBe(0);
  });

  it('is refused if its expression gave nothing, before anything is sent', async () => {
    const node = { parameters: { eventTypes: '={{ $vars.types }}' } };
    for (const value of [undefined, null, '', [], {}]) {
      const told = await limited(value, { node }).then(String, shownWords);
      expect(told).toBe(
        '"Event Type Names or IDs" is set, but it is empty, so it would filter nothing. Fill it in, or remove the field to get everything.',
      );
    }
    expect(sandbox.requests()).toEqual([]);
  });
});
