import { isDeepStrictEqual } from 'node:util';
import { optionName, parameterName } from '../../n8n/adapter/names.ts';
import { recordFields, type OutputField, type OutputKind } from '../../shared/records/fields.ts';
import { outputNames, resources } from '../../shared/records/resources.ts';
import { operationLabel, type Operation } from '../../shared/operations/define.ts';
import { formFields, type FormField } from '../../shared/operations/form.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { outputFields } from '../../shared/records/outputs.ts';
import { actionKey } from '../../zapier/adapter/names.ts';
import zapierApp from '../../zapier/app.ts';
import { anchor, code, page, table } from './markdown.ts';

const onZapier = new Set([...Object.keys(zapierApp.creates ?? {}), ...Object.keys(zapierApp.searches ?? {})]);

/** Every operation on every platform, with its inputs and its output. */
export function fieldsPage(): string {
  const everything = [...operations, ...searches];
  const zapierName = (operation: Operation): string => (onZapier.has(actionKey(operation)) ? code(actionKey(operation)) : '–');
  const n8nName = (operation: Operation): string =>
    operations.includes(operation) ? `${resources[operation.resource].label} › ${optionName(operation)}` : '–';
  return page(
    'Actions, searches and their fields',
    'A field has one documented name, which is also its key in Zapier and in the request. n8n writes it in its own style for parameters.',
    table(
      ['Operation', 'Zapier', 'n8n', 'Endpoint'],
      everything.map((each) => [
        `[${operationLabel(each)}](#${anchor(operationLabel(each))})`,
        zapierName(each),
        n8nName(each),
        code(each.endpoint),
      ]),
    ),
    'The records: ' +
      Object.keys(recordFields)
        .map((kind) => `[${recordLabel(kind as OutputKind)}](#${anchor(recordLabel(kind as OutputKind))})`)
        .join(', ') +
      '. The fields of events are on [the page of triggers](triggers.md).',
    ...everything.flatMap(operationSection),
    ...Object.keys(recordFields).flatMap((kind) => recordSection(kind as OutputKind)),
  );
}

const recordLabel = (kind: OutputKind): string => `The ${outputNames[kind].label.toLowerCase()} record`;

function operationSection(operation: Operation): string[] {
  const fields = formFields(operation.input);
  const { adds = [] } = operation;
  const label = recordLabel(operation.output);
  const gives =
    operation.yields === 'one'
      ? `Returns [${label.toLowerCase()}](#${anchor(label)})`
      : `Returns a list of records, each [as below](#${anchor(label)})`;
  return [
    `## ${operationLabel(operation)}`,
    `${operation.description}. ${operation.scope === 'any' ? 'Works with any permission' : `Needs the permission ${code(operation.scope)}`}.`,
    table(['Field', 'Key in Zapier', 'Parameter in n8n', 'Required', 'What to enter'], fields.map(inputRow)),
    `${gives}${adds.length === 0 ? '' : `, and ${adds.map(({ key, label }) => `${code(key)} (${label})`).join(', ')}`}.`,
  ];
}

function inputRow({ key, label, help, required, choices, control, example, lookup }: FormField): string[] {
  const chosen =
    lookup !== undefined
      ? ` Choose from a list or enter ${lookup === 'timeZones' ? 'a name' : 'an ID'}.`
      : choices !== undefined
        ? ` One${control === 'events' ? ' or more' : ''} of ${choices.map(({ value }) => code(value)).join(', ')}.`
        : '';
  return [
    label,
    code(key),
    code(parameterName(key)),
    required ? 'yes' : '',
    `${help}.${chosen}${example === undefined ? '' : ` For example ${code(example)}.`}`,
  ];
}

function recordSection(kind: OutputKind): string[] {
  const operation = operations.find(({ output, name }) => output === kind && name.startsWith('get'));
  return [
    `## ${recordLabel(kind)}`,
    Object.hasOwn(resources, kind)
      ? 'Other fields that the service sends are passed on unchanged. A field that it does not send is absent.'
      : "In the host's time zone.",
    outputTable(outputFields(kind), operation?.sample),
  ];
}

/** The labelled fields of a record, with their values in the example. */
export function outputTable(fields: readonly OutputField[], sample: Readonly<Record<string, unknown>> = {}): string {
  return table(
    ['Field', 'Key', 'Type', 'Example'],
    fields.map(({ key, label, type }) => [label, code(key), typeWords[type], exampleOf(sample[key])]),
  );
}

const typeWords: Record<OutputField['type'], string> = {
  string: 'text',
  number: 'number',
  boolean: 'yes or no',
  datetime: 'date and time',
  object: 'object',
  list: 'list',
  any: 'any',
};

function exampleOf(value: unknown): string {
  const empty = value === undefined || value === null || value === '' || isDeepStrictEqual(value, []);
  return empty ? '' : code(typeof value === 'string' ? value : JSON.stringify(value));
}
