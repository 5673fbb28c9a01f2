import { assumptions, eventTypeRecord, latestCommit } from '../../shared/assumptions.ts';
import type { OutputField } from '../../shared/records/fields.ts';
import { isObject } from '../../shared/values.ts';
import { operationLabel } from '../../shared/operations/define.ts';
import { eventRows } from '../../shared/events.ts';
import { asDelivered } from '../../shared/webhooks/testData.ts';
import { formFields } from '../../shared/operations/form.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { outputFields, present } from '../../shared/records/outputs.ts';
import { scopes } from '../../shared/oauth/scopes.ts';
import { limits } from '../../shared/limits.ts';
import { statusFilter, statuses } from '../../shared/operations/booking/getMany.ts';
import { FAULTS } from '../../sandbox/faultKinds.ts';
import { SCOPES } from '../../sandbox/guard.ts';
import { DEFAULT_LIMITS } from '../../sandbox/limits.ts';
import { BOOKING_STATUSES, EVENTS, QUESTION_TYPES } from '../../sandbox/records.ts';
import { PAGE_SIZE } from '../../sandbox/schemas.ts';
import { serve, type TestService } from '../support/service.ts';
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

it('required fields stand first, and are those without which the form is refused', () => {
  for (const operation of everything) {
    for (const { key, required } of formFields(operation.input))
      expect([key, required]).toEqual([key, operation.input[key]?.schema.safeParse(undefined).success === false]);
    const order = formFields(operation.input).map(({ required }) => (required ? 0 : 1));
    expect(order).toEqual([...order].sort());
  }
});

it('the events are those of the document, each with a sample of its record and the words of the document', () => {
  expect(eventRows.map(({ name }) => name)).toEqual([...EVENTS]);
  for (const row of eventRows) {
    expect(row.sample).toEqual(present(row.record, row.sample));
    expect(faults(outputFields(row.record, { delivery: true }), asDelivered(row, row.sample))).toEqual([]);
  }
});

it('every key of the sample of an event is declared, and every time in it is ISO 8601 with a zone', () => {
  for (const row of eventRows) {
    const fields = outputFields(row.record, { delivery: true });
    const sample = asDelivered(row, row.sample);
    expect(fields.map(({ key }) => key)).toEqual(expect.arrayContaining(Object.keys(sample)));
    for (const { key } of fields.filter(({ type }) => type === 'datetime'))
      expect(sample[key] ?? '1970-01-01T00:00:00Z').toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/);
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

describe('beside the sandbox', () => {
  /** The core and the sandbox are written from the same document, independently of each other. This test compares them. */
  let service: TestService;
  beforeEach(async () => void (service = await serve({ limits: false })));

  it('both know the same scopes, events, statuses, question types and limits', () => {
    expect(Object.keys(scopes).sort()).toEqual(Object.keys(SCOPES).sort());
    expect(statuses.map(({ value }) => value).sort()).toEqual([...BOOKING_STATUSES].sort());
    expect(BOOKING_STATUSES.filter((status) => !statusFilter.schema.safeParse(status).success)).toEqual([]);
    expect(Object.keys(eventTypeRecord.questionTypes).sort()).toEqual([...QUESTION_TYPES].sort());
    expect(limits).toEqual({
      requestsPerMinute: DEFAULT_LIMITS.api,
      subscriptionRequestsPerMinute: DEFAULT_LIMITS.hooks,
      tokenExchangesPerMinute: DEFAULT_LIMITS.token,
      subscriptions: DEFAULT_LIMITS.subscriptions,
      pageSize: PAGE_SIZE.max,
      defaultPageSize: PAGE_SIZE.usual,
    });
    expect(FAULTS['late-commit'].commits && latestCommit.seconds).toBe(60);
  });

  /** A path that reaches the endpoint. Its id need not exist for the scope to be checked. */
  const concrete = (endpoint: string) => {
    const [method = '', path = ''] = endpoint.split(' ');
    return { method, url: `${service.sandbox.baseUrl}${path.replace(/^\/v1/, '').replace(':id', 'some-id')}` };
  };
  const status = async (endpoint: string, granted: string[]) => {
    const { method, url } = concrete(endpoint);
    const { access_token: token } = service.sandbox.issueToken({ scopes: granted });
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '{}' }),
    });
    return response.status;
  };

  it.each(operations.map((operation) => [operationLabel(operation), operation] as const))(
    '%s: the scope that it declares is the one that its endpoint requires, and is enough',
    async (_, { endpoint, scope }) => {
      const all = Object.keys(scopes);
      expect(await status(endpoint, scope === 'any' ? [all[0] ?? ''] : [scope])).not.toBe(403);
      const others = all.filter((other) => other !== scope);
      if (scope !== 'any') expect(await status(endpoint, others)).toBe(403);
    },
  );
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
    ['name', ['T', 'Z'], 'must be text'],
    ['name', undefined, 'is missing'],
    ['slug', 'termin-', 'must be lower-case letters'],
    ['headerPrefix', 'X-Termin:', 'must be letters'],
    ['baseUrl', 'https://api.termin-zeit.example/v1', 'must be a URL that ends in /api/v1, such as https://example.com/api/v1.'],
    ['docsUrl', 7, 'must be a URL'],
    ['oauth', null, 'must hold addresses.'],
    ['oauth.tokenUrl', { tokenUrl: 'token' }, 'must be a URL'],
    ['colour', { dark: 'red' }, 'is not known.'],
  ])('a mistake in "%s" stops the start, and says what %j must be', (entry, value, rule) => {
    const { [entry]: _wrong, ...others }: Record<string, unknown> = good;
    const values = { ...others, ...(value !== undefined && { [entry.split('.')[0] ?? '']: value }) };
    expect(() => checkBrand(values)).toThrow(`brand.json cannot be used: "${entry}" ${rule}`);
  });
});
