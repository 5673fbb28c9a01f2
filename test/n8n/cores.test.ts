import { brand } from '../../shared/brand.ts';
import { startSandbox, type Fault, type Sandbox } from '../../sandbox/service.ts';
import { n8nTarball } from '../../tools/build/products.ts';
import { installCore } from '../../tools/rigs/n8n/core.ts';
import { installN8n, n8nVersion } from '../../tools/rigs/n8n/install.ts';
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
    expect(await host.run(me)).toEqual([
      { output: [[{ json: expect.objectContaining({ email: sandbox.account.email }) as object, pairedItem: { item: 0 } }]] },
    ]);
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

  const booking = (): Run => ({
    parameters: {
      resource: 'booking',
      operation: 'create',
      eventTypeId: { __rl: true, mode: 'id', value: sandbox.eventTypes().find(({ name }) => name === 'Intro Call')?.id },
      startTime: '2059-03-03T09:00:00',
      inviteeName: 'Ada Lovelace',
      inviteeEmail: 'ada@example.com',
      questionResponsesMode: 'fields',
      questionResponses: { mappingMode: 'defineBelow', value: null },
      additionalFields: {},
    },
    items: [{}],
    timezone: 'America/New_York',
  });
  const many = (run: Run, count: number): Run => ({
    ...run,
    items: Array.from({ length: count }, () => ({})),
    node: { onError: 'continueRegularOutput' },
  });
  const writes = () => sandbox.requests().filter(({ method, path }) => method === 'POST' && path === '/v1/bookings');
  const ofTokens = 'POST /api/oauth/token';
  const page = { headers: { 'content-type': 'text/html' }, body: '<html><body>Down for maintenance</body></html>' };

  it.each<[string, Fault, string, number]>([
    ['a page', { route: ofTokens, kind: 'status', status: 200, ...page }, 'answered the token request without an access_token', 1],
    ['a 503 page', { route: ofTokens, kind: 'status', status: 503, ...page }, 'could not answer the token request (status 503)', 3],
    ['a dropped connection', { route: ofTokens, kind: 'drop-before' }, 'did not answer the token request (', 3],
    ['silence', { route: ofTokens, kind: 'stall' }, 'did not answer the token request (within 20 seconds)', 1],
    [
      'a 429',
      { route: ofTokens, kind: 'status', status: 429, body: { error: 'Too many requests', code: 'RATE_LIMITED' } },
      'for token requests has been reached',
      1,
    ],
    [
      'another refusal',
      { route: ofTokens, kind: 'status', status: 400, body: { error: 'invalid_request' } },
      'refused the token request (invalid_request)',
      1,
    ],
  ])(
    '%s at the token endpoint is told of a booking, and of 60, as what it is: not carried out, within 45 seconds, after few token calls',
    async (_, fault, words, calls) => {
      await host.connect(sandbox, expired());
      sandbox.faults.add({ ...fault, times: 'always' });
      const before = sandbox.bookings().length;
      const begun = Date.now();
      const [one, all] = await host.run(booking(), many(booking(), 60));
      expect(one?.error?.message).toContain(`Nothing was done, because the connection to ${brand.name} could not be renewed: `);
      expect(one?.error?.message).toContain(words);
      expect(`${one?.error?.message} ${one?.error?.description}`).not.toMatch(/may or may not|reconnect/i);
      expect(all?.output?.[0]?.filter(({ json }) => String(json['error']).includes('Nothing was done, because'))).toHaveLength(60);
      expect(Date.now() - begun).toBeLessThan(45_000);
      expect(sandbox.bookings()).toHaveLength(before);
      expect(refreshes()).toHaveLength(calls);
      // Each was refused once; none was sent by n8n itself.
      expect(writes().length).toBeLessThanOrEqual(61);
    },
  );

  it('goes on where the token endpoint answers at the second try', async () => {
    await host.connect(sandbox, expired());
    sandbox.faults.add({ route: ofTokens, kind: 'status', status: 503 });
    const [end] = await host.run(booking());
    expect(end?.output?.[0]?.[0]?.json).toMatchObject({ status: 'CONFIRMED' });
    expect(refreshes()).toHaveLength(2);
  });

  it('a 200 that names an error is a failed renewal as well, and reconnecting is advised for invalid_grant alone', async () => {
    for (const [error, words] of [
      ['invalid_grant', /reconnect/i],
      ['temporarily_unavailable', /^Nothing was done.*temporarily_unavailable/],
    ] as const) {
      await host.connect(sandbox, expired());
      sandbox.faults.clear();
      sandbox.faults.add({ route: ofTokens, kind: 'status', status: 200, body: { error }, times: 'always' });
      const [end] = await host.run(me);
      expect(`${end?.error?.message} ${end?.error?.description}`).toMatch(words);
    }
  });

  it('a connection without a refresh token has to be reconnected', async () => {
    const { access_token } = expired();
    await host.connect(sandbox, { access_token });
    const [end] = await host.run(booking());
    expect(`${end?.error?.message} ${end?.error?.description}`).toMatch(/reconnect/i);
    expect(refreshes()).toEqual([]);
  });

  it('a booking is made once though its first request found the token expired', async () => {
    await host.connect(sandbox, expired());
    const before = sandbox.bookings().length;
    const [end] = await host.run(booking());
    expect(end?.output?.[0]?.[0]?.json).toMatchObject({ status: 'CONFIRMED', start_time: '2059-03-03T14:00:00.000Z' });
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
