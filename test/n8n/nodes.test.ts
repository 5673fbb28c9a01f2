import { createHmac } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import { brand } from '../../shared/brand.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { executeHost, hookHost, pollHost, webhookHost } from './support/host.ts';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ limits: false })));
afterAll(() => sandbox.stop());

it('the action node carries out its operation, and gives the items on its one output', async () => {
  const host = executeHost({ sandbox, parameters: { resource: 'user', operation: 'getCurrent' } });
  expect(await new Scheduler().execute.call(host)).toEqual([
    [{ json: expect.objectContaining({ email: sandbox.account.email }) as object, pairedItem: { item: 0 } }],
  ]);
});

it('the trigger subscribes, receives and ends its subscription', async () => {
  const { webhookMethods, webhook } = new SchedulerTrigger();
  const { checkExists, create, delete: end } = webhookMethods.default;
  const staticData: IDataObject = {};
  const parameters = { events: ['BOOKING_CREATED'] };
  const hook = () => hookHost({ sandbox, parameters, staticData, url: 'http://localhost:5678/webhook/5b0c/webhook' });
  expect(await checkExists.call(hook())).toBe(false);
  expect(await create.call(hook())).toBe(true);
  expect(await checkExists.call(hook())).toBe(true);
  expect(sandbox.subscriptions()).toHaveLength(1);

  const { signing_secret: secret } = staticData['webhook'] as { signing_secret: string };
  const rawBody = Buffer.from(JSON.stringify({ event: 'BOOKING_CREATED', data: { id: 'bkg_1' } }));
  const signature = `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
  const { host } = webhookHost(
    { sandbox, parameters, staticData },
    { rawBody, headers: { [`${brand.headerPrefix}-signature`.toLowerCase()]: signature } },
  );
  expect((await webhook.call(host)).workflowData?.[0]).toMatchObject([{ json: { id: 'bkg_1', event: 'BOOKING_CREATED' } }]);

  expect(await end.call(hook())).toBe(true);
  expect(sandbox.subscriptions()).toEqual([]);
});

it('the polling trigger gives what has changed since the last poll', async () => {
  const staticData: IDataObject = {};
  const poll = () =>
    new SchedulerPollingTrigger().poll.call(pollHost({ sandbox, staticData, parameters: { events: ['BOOKING_CREATED'] } }).host);
  expect(await poll()).toBeNull();
  const { id } = sandbox.host.book({ invitee_email: 'ana.ruiz@example.com' });
  expect(await poll()).toMatchObject([[{ json: { id, event: 'BOOKING_CREATED' } }]]);
});

it('on the canvas, a trigger says its events in words', () => {
  for (const { description } of [new SchedulerTrigger(), new SchedulerPollingTrigger()]) {
    const [, expression = ''] = /^=\{\{(.*)\}\}$/.exec(description.subtitle ?? '') ?? [];
    const subtitle: unknown = runInNewContext(expression, { $parameter: { events: ['BOOKING_CREATED', 'CONTACT_UPDATED'] } });
    expect(subtitle).toBe('booking created, contact updated');
  }
});

/** The methods of n8n that a panel names, under the group in which n8n looks for each. */
function methodsNamedBy(properties: readonly INodeProperties[]): string[] {
  const named = (JSON.stringify(properties).match(/"(?:searchListMethod|loadOptionsMethod|resourceMapperMethod)":"\w+"/g) ?? []).map(
    (entry) => JSON.parse(`{${entry}}`) as Record<string, string>,
  );
  const groups: Record<string, string> = {
    searchListMethod: 'listSearch',
    loadOptionsMethod: 'loadOptions',
    resourceMapperMethod: 'resourceMapping',
  };
  return [...new Set(named.flatMap((each) => Object.entries(each)).map(([kind, name]) => `${groups[kind] ?? kind}.${name}`))];
}

it.each([
  ['action node', new Scheduler()],
  ['trigger', new SchedulerTrigger()],
  ['polling trigger', new SchedulerPollingTrigger()],
] as const)('every list in the panel of the %s has its method', (_, { description, methods }) => {
  const named = methodsNamedBy(description.properties);
  expect(named.length).toBeGreaterThan(0);
  const has = Object.entries<object>(methods).flatMap(([group, each]) => Object.keys(each).map((name) => `${group}.${name}`));
  expect(has).toEqual(expect.arrayContaining(named));
});
