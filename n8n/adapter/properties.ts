import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { type RecordKind, resources, wordFor } from '../../shared/records/index.ts';
import { operationLabel, type Operation, formFields } from '../../shared/operations/index.ts';
import { answersProperties } from './answers.ts';
import { offersSimplify, outputProperties } from './simplification.ts';
import { byLabel, descriptionOf, fieldProperty } from './fields.ts';
import { imperative, inN8n, optionName, sentenceCase } from './names.ts';

/** The collection of an operation's optional fields. When reading, they are filters. */
export const collectionName = ({ effect }: Operation): 'filters' | 'additionalFields' =>
  effect === 'read' ? 'filters' : 'additionalFields';

/**
 * The panel of the action node, built from the core's declarations: the resource, its operations, and the fields of each operation. A new
 * array each time, because n8n modifies it.
 */
export function propertiesOf(operations: readonly Operation[]): INodeProperties[] {
  const names = [...new Set(operations.map(({ resource }) => resource))];
  return [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: names.map((name) => ({ name: resources[name].label, value: name })).sort(byLabel),
      default: names[0] ?? '',
    },
    ...names.map((name) =>
      operationProperty(
        name,
        operations.filter(({ resource }) => resource === name),
      ),
    ),
    ...operations.flatMap(operationProperties),
  ];
}

const operationProperty = (resource: RecordKind, offered: readonly Operation[]): INodeProperties => ({
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: [resource] } },
  options: offered.map(operationOption).sort(byLabel),
  // A node that is added and run without changes must not delete anything.
  default: offered.find(({ effect }) => effect !== 'destructive')?.name ?? '',
});

const operationOption = (operation: Operation): INodePropertyOptions => ({
  name: optionName(operation),
  value: operation.name,
  action: sentenceCase(operationLabel(inN8n(operation))),
  description: descriptionOf(imperative(operation.description)),
});

function operationProperties(operation: Operation): INodeProperties[] {
  const show = { resource: [operation.resource], operation: [operation.name] };
  const fields = formFields(operation.input);
  const required = fields.filter((field) => field.required);
  const answers = fields.filter((field) => field.control === 'answers');
  const optional = fields.filter((field) => !field.required && field.control !== 'answers');

  const properties: INodeProperties[] = [
    ...(operation.effect === 'destructive' ? [warning(operation)] : []),
    ...required.map((field) => fieldProperty(field, operation.input, { required: true })),
    ...answers.flatMap((field) => answersProperties(field, operation)),
    ...(operation.yields === 'many' ? listProperties() : []),
    ...(offersSimplify(operation) ? outputProperties(operation) : []),
  ];
  if (optional.length > 0) {
    const filters = collectionName(operation) === 'filters';
    properties.push({
      displayName: filters ? 'Filters' : 'Additional Fields',
      name: collectionName(operation),
      type: 'collection',
      placeholder: filters ? 'Add Filter' : 'Add Field',
      default: {},
      options: optional
        .map((field) => fieldProperty(field, operation.input))
        .sort((a, b) => byLabel({ name: a.displayName }, { name: b.displayName })),
    });
  }
  return properties.map((property) => ({ ...property, displayOptions: { show: { ...show, ...property.displayOptions?.show } } }));
}

/** n8n does not ask before a run, so the panel of an irreversible operation shows a warning. */
const warning = ({ resource }: Operation): INodeProperties => ({
  displayName: `This cannot be undone. Check the ${wordFor(resource)} before you run it.`,
  name: 'irreversibleNotice',
  type: 'notice',
  default: '',
});

const listProperties = (): INodeProperties[] => [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { returnAll: [false] } },
  },
];
