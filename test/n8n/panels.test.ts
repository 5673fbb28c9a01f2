import { descriptionOf, fieldProperty } from '../../n8n/adapter/fields.ts';
import { propertiesOf } from '../../n8n/adapter/properties.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import type { Control } from '../../shared/operations/define.ts';
import { operations } from '../../shared/operations/index.ts';
import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

const field = (control: Control, more: object = {}) => ({
  key: 'some_field',
  label: 'Some Field',
  help: 'Anything',
  required: false,
  control,
  ...more,
});
const choices = [
  { value: 'b', label: 'Second by Name' },
  { value: 'a', label: 'First by Name' },
];
const byName = [
  { name: 'First by Name', value: 'a' },
  { name: 'Second by Name', value: 'b' },
];

it.each<[Control, object, Partial<INodeProperties>]>([
  ['boolean', {}, { type: 'boolean', default: false }],
  ['number', {}, { type: 'number', default: 0 }],
  ['dateTime', {}, { type: 'dateTime', default: '' }],
  ['multiline', {}, { type: 'string', typeOptions: { rows: 3 }, default: '' }],
  ['text', { example: 'Ada' }, { type: 'string', placeholder: 'e.g. Ada', default: '' }],
  ['choice', { choices }, { type: 'options', options: byName, default: 'b' }],
  ['choice', {}, { type: 'options', options: [], default: '' }],
  ['choices', { choices }, { type: 'multiOptions', options: byName, default: [] }],
])(
  "a field of the kind %s (%j) has n8n's widget for it, with choices by name and the first one declared as default",
  (control, more, property) => {
    expect(fieldProperty(field(control, more))).toEqual({
      displayName: 'Some Field',
      name: 'someField',
      description: 'Anything',
      ...property,
    });
  },
);

it('help of several sentences ends with a full stop, and a single one does not', () => {
  expect(descriptionOf({ help: 'The id' })).toBe('The ID');
  expect(descriptionOf({ help: 'One', offsetHelp: 'Two' })).toBe('One. Two.');
});

it('an operation that cannot be undone is no default even if it is the only one', () => {
  const destructive = operations.filter(({ effect }) => effect === 'destructive').slice(0, 1);
  expect(propertiesOf(destructive).find(({ name }) => name === 'operation')).toMatchObject({ default: '' });
});

it('the questions follow the event type wherever it stands in the form', () => {
  const [create] = operations.filter(({ resource, name }) => resource === 'booking' && name === 'create');
  if (create === undefined) throw new Error('No operation books.');
  const reversed = { ...create, input: Object.fromEntries(Object.entries(create.input).reverse()) };
  const questions = propertiesOf([reversed]).find(({ type }) => type === 'resourceMapper');
  expect(questions?.typeOptions?.loadOptionsDependsOn).toEqual(['eventTypeId.value']);
});

it("an agent's tool has three outputs in place of the switch, under the same name and values, so that a saved tool gives what it gave", () => {
  const chosen = { resource: 'booking', operation: 'getMany' };
  const shown = (name: string, parameters: object) => {
    const description = { ...new Scheduler().description, name };
    const all = { ...NodeHelpers.getNodeParameters(description.properties, { ...chosen, ...parameters }, true, false, null, description) };
    const panel = description.properties.filter((each) => NodeHelpers.displayParameter(all, each, null, description));
    return { values: all, labels: panel.map(({ displayName }) => displayName) };
  };
  expect(shown('scheduler', {}).labels).toEqual(expect.arrayContaining(['Simplify']));
  expect(shown('scheduler', {}).labels).not.toContain('Output');
  expect(shown('schedulerTool', {}).labels).toEqual(expect.arrayContaining(['Output']));
  expect(shown('schedulerTool', {}).labels).not.toContain('Simplify');
  expect(shown('schedulerTool', {}).labels).not.toContain('Fields');
  expect(shown('schedulerTool', { simplify: 'selectedFields' }).labels).toContain('Fields');
  for (const simplify of [true, false]) expect(shown('schedulerTool', { simplify }).values).toMatchObject({ simplify });
});
