import type * as Lists from '../../n8n/adapter/lists.ts';
import type * as Connection from '../../n8n/adapter/connection.ts';
import type * as Subscription from '../../n8n/adapter/subscription.ts';
import { testStart } from '../support/service.ts';
import { executeHost, hookHost, loadOptionsHost, type HostOptions } from './support/host.ts';
import { create, run, sandbox, waits } from './support/sandboxOfTests.ts';

// Imported after the mock, because the adapter takes its sleep from there.
const { search } = jest.requireActual<typeof Lists>('../../n8n/adapter/lists.ts');
const { connectionOf } = jest.requireActual<typeof Connection>('../../n8n/adapter/connection.ts');
const { isSubscribed } = jest.requireActual<typeof Subscription>('../../n8n/adapter/subscription.ts');

const me = { resource: 'user', operation: 'getCurrent' };

describe('what is kept for an account', () => {
  const keptFor = async (options: Omit<HostOptions, 'sandbox'>) =>
    (await connectionOf(executeHost({ sandbox, baseUrl: 'https://example.com/api/v1', ...options }))).subscriptions;

  it('is its own, and the same for all its nodes and all spellings of its address', async () => {
    const kept = await keptFor({ credentialId: 'one' });
    for (const baseUrl of ['https://example.com/api/v1//', ' https://EXAMPLE.com:443/api/v1 '])
      expect(await keptFor({ credentialId: 'one', baseUrl })).toBe(kept);
    for (const other of [{ credentialId: 'two' }, { credentialId: 'one', baseUrl: 'https://example.com/eu/api/v1' }])
      expect(await keptFor(other)).not.toBe(kept);
  });

  it.each([{ credentials: {} }, { credentials: { another: { id: 'one', name: 'Another' } } }, { credentials: undefined as never }])(
    'is shared by no two nodes if n8n has stored no credential for them: %j',
    async (unstored) => {
      const first = await keptFor({ node: { id: 'first', ...unstored } });
      expect(await keptFor({ node: { id: 'first', ...unstored } })).toBe(first);
      expect(await keptFor({ node: { id: 'second', ...unstored } })).not.toBe(first);
    },
  );

  it('makes room for others, unless it was used within two minutes, or a write is open', async () => {
    const [idle, recent] = [await keptFor({ credentialId: 'idle' }), await keptFor({ credentialId: 'recent' })];
    sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status: 502, commits: true });
    sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 400, times: 'always' });
    const book = () => run({ node: { retryOnFail: true }, credentialId: 'with an open write', parameters: create() });
    await expect(book()).rejects.toThrow('may or may not exist');
    await sandbox.clock.advance(121_000);
    await keptFor({ credentialId: 'recent' });
    for (let count = 0; count < 510; count += 1) await keptFor({ credentialId: `one of many ${count}` });

    expect(await keptFor({ credentialId: 'idle' })).not.toBe(idle);
    expect(await keptFor({ credentialId: 'recent' })).toBe(recent);
    sandbox.faults.clear();
    // Retry On Fail looks for the booking before it books again.
    expect((await book())[0]?.json).toMatchObject({ invitee_email: 'ada@example.com' });
    expect(sandbox.requests().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

const hook = () =>
  hookHost({
    sandbox,
    credentialId: 'brisk',
    url: 'http://localhost:5678/webhook/5b0c/webhook',
    parameters: { events: ['BOOKING_CREATED'] },
    staticData: { webhook: { id: 'sub_1', signing_secret: 'whsec_1' } },
  });

it.each<[string, number, () => Promise<unknown>]>([
  ['a run soon tells it', 3, () => run({ parameters: me, credentialId: 'run' })],
  ['publishing leaves it to n8n to try again', 2, () => isSubscribed(hook())],
  ['a person who waits for a list soon learns it', 3, () => search(loadOptionsHost({ sandbox, credentialId: 'list' }), 'contacts')],
])('while the service is down, %s: it asks %i times', async (_, times, work) => {
  sandbox.faults.add({ route: '*', kind: 'status', status: 503, times: 'always' });
  await expect(work()).rejects.toThrow('could not answer (status 503)');
  expect(sandbox.requests()).toHaveLength(times);
  expect(sandbox.clock.now() - testStart).toBeGreaterThan(0);
});

it.each<[string, (credentialId: string) => Promise<unknown>]>([
  ['a run of one item', (credentialId) => run({ credentialId, parameters: { resource: 'contact', operation: 'getMany' } })],
  ['a person who waits for a list', (credentialId) => search(loadOptionsHost({ sandbox, credentialId }), 'contacts')],
])('%s goes before a run of many that came earlier and waits for the limit', async (name, work) => {
  waits.held = [];
  const credentialId = `behind ${name}`;
  const parameters = { resource: 'eventType', operation: 'getMany' };
  sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'status', status: 429, headers: { 'retry-after': '5' } });
  const passed = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
  const refused = run({ credentialId, parameters });
  while (waits.held.length < 1) await passed();
  const many = run({ credentialId, parameters: me, items: [{}, {}] });
  while (waits.held.length < 2) await passed();
  let isOver = false;
  const all = Promise.all([refused, many, work(credentialId)]).finally(() => (isOver = true));
  while (!isOver) {
    await passed();
    await sandbox.clock.advance(100);
    for (const end of waits.held.splice(0)) end();
  }
  await all;
  const paths = sandbox.requests().map(({ path }) => path);
  expect(paths.filter((path) => path !== '/v1/event-types')).toEqual(['/v1/contacts', '/v1/me', '/v1/me']);
});
