import { execute } from '../n8n/adapter/execute.ts';
import { receive } from '../n8n/adapter/receive.ts';
import { subscribeNode } from '../n8n/adapter/subscription.ts';
import { zapierZip } from '../tools/build/products.ts';
import { cause } from './zapier/archive/causes.ts';
import { closeStage, openStage, type Stage } from './zapier/archive/stage.ts';
import { brand } from '../shared/brand.ts';
import { eventRows } from '../shared/events.ts';
import { createClient } from '../shared/api/client.ts';
import { patient } from '../shared/api/retry.ts';
import { toolName } from '../mcp/adapter/names.ts';
import { clientOf } from '../sdk/client/methods.ts';
import { placeOf } from '../sdk/client/names.ts';
import { carryOut } from '../shared/carryOut.ts';
import type { ServiceRecord } from '../shared/api/records.ts';
import type { Operation } from '../shared/define.ts';
import { simplify } from '../shared/simplify.ts';
import { findBooking, findContact, operations } from '../shared/operations/index.ts';
import { executeHost, hookHost, webhookHost } from './n8n/support/host.ts';
import { call, Stage as AgentStage } from './mcp/stage.ts';
import { startReceiver } from './support/receiver.ts';
import { clockOf, fetchTransport } from './support/service.ts';

jest.setTimeout(10 * 60_000);

// The built app as Zapier runs it, n8n's adapter in this process, and a client of the MCP server, before the same service.
let stage: Stage;
let agents: AgentStage;
let agent: Awaited<ReturnType<AgentStage['served']>>;
beforeAll(async () => {
  stage = await openStage(await zapierZip());
  agents = await AgentStage.on(stage.sandbox);
  agent = await agents.served();
});
afterAll(async () => {
  await agents?.close();
  await closeStage(stage);
});

const serviceClient = (sandbox: Stage['sandbox']) =>
  createClient({
    baseUrl: sandbox.baseUrl,
    transport: fetchTransport(sandbox.issueToken().access_token),
    clock: clockOf(sandbox),
    patience: patient,
  });
const typeNamed = (wanted: string) =>
  stage.sandbox.eventTypes().find(({ name }) => name === wanted) ?? fail(`There is no event type ${wanted}.`);
const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** What an operation asked of the service: its own endpoint alone, because only Zapier's form loads its fields while the step runs. */
async function asked(endpoint: RegExp, work: () => Promise<unknown>) {
  stage.sandbox.forgetRequests();
  await work();
  return stage.sandbox
    .requests()
    .filter(({ method, path }) => endpoint.test(`${method} ${path}`))
    .map(({ method, path, query, body }) => ({ method, path, query, body }));
}

const inN8n = (parameters: Record<string, unknown>) =>
  execute(executeHost({ sandbox: stage.sandbox, parameters, timezone: 'America/New_York' }), operations);

/** The same slot for both platforms: what the first one booked is cancelled before the second one books. */
function freed<Value>(value: Value): Value {
  for (const { id, status, invitee_email: email } of stage.sandbox.bookings())
    if (email === 'parity@example.com' && status !== 'CANCELLED') stage.sandbox.host.cancel(id);
  return value;
}

describe('the same form sends the same request from Zapier and from n8n', () => {
  const form = (more: Record<string, unknown> = {}) => ({
    event_type_id: typeNamed('Intro Call').id,
    start_time: '2059-03-05T10:00:00-05:00',
    invitee_name: 'Pa Rity',
    invitee_email: 'parity@example.com',
    ...more,
  });
  const panel = (more: Record<string, unknown> = {}, additionalFields: Record<string, unknown> = {}) => ({
    resource: 'booking',
    operation: 'create',
    eventTypeId: byId(typeNamed('Intro Call').id),
    startTime: '2059-03-05T10:00:00-05:00',
    inviteeName: 'Pa Rity',
    inviteeEmail: 'parity@example.com',
    additionalFields,
    ...more,
  });
  const create = /^POST \/v1\/bookings$/;
  const expectSame = async (raw: Record<string, unknown>, parameters: Record<string, unknown>) => {
    const fromZapier = freed(await asked(create, () => stage.zapier.step('creates.create_booking', raw)));
    const fromN8n = freed(await asked(create, () => inN8n(parameters)));
    expect(fromZapier).toHaveLength(1);
    expect(fromN8n).toEqual(fromZapier);
  };

  it('Create Booking, with what is required', () => expectSame(form(), panel()));
  it('Create Booking, with everything', () =>
    expectSame(
      form({ invitee_timezone: 'Europe/London', notes: 'Hello', locale: 'fr' }),
      panel({}, { inviteeTimezone: byId('Europe/London'), notes: 'Hello', locale: 'fr' }),
    ));
  it("Create Booking, with a start on the wall clock of the platform's own zone", () =>
    expectSame(form({ start_time: '2059-07-01T09:00:00' }), panel({ startTime: '2059-07-01T09:00:00' })));
  it('Create Booking, with answers of every kind of question', () => {
    const { id, questions } = typeNamed('Project Kick-off');
    const sample: Record<string, unknown> = {
      text: 'x',
      textarea: 'y',
      number: 3,
      boolean: true,
      phone: '+4930123456',
      email: 'a@example.com',
      date: '2059-03-05',
    };
    const value = Object.fromEntries(
      questions.map(({ key, type, options }) => [
        key,
        type === 'select' ? options?.[0] : type === 'multiselect' ? options?.slice(0, 2) : sample[type],
      ]),
    );
    const answers = Object.fromEntries(Object.entries(value).map(([key, answer]) => [`question_responses_${key}`, answer]));
    return expectSame(
      form({ event_type_id: id, ...answers }),
      panel({ eventTypeId: byId(id), questionResponsesMode: 'fields', questionResponses: { mappingMode: 'defineBelow', value } }),
    );
  });

  it('Create Booking, without the answers left from an event type that was chosen before', () => {
    const { id } = typeNamed('Coffee Chat');
    return expectSame(
      form({ event_type_id: id, question_responses_company: 'Old' }),
      panel({
        eventTypeId: byId(id),
        questionResponsesMode: 'fields',
        questionResponses: { mappingMode: 'defineBelow', value: { company: 'Old' } },
      }),
    );
  });

  it.each<[string, { reason?: string }]>([
    ['with a reason', { reason: 'Ill' }],
    ['without a reason', {}],
  ])('Cancel Booking, %s', async (_, reason) => {
    const [first, second] = [stage.sandbox.host.book(), stage.sandbox.host.book()];
    const fromZapier = await asked(/cancel$/, () => stage.zapier.step('creates.cancel_booking', { booking_id: first.id, ...reason }));
    const fromN8n = await asked(/cancel$/, () =>
      inN8n({ resource: 'booking', operation: 'cancel', bookingId: byId(second.id), additionalFields: reason }),
    );
    expect(fromZapier).toHaveLength(1);
    expect(fromN8n).toEqual(fromZapier.map((request) => ({ ...request, path: request.path.replace(first.id, second.id) })));
  });

  it('Find Contact and Search Contacts, by e-mail', async () => {
    const email = stage.sandbox.contacts()[0]?.email;
    const fromZapier = await asked(/contacts$/, () => stage.zapier.step('searches.find_contact', { email }));
    const fromN8n = await asked(/contacts$/, () => inN8n({ resource: 'contact', operation: 'search', email, returnAll: true }));
    expect(fromZapier.length).toBeGreaterThan(0);
    expect(fromN8n).toEqual(fromZapier);
  });
});

describe('the core alone carries out every operation, and gives what the platforms give', () => {
  const core = () => serviceClient(stage.sandbox);
  const ofCore = (operation: Operation, fields: Record<string, unknown>, shape: 'presented' | 'simplified' = 'presented') =>
    carryOut(core(), operation, { fields }, { shape, limit: 5 });
  /** What differs from one booking or subscription to the next. */
  const own = ({
    id: _,
    start_time: _start,
    end_time: _end,
    invitee_start_time: _from,
    invitee_end_time: _to,
    meeting_url: _url,
    created_at: _made,
    updated_at: _changed,
    signing_secret: _secret,
    url: _at,
    ...rest
  }: Record<string, unknown>) => rest;
  const booking = () => stage.sandbox.bookings()[0]?.id;
  const contact = () => stage.sandbox.contacts()[0];
  const form = (start: string) => ({
    event_type_id: typeNamed('Intro Call').id,
    start_time: start,
    invitee_name: 'Pa Rity',
    invitee_email: 'parity@example.com',
  });
  const panel = (start: string) => ({
    eventTypeId: byId(typeNamed('Intro Call').id),
    startTime: start,
    inviteeName: 'Pa Rity',
    inviteeEmail: 'parity@example.com',
    additionalFields: {},
  });

  interface Case {
    fields: () => Record<string, unknown>;
    parameters: () => Record<string, unknown>;
    again?: 'others';
    /** What an agent gives beside the fields, or in place of one that is taken by then. */
    byAgent?: Record<string, unknown>;
    /** The same for an application over the package. */
    byPackage?: Record<string, unknown>;
  }
  const cases: Record<string, Case> = {
    'booking cancel': {
      fields: () => ({ booking_id: stage.sandbox.host.book().id }),
      parameters: () => ({ bookingId: byId(stage.sandbox.host.book().id), additionalFields: {} }),
      again: 'others',
      byAgent: { confirm: true },
    },
    'booking create': {
      fields: () => form('2059-06-05T10:00:00Z'),
      parameters: () => panel('2059-06-06T10:00:00Z'),
      again: 'others',
      byAgent: { start_time: '2059-06-08T10:00:00Z' },
      byPackage: { start_time: '2059-06-09T10:00:00Z' },
    },
    'booking get': { fields: () => ({ booking_id: booking() }), parameters: () => ({ bookingId: byId(booking()) }) },
    'booking getMany': { fields: () => ({ status: 'CONFIRMED' }), parameters: () => ({ filters: { status: 'CONFIRMED' }, limit: 5 }) },
    'contact get': { fields: () => ({ contact_id: contact()?.id }), parameters: () => ({ contactId: byId(contact()?.id) }) },
    'contact getMany': { fields: () => ({}), parameters: () => ({ limit: 5 }) },
    'contact search': { fields: () => ({ email: contact()?.email }), parameters: () => ({ email: contact()?.email, limit: 5 }) },
    'eventType get': {
      fields: () => ({ event_type_id: typeNamed('Intro Call').id }),
      parameters: () => ({ eventTypeId: byId(typeNamed('Intro Call').id) }),
    },
    'eventType getMany': { fields: () => ({}), parameters: () => ({ limit: 5 }) },
    'user getCurrent': { fields: () => ({}), parameters: () => ({}) },
    'subscription create': {
      fields: () => ({ url: 'http://127.0.0.1:9/core', events: ['BOOKING_CREATED'] }),
      parameters: () => ({ url: 'http://127.0.0.1:9/n8n', events: ['BOOKING_CREATED'] }),
      again: 'others',
      byAgent: { url: 'http://127.0.0.1:9/agent' },
      byPackage: { url: 'http://127.0.0.1:9/package' },
    },
    'subscription getMany': { fields: () => ({}), parameters: () => ({ limit: 5 }) },
    'subscription delete': {
      fields: () => ({ subscription_id: 'sub_none' }),
      parameters: () => ({ subscriptionId: 'sub_none' }),
      byAgent: { confirm: true },
    },
  };

  /** A record as an agent is shown it: its main fields, whatever the operation adds, and a booking's times on both clocks. */
  const asShown = ({ output, adds = [], secret }: Operation, record: ServiceRecord) => {
    const added = [...adds.map(({ key }) => key), ...(secret === undefined ? [] : [secret])].filter((key) => key in record);
    return {
      ...simplify(output, record),
      ...Object.fromEntries(added.map((key) => [key, record[key]])),
      ...(output === 'booking' && { host_timezone: stage.sandbox.account.timezone }),
    };
  };
  const hours = ({ host_start_time: _start, host_end_time: _end, ...rest }: ServiceRecord) => rest;

  it.each(operations.map((operation) => [`${operation.resource} ${operation.name}`, operation] as const))('%s', async (name, operation) => {
    const given = cases[name];
    if (given === undefined) throw new Error(`${name} has no case here: add one.`);
    const fromCore = await ofCore(operation, given.fields());
    const fromN8n = (await inN8n({ resource: operation.resource, operation: operation.name, simplify: false, ...given.parameters() })).map(
      ({ json }) => json,
    );
    const compared = (records: Record<string, unknown>[]) => (given.again === 'others' ? records.map(own) : records);
    expect(compared(fromCore).length).toBeGreaterThan(0);
    expect(compared(fromN8n)).toEqual(compared(fromCore));
    const steps: Record<string, () => Promise<unknown>> = {
      'booking create': () => stage.zapier.step('creates.create_booking', form('2059-06-07T10:00:00Z')),
      'booking cancel': () => stage.zapier.step('creates.cancel_booking', { booking_id: stage.sandbox.host.book().id }),
    };
    const inZapier = steps[name];
    if (inZapier !== undefined) expect(compared([(await inZapier()) as Record<string, unknown>])).toEqual(compared(fromCore));

    const args = { ...given.fields(), ...given.byAgent, ...(operation.yields === 'many' && { limit: 5 }) };
    const { structuredContent } = await call(agent, toolName(operation), args);
    const fromAgent =
      operation.yields === 'many' ? (structuredContent as { records: ServiceRecord[] }).records : [structuredContent as ServiceRecord];
    const clocks = ({ invitee_start_time, invitee_end_time }: ServiceRecord) => ({ invitee_start_time, invitee_end_time });
    expect(compared(fromAgent.map(hours))).toEqual(
      compared(fromCore.map((record) => ({ ...asShown(operation, record), ...(operation.output === 'booking' && clocks(record)) }))),
    );
    const { group, method } = placeOf(operation);
    const { access_token: auth } = stage.sandbox.issueToken();
    const answer = clientOf(operations)({ auth, baseUrl: stage.sandbox.baseUrl })[group]?.[method]?.(
      { ...given.fields(), ...given.byPackage },
      operation.yields === 'many' ? { limit: 5 } : {},
    );
    const fromPackage = answer !== undefined && 'all' in answer ? await answer.all() : [(await answer) ?? {}];
    expect(compared(fromPackage)).toEqual(compared(fromCore));

    for (const { start_time: start, host_start_time: host } of fromAgent)
      expect([name, Date.parse(String(host))]).toEqual([name, Date.parse(String(start))]);
  });

  it.each([
    ['find_booking', findBooking, () => ({ email: stage.sandbox.bookings()[0]?.invitee_email })],
    ['find_contact', findContact, () => ({ email: contact()?.email })],
  ] as const)('the search %s', async (key, operation, fields) => {
    const { results } = (await stage.zapier.step(`searches.${key}`, fields())) as { results: unknown[] };
    const fromCore = await carryOut(core(), operation, { fields: fields() }, { shape: 'presented', limit: 26 });
    expect(fromCore.length).toBeGreaterThan(0);
    expect(results).toEqual(fromCore.slice(0, 25));
  });
});

describe('the same event gives the same record in Zapier and in n8n', () => {
  it.each(eventRows.map((row) => [row.label, row] as const))('%s', async (_, row) => {
    const receiver = await startReceiver();
    const staticData = {};
    const parameters = { events: [row.name], simplify: false };
    await subscribeNode(
      hookHost({ sandbox: stage.sandbox, parameters, staticData, url: receiver.url.replace('/hooks', '/webhook/5b0c/webhook') }),
    );
    const zap = await stage.zapier.turnOn(row.key);
    cause(stage, row);
    await stage.sandbox.settled();
    const [outcome] = await zap.settled(1);
    const [inZapier] = outcome?.items ?? [];

    const [delivery] = receiver.received;
    const { host } = webhookHost(
      { sandbox: stage.sandbox, parameters, staticData },
      { headers: delivery?.headers ?? {}, rawBody: delivery?.rawBody },
    );
    const ours = (await receive(host)).workflowData?.[0]?.[0]?.json;
    expect(ours).toMatchObject({ id: expect.any(String) as string, event: row.name });
    // Each subscription has deliveries of its own.
    expect({
      ...ours,
      delivery_id: inZapier?.['delivery_id'],
      delivered_at: inZapier?.['delivered_at'],
      delivery_key: inZapier?.['delivery_key'],
    }).toEqual(inZapier);
    expect(delivery?.headers[`${brand.headerPrefix}-Delivery-ID`.toLowerCase()]).toBe(ours?.['delivery_id']);
    await zap.turnOff();
    for (const { id, url } of stage.sandbox.subscriptions())
      if (url.startsWith(new URL(receiver.url).origin)) stage.sandbox.host.deleteSubscription(id);
    await receiver.close();
  });
});
