import { operations, searches } from '../../shared/operations/index.ts';
import { questionTypes } from '../../shared/reading/index.ts';
import assumptions from '../../shared/assumptions.json' with { type: 'json' };
import { latestCommit } from '../../shared/assumptions.ts';
import type { OutputField } from '../../shared/records/fields.ts';
import { isObject } from '../../shared/values.ts';
import { operationLabel } from '../../shared/operations/define.ts';
import { eventRows } from '../../shared/events.ts';
import { asDelivered } from '../../shared/webhooks/testData.ts';
import { formFields } from '../../shared/operations/form.ts';
import { mappedFields, outputFields, present } from '../../shared/records/outputs.ts';
import { scopes } from '../../shared/scopes.ts';
import { limits } from '../../shared/limits.ts';
import { statusFilter, statuses } from '../../shared/operations/booking/getMany.ts';
import { FAULTS } from '../../sandbox/faultKinds.ts';
import { SCOPES } from '../../sandbox/guard.ts';
import { DEFAULT_LIMITS } from '../../sandbox/limits.ts';
import { eventLabel, occurs } from '../../sandbox/events.ts';
import { BOOKING_STATUSES, EVENTS, QUESTION_TYPES } from '../../sandbox/records.ts';
import { PAGE_SIZE } from '../../sandbox/schemas.ts';
import { brand, checkBrand } from '../../shared/brand.ts';

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

it.each(everything.map((operation) => ({ name: operationLabel(operation), operation })))(
  '$name: every field has a label and a help text of its own, and the sample has the type that its output declares',
  ({ operation: { input, description, output, adds = [], secret, sample } }) => {
    expect(description).toMatch(/^[A-Z][a-z]+s .+[^.]$/);
    const fields = formFields(input);
    for (const { label, help, key } of fields) {
      expect(label).toMatch(/^[A-Z]/);
      expect(help).not.toMatch(/\.$/);
      expect(help.toLowerCase()).not.toBe(label.toLowerCase());
      expect(key).toMatch(/^[a-z]+(_[a-z]+)*$/);
    }
    // Required fields stand first, and are those without which the form is refused.
    const required = fields.map(({ key }) => input[key]?.schema.safeParse(undefined).success === false);
    expect(fields.map((field) => field.required)).toEqual(required);
    expect(required).toEqual([...required].sort().reverse());
    expect(faults(outputFields(output, { adds }), sample)).toEqual([]);
    expect(Object.keys(sample)).toEqual(expect.arrayContaining([...adds.map(({ key }) => key), ...(secret === undefined ? [] : [secret])]));
  },
);

it.each(eventRows)('$name: its sample is complete, of the declared types, and its times are written as in live records', (row) => {
  const fields = mappedFields(row.record, { delivery: 'alone' });
  const { answers: _answers, ...sample } = asDelivered(row, row.sample);
  expect(row.sample).toEqual(present(row.record, row.sample));
  expect(faults(fields, sample)).toEqual([]);
  expect(fields.map(({ key }) => key)).toEqual(expect.arrayContaining(Object.keys(sample)));
  for (const { key } of fields.filter(({ type }) => type === 'datetime'))
    expect(sample[key] ?? '1970-01-01T00:00:00.000Z').toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.000Z|[+-]\d\d:\d\d)$/);
});

it.each(everything.filter(({ effect }) => effect !== 'read').map((operation) => ({ name: operationLabel(operation), operation })))(
  '$name: the permission that it needs says that it allows this',
  ({ operation: { action, scope } }) => {
    const words = scope === 'any' ? '' : scopes[scope].words;
    expect(words.startsWith('manage ') ? action.toLowerCase() : words).toContain(action.toLowerCase());
  },
);

it('assumptions are numbered in their order', () => {
  // One that the service has settled leaves a gap in the numbers.
  const numbers = Object.values(assumptions).map(({ number }) => Number(number.slice(1)));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});

it('the core and the sandbox, written from the same document without knowing each other, have the same words and limits', () => {
  expect(Object.keys(scopes).sort()).toEqual([...SCOPES].sort());
  const asTheSandbox = EVENTS.map((name) => [name, eventLabel(name), occurs(name)]);
  const sentence = (description: string) => `${description.replace(/^Triggers when ./, (text) => text.slice(-1).toUpperCase())}.`;
  expect(eventRows.map(({ name, label, description }) => [name, label, sentence(description)])).toEqual(asTheSandbox);
  expect(statuses.map(({ value }) => value).sort()).toEqual([...BOOKING_STATUSES].sort());
  expect(BOOKING_STATUSES.filter((status) => !statusFilter.schema.safeParse(status).success)).toEqual([]);
  expect(Object.keys(questionTypes).sort()).toEqual([...QUESTION_TYPES].sort());
  expect(limits).toEqual({
    requestsPerMinute: DEFAULT_LIMITS.api,
    subscriptionRequestsPerMinute: DEFAULT_LIMITS.hooks,
    tokenExchangesPerMinute: DEFAULT_LIMITS.token,
    subscriptions: DEFAULT_LIMITS.subscriptions,
    pageSize: PAGE_SIZE.max,
    defaultPageSize: PAGE_SIZE.usual,
  });
  // Both could be wrong in the same way.
  expect(limits.defaultPageSize).toBe(25);
  expect(FAULTS['late-commit'].commits && latestCommit.seconds).toBe(60);
});

describe('the brand', () => {
  const good = {
    name: 'Termin & Zeit',
    slug: 'termin-zeit',
    baseUrl: 'https://api.termin-zeit.example/api/v1',
    headerPrefix: 'X-TerminZeit',
    docsUrl: 'https://termin-zeit.example/entwickler',
    oauth: {},
  };

  it('brand.json is valid, with and without other OAuth addresses', () => {
    expect(checkBrand({ ...brand })).toEqual(brand);
    const { oauth: _, ...rest } = good;
    expect(checkBrand(rest)).toEqual(good);
    const oauth = { tokenUrl: 'https://login.termin-zeit.example/token' };
    expect(checkBrand({ ...good, oauth }).oauth).toEqual(oauth);
  });

  it.each<[string, unknown, string]>([
    ['name', 'Termin\u2028Zeit', 'must be text'],
    ['name', undefined, 'is missing'],
    ['slug', 'termin-', 'must be lower-case letters'],
    ['headerPrefix', 'X-Termin:', 'must be letters'],
    ['name', ' Termin Zeit', 'must be text'],
    ...['https://api.termin-zeit.example/v1', 'http://api.termin-zeit.example/api/v1', 'https://me:it@termin-zeit.example/api/v1'].map(
      (value): [string, string, string] => ['baseUrl', value, 'must be a URL that ends in /api/v1, such as https://example.com/api/v1.'],
    ),
    ['docsUrl', 'javascript:alert(1)', 'must be a URL'],
    ['docsUrl', 7, 'must be a URL'],
    ['oauth', null, 'must hold addresses and a client id.'],
    ['oauth.tokenUrl', { tokenUrl: 'token' }, 'must be a URL'],
    ['oauth.publicClientId', { publicClientId: 'two words' }, 'must be a client id'],
    ['email', 'developers', 'must be an email address'],
    ['repository', 'github.com/you', 'must be the address of a repository'],
    ['owner', '', 'must be text'],
    ['privacyUrl', '/privacy', 'must be a URL'],
    ['supportUrl', 'help', 'must be a URL'],
    ['mcpUrl', 'https://mcp.termin-zeit.example', 'must be a host with /mcp'],
    ['colour', { dark: 'red' }, 'is not known.'],
  ])('a mistake in "%s" stops the start, and says what %j must be', (entry, value, rule) => {
    const { [entry]: _wrong, ...others }: Record<string, unknown> = good;
    const values = { ...others, ...(value !== undefined && { [entry.split('.')[0] ?? '']: value }) };
    expect(() => checkBrand(values)).toThrow(`brand.json cannot be used: "${entry}" ${rule}`);
  });
});
