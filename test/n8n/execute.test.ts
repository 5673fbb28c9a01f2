import type { IExecuteFunctions } from 'n8n-workflow';
import type * as Adapter from '../../n8n/adapter/execute.ts';
import { operations } from '../../shared/operations/index.ts';
import { startSandbox, virtualClock, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';
import { testStart } from '../support/service.ts';
import { executeHost, type HostOptions } from './support/host.ts';

let sandbox: Sandbox;

// The node's waits advance the sandbox's clock instead of taking half a minute.
jest.mock('n8n-workflow', () => ({
  ...jest.requireActual<object>('n8n-workflow'),
  sleep: (milliseconds: number) => sandbox.clock.advance(milliseconds),
}));

// Imported after the mock, because the adapter takes its sleep from there.
const { execute } = jest.requireActual<typeof Adapter>('../../n8n/adapter/execute.ts');

const begin = async (options: SandboxOptions = {}) =>
  (sandbox = await startSandbox({ clock: virtualClock(testStart), tokenLifetimeSeconds: 36_000, limits: false, ...options }));
beforeEach(() => jest.spyOn(Date, 'now').mockImplementation(() => sandbox.clock.now()));
afterEach(async () => {
  jest.restoreAllMocks();
  await sandbox.stop();
});

const run = (options: Omit<HostOptions, 'sandbox'>) => execute(executeHost({ sandbox, ...options }), operations);
const posts = () => sandbox.requests().filter(({ method }) => method === 'POST');
const introCall = () => sandbox.eventTypes().find(({ name }) => name === 'Intro Call')?.id ?? '';
const chosen = (value: string) => ({ __rl: true, mode: 'list', value });

const day = (index: number) => `2059-03-${String(index + 1).padStart(2, '0')}T09:00:00Z`;
const create = (change: Record<string, unknown> = {}) => ({
  resource: 'booking',
  operation: 'create',
  eventTypeId: chosen(introCall()),
  startTime: day(0),
  inviteeName: 'Ada Lovelace',
  inviteeEmail: 'ada@example.com',
  questionResponsesMode: 'fields',
  questionResponses: { mappingMode: 'defineBelow', value: null },
  additionalFields: {},
  ...change,
});
const onDays = (count: number) => Array.from({ length: count }, (_, index) => ({ parameters: { startTime: day(index) } }));

describe('many items', () => {
  it('each send their own filters: nothing of one reaches the next', async () => {
    await begin();
    // A filter by email requests whole pages, because partial matches of the service are left out again (G30).
    const filters = [{ status: 'CANCELLED' }, { email: 'ada@example.com' }, {}];
    const sizes = ['5', '100', '5'];
    await run({
      parameters: { resource: 'booking', operation: 'getMany', returnAll: false, limit: 5, simplify: true },
      items: filters.map((each) => ({ parameters: { filters: each } })),
    });
    const asked = sandbox.requests().map(({ query }) => query);
    expect(asked).toHaveLength(3);
    expect(asked).toEqual(expect.arrayContaining(filters.map((each, index) => ({ ...each, limit: sizes[index] }))));
  });

  it('stop at the first failed item, and the error names it and how many were carried out', async () => {
    await begin();
    const items = [...onDays(2), { parameters: { inviteeEmail: 'nobody' } }];
    await expect(run({ parameters: create(), items })).rejects.toMatchObject({
      context: { itemIndex: 2 },
      description: expect.stringContaining('2 of 3 items finished before the error') as string,
    });
  });
});

describe('with Retry On Fail, which repeats the whole node for every item', () => {
  const node = { retryOnFail: true } as const;

  it.each([
    ['another execution', 'a', { executionId: 'other' }],
    ['another node', 'b', { node: { ...node, id: 'node-2' } }],
    ['another run of the node in a loop', 'c', { runIndex: 1 }],
    ['another workflow with the same node', 'd', { workflowId: 'workflow-2' }],
    ['another caller of a tool, for whom n8n has no execution', '', {}],
  ])('%s repeats nothing of a run that failed: it books for itself', async (_, executionId, other) => {
    await begin();
    const items = [...onDays(1), { parameters: { startTime: day(1), inviteeEmail: 'nobody' } }];
    await expect(run({ parameters: create(), node, items, executionId })).rejects.toThrow('email address');
    const [made] = await run({ parameters: create({ startTime: day(2) }), node, executionId, ...other });
    expect(Date.parse(made?.json['start_time'] as string)).toBe(Date.parse(day(2)));
    expect(posts()).toHaveLength(2);
  });

  it('what only reads is read again', async () => {
    await begin();
    const read = { parameters: { resource: 'user', operation: 'getCurrent' } };
    const wrong = { parameters: { resource: 'booking', operation: 'get', bookingId: '' } };
    const again = (items: object[]) => run({ items: items as never, node, executionId: 'read' });
    await expect(again([read, wrong])).rejects.toThrow('"Booking" is required');
    await again([read, read]);
    expect(sandbox.requests().map(({ path }) => path)).toEqual(['/v1/me', '/v1/me', '/v1/me']);
  });
});

it('Retry On Fail looks for a booking that may exist before it books again, and no message promises that', async () => {
  await begin();
  sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status: 502, commits: true });
  sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'drop-before', times: 'always' });
  const again = () => run({ parameters: create(), node: { retryOnFail: true } });
  await expect(again()).rejects.toMatchObject({
    message: expect.stringContaining('may or may not exist') as string,
    description: expect.stringContaining('before you run this again') as string,
  });
  sandbox.faults.clear();
  expect((await again())[0]?.json).toMatchObject({
    id: sandbox.bookings().find(({ invitee_email: email }) => email === 'ada@example.com')?.id,
  });
  expect(posts()).toHaveLength(1);
});

it('with Retry On Fail what was truly lost is booked once, by the second try', async () => {
  await begin();
  sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-before' });
  const again = () => run({ parameters: create({ inviteeEmail: 'lost@example.com' }), node: { retryOnFail: true }, executionId: 'lost' });
  await expect(again()).rejects.toThrow('may or may not exist');
  expect(posts()).toHaveLength(1);
  await again();
  expect(posts()).toHaveLength(2);
  expect(sandbox.bookings().filter(({ invitee_email: email }) => email === 'lost@example.com')).toHaveLength(1);
});

it.each([null, undefined, 'text', 7])('additional fields that an expression turned into %p count as none', async (additionalFields) => {
  await begin();
  expect((await run({ parameters: { ...create(), additionalFields } }))[0]?.json).toMatchObject({ invitee_email: 'ada@example.com' });
});

it('says that the secret is shown only once if one was returned, and not after a run that failed', async () => {
  await begin();
  const hintsOf = async (url: string): Promise<string[]> => {
    const hints: string[] = [];
    const parameters = { resource: 'subscription', operation: 'create', url, events: ['BOOKING_CREATED'] };
    await run({ parameters, hints }).catch(() => undefined);
    return hints;
  };
  expect(await hintsOf('no address')).toEqual([]);
  expect(await hintsOf('http://127.0.0.1:9/hooks')).toEqual(['Save signing_secret now. It is shown only once.']);
});

it('names a start that is taken, on the clock of the form or else of the workflow', async () => {
  await begin();
  await run({ parameters: create() });
  const taken = (change: Record<string, unknown>) => run({ parameters: create({ inviteeName: 'Grace', ...change }) });
  await expect(taken({})).rejects.toThrow('not free for this event type: 2059-03-01T10:00:00+01:00.');
  const additionalFields = { inviteeTimezone: chosen('Asia/Tokyo') };
  await expect(taken({ additionalFields })).rejects.toThrow('2059-03-01T18:00:00+09:00');
});

it('the output begins with who and when', async () => {
  await begin();
  const [made] = await run({ parameters: create() });
  const [listed] = await run({ parameters: { resource: 'booking', operation: 'getMany' } });
  for (const item of [made, listed])
    expect(Object.keys(item?.json ?? {}).slice(0, 3)).toEqual(['invitee_name', 'start_time', 'event_type_name']);
});

describe('lists', () => {
  beforeEach(() => begin());

  it('give fifty by default, in one request', async () => {
    await run({ parameters: { resource: 'booking', operation: 'getMany' } });
    expect(sandbox.requests().map(({ query }) => query)).toEqual([{ limit: '50' }]);
  });

  it('say that there may be more if the limit was reached, and only then', async () => {
    const hintsOf = async (change: Record<string, unknown>) => {
      const hints: string[] = [];
      await run({ parameters: { resource: 'contact', operation: 'getMany', ...change }, items: [{}, {}], hints });
      return hints;
    };
    const all = sandbox.contacts().length;
    expect(await hintsOf({ returnAll: false, limit: all - 1 })).toEqual([
      'There may be more than the items shown. To get them, raise Limit or turn on Return All.',
    ]);
    expect(await hintsOf({ returnAll: false, limit: all })).toEqual([]);
    expect(await hintsOf({ returnAll: true })).toEqual([]);
  });

  it('are returned if the host cannot show a hint, as for the tool of an agent in the oldest n8n', async () => {
    const { addExecutionHints: _, ...tool } = executeHost({
      sandbox,
      parameters: { resource: 'contact', operation: 'getMany', returnAll: false, limit: 1 },
    });
    expect(await execute(tool as IExecuteFunctions, operations)).toHaveLength(1);
  });

  it('simplify wide records and keep all fields when asked to', async () => {
    const [simple] = await run({ parameters: { resource: 'booking', operation: 'getMany', returnAll: false, limit: 1, simplify: true } });
    const [whole] = await run({ parameters: { resource: 'booking', operation: 'getMany', returnAll: false, limit: 1, simplify: false } });
    expect(Object.keys(whole?.json ?? {}).length).toBeGreaterThan(Object.keys(simple?.json ?? {}).length);
    expect(whole?.json).toMatchObject(simple?.json ?? {});
    expect(simple?.json).not.toHaveProperty('created_at');
    const [unsaid] = await run({ parameters: { resource: 'booking', operation: 'getMany', returnAll: false, limit: 1 } });
    expect(unsaid?.json).toEqual(simple?.json);
  });

  it('give an agent the chosen fields and the ID, in reading order', async () => {
    const parameters = { resource: 'booking', operation: 'getMany', limit: 1, simplify: 'selectedFields' };
    const [item] = await run({ parameters: { ...parameters, selectedFields: ['invitee_start_time', 'status', 'invitee_name'] } });
    expect(Object.keys(item?.json ?? {})).toEqual(['invitee_name', 'id', 'status', 'invitee_start_time']);
    const [none] = await run({ parameters: { ...parameters, selectedFields: [] } });
    expect(Object.keys(none?.json ?? {})).toEqual(['id']);
    const [pasted] = await run({ parameters });
    expect(pasted?.json).toHaveProperty('created_at');
  });
});
