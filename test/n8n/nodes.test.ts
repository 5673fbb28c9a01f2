import { runInNewContext } from 'node:vm';
import type { INodeProperties } from 'n8n-workflow';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ limits: false })));
afterAll(() => sandbox.stop());

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
