import type * as Execute from '../../n8n/adapter/execute.ts';
import type * as Lists from '../../n8n/adapter/lists.ts';
import type * as Service from '../../n8n/adapter/service.ts';
import type * as Subscription from '../../n8n/adapter/subscription.ts';
import { operations } from '../../shared/operations/index.ts';
import { startSandbox, virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { Accounts } from '../../n8n/adapter/accounts.ts';
import { testStart } from '../support/service.ts';
import { executeHost, hookHost, loadOptionsHost, type HostOptions } from './support/host.ts';

let sandbox: Sandbox;
let token: string;
/** What waits if a test lets nothing pass by itself. */
let waiting: (() => void)[] | undefined;

// The node's waits advance the sandbox's clock, unless the test decides when they end.
jest.mock('n8n-workflow', () => ({
  ...jest.requireActual<object>('n8n-workflow'),
  sleep: (milliseconds: number) =>
    waiting === undefined ? sandbox.clock.advance(milliseconds) : new Promise<void>((resolve) => waiting?.push(resolve)),
}));

// Imported after the mock, because the adapter takes its sleep from there.
const { execute } = jest.requireActual<typeof Execute>('../../n8n/adapter/execute.ts');
const { search } = jest.requireActual<typeof Lists>('../../n8n/adapter/lists.ts');
const { connectionOf } = jest.requireActual<typeof Service>('../../n8n/adapter/service.ts');
const { isSubscribed } = jest.requireActual<typeof Subscription>('../../n8n/adapter/subscription.ts');

beforeEach(async () => {
  waiting = undefined;
  sandbox = await startSandbox({ clock: virtualClock(testStart), tokenLifetimeSeconds: 36_000, limits: false });
  token = sandbox.issueToken().access_token;
  jest.spyOn(Date, 'now').mockImplementation(() => sandbox.clock.now());
});
afterEach(async () => {
  jest.restoreAllMocks();
  await sandbox.stop();
});

const run = (options: Omit<HostOptions, 'sandbox'>) => execute(executeHost({ sandbox, token, ...options }), operations);
const me = { resource: 'user', operation: 'getCurrent' };
const paths = () => sandbox.requests().map(({ path }) => path);

describe('what is kept for an account', () => {
  const keptFor = async (credentialId: string) =>
    (await connectionOf(executeHost({ sandbox, token, credentialId, baseUrl: 'https://example.com/api/v1' }))).subscriptions;
  it('is its own, and the same for all its nodes', async () => {
    const one = await keptFor('one');
    expect(await keptFor('one')).toBe(one);
    expect(await keptFor('two')).not.toBe(one);
  });

  it.each([{}, { credentials: { another: { id: 'one', name: 'Another' } } }, { credentials: undefined as never }])(
    'is shared by no two nodes if n8n has stored no credential for them: %j',
    async (unstored) => {
      const of = async (id: string, node: object) =>
        (await connectionOf(executeHost({ sandbox, token, node: { id, credentials: {}, ...node } }))).subscriptions;
      expect(await of('first', unstored)).toBe(await of('first', unstored));
      expect(await of('first', unstored)).not.toBe(await of('second', unstored));
    },
  );

  it('makes room for others, unless it was used within two minutes, a write is open, or the service asks to wait', async () => {
    const [idle, recent] = [await keptFor('idle'), await keptFor('recent')];
    sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status: 502, commits: true });
    sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 400, times: 'always' });
    sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 429, headers: { 'retry-after': '600' } });
    const book = () =>
      run({
        node: { retryOnFail: true },
        credentialId: 'with an open write',
        parameters: {
          resource: 'booking',
          operation: 'create',
          eventTypeId: sandbox.eventTypes().find(({ name }) => name === 'Intro Call')?.id,
          startTime: '2059-03-01T09:00:00Z',
          inviteeName: 'Ada Lovelace',
          inviteeEmail: 'ada@example.com',
        },
      });
    const ask = () => run({ parameters: me, credentialId: 'that is to wait' });
    await expect(book()).rejects.toThrow('may or may not exist');
    await expect(ask()).rejects.toThrow('rate limit');
    await sandbox.clock.advance(121_000);
    await keptFor('recent');
    for (let count = 0; count < 510; count += 1) await keptFor(`one of many ${count}`);

    expect(await keptFor('idle')).not.toBe(idle);
    expect(await keptFor('recent')).toBe(recent);
    sandbox.faults.clear();
    // Retry On Fail looks for the booking before it books again.
    expect((await book())[0]?.json).toMatchObject({ invitee_email: 'ada@example.com' });
    expect(sandbox.requests().filter(({ method }) => method === 'POST')).toHaveLength(1);
    // Nobody asks the service again before it allows that.
    await expect(ask()).rejects.toThrow('rate limit');
    expect(paths().filter((path) => path === '/v1/me')).toHaveLength(1);
  });
});

it('a base URL that is missing in the credential is asked for', async () => {
  const host = executeHost({ sandbox, token, baseUrl: null as never });
  await expect(connectionOf(host)).rejects.toThrow('The base URL cannot be used: it is not a URL.');
});

describe('while the service is down', () => {
  const down = () => sandbox.faults.add({ route: '*', kind: 'status', status: 503, times: 'always' });

  it.each<[string, number, () => Promise<unknown>]>([
    ['a run soon tells it', 3, () => run({ parameters: me, credentialId: 'run' })],
    [
      'publishing leaves it to n8n to try again',
      2,
      () =>
        isSubscribed(
          hookHost({
            sandbox,
            token,
            credentialId: 'brisk',
            url: 'http://localhost:5678/webhook/5b0c/webhook',
            parameters: { events: ['BOOKING_CREATED'] },
            staticData: { webhook: { id: 'sub_1', signing_secret: 'whsec_1' } },
          }),
        ),
    ],
    [
      'a person who waits for a list gets a quick error',
      3,
      () => search(loadOptionsHost({ sandbox, token, credentialId: 'attended' }), 'contacts'),
    ],
  ])('%s: it asks %i times', async (_, times, work) => {
    down();
    await expect(work()).rejects.toThrow('could not answer (status 503)');
    expect(sandbox.requests()).toHaveLength(times);
    expect(sandbox.clock.now() - testStart).toBeGreaterThan(0);
  });

  it("each of many items tells the service's words at once, even if it asks for a wait", async () => {
    const body = { error: 'Service Unavailable', message: 'Maintenance until 14:00' };
    sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 503, headers: { 'retry-after': '120' }, body, times: 'always' });
    const items = Array.from({ length: 100 }, () => ({}));
    const done = await run({ parameters: me, credentialId: 'down for long', items, node: { onError: 'continueRegularOutput' } });
    expect(done).toHaveLength(100);
    for (const { json } of done) expect(json['error']).toContain('Maintenance until 14:00');
    expect(sandbox.clock.now() - testStart).toBeLessThan(3000);
  });

  it('waits as long as a rate limit asks, and at most a second longer', async () => {
    sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 429, headers: { 'retry-after': '40' } });
    await run({ parameters: me, credentialId: 'told to wait' });
    const waited = sandbox.clock.now() - testStart;
    expect(waited).toBeGreaterThanOrEqual(40_000);
    expect(waited).toBeLessThanOrEqual(41_000);
  });
});

it.each<[string, (credentialId: string) => Promise<unknown>]>([
  ['a run of one item', (credentialId) => run({ credentialId, parameters: { resource: 'contact', operation: 'getMany' } })],
  ['a person who waits for a list', (credentialId) => search(loadOptionsHost({ sandbox, token, credentialId }), 'contacts')],
])('%s goes before a run of many that came earlier and waits for the limit', async (name, work) => {
  waiting = [];
  const credentialId = `behind ${name}`;
  const parameters = { resource: 'eventType', operation: 'getMany' };
  sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'status', status: 429, headers: { 'retry-after': '5' } });
  const passed = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
  const refused = run({ credentialId, parameters });
  while (waiting.length < 1) await passed();
  const many = run({ credentialId, parameters: me, items: [{}, {}] });
  while (waiting.length < 2) await passed();
  let isOver = false;
  const all = Promise.all([refused, many, work(credentialId)]).finally(() => (isOver = true));
  while (!isOver) {
    await passed();
    await sandbox.clock.advance(100);
    for (const end of waiting.splice(0)) end();
  }
  await all;
  expect(paths().filter((path) => path !== '/v1/event-types')).toEqual(['/v1/contacts', '/v1/me', '/v1/me']);
});

describe('which credential and address are one account', () => {
  let now = 1_000_000;

  interface Account {
    busy: boolean;
    isBusy(): boolean;
  }

  /** Accounts, each used long after the previous one. */
  function accounts(most: number) {
    const kept = new Accounts<Account>(
      () => ({
        busy: false,
        isBusy() {
          return this.busy;
        },
      }),
      () => now,
      most,
    );
    return (credential: string, address = 'https://example.com/api/v1') => {
      now += 121_000;
      return kept.of(credential, address);
    };
  }

  it.each([
    'https://example.com/api/v1/',
    'https://example.com/api/v1///',
    ' https://example.com/api/v1 ',
    'https://EXAMPLE.com/api/v1',
    'https://example.com:443/api/v1',
    'HTTPS://example.com/api/v1\n',
  ])('the address %j is that of the same account', (spelling) => {
    const use = accounts(10);
    expect(use('a', spelling)).toBe(use('a'));
  });

  it.each([
    ['b', 'https://example.com/api/v1'],
    ['a', 'https://example.com/eu/api/v1'],
    ['a', 'https://example.com:8443/api/v1'],
    ['a', 'https://other.example.com/api/v1'],
  ])('credential %s at %s is another account', (credential, address) => {
    const use = accounts(10);
    expect(use(credential, address)).not.toBe(use('a'));
  });

  it('an address that cannot be used creates no account', () => {
    expect(() => accounts(10)('a', 'http://example.com/api/v1')).toThrow('it must begin with https://');
  });

  it('the least recently used account makes room, not the oldest', () => {
    const use = accounts(2);
    const [a, b] = [use('a'), use('b')];
    use('a');
    use('c');
    expect(use('a')).toBe(a);
    expect(use('b')).not.toBe(b);
  });

  it('an account with something open never makes room, however long ago it was used', () => {
    const use = accounts(2);
    const a = use('a');
    a.busy = true;
    const b = use('b');
    for (const name of ['c', 'd', 'e']) use(name);
    expect(use('a')).toBe(a);
    expect(use('b')).not.toBe(b);
  });
});
