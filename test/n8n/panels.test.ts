import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { NodeHelpers, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';
import {
  operations,
  cancelBooking,
  createBooking,
  getBooking,
  getContact,
  getManyEventTypes,
  type Operation,
} from '../../shared/operations/index.ts';
import { credentialTest, oauthDefaults } from '../../n8n/adapter/credential.ts';
import { execute } from '../../n8n/adapter/execute.ts';
import { descriptionOf } from '../../n8n/adapter/fields.ts';
import { imperative } from '../../n8n/adapter/names.ts';
import { outputSchemas, type JsonSchema } from '../../n8n/adapter/outputSchemas.ts';
import { pollNode } from '../../n8n/adapter/poll.ts';
import { propertiesOf } from '../../n8n/adapter/properties.ts';
import { summaryOf, wishesFor } from '../../n8n/adapter/summary.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import { brand } from '../../shared/brand.ts';
import { eventRows, listedRows } from '../../shared/events.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { root } from '../../tools/root.cjs';
import { formFor } from '../contract/fixtures.ts';
import { panelOf } from '../contract/platforms/n8nPanel.ts';
import { executeHost, pollHost } from './support/host.ts';
import { oneOf } from '../support/wire.ts';

// The golden files hold the names, types, defaults and settings of all panels. Here is what they do not show.
const action = new Scheduler();
const trigger = new SchedulerTrigger();
const polling = new SchedulerPollingTrigger();
const destructive = operations.filter(({ effect }) => effect === 'destructive');

/** What n8n evaluates: the JavaScript between the brackets. */
const evaluated = (expression = '', context: object): unknown => runInNewContext(expression.replace(/^=\{\{|\}\}$/g, ''), context);

const codexOf = (name: string) => {
  const file = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  return JSON.parse(readFileSync(join(root, 'n8n', 'nodes', file, `${file}.node.json`), 'utf8')) as { node: string; alias: string[] };
};

it('an operation that cannot be undone says so where it is chosen and in its panel, and is no default even if it is the only one', () => {
  expect(destructive.length).toBeGreaterThan(0);
  for (const operation of destructive) {
    const properties = propertiesOf([operation]);
    expect(properties.find(({ name }) => name === 'operation')).toMatchObject({
      default: '',
      options: [{ description: expect.stringMatching(/ permanently/) as string }],
    });
    expect(properties.find(({ name }) => name === 'irreversibleNotice')?.displayName).toMatch(
      /^This cannot be undone\. Check the [a-z ]+ before you/,
    );
  }
});

it('what the node is for is said as its operations are declared', () => {
  const { booking_id } = cancelBooking.input;
  const { start_time } = createBooking.input;
  const moveBooking = { ...cancelBooking, name: 'shift', action: 'Shift', input: { booking_id, start_time } } as Operation;
  const some = [cancelBooking, createBooking, getBooking, getContact, getManyEventTypes] as Operation[];
  const more = [...some, moveBooking, { ...moveBooking, name: 'update', action: 'Update', output: 'contact' } as Operation];
  expect([some, more].map(summaryOf)).toEqual([
    'Create, read and cancel bookings, and read event types and contacts',
    'Create, read, cancel and shift bookings, and read event types, and read and update contacts',
  ]);
  expect([some, more].map(wishesFor)).toEqual([
    'create, find, list, reschedule (cancel, then create) or cancel',
    'create, find, list, cancel or shift',
  ]);
});

it('help of several sentences ends with a full stop, and a single one does not', () => {
  expect(descriptionOf('The id')).toBe('The ID');
  expect(descriptionOf('One. Two')).toBe('One. Two.');
});

describe("n8n's own words", () => {
  const choices = action.description.properties
    .filter(({ name }) => name === 'operation')
    .flatMap(({ options = [] }) => options as INodePropertyOptions[]);

  it('name and describe every operation, by the vocabulary of its guidelines', () => {
    expect(choices.length).toBe(operations.length);
    for (const { name, action: shown = '', description = '' } of choices) {
      expect(shown).not.toMatch(/\b(?:a|an|the|permanently)\b/i);
      const [verb = ''] = name.split(' ');
      if (name === 'Get Many')
        expect([shown, description]).toEqual([expect.stringMatching(/^Get many /), expect.stringMatching(/^Retrieve many /)]);
      else expect(description).toMatch(verb === 'Get' ? /^Retrieve / : new RegExp(`^${verb} a? ?`));
    }
    const described = (label: string) => choices.find((each) => each.action === label)?.description;
    expect(described('Get booking')).toBe('Retrieve a booking');
    expect(described('Get many bookings')).toBe('Retrieve many bookings. Filter by status, invitee, event type or time.');
    expect(described('Cancel booking')).toBe('Cancel a booking permanently');
  });

  it('make of a verb in the third person one in the imperative', () => {
    const verbs = ['Creates', 'Searches', 'Denies', 'Moves', 'Passes', 'Fixes'].map(imperative);
    expect(verbs).toEqual(['Create', 'Search', 'Deny', 'Move', 'Pass', 'Fix']);
  });

  it('call a workflow a workflow, and a node a node', () => {
    const shown = JSON.stringify([action, trigger, polling].map(({ description }) => description));
    expect(shown).not.toMatch(/\bautomations?\b|\bZaps?\b|\bscenarios?\b/i);
  });

  it('say under each time whose time zone decides its hour', () => {
    const hintOf = (wanted: string): (string | undefined)[] =>
      action.description.properties
        .flatMap((property) => [property, ...((property.options ?? []) as INodeProperties[])])
        .filter(({ displayName }) => displayName === wanted)
        .map(({ hint }) => hint);
    expect(hintOf('Start')).toContain(
      "Uses the invitee's time zone if given, otherwise the workflow's time zone, unless the time has its own",
    );
    for (const time of ['After', 'Before'])
      expect(new Set(hintOf(time))).toEqual(new Set(["Uses the workflow's time zone, unless the time has its own"]));
  });
});

it('a panel has at most one box, and only before what cannot be undone', () => {
  const boxes = [action, trigger, polling].map(({ description: { properties } }) => properties.filter(({ type }) => type === 'notice'));
  expect(boxes.map(({ length }) => length)).toEqual([destructive.length, 0, 0]);
});

it.each([
  [
    'scheduler',
    // n8n lists it and the trigger as one node, by these words.
    [
      ...['cancel appointment', 'cancel booking', 'cancel a meeting', 'free slots', 'free times', 'busy', 'busy slots', 'available slots'],
      ...['availability', 'reschedule', 'find booking', 'new appointment', 'appointments', 'booking cancelled', 'meeting cancelled'],
    ],
  ],
  ['schedulerTrigger', ['booking cancelled', 'appointment cancelled', 'new appointment', 'rescheduled', 'webhook']],
  ['schedulerPollingTrigger', ['poll', 'no public address', 'new appointment']],
])("n8n's search finds %s by what people call it", (name, wanted) => {
  const { alias } = codexOf(name);
  // n8n's own search for nodes finds what has all letters of the search in their order.
  const isFound = (text: string): boolean => alias.some((each) => new RegExp([...text].join('.*'), 'i').test(each));
  expect(wanted.filter((text) => !isFound(text))).toEqual([]);
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

it.each([action, trigger, polling])('n8n finds the description for its search of $description.displayName', ({ description: { name } }) => {
  expect(codexOf(name)).toMatchObject({ node: `n8n-nodes-${brand.slug}.${name}` });
});

it('on the canvas, a trigger says its events in words', () => {
  for (const { description } of [trigger, polling]) {
    expect(evaluated(description.subtitle, { $parameter: { events: ['BOOKING_CREATED', 'CONTACT_UPDATED'] } })).toBe(
      'booking created, contact updated',
    );
  }
});

describe('the credential', () => {
  const oauthAt = (baseUrl: string) =>
    [oauthDefaults().authorizeUrl, oauthDefaults().tokenUrl].map((each) => evaluated(each, { $self: { baseUrl } }));
  const refused = 'https://the-base-address-must-begin-with-https.invalid';

  it.each([
    ['https://example.com/api/v1', 'https://example.com', 'https://example.com/api/v1'],
    [' https://example.com/eu/api/v1// ', 'https://example.com', 'https://example.com/eu/api/v1'],
    ['http://127.0.0.1:4010/api/v1', 'http://127.0.0.1:4010', 'http://127.0.0.1:4010/api/v1'],
    ['\u201chttps://example.com/api/v1\u200b\u201d\n', 'https://example.com', 'https://example.com/api/v1'],
    [' https://example.com ', 'https://example.com', 'https://example.com/api/v1'],
    ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010', 'http://127.0.0.1:4010/api/v1'],
    ['http://localhost:4010/api/v1/', 'http://localhost:4010', 'http://localhost:4010/api/v1'],
    ['http://example.com/api/v1', '', refused],
    ['http://localhost.example.com/api/v1', '', refused],
    ['https://user:pass@example.com/api/v1', '', refused],
    ['javascript:alert(1)', '', refused],
    ['', '', refused],
  ])(
    'the addresses of OAuth and the connection test follow the base URL %j, and no secret goes to one that is not safe',
    (baseUrl, origin, tested) => {
      expect(oauthAt(baseUrl)).toEqual([`${origin}/oauth/authorize`, `${origin}/api/oauth/token`]);
      const { baseURL, url } = credentialTest().request;
      expect(`${String(evaluated(baseURL, { $credentials: { baseUrl } }))}${url}`).toBe(`${tested}/me`);
    },
  );

  it('a refusal whose sender n8n does not show is not told as that of the account alone', () => {
    const rules = credentialTest().rules ?? [];
    const told = [401, 403, 429].map((status) => rules.find(({ properties }) => 'value' in properties && properties.value === status));
    for (const rule of told) expect(rule?.properties.message).toMatch(/proxy or (?:a )?firewall|something between here and the service/);
    expect(told.map((rule) => rule?.properties.message).join(' ')).not.toMatch(/account's rate limit|Upgrade|expired/);
  });

  it.each<[unknown, isPage: boolean]>([
    ['<!doctype html><title>Sign in</title>', true],
    ['Please log in', true],
    ['{"data":{"id":"us', true],
    [oneOf({ id: 'usr_1' }), false],
    [{ id: 'usr_1', constructor: { name: 'Ada' } }, false],
  ])('a page with 200 is not told as a connection: %j', (body, isPage) => {
    const rules = (credentialTest().rules ?? []).filter(({ type }) => type === 'responseSuccessBody');
    // As n8n does it.
    const at = (key: string): unknown => key.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), body);
    const fails = rules.some(({ properties }) => 'key' in properties && at(properties.key) === properties.value);
    expect([rules.length, fails]).toEqual([1, isPage]);
  });

  it('a 404 is reported as a wrong base URL, and never as a user to choose from a list', () => {
    const rule = credentialTest().rules?.find(({ properties }) => 'value' in properties && properties.value === 404);
    expect(rule?.properties.message).toBe(
      `No ${brand.name} service was found at this base URL. An address without a path is tried with /api/v1. Enter one like ${brand.baseUrl}.`,
    );
  });

  it("an address of OAuth that the service has somewhere else is used for the service's own base URL, and for no other", () => {
    const tokenUrl = 'https://login.example.com/token';
    brand.oauth.tokenUrl = tokenUrl;
    try {
      expect(oauthAt(brand.baseUrl)).toEqual([`${new URL(brand.baseUrl).origin}/oauth/authorize`, tokenUrl]);
      expect(oauthAt('http://127.0.0.1:4010/api/v1')[1]).toBe('http://127.0.0.1:4010/api/oauth/token');
    } finally {
      delete brand.oauth.tokenUrl;
    }
  });
});

describe('the fields that a panel announces before the first run', () => {
  let sandbox: Sandbox;
  beforeAll(async () => (sandbox = await startSandbox({ limits: false, forms: { slots: 'shared' } })));
  afterAll(() => sandbox.stop());

  const schemas = outputSchemas();

  it('begin with who and when, before ids', () => {
    const keys = (name: string) => Object.keys(schemas[name]?.properties ?? {});
    for (const name of ['create', 'getMany', 'cancel'])
      expect(keys(`Scheduler/__schema__/v1.0.0/booking/${name}.json`).slice(0, 3)).toEqual([
        'invitee_name',
        'event_type_name',
        'readable_start',
      ]);
    const delivered = keys('SchedulerTrigger/__schema__/v1.0.0.json');
    expect(delivered.slice(0, 3)).toEqual(['event', 'invitee_name', 'event_type_name']);
    expect(delivered).toEqual(
      expect.arrayContaining(['id', 'reschedule_url', 'cancel_url', 'readable_previous_start', 'invitee_email', 'email']),
    );
  });

  const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

  /** Where a value is not what the panel announces. A value that is empty could be anything. */
  function differences(value: unknown, schema: JsonSchema | undefined, at: string): string[] {
    if (schema === undefined) return [`${at} is not announced`];
    if (value === null || value === undefined) return [];
    if (typeOf(value) !== schema.type) return [`${at} is announced as ${schema.type}, and is ${typeOf(value)}`];
    if (Array.isArray(value)) return value.flatMap((each, index) => differences(each, schema.items, `${at}[${index}]`));
    if (schema.properties === undefined) return [];
    return Object.entries(value).flatMap(([key, each]) => differences(each, schema.properties?.[key], `${at}.${key}`));
  }

  it.each(operations.map((operation) => [`${operation.resource}/${operation.name}`, operation] as const))(
    'what %s gives with the default settings is what the panel announces',
    async (name, operation) => {
      const run = async (isSimplified: boolean) => {
        const parameters = panelOf(operation, { fields: formFor(operation, sandbox, false), isSimplified });
        return (await execute(executeHost({ sandbox, parameters }))).map(({ json }) => json);
      };
      const items = await run(true);
      expect(items.length).toBeGreaterThan(0);
      const schema = schemas[`Scheduler/__schema__/v1.0.0/${name}.json`];
      expect(items.flatMap((item) => differences(item, schema, name))).toEqual([]);
      // Nothing that only the whole record has.
      const whole = operation.effect === 'read' ? await run(false) : [];
      const missing = Object.keys(schema?.properties ?? {}).filter((key) => !items.some((item) => key in item));
      expect(missing.filter((key) => whole.some((item) => (item[key] ?? null) !== null))).toEqual([]);
    },
  );

  it('what the polling trigger gives is what its panel announces', async () => {
    const { host } = pollHost({ sandbox, mode: 'manual', parameters: { events: listedRows(eventRows).map(({ name }) => name) } });
    const items = (await pollNode(host))?.flat() ?? [];
    expect(new Set(items.map(({ json }) => json['event'])).size).toBeGreaterThan(2);
    const schema = schemas['SchedulerPollingTrigger/__schema__/v1.0.0.json'];
    expect(items.flatMap(({ json }) => differences(json, schema, 'item'))).toEqual([]);
  });
});
