import { isDeepStrictEqual } from 'node:util';
import { operations, searches } from '../../shared/operations/index.ts';
import { optionName } from '../../n8n/adapter/names.ts';
import { CHOICES } from '../../sandbox/openapi/document.ts';
import assumptions from '../../shared/assumptions.json' with { type: 'json' };
import { brand } from '../../shared/brand.ts';
import { eventRows, sentSample, type EventRow } from '../../shared/events.ts';
import { operationLabel, type Operation } from '../../shared/operations/define.ts';
import { formFields, type FormField } from '../../shared/operations/form.ts';
import { recordFields, type OutputField, type OutputKind } from '../../shared/records/fields.ts';
import { outputFields } from '../../shared/records/outputs.ts';
import { outputNames, resources } from '../../shared/records/resources.ts';
import { deliveredRecord, verifyDelivery } from '../../shared/webhooks/delivery.ts';
import { nodeCrypto, sign } from '../../shared/webhooks/nodeCrypto.ts';
import { actionKey } from '../../zapier/adapter/names.ts';
import zapierApp from '../../zapier/app.ts';

const onZapier = new Set([...Object.keys(zapierApp.creates ?? {}), ...Object.keys(zapierApp.searches ?? {})]);

const recordLabel = (kind: OutputKind): string => `The ${outputNames[kind].label.toLowerCase()} record`;

function operationRow(operation: Operation): string[] {
  const { description, scope, output, yields, adds = [], resource, endpoint } = operation;
  const record = `[${outputNames[output].label.toLowerCase()}](#${anchor(recordLabel(output))})${yields === 'many' ? ' (list)' : ''}`;
  return [
    operationLabel(operation),
    description,
    scope === 'any' ? 'any' : code(scope),
    [record, ...adds.map(({ key }) => code(key))].join(', '),
    onZapier.has(actionKey(operation)) ? code(actionKey(operation)) : '–',
    operations.includes(operation) ? `${resources[resource].label} › ${optionName(operation)}` : '–',
    code(endpoint),
  ];
}

function inputRow({ key, label, help, required, choices, control, example, lookup }: FormField): string[] {
  const chosen =
    lookup === 'timeZones'
      ? ' Choose from a list or enter a name.'
      : choices !== undefined
        ? ` One${control === 'events' ? ' or more' : ''} of ${choices.map(({ value }) => code(value)).join(', ')}.`
        : '';
  return [
    `${label}${required ? ' (required)' : ''}`,
    code(key),
    `${help}.${chosen}${example === undefined ? '' : ` For example ${code(example)}.`}`,
  ];
}

function recordSection(kind: OutputKind): string[] {
  const operation = operations.find(({ output, name }) => output === kind && name.startsWith('get'));
  return [
    `## ${recordLabel(kind)}`,
    Object.hasOwn(resources, kind) ? '' : "In the host's time zone.",
    outputTable(outputFields(kind), operation?.sample),
  ];
}

function outputTable(fields: readonly OutputField[], sample: Readonly<Record<string, unknown>> = {}): string {
  return table(
    ['Field', 'Key', 'Example'],
    fields.map(({ key, label }) => [label, code(key), exampleOf(sample[key])]),
  );
}

function exampleOf(value: unknown): string {
  const empty = value === undefined || value === null || value === '' || isDeepStrictEqual(value, []);
  return empty ? '' : code(typeof value === 'string' ? value : JSON.stringify(value));
}

/** The secret of the examples, with which their signatures are valid, so that readers can test their own code with them. */
const exampleSecret = 'whsec_an_example_that_opens_nothing';

/** An event's sample as a delivery, and the record that a trigger returns for it. */
function exampleDelivery({ name, sample, record }: EventRow) {
  const at = '2030-01-02T08:00:00Z';
  const body = JSON.stringify({ event: name, created_at: at, data: sentSample({ record, sample }) });
  const own = { Event: name, 'Delivery-ID': `dlv_${name.toLowerCase()}`, Timestamp: at, Signature: sign(body, exampleSecret) };
  const headers = {
    'Content-Type': 'application/json',
    ...Object.fromEntries(Object.entries(own).map(([suffix, value]) => [`${brand.headerPrefix}-${suffix}`, value])),
  };
  const opened = verifyDelivery(
    { rawBody: body, headers },
    { secret: exampleSecret, events: [name], subscriptionId: 'example', now: Date.parse(at) },
    nodeCrypto,
  );
  if (opened.state !== 'accepted') throw new Error(`The sample of ${name} is refused as a delivery: ${opened.message}`);
  return { headers, body, record: deliveredRecord(opened, 'presented') };
}

/** A signed delivery of an event. */
function deliverySection(row: EventRow): (string | undefined)[] {
  const { headers, body } = exampleDelivery(row);
  return [
    `### ${row.label}`,
    row.note,
    ['```http', ...Object.entries(headers).map((header) => header.join(': ')), '', body, '```'].join('\n'),
  ];
}

/** `ifWrong` describes the consequence for users, for the gaps that matter most. */
const statements: readonly Readonly<Partial<Record<string, string>>>[] = Object.values(assumptions);

/** The columns for a gap, after its number. */
const columns = {
  gap: 'Gap',
  assumed: 'Assumed',
  alsoRead: 'Also read',
  restsOn: 'What depends on it',
  settle: 'How to check it',
};

/** The generated parts between two marks of a reference page. People write the rest. */
export const referenceParts: Readonly<Record<string, () => string>> = {
  operationsEverywhere: () =>
    table(
      ['Operation', 'What it does', 'Permission', 'Returns', 'Zapier', 'n8n', 'Endpoint'],
      [...operations, ...searches].map(operationRow),
    ),
  inputs: () =>
    table(
      ['Operation', 'Field', 'Key', 'What to enter'],
      [...operations, ...searches].flatMap((operation) =>
        formFields(operation.input).map((field) => [operationLabel(operation), ...inputRow(field)]),
      ),
    ),
  records: () => paragraphs(...(Object.keys(recordFields) as OutputKind[]).flatMap(recordSection)),
  triggers: () =>
    table(
      ['Trigger', 'Event', 'Key in Zapier', 'Fires when'],
      eventRows.map(({ label, name, key, description }) => [
        `[${label}](#${anchor(label)})`,
        code(name),
        code(key),
        description.replace('Triggers when ', ''),
      ]),
    ),
  // The fields that a trigger returns in addition to the record.
  deliveryFields: () =>
    outputTable(
      outputFields('booking', { delivery: 'whole' }).filter(({ key }) => !outputFields('booking').some((field) => field.key === key)),
      eventRows[0] && exampleDelivery(eventRows[0]).record,
    ),
  deliveryBody: () => `The body: ${assumptions.deliveryBody.assumed}. Other forms are also read.`,
  deliveries: () => paragraphs(...eventRows.flatMap(deliverySection)),
  gaps: () => `The service's public document leaves ${Object.keys(assumptions).length} things open.`,
  gravest: () =>
    table(
      ['', 'Gap', 'If the assumption is wrong'],
      statements.filter(({ ifWrong }) => ifWrong).map(({ number = '', gap = '', ifWrong = '' }) => [number, gap, ifWrong]),
    ),
  assumptions: () =>
    table(
      ['', ...Object.values(columns)],
      statements.map((statement) => ['number', ...Object.keys(columns)].map((name) => statement[name] ?? '')),
    ),
  choices: () => CHOICES.map((choice) => `- ${choice}`).join(';\n') + '.',
};

/** Paragraphs with a blank line between them. Empty ones are left out. */
export const paragraphs = (...texts: (string | undefined)[]): string =>
  texts.filter((each) => each !== undefined && each !== '').join('\n\n');

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();

export const code = (text: string): string => `\`${text}\``;

/** The anchor of a heading within its page, as Markdown renderers make it. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
