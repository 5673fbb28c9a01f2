import { assumptions } from '../../shared/assumptions.ts';
import type { OutputField } from '../../shared/records/fields.ts';
import { isObject } from '../../shared/values.ts';
import { operationLabel } from '../../shared/operations/define.ts';
import { eventRows } from '../../shared/events.ts';
import { asDelivered } from '../../shared/webhooks/testData.ts';
import { formFields } from '../../shared/operations/form.ts';
import { deleteSubscription, operations, searches } from '../../shared/operations/index.ts';
import { outputFields, present } from '../../shared/records/outputs.ts';
import { scopes } from '../../shared/oauth/scopes.ts';

const everything = [...operations, ...searches];

const isA: Record<OutputField['type'], (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  datetime: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  list: Array.isArray,
  any: () => true,
};

/** The fields whose values do not match their declaration, including the entries of lists. */
const mistyped = (fields: readonly OutputField[], record: Readonly<Record<string, unknown>>): string[] =>
  fields.flatMap(({ key, type, children = [] }) => {
    const value = record[key];
    if (value === undefined || value === null) return [];
    if (!isA[type](value)) return [key];
    return children.length > 0 && Array.isArray(value)
      ? value.flatMap((entry) => (isObject(entry) ? mistyped(children, entry) : [key]))
      : [];
  });

/** The same, and the fields that every record must have. */
const faults = (fields: readonly OutputField[], record: Readonly<Record<string, unknown>>) => [
  ...mistyped(fields, record),
  ...(typeof record['id'] === 'string' || fields.every(({ key }) => key !== 'id') ? [] : ['id']),
];

it('there is an operation for each endpoint of section 4', () => {
  const published = [
    'DELETE /v1/hooks/:id',
    'GET /v1/bookings',
    'GET /v1/bookings/:id',
    'GET /v1/contacts',
    'GET /v1/contacts/:id',
    'GET /v1/event-types',
    'GET /v1/event-types/:id',
    'GET /v1/hooks',
    'GET /v1/me',
    'POST /v1/bookings',
    'POST /v1/bookings/:id/cancel',
    'POST /v1/hooks',
  ];
  expect(operations.map(({ endpoint }) => endpoint)).toEqual(expect.arrayContaining(published));
});

it.each(everything.map((operation) => [operationLabel(operation), operation] as const))(
  '%s: every field has a label and a help text of its own, without a full stop',
  (_, { input, description }) => {
    expect(description).toMatch(/^[A-Z][a-z]+s .+[^.]$/);
    for (const { label, help, key } of formFields(input)) {
      expect(label).toMatch(/^[A-Z]/);
      expect(help).not.toMatch(/\.$/);
      expect(help.toLowerCase()).not.toBe(label.toLowerCase());
      expect(key).toMatch(/^[a-z]+(_[a-z]+)*$/);
    }
  },
);

it.each(everything.map((operation) => [operationLabel(operation), operation] as const))(
  '%s: its sample has the type that its output declares',
  (_, { output, adds = [], secret, sample }) => {
    expect(faults(outputFields(output, { adds }), sample)).toEqual([]);
    expect(Object.keys(sample)).toEqual(expect.arrayContaining([...adds.map(({ key }) => key), ...(secret === undefined ? [] : [secret])]));
  },
);

it('the sample of a deletion says that it was done', () => {
  expect(deleteSubscription.sample).toEqual({ id: expect.any(String) as string, deleted: true });
});

it('required fields stand first, and are those without which the form is refused', () => {
  for (const operation of everything) {
    for (const { key, required } of formFields(operation.input))
      expect([key, required]).toEqual([key, operation.input[key]?.schema.safeParse(undefined).success === false]);
    const order = formFields(operation.input).map(({ required }) => (required ? 0 : 1));
    expect(order).toEqual([...order].sort());
  }
});

it('the events are those of the document, each with a sample of its record and the words of the document', () => {
  expect(eventRows.map(({ name }) => name)).toEqual([
    'BOOKING_CREATED',
    'BOOKING_CANCELLED',
    'BOOKING_RESCHEDULED',
    'BOOKING_APPROVED',
    'BOOKING_DENIED',
    'CONTACT_CREATED',
    'CONTACT_UPDATED',
  ]);
  for (const row of eventRows) {
    expect(row.sample).toEqual(present(row.record, row.sample));
    expect(row.description).toMatch(/^Triggers when an? .+[^.]$/);
    expect(faults(outputFields(row.record, { delivery: true }), asDelivered(row, row.sample))).toEqual([]);
  }
});

it('every time in a sample is ISO 8601 with a zone, and every key of it is declared', () => {
  for (const row of eventRows) {
    const fields = outputFields(row.record, { delivery: true });
    const sample = asDelivered(row, row.sample);
    expect(Object.keys(sample).filter((key) => !fields.some((field) => field.key === key))).toEqual([]);
    for (const { key } of fields.filter(({ type }) => type === 'datetime')) {
      const value = sample[key];
      if (value !== null) expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/);
    }
  }
});

it('every assumption says what rests on it and how to settle it', () => {
  expect(Object.values(assumptions).map(({ number }) => number)).toEqual(
    Array.from({ length: Object.keys(assumptions).length }, (_, index) => `G${index + 1}`),
  );
  for (const { gap, assumed, restsOn, settle } of Object.values(assumptions))
    for (const text of [gap, assumed, restsOn, settle]) expect(text.length).toBeGreaterThan(2);
});

it('every scope of section 5 is used by an operation, and no other scope is', () => {
  expect(new Set(everything.map(({ scope }) => scope))).toEqual(new Set([...Object.keys(scopes), 'any']));
});
