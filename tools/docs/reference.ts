import { isDeepStrictEqual } from 'node:util';
import { operations, searches } from '../../shared/operations/index.ts';
import { optionName } from '../../n8n/adapter/names.ts';
import { CHOICES } from '../../sandbox/openapi/document.ts';
import assumptions from '../../shared/assumptions.json' with { type: 'json' };
import { brand } from '../../shared/brand.ts';
import { eventRows, sentSample, type EventName, type EventRow } from '../../shared/events.ts';
import { operationLabel, type Operation } from '../../shared/operations/define.ts';
import { formFields, type FormField } from '../../shared/operations/form.ts';
import { recordFields, type OutputField, type OutputKind } from '../../shared/records/fields.ts';
import { outputFields } from '../../shared/records/outputs.ts';
import { outputNames, resources } from '../../shared/records/resources.ts';
import { deliveredRecord, verifyDelivery } from '../../shared/webhooks/delivery.ts';
import { nodeCrypto, sign } from '../../shared/webhooks/nodeCrypto.ts';
import { actionKey } from '../../zapier/adapter/names.ts';
import zapierApp from '../../zapier/app.ts';
import { inMarkdown } from '../build/brand/replace.ts';

const onZapier = new Set([...Object.keys(zapierApp.creates ?? {}), ...Object.keys(zapierApp.searches ?? {})]);

/** Every operation on every platform, with its inputs and its output. */
export function fieldsPage(): string {
  const everything = [...operations, ...searches];
  const kinds = Object.keys(recordFields) as OutputKind[];
  return page(
    'Actions, searches and their fields',
    'Other fields of a record that the service sends are passed on unchanged. A field that it does not send is absent. In Zapier, a booking has each answer once, as a field of `answers`, and no `question_responses`. For what triggers return, see [Triggers](triggers.md).',
    '## Operations',
    table(['Operation', 'What it does', 'Permission', 'Returns', 'Zapier', 'n8n', 'Endpoint'], everything.map(operationRow)),
    '## What to enter',
    'A field has one documented name, which is its key in Zapier and in the request. n8n writes it as a parameter: `eventTypeId`. Choose bookings, contacts and event types from a list, or enter an ID.',
    table(
      ['Operation', 'Field', 'Key', 'What to enter'],
      everything.flatMap((operation) => formFields(operation.input).map((field) => [operationLabel(operation), ...inputRow(field)])),
    ),
    ...kinds.flatMap(recordSection),
  );
}

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

/** The secret of the examples. Their signatures are valid for it, so that readers can test their own code with them. */
const exampleSecret = 'whsec_an_example_that_opens_nothing';

/** An event's sample as the service delivers it, and the record that a trigger returns for it. */
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

/** Common misunderstandings about an event, in addition to its own description. */
const notes: Partial<Record<EventName, string>> = {
  BOOKING_CREATED:
    'If an event type needs approval, a new booking is pending and fires nothing. When it is approved, both *Booking Approved* and *Booking Created* fire. Use only one of them for the same task.',
  BOOKING_CANCELLED:
    'The slot is free again. `cancellation_reason` holds the reason that the host or the invitee gave. A denied booking does not fire this event: see *Booking Denied*.',
  BOOKING_RESCHEDULED:
    '`start_time` is the new start and `previous_start_time` the old one. The id stays the same, and neither *Booking Cancelled* nor *Booking Created* fires for it.',
  BOOKING_APPROVED: 'The approval confirms the booking, so *Booking Created* fires as well. Use only one of them for the same task.',
  BOOKING_DENIED:
    "The booking's status becomes CANCELLED, with the host's reason in `cancellation_reason`. *Booking Cancelled* does not fire for it.",
  CONTACT_CREATED: "Fires at the first booking with a new email address, just before the booking's own event.",
  CONTACT_UPDATED:
    "Fires when the host changes a contact's name, time zone or phone number, or when an invitee enters different ones in a new booking. The record shows the contact after the change; the earlier values are not sent.",
};

/** All triggers: what each fires on, what it returns, and a signed delivery of it. */
export function triggersPage(): string {
  const examples = eventRows.map((row) => ({ row, ...exampleDelivery(row) }));
  return page(
    'Triggers',
    'All events of the service. In Zapier, each has its own trigger. In n8n, one ' +
      `*${inMarkdown(brand.name)} Trigger* listens to all the events you choose.`,
    table(
      ['Trigger', 'Event', 'Key in Zapier', 'Fires when'],
      eventRows.map(({ label, name, key, description }) => [
        `[${label}](#${anchor(label)})`,
        code(name),
        code(key),
        description.replace('Triggers when ', ''),
      ]),
    ),
    'Triggers for bookings can be limited to event types: *Event Types* in Zapier, *Event Type Names or IDs* in n8n. A trigger needs the permission `webhooks:manage`; test data in Zapier also needs `bookings:read` or `contacts:read`.',
    '## What a trigger returns',
    'The [booking](fields.md#the-booking-record) or the [contact](fields.md#the-contact-record), and what belongs to the delivery. In n8n, turn off *Simplify* for all of it; Zapier has no `delivery_id` and no `change_key`, because it does not poll.',
    outputTable(
      outputFields('booking', { delivery: 'whole' }).filter(({ key }) => !outputFields('booking').some((field) => field.key === key)),
      examples[0]?.record,
    ),
    "Times with an offset are in the invitee's time zone. So are the readable ones, which are in the booking's language. All others are in UTC: [how to use them in n8n](../use/n8n.md#times-in-later-nodes). New fields of the service are passed on unchanged.",
    '## Test data',
    'The API keeps no list of events. In the Zap editor, the test shows recent records, those that fit the event best, in the same form as a delivery. If the account has none, it shows an example. In n8n, *Listen for test event* waits for a real event.',
    '## What the service sends',
    `A POST to the subscribed address. Each signature below is valid for the secret ${code(exampleSecret)} and the body exactly as shown, on one line, so you can test your own code with it. [How to verify it](../guides/verification.md).`,
    `The form of the body, and which changes fire which events, are [assumptions](assumptions.md) (G13, G22). The body: ${assumptions.deliveryBody.assumed}. Other forms are also read.`,
    ...examples.flatMap(({ row, headers, body }) => [
      `### ${row.label}`,
      notes[row.name as EventName] ?? '',
      ['```http', ...Object.entries(headers).map((header) => header.join(': ')), '', body, '```'].join('\n'),
    ]),
  );
}

/** What the public document leaves open: what is sent and read first, what is also read, what fails if that is wrong, and how to find out. */
interface Statement {
  number: string;
  gap: string;
  assumed: string;
  alsoRead?: string;
  restsOn: string;
  settle: string;
}

/**
 * The gaps that matter most, by their names in `shared/assumptions.json`, and what happens to users if the assumption is wrong. One that
 * the service has settled is left out.
 */
const gravest = new Map([
  ['tokenCall', 'Nobody can connect.'],
  ['listEnvelope', 'Lists, pickers, searches and polling fail.'],
  ['subscriptionRecord', 'No trigger can be turned on.'],
  ['deliveryBody', 'Each delivery is refused, so nothing starts.'],
  ['latestCommit', 'A booking whose answer was lost can be made twice.'],
]);

/** The table of everything that the public document leaves open. */
export function assumptionsPage(): string {
  const entries: readonly Statement[] = Object.values(assumptions);
  const first = Object.entries<Statement>(assumptions).flatMap(([name, { number, gap }]) => {
    const effect = gravest.get(name);
    return effect === undefined ? [] : [[number, gap, effect]];
  });
  return page(
    'Assumptions',
    `The service's public document leaves ${entries.length} things open. For each, this project assumes one form, which it writes, and also reads the other likely forms. If the service turns out to differ, one edit in \`shared/\` corrects every platform.`,
    'If an answer fits none of the forms, the error names the request, the expected form and the keys that came. It never becomes an empty list or an invented record.',
    '`npm run probe` [checks a real service](../provider/assumptions.md) against this table.',
    '## Check these first',
    table(['', 'Gap', 'If the assumption is wrong'], first),
    '## All of them',
    table(
      ['', 'Gap', 'Assumed', 'Also read', 'What depends on it', 'How to check it'],
      entries.map(({ number, gap, assumed, alsoRead = '', restsOn, settle }) => [number, gap, assumed, alsoRead, restsOn, settle]),
    ),
    '## A field that is in no row',
    "Fields that the service sends beyond the assumed ones are passed on unchanged, but without a label. Where a record has more than the assumed fields, `npm run probe` names them. Add a row for each that people can use to the record in `shared/records/fields.ts`, with its type unless it is a text, and put the most wanted ones into `main`: the first ten are what *Simplify* keeps in n8n. For a booking's room:",
    ['```ts', "room_name: { label: 'Room Name' },", '```'].join('\n'),
    'Then add the name to the assumed ones in `shared/assumptions.json` and run `npm run sync`. Every platform shows the field.',
    '## What the sandbox chooses',
    'Where the public document is silent and nothing depends on it, the sandbox makes a choice. Another service may choose differently:',
    CHOICES.map((choice) => `- ${choice}`).join(';\n') + '.',
    `Code and documents use these numbers. [OpenAPI](../openapi.json) marks everything that depends on one with \`x-assumption\`.`,
  );
}

/** The first line of every generated page, which tells readers where to edit instead. */
const generated = '<!-- Generated by `npm run docs`. Edit the declarations it is made from, then run it again. -->';

/** A page with its title and paragraphs. Empty paragraphs are left out. */
export const page = (title: string, ...paragraphs: (string | undefined)[]): string =>
  `${[generated, `# ${title}`, ...paragraphs.filter((each) => each !== undefined && each !== '')].join('\n\n')}\n`;

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

/** The address of a heading within its page, as Markdown renderers form it. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
