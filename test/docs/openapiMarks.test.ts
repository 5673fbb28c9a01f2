import { openApiDocument } from '../../sandbox/openapi/document.ts';
import { assumptions } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { isObject } from '../../shared/values.ts';

type Json = Record<string, unknown>;

const document = openApiDocument();
const at = (value: unknown, ...path: string[]): Json =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value) as Json;

/**
 * What the public document specifies: the parameters of section 4, the input of section 2, the headers of section 6, the errors of section
 * 7.
 */
const documented = {
  parameters: new Map<string, Json>([
    ['id', { type: 'string' }],
    ['limit', { type: 'integer', maximum: 100, default: 25 }],
    ['cursor', { type: 'string' }],
    ['status', { type: 'string', enum: ['CONFIRMED', 'CANCELLED', 'PENDING'] }],
    ['email', { type: 'string' }],
    ...['Signature', 'Event', 'Delivery-ID', 'Timestamp'].map((name): [string, Json] => [
      `${brand.headerPrefix}-${name}`,
      { type: 'string' },
    ]),
  ]),
  input: {
    event_type_id: { type: 'string' },
    start_time: { type: 'string', format: 'date-time' },
    invitee_name: { type: 'string' },
    invitee_email: { type: 'string' },
    invitee_timezone: { type: 'string' },
    notes: { type: 'string' },
    question_responses: { type: 'object' },
    locale: { type: 'string', enum: ['en', 'es', 'fr'] },
  },
  required: ['event_type_id', 'start_time', 'invitee_name', 'invitee_email'],
  refusals: ['400', '401', '403', '404', '429', '500'],
  refusal: { error: { type: 'string' }, code: { type: 'string' } },
};

/** A schema without the parts that only explain it. */
const bare = ({ description: _says, examples: _such, 'x-assumption': _mark, ...schema }: Json): Json => schema;
const isMarked = (value: Json): boolean => typeof value['x-assumption'] === 'string';
const entries = (value: unknown): [string, Json][] => Object.entries(value as Record<string, Json>);

const operations = [...entries(document['paths']), ...entries(document['webhooks'])].flatMap(([path, methods]) =>
  entries(methods)
    .filter(([, operation]) => 'operationId' in operation)
    .map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
);
const schemas = at(document, 'components', 'schemas');

it('every answer that the public document does not show is marked with its assumption', () => {
  const shown = (status: string, answer: Json) =>
    answer['$ref'] === `#/components/responses/Refused${status}` && documented.refusals.includes(status);
  const unmarked = operations.flatMap(({ name, operation }) =>
    entries(operation['responses'])
      .filter(([status, answer]) => !isMarked(answer) && !shown(status, answer))
      .map(([status]) => `${name} ${status}`),
  );
  expect(operations.length).toBeGreaterThan(12 + 7);
  expect(unmarked).toEqual([]);
  for (const [name, { headers = {} }] of entries(at(document, 'components', 'responses'))) {
    expect(documented.refusals).toContain(name.slice('Refused'.length));
    expect(entries(headers).filter(([, header]) => !isMarked(header))).toEqual([]);
  }
});

it('every parameter is as the public document has it, or marked', () => {
  const parameters = operations.flatMap(({ operation }) => (operation['parameters'] ?? []) as Json[]);
  expect(parameters.length).toBeGreaterThan(30);
  for (const parameter of parameters)
    if (!isMarked(parameter))
      expect([parameter['name'], parameter['schema']]).toEqual([parameter['name'], documented.parameters.get(String(parameter['name']))]);
});

it('every schema is marked, except the booking input and errors, which follow the document exactly', () => {
  expect(
    entries(schemas)
      .filter(([, schema]) => !isMarked(schema))
      .map(([name]) => name)
      .sort(),
  ).toEqual(['BookingInput', 'Error']);
  const { properties, required, ...rest } = schemas['BookingInput'] as Json;
  expect(Object.fromEntries(entries(properties).map(([name, schema]) => [name, bare(schema)]))).toEqual(documented.input);
  expect([required, rest]).toEqual([documented.required, { type: 'object' }]);
  const refusal = entries(at(schemas, 'Error', 'properties'));
  expect(refusal.filter(([name, schema]) => !isMarked(schema) && !(name in documented.refusal)).map(([name]) => name)).toEqual([]);
  for (const [name, schema] of Object.entries(documented.refusal)) expect(bare(Object.fromEntries(refusal)[name] ?? {})).toEqual(schema);
});

it('every mark names an entry of the table, and shows it to the reader', () => {
  const marked: Json[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    if (!isObject(value)) return;
    if (isMarked(value)) marked.push(value);
    Object.values(value).forEach(collect);
  };
  collect(document);
  const known = new Set(Object.entries(assumptions).map(([name, entry]) => ('number' in entry ? entry.number : name)));
  expect(marked.length).toBeGreaterThan(30);
  expect(marked.filter((each) => !known.has(String(each['x-assumption'])))).toEqual([]);
  expect(marked.filter(({ description }) => typeof description !== 'string' || description === '')).toEqual([]);
});
