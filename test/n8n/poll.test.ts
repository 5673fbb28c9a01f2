import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type * as Poll from '../../n8n/adapter/poll.ts';
import type * as TriggerProperties from '../../n8n/adapter/triggerProperties.ts';
import type * as Changes from '../../sdk/changes/index.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { brand } from '../../shared/brand.ts';
import type * as Events from '../../shared/events.ts';
import { until } from '../support/until.ts';
import { pollHost, type PollHostOptions } from './support/host.ts';
import { listOf, oneOf } from '../support/wire.ts';

// One more row in the table of events, which no list shows.
jest.mock('../../shared/events.ts', () => {
  const table = jest.requireActual<typeof Events>('../../shared/events.ts');
  const { shown: _, ...row } = {
    ...table.events.BOOKING_CREATED,
    label: 'Booking Annotated',
    description: 'Triggers when somebody annotates a booking',
  };
  (table.events as Record<string, unknown>)['BOOKING_ANNOTATED'] = row;
  return { ...table, eventRows: [...table.eventRows, table.eventRow('BOOKING_ANNOTATED', row)] };
});

const { pollNode } = jest.requireActual<typeof Poll>('../../n8n/adapter/poll.ts');
const { pollingProperties, triggerProperties } = jest.requireActual<typeof TriggerProperties>('../../n8n/adapter/triggerProperties.ts');
const { createPoller, memoryStore } = jest.requireActual<typeof Changes>('../../sdk/changes/index.ts');

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ limits: false })));
afterAll(() => sandbox.stop());
beforeEach(() => {
  sandbox.faults.clear();
  sandbox.forgetRequests();
});

const events = ['BOOKING_CREATED', 'BOOKING_CANCELLED'];
let workflows = 0;

/** One trigger of a workflow of its own. Each context stands for one publishing or start of n8n. */
function trigger() {
  const staticData: IDataObject = {};
  workflows += 1;
  const workflowId = `workflow-${workflows}`;
  return {
    staticData,
    context: (options: Partial<PollHostOptions> = {}) =>
      pollHost({ sandbox, workflowId, staticData, ...options, parameters: { events, ...options.parameters } }),
  };
}

async function pollOnce(of: ReturnType<typeof trigger>) {
  await given(of.context().host);
  return of;
}

const given = async (host: IPollFunctions) => (await pollNode(host))?.flat().map(({ json }) => json) ?? null;
const book = () => sandbox.host.book({ invitee_email: 'ana.ruiz@example.com', invitee_name: 'Ana Ruiz' });
const lists = () => sandbox.requests().filter(({ path }) => path === '/v1/bookings').length;

/** Does `work` while the clock is so many milliseconds ahead. */
async function ahead<Result>(ms: number | (() => number), work: () => Promise<Result>): Promise<Result> {
  const real = Date.now.bind(Date);
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => real() + (typeof ms === 'number' ? ms : ms()));
  return work().finally(() => clock.mockRestore());
}

it('leaves its state as it was if nothing changed, so that n8n has nothing to store', async () => {
  const { context, staticData } = trigger();
  await given(context().host);
  const known = staticData['known'];
  expect(await given(context().host)).toBeNull();
  expect(staticData['known']).toBe(known);
});

it('a poll that comes a minute too early for its account is skipped, and one that comes on time is not', async () => {
  const { context } = trigger();
  const { host, logged } = context();
  await given(host);
  const before = lists();
  expect(logged).toEqual([expect.stringContaining('has no saved state, so it recorded')]);
  expect(await given(host)).toBeNull();
  expect(lists()).toBe(before);
  expect(logged.slice(1)).toEqual([expect.stringMatching(/skips a poll: the next is due in ([1-5]?\d|60) seconds\.$/)]);
  await ahead(60_000, () => given(host));
  expect(lists()).toBeGreaterThan(before);
});

it('a poll does not overtake one that is still running: at its times it is skipped, and publishing waits', async () => {
  const { context } = trigger();
  const { host, logged } = context();
  // It is in the middle of the last list of bookings.
  sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'delay-after', delayMs: 60_000, after: 2 });
  const first = given(host);
  await until(() => lists() > 2);
  const before = lists();
  expect(await given(host)).toBeNull();
  expect(lists()).toBe(before);
  expect(logged).toEqual([expect.stringContaining('skips a poll: the previous one is still running.')]);
  const { id } = book();
  const published = given(context().host);
  await sandbox.clock.advance(60_000);
  expect(await first).toBeNull();
  expect(await published).toMatchObject([{ id }]);
});

it.each(['activate', 'init'] as const)(
  'two triggers of one workflow with the same id, which no editor made, do not take turns: each reports each change, and no poll is left out (%s)',
  async (activation) => {
    const { context } = trigger();
    const begin = (name: string, staticData: IDataObject) => context({ activation, staticData, node: { name } });
    const both = [begin('First', {}), begin('Second', {})];
    for (const { host } of both) await given(host);
    const { id } = book();
    const found = await ahead(60_000, () => Promise.all(both.map(({ host }) => given(host))));
    expect(found).toMatchObject([[{ id }], [{ id }]]);
  },
);

it('a poll that fails ends in a sentence, keeps nothing and returns nothing; the next one finds the same changes', async () => {
  const { context, staticData } = trigger();
  await given(context().host);
  const known = staticData['known'];
  const { id } = book();
  sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'html', times: 'always' });
  await expect(given(context().host)).rejects.toThrow('answered with a web page and status 502');
  expect(staticData['known']).toBe(known);
  sandbox.faults.clear();
  expect(await given(context().host)).toMatchObject([{ id }]);
});

describe("n8n's durable scheduler, which makes a context for each poll, and stores its state together with its items", () => {
  let minutes = 0;
  /** The next poll, from what n8n has stored, and what it has then. n8n drops what comes after its time. */
  async function polled(of: ReturnType<typeof trigger>, stored: IDataObject, eventTypes: unknown = null, tookMs = 0) {
    const staticData = structuredClone(stored);
    minutes += 1;
    sandbox.forgetRequests();
    const { host } = of.context({ activation: 'update', budgetMs: 36_000, staticData, parameters: { eventTypes } });
    const found = await ahead(
      () => minutes * 60_000 + (lists() > 0 ? tookMs : 0),
      () => given(host),
    );
    return { found, stored: found === null ? stored : staticData };
  }

  it('what a poll finds after n8n has given it up is found by the next one', async () => {
    const of = await pollOnce(trigger());
    const { id } = book();
    await expect(polled(of, of.staticData, null, 46_000)).rejects.toThrow('took longer than n8n allows');
    const next = await polled(of, of.staticData);
    expect(next.found).toMatchObject([{ id }]);
    expect((await polled(of, next.stored)).found).toBeNull();
  });

  it('an event type of the filter is looked up once, and not by each poll', async () => {
    const of = trigger();
    const [one, other] = sandbox.eventTypes().map(({ id }) => id);
    const lookups = () => sandbox.requests().filter(({ path }) => path.startsWith('/v1/event-types')).length;
    const { stored } = await polled(of, {}, [one]);
    expect((await polled(of, stored, [one])).found).toBeNull();
    expect(lookups()).toBe(0);
    await polled(of, stored, [other]);
    expect(lookups()).toBe(1);
  });
});

it('publishing does not wait for lists that take too long: it says so, and the next poll goes on and reports what changed meanwhile', async () => {
  const { context, staticData } = trigger();
  const { host, logged } = context();
  // Longer than publishing waits, and shorter than an answer may take.
  const late = (): number => (lists() > 0 ? 25_000 : 0);
  expect(await ahead(late, () => given(host))).toBeNull();
  expect(lists()).toBe(1);
  expect(staticData).toHaveProperty('known');
  expect(logged.join()).toContain('It continues at its next poll time');
  const { id } = book();
  const next = context();
  expect(await given(next.host)).toContainEqual(expect.objectContaining({ id, event: 'BOOKING_CREATED' }));
  expect(next.logged).toEqual([]);
});

it('a field of the service called `error`, by whose name n8n takes an item for failed, has another name', async () => {
  const { context } = trigger();
  const poll = (...shown: object[]) => {
    const { host } = context({ parameters: { events: ['CONTACT_CREATED'], simplify: false } });
    host.helpers.httpRequestWithAuthentication = (_, { url }) =>
      Promise.resolve({ statusCode: 200, headers: {}, body: url.endsWith('/me') ? oneOf({ id: 'usr_1' }) : listOf(shown) });
    return given(host);
  };
  const ada = { id: 'con_1', email: 'ada@example.com' };
  await poll(ada);
  const [eve] = (await poll(ada, { id: 'con_2', email: 'eve@example.com', error: '' })) ?? [];
  expect(eve).toMatchObject({ id: 'con_2', service_error: '' });
  expect(eve).not.toHaveProperty('error');
});

it('n8n stores no state when somebody saves a published workflow, so the first poll after it gives an execution without items', async () => {
  const { context } = trigger();
  expect(await pollNode(context({ activation: 'update' }).host)).toEqual([[]]);
  expect(await pollNode(trigger().context({ activation: 'init' }).host)).toBeNull();
});

it('with Start With Upcoming Bookings, the first poll gives every upcoming confirmed booking', async () => {
  const { context } = trigger();
  const upcoming = sandbox.bookings().filter(({ status, start_time: start }) => status === 'CONFIRMED' && Date.parse(start) > Date.now());
  const first = await given(context({ parameters: { options: { upcomingAtFirst: 'true' } } }).host);
  const named = upcoming.map(({ id }) => expect.objectContaining({ id, event: 'BOOKING_CREATED' }) as unknown);
  expect(first).toHaveLength(named.length);
  expect(first).toEqual(expect.arrayContaining(named));
});

it('the state names the service by the same short hash in every version, or each trigger would take stock again', async () => {
  const { context, staticData } = trigger();
  await given(context({ baseUrl: 'https://scheduling.example.com/api/v1' }).host);
  expect(JSON.stringify(staticData)).toContain('"-en0ZYGsfTj4"');
});

describe('what n8n does to the saved state', () => {
  type Habit = (staticData: IDataObject, older: IDataObject) => IDataObject;
  it.each<[string, Habit, names?: string[]]>([
    ['a new name of the trigger loses it', () => ({}), ['Renamed']],
    ['the old name comes back, and with it what n8n kept under it', (_, older) => structuredClone(older), ['Renamed', 'Scheduler']],
    ['it is cleared', () => ({})],
    ['an older one is put back', (_, older) => structuredClone(older)],
    ['the name came from another trigger', (kept) => ({ ...kept, of: 'workflow-0 node-0', since: Date.now() + 1e9 })],
  ])('%s: the next poll is not too early, nothing is missed or told twice, and n8n gets it back', async (_, habit, names = []) => {
    const { context, staticData } = trigger();
    const early = { activation: 'update', node: { name: names.at(-1) ?? 'Scheduler' } } as const;
    await given(context({ activation: 'update' }).host);
    const older = structuredClone(staticData);
    const [told] = [book(), await given(context().host)];
    const put = habit(structuredClone(staticData), older);
    for (const name of names.slice(0, -1)) await given(context({ ...early, node: { name }, staticData: {} }).host);
    const { id } = book();
    const { host, logged } = context({ ...early, staticData: put });
    expect(await given(host)).toMatchObject([{ id }]);
    expect(logged).toEqual([expect.stringContaining('continues from what this process remembers')]);
    expect(told.id).not.toBe(id);
    // Also if nothing happened: what is not stored at n8n would be lost.
    expect(await pollNode(context({ ...early, staticData: habit(structuredClone(put), older) }).host)).toEqual([[]]);
    expect(await given(context({ node: early.node, staticData: put }).host)).toBeNull();
  });

  it('a newer one of another process counts', async () => {
    const { context, staticData } = trigger();
    await given(context().host);
    const other = structuredClone(staticData);
    const { id } = book();
    await given(context({ staticData: other }).host);
    expect(await given(context({ staticData: other }).host)).toBeNull();
    const since = Number(other['since']) + 1;
    const { known } = structuredClone(staticData);
    expect(await given(context({ staticData: { ...other, known, since } }).host)).toMatchObject([{ id }]);
  });

  it.each([
    ['a copy of the workflow has that of another', (kept: IDataObject) => kept, 'was given the saved state of another trigger'],
    ['it is gone, and no process knows it', () => ({}), 'has no saved state'],
  ])('%s: the current state is recorded, and the log says so', async (_, habit, words) => {
    const original = trigger();
    await given(original.context().host);
    book();
    const copy = trigger().context({ activation: 'init', staticData: habit(structuredClone(original.staticData)) });
    expect(await given(copy.host)).toBeNull();
    expect(copy.logged).toEqual([expect.stringContaining(words)]);
    expect(copy.logged[0]).toContain('What changed before is not reported.');
  });

  it('a process that does not know it says since when it reports changes', async () => {
    const original = trigger();
    await given(original.context().host);
    const { of, ...moved } = structuredClone(original.staticData);
    expect(of).toMatch(/^workflow-\d+ node-1$/);
    const { id } = book();
    const { host, logged } = trigger().context({ activation: 'init', staticData: moved });
    expect(await given(host)).toMatchObject([{ id }]);
    expect(logged).toEqual([expect.stringMatching(/reports 1 changes since its saved state of 20\d\d-/)]);
  });
});

describe.each([{ version: 99 }, 'rubbish'])('a state that cannot be read (%j)', (known) => {
  it('is taken anew, and the log says so once', async () => {
    const { context, staticData } = trigger();
    Object.assign(staticData, { known });
    book();
    for (const lines of [[expect.stringContaining('could not read its saved state')], []]) {
      const { host, logged } = context();
      expect(await given(host)).toBeNull();
      expect(logged).toEqual(lines);
    }
  });

  it('counts for nothing in a process that knows the trigger, which goes on from there', async () => {
    const { context, staticData } = trigger();
    await given(context().host);
    for (const since of [staticData['since'], Date.now() + 1e9, undefined]) {
      Object.assign(staticData, { known, since });
      const { id } = book();
      const { host, logged } = context();
      expect(await given(host)).toMatchObject([{ id }]);
      expect(logged).toEqual([expect.stringContaining('continues from what this process remembers')]);
    }
  });
});

it('if the credential belongs to another account, nothing of that is reported, and the log says so', async () => {
  const { context } = trigger();
  const few = sandbox.addAccount();
  await given(context().host);
  const { host, logged } = context({ token: sandbox.issueToken({ accountId: few.id }).access_token });
  expect(await given(host)).toBeNull();
  expect(logged).toEqual([expect.stringContaining('another account')]);
});

const ofContacts = { parameters: { events: ['CONTACT_UPDATED'] } };

/** A poll of an account that has so many contacts, and what is logged. The lists are answered in place of the sandbox. */
async function pollContacts(context: ReturnType<typeof trigger>['context'], count: number, shown: object = {}): Promise<string[]> {
  const { host, logged } = context(ofContacts);
  host.helpers.httpRequestWithAuthentication = (_, { url, qs }) => {
    if (url.endsWith('/me')) return Promise.resolve({ statusCode: 200, headers: {}, body: oneOf({ id: 'usr_1' }) });
    const from = Number((qs as { cursor?: string }).cursor ?? 0);
    const contacts = Array.from({ length: Math.min(100, count - from) }, (__, index) => ({
      id: `con_${from + index}`,
      email: `guest${from + index}@example.com`,
      updated_at: '2030-01-01T00:00:00Z',
      ...shown,
    }));
    return Promise.resolve({ statusCode: 200, headers: {}, body: listOf(contacts, from + 100 < count ? String(from + 100) : null) });
  };
  expect(await given(host)).toBeNull();
  return logged;
}

it.each<[string, [count: number, shown?: object][], string[]]>([
  ['the service shows more of every contact than before', [[30], [30, { phone: '+49 30 1' }]], ['sees that most records changed at once']],
  [
    'half of a list is missing, and nothing when it is back',
    [[60], [30], [30], [60]],
    ['sees 30 fewer records than before. It remembers the missing ones, and reports nothing for them.'],
  ],
])('the log says once if %s', async (_, polls, lines) => {
  const { context } = trigger();
  const logged: string[] = [];
  for (const [count, shown] of polls) logged.push(...(await pollContacts(context, count, shown)));
  expect(logged.slice(1)).toEqual(lines.map((line) => expect.stringContaining(line) as string));
});

it.each([
  ['', '"Events" names no event'],
  ['all', '"Events" names "all", which is not an event'],
  [['BOOKING_CREATED', 'Booking Moved'], '"Events" names "Booking Moved", which is not an event'],
])('an expression that chooses %j ends in a sentence', async (events, words) => {
  for (const mode of ['trigger', 'manual'] as const)
    await expect(given(trigger().context({ mode, parameters: { events } }).host)).rejects.toThrow(words);
});

describe('an event that no list shows', () => {
  const namesIn = (properties: ReturnType<typeof pollingProperties>) =>
    properties.find(({ name }) => name === 'events')?.options?.map(({ name }) => name);

  it('is a choice of the trigger, and none of the polling trigger', () => {
    expect(namesIn(triggerProperties())).toContain('Booking Annotated');
    expect(namesIn(pollingProperties())).toContain('Booking Created');
    expect(namesIn(pollingProperties())).not.toContain('Booking Annotated');
  });

  it('chosen anyway, by a saved workflow or an expression, ends in a sentence that names it', async () => {
    const words = `"Events" names Booking Annotated, which ${brand.name}'s lists do not show, so a poll cannot find it.`;
    for (const mode of ['trigger', 'manual'] as const) {
      const { host } = trigger().context({ mode, parameters: { events: 'Booking Created, Booking Annotated' } });
      await expect(given(host)).rejects.toThrow(words);
    }
  });

  it('has no handler in the package, which names it', () => {
    const poller = createPoller({ client: undefined as never, store: memoryStore() });
    expect(() => poller.on('BOOKING_ANNOTATED' as never, () => undefined)).toThrow('Lists do not show the event BOOKING_ANNOTATED');
    expect(() => poller.on('BOOKING_ANOTATED' as never, () => undefined)).toThrow('There is no event "BOOKING_ANOTATED"');
    expect(() => poller.on('BOOKING_CREATED', () => undefined)).not.toThrow();
  });
});
