import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { NodeHelpers } from 'n8n-workflow';
import { descriptionOf } from '../../n8n/adapter/fields.ts';
import { outputSchemas } from '../../n8n/adapter/outputSchemas.ts';
import { propertiesOf } from '../../n8n/adapter/properties.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import { brand } from '../../shared/brand.ts';
import { operations } from '../../shared/operations/index.ts';
import { root } from '../../tools/root.cjs';

// The golden files hold the names, types, defaults and settings of all panels. Here is what they do not show.
const action = new Scheduler();
const trigger = new SchedulerTrigger();
const polling = new SchedulerPollingTrigger();
const destructive = operations.filter(({ effect }) => effect === 'destructive');

it('an operation that cannot be undone says so in its panel and to an agent, and is no default even if it is the only one', () => {
  expect(destructive.length).toBeGreaterThan(0);
  for (const operation of destructive) {
    const properties = propertiesOf([operation]);
    expect(properties.find(({ name }) => name === 'operation')).toMatchObject({
      default: '',
      options: [{ action: expect.stringMatching(/permanently$/) as string }],
    });
    expect(properties.find(({ name }) => name === 'irreversibleNotice')?.displayName).toMatch(
      /^This cannot be undone\. Check the [a-z ]+ before you/,
    );
  }
});

it('help of several sentences ends with a full stop, and a single one does not', () => {
  expect(descriptionOf({ help: 'The id' })).toBe('The ID');
  expect(descriptionOf({ help: 'One', offsetHelp: 'Two' })).toBe('One. Two.');
});

it("an agent's tool has three outputs in place of the switch, under the same name and values, so that a saved tool gives what it gave", () => {
  const shown = (name: string, parameters: object = {}) => {
    const description = { ...action.description, name };
    const chosen = { resource: 'booking', operation: 'getMany', ...parameters };
    const values = { ...NodeHelpers.getNodeParameters(description.properties, chosen, true, false, null, description) };
    const panel = description.properties.filter((each) => NodeHelpers.displayParameter(values, each, null, description));
    const labels = panel.map(({ displayName }) => displayName).filter((label) => ['Simplify', 'Output', 'Fields'].includes(label));
    return { values, labels };
  };
  expect(shown('scheduler').labels).toEqual(['Simplify']);
  expect(shown('schedulerTool').labels).toEqual(['Output']);
  expect(shown('schedulerTool', { simplify: 'selectedFields' }).labels).toEqual(['Output', 'Fields']);
  for (const simplify of [true, false]) expect(shown('schedulerTool', { simplify }).values).toMatchObject({ simplify });
});

it('in the panels before the first run, who and when come first, before ids', () => {
  const schemas = outputSchemas();
  const keys = (name: string) => Object.keys(schemas[name]?.properties ?? {});
  for (const name of ['create', 'getMany', 'cancel'])
    expect(keys(`Scheduler/__schema__/v1.0.0/booking/${name}.json`).slice(0, 2)).toEqual(['invitee_name', 'start_time']);
  const delivered = keys('SchedulerTrigger/__schema__/v2.0.0.json');
  expect(delivered.slice(0, 3)).toEqual(['event', 'invitee_name', 'start_time']);
  expect(delivered).toEqual(expect.arrayContaining(['id', 'delivery_id', 'delivered_at', 'change_key', 'invitee_email', 'email']));
});

it.each([action, trigger, polling])('n8n finds the description for its search of $description.displayName', ({ description: { name } }) => {
  const file = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const codex: unknown = JSON.parse(readFileSync(join(root, 'n8n', 'nodes', file, `${file}.node.json`), 'utf8'));
  expect(codex).toMatchObject({ node: `n8n-nodes-${brand.slug}.${name}` });
});

it('on the canvas, a trigger says its events in words', () => {
  for (const { description } of [trigger, polling]) {
    const [, expression = ''] = /^=\{\{(.*)\}\}$/.exec(description.subtitle ?? '') ?? [];
    const shown: unknown = runInNewContext(expression, { $parameter: { events: ['BOOKING_CREATED', 'CONTACT_UPDATED'] } });
    expect(shown).toBe('booking created, contact updated');
  }
});

it.each([action, trigger, polling])('every list in the panel of $description.displayName has its method', ({ description, methods }) => {
  const named = JSON.stringify(description.properties).matchAll(/"(?:searchList|loadOptions|resourceMapper)Method":"(\w+)"/g);
  const has = Object.values<object>(methods).flatMap((group) => Object.keys(group));
  const lists = [...named].map(([, name]) => name);
  expect(lists.length).toBeGreaterThan(0);
  expect(has).toEqual(expect.arrayContaining(lists));
});
