import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { NodeHelpers, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';
import { outputSchemas, type JsonSchema } from '../../n8n/adapter/outputSchemas.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import { operations } from '../../shared/operations/index.ts';
import { brand } from '../../shared/brand.ts';

const folder = join(__dirname, '..', '..', 'n8n');
const action = new Scheduler().description;
const trigger = new SchedulerTrigger().description;
const polling = new SchedulerPollingTrigger().description;
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

const offered = (resource: string): INodePropertyOptions[] =>
  action.properties
    .filter(({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.['resource']?.includes(resource))
    .flatMap(({ options = [] }) => options as INodePropertyOptions[]);

describe('for agents', () => {
  it('the action node can be used as a tool, the triggers cannot', () => {
    expect(action.usableAsTool).toBe(true);
    for (const each of [trigger, polling]) expect(each).not.toHaveProperty('usableAsTool');
  });
  it('an operation that cannot be undone says so in the sentence that an agent reads, and is never the default', () => {
    const destructive = operations.filter(({ effect }) => effect === 'destructive');
    expect(destructive.length).toBeGreaterThan(0);
    for (const { resource, name } of destructive) {
      expect(offered(resource).find(({ value }) => value === name)?.action).toMatch(/permanently$/);
      expect(action.properties.filter((property) => property.name === 'operation').map((property) => property.default)).not.toContain(name);
    }
  });
  it('cancelling needs an explicit id', () => {
    const parameters = { resource: 'booking', operation: 'cancel' };
    const issues = NodeHelpers.getNodeParametersIssues(
      action.properties,
      { id: '1', name: 'n', type: 't', typeVersion: 1, position: [0, 0], parameters },
      action,
    );
    expect(Object.keys(issues?.parameters ?? {})).toContain('bookingId');
  });
});

it('a secret in the output is marked as sensitive, and no hint is shown before a run returned one', () => {
  expect(action.sensitiveOutputFields).toEqual(['signing_secret']);
  expect(action.hints).toBeUndefined();
});

it('an operation that cannot be undone says so in its panel', () => {
  const warned = operations.filter(({ effect }) => effect === 'destructive').map(({ resource, name }) => [resource, name]);
  const notices = action.properties.filter(({ name }) => name === 'irreversibleNotice');
  expect(
    notices.map(({ displayOptions }) => [...(displayOptions?.show?.['resource'] ?? []), ...(displayOptions?.show?.['operation'] ?? [])]),
  ).toEqual(warned);
  expect(notices[0]?.displayName).toBe('This cannot be undone. Check the booking before you run it.');
});

it('the panel beside the trigger and its notice say that test listening uses one of the 25 subscriptions', () => {
  expect(JSON.stringify(trigger.triggerPanel)).toContain("one of the account's 25");
  expect(trigger.properties.find(({ type }) => type === 'notice')?.displayName).toContain("one of the account's 25");
});

describe('output schemas', () => {
  const schemas = outputSchemas();
  const keys = (schema: JsonSchema | undefined) => Object.keys(schema?.properties ?? {});
  it('who and when come first, before ids', () => {
    for (const name of ['create', 'getMany', 'cancel'])
      expect(keys(schemas[`Scheduler/__schema__/v1.0.0/booking/${name}.json`]).slice(0, 2)).toEqual(['invitee_name', 'start_time']);
    expect(keys(schemas['SchedulerTrigger/__schema__/v2.0.0.json']).slice(0, 3)).toEqual(['event', 'invitee_name', 'start_time']);
  });
  it("the trigger's holds what a delivery adds", () => {
    expect(keys(schemas['SchedulerTrigger/__schema__/v2.0.0.json'])).toEqual(
      expect.arrayContaining(['id', 'event', 'delivery_id', 'delivered_at', 'change_key', 'invitee_email', 'email']),
    );
  });
});

it.each([action, trigger, polling])('n8n finds the description for its search of the node $name', ({ name }) => {
  const file = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  expect(JSON.parse(read(`nodes/${file}/${file}.node.json`))).toMatchObject({ node: `n8n-nodes-${brand.slug}.${name}` });
});

it('on the canvas, a trigger says its events in words', () => {
  for (const { subtitle = '' } of [trigger, polling]) {
    const [, expression = ''] = /^=\{\{(.*)\}\}$/.exec(subtitle) ?? [];
    const shown: unknown = runInNewContext(expression, { $parameter: { events: ['BOOKING_CREATED', 'CONTACT_UPDATED'] } });
    expect(shown).toBe('booking created, contact updated');
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
