import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { n8nTarball } from '../../scripts/bundle/products.ts';
import { installCore } from '../../scripts/n8n/core.ts';
import { installN8n, n8nVersion } from '../../scripts/n8n/install.ts';
import { startCoreHost, type CoreHost, type Run } from './support/coreHost.ts';

const halfAnHour = 30 * 60_000;

const cores = [
  ['1.110.1, the oldest that is supported', () => installCore('1.110.1')],
  ['2.8.4, which refreshes once for every request', () => installCore('2.8.4')],
  [`${n8nVersion}, which refreshes once for all`, async () => (await installN8n()).folder],
] as const;

const me: Run = { parameters: { resource: 'user', operation: 'getCurrent' }, items: [{}] };

describe.each(cores)('inside the core of n8n %s', (_, install) => {
  let sandbox: Sandbox;
  let host: CoreHost;

  beforeAll(async () => {
    host = await startCoreHost(await install(), await n8nTarball());
  }, halfAnHour);
  afterAll(() => host.stop());
  beforeEach(async () => {
    // Unforgiving: a refresh token that is used twice ends the whole connection.
    sandbox = await startSandbox({ revokeFamilyOnReuse: true });
  });
  afterEach(() => sandbox.stop());

  const expired = () => sandbox.issueToken({ expiresInSeconds: -1 });
  const refreshes = () => sandbox.requests().filter(({ path }) => path === '/api/oauth/token');

  it('runs an operation', async () => {
    await host.connect(sandbox);
    expect(await host.run(me)).toEqual([{ output: [[{ json: expect.objectContaining({ email: sandbox.account.email }) as object, pairedItem: { item: 0 } }]] }]);
  });

  it('200 parallel executions are answered on an expired token, with one refresh', async () => {
    await host.connect(sandbox, expired());
    const ends = await host.run(...Array.from({ length: 200 }, () => me));
    expect(ends.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(ends.filter(({ output }) => output?.[0]?.[0]?.json['email'] === sandbox.account.email)).toHaveLength(200);
    expect(refreshes()).toHaveLength(1);
  });

  it('200 items of one execution survive an expired token, with one refresh', async () => {
    await host.connect(sandbox, expired());
    const [end] = await host.run({ ...me, items: Array.from({ length: 200 }, () => ({})) });
    expect(end?.error).toBeUndefined();
    expect(end?.output?.[0]).toHaveLength(200);
    expect(refreshes()).toHaveLength(1);
  });

  it('a booking is made once though its first request found the token expired', async () => {
    await host.connect(sandbox, expired());
    const eventType = sandbox.eventTypes().find(({ name }) => name === 'Intro Call')?.id;
    const before = sandbox.bookings().length;
    const [end] = await host.run({
      parameters: {
        resource: 'booking', operation: 'create', eventTypeId: { __rl: true, mode: 'id', value: eventType }, startTime: '2031-03-03T09:00:00', inviteeName: 'Ada Lovelace', inviteeEmail: 'ada@example.com',
        questionResponsesMode: 'fields', questionResponses: { mappingMode: 'defineBelow', value: null }, additionalFields: {},
      },
      items: [{}],
      timezone: 'America/New_York',
    });
    expect(end?.output?.[0]?.[0]?.json).toMatchObject({ status: 'CONFIRMED', start_time: '2031-03-03T14:00:00.000Z' });
    expect(sandbox.bookings()).toHaveLength(before + 1);
  });

  it('says to reconnect when the refresh is refused', async () => {
    await host.connect(sandbox, { ...expired(), refresh_token: 'revoked' });
    const [end] = await host.run(me);
    expect(`${end?.error?.message} ${end?.error?.description}`).toMatch(/reconnect/i);
    expect(end?.error?.itemIndex).toBe(0);
  });

  it('says what to do when the service cannot be reached, and names its host', async () => {
    await host.connect(sandbox);
    sandbox.faults.add({ route: '*', kind: 'reset-before', times: 'always' });
    const [end] = await host.run(me);
    expect(end?.error?.message).toContain(new URL(sandbox.origin).host);
    expect(end?.error?.description).toContain('Check the address');
  });

  it('never hands the token to another origin on a redirect', async () => {
    const elsewhere = await startSandbox();
    await host.connect(sandbox);
    sandbox.faults.add({ route: 'GET /v1/me', kind: 'redirect', headers: { location: `${elsewhere.baseUrl}/me` } });
    const [end] = await host.run(me);
    expect(end?.error?.message).toContain('redirect');
    expect(elsewhere.requests()).toEqual([]);
    await elsewhere.stop();
  });

  it('waits as long as the service asks when the limit is reached, and no 429 reaches the user', async () => {
    await host.connect(sandbox);
    sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 429, headers: { 'retry-after': '1' }, times: 2 });
    const started = Date.now();
    const [end] = await host.run(me);
    expect(end?.error).toBeUndefined();
    expect(Date.now() - started).toBeGreaterThan(1900);
  });
});
