import { brand } from '../../shared/brand.ts';
import { startSandbox, type Fault, type Sandbox } from '../../sandbox/service.ts';
import { n8nTarball } from '../../tools/build/products.ts';
import { installCore, installN8n, n8nVersion } from '../../tools/rigs/n8n/install.ts';
import { startCoreHost, type CoreHost, type End, type Run } from './support/coreHost.ts';

const halfAnHour = 30 * 60_000;

const me: Run = { parameters: { resource: 'user', operation: 'getCurrent' }, items: [{}] };

// Strict: a refresh token that is used twice ends the whole connection.
const startUnforgiving = (): Promise<Sandbox> => startSandbox({ revokeFamilyOnReuse: true });

const expired = (sandbox: Sandbox) => sandbox.issueToken({ expiresInSeconds: -1 });
const refreshes = (sandbox: Sandbox) => sandbox.requests().filter(({ path }) => path === '/api/oauth/token');
const writes = (sandbox: Sandbox) => sandbox.requests().filter(({ method, path }) => method === 'POST' && path === '/v1/bookings');

const booking = (sandbox: Sandbox): Run => ({
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

const ofTokens = 'POST /api/oauth/token';
const page = { headers: { 'content-type': 'text/html' }, body: '<html><body>Down for maintenance</body></html>' };

const timeIsOver = 'within 20 seconds';

/** How the token endpoint fails, what the user is told, and how often the endpoint was called by then. */
const failures: [string, Fault, string, number][] = [
  ['a page', { route: ofTokens, kind: 'status', status: 200, ...page }, 'answered the token request without an access_token', 1],
  ['a 503 page', { route: ofTokens, kind: 'status', status: 503, ...page }, 'could not answer the token request (status 503)', 3],
  ['a dropped connection', { route: ofTokens, kind: 'drop-before' }, 'did not answer the token request (', 3],
  ['silence', { route: ofTokens, kind: 'stall' }, `did not answer the token request (${timeIsOver})`, 1],
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
];

/** One booking and then 60 of them, on a service of their own, while its token endpoint fails. */
interface Unrenewed {
  one: End | undefined;
  all: End | undefined;
  ms: number;
  booked: number;
  tokenCalls: number;
  asked: number;
}

async function unrenewed(host: CoreHost, fault: Fault): Promise<Unrenewed> {
  const sandbox = await startUnforgiving();
  try {
    const n8n = await host.connect(sandbox, expired(sandbox));
    sandbox.faults.add({ ...fault, times: 'always' });
    const before = sandbox.bookings().length;
    const begun = Date.now();
    const [one, all] = await n8n.run(booking(sandbox), many(booking(sandbox), 60));
    return {
      one,
      all,
      ms: Date.now() - begun,
      booked: sandbox.bookings().length - before,
      tokenCalls: refreshes(sandbox).length,
      asked: writes(sandbox).length,
    };
  } finally {
    await sandbox.stop();
  }
}

/** The built action node inside n8n's own execution contexts: by the n8n that each core belongs to, and who installs it. */
const cores: [string, () => Promise<string>][] = [
  ['1.110.1, the oldest that is supported', () => installCore('1.110.1')],
  ['2.8.4, which refreshes once for every request', () => installCore('2.8.4')],
  [`${n8nVersion}, which refreshes once for all`, async () => (await installN8n()).folder],
];

const hosts: CoreHost[] = [];
const unrenewedIn = cores.map(() => new Map<Fault, Promise<Unrenewed>>());

beforeAll(async () => {
  const tarball = await n8nTarball();
  for (const [index, [, install]] of cores.entries()) {
    const host = (hosts[index] = await startCoreHost(await install(), tarball));
    // Everything that waits for a token waits at the same time, each with a service of its own.
    for (const [, fault] of failures) {
      const end = unrenewed(host, fault);
      // The error goes to the test that asks for the result.
      end.catch(() => undefined);
      unrenewedIn[index]?.set(fault, end);
    }
  }
}, halfAnHour);
afterAll(async () => {
  await Promise.allSettled(unrenewedIn.flatMap((ends) => [...ends.values()]));
  for (const host of hosts) await host.stop();
});

describe.each(cores.map(([name], index) => ({ name, index })))('inside the core of n8n $name', ({ index }) => {
  let sandbox: Sandbox;
  let host: CoreHost;
  beforeEach(async () => {
    host = hosts[index] ?? fail('Its core was not started.');
    sandbox = await startUnforgiving();
  });
  afterEach(() => sandbox.stop());

  it('200 parallel executions with an expired token are answered, with one refresh', async () => {
    const n8n = await host.connect(sandbox, expired(sandbox));
    const ends = await n8n.run(...Array.from({ length: 200 }, () => me));
    expect(ends.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(ends.filter(({ output }) => output?.[0]?.[0]?.json['email'] === sandbox.account.email)).toHaveLength(200);
    expect(refreshes(sandbox)).toHaveLength(1);
  });

  it('200 items of one execution survive an expired token, with one refresh', async () => {
    const n8n = await host.connect(sandbox, expired(sandbox));
    const [end] = await n8n.run({ ...me, items: Array.from({ length: 200 }, () => ({})) });
    expect(end?.error).toBeUndefined();
    expect(end?.output?.[0]).toHaveLength(200);
    expect(refreshes(sandbox)).toHaveLength(1);
  });

  it.each(failures)(
    '%s at the token endpoint: a booking, and each of 60, is reported as not carried out, after few token calls',
    async (_, fault, words, calls) => {
      const end = await unrenewedIn[index]?.get(fault);
      if (end === undefined) throw new Error('It was not begun.');
      const { one, all } = end;
      expect(one?.error?.message).toContain(`Nothing was done, because the connection to ${brand.name} could not be renewed: `);
      // On a busy machine the calls can take longer than the core waits for them: then that is the reason, and is said.
      const isInTime = end.ms < 20_000 || fault.kind === 'stall';
      const reasons = isInTime ? [words] : [words, timeIsOver];
      expect([one?.error?.message, reasons.some((reason) => one?.error?.message.includes(reason))]).toEqual([expect.anything(), true]);
      expect(`${one?.error?.message} ${one?.error?.description}`).not.toMatch(/may or may not|reconnect/i);
      expect(all?.output?.[0]?.filter(({ json }) => String(json['error']).includes('Nothing was done, because'))).toHaveLength(60);
      expect(end.booked).toBe(0);
      if (isInTime) expect(end.tokenCalls).toBe(calls);
      else expect(end.tokenCalls).toBeLessThanOrEqual(calls);
      // Each was refused once; n8n itself sent none again.
      expect(end.asked).toBeLessThanOrEqual(61);
    },
  );

  it('continues if the token endpoint answers at the second try', async () => {
    const n8n = await host.connect(sandbox, expired(sandbox));
    sandbox.faults.add({ route: ofTokens, kind: 'status', status: 503 });
    const [end] = await n8n.run(booking(sandbox));
    expect(end?.output?.[0]?.[0]?.json).toMatchObject({ status: 'CONFIRMED' });
    expect(refreshes(sandbox)).toHaveLength(2);
  });

  it('a 200 that names an error is a failed refresh as well, and reconnecting is advised only for invalid_grant', async () => {
    for (const [error, words] of [
      ['invalid_grant', /reconnect/i],
      ['temporarily_unavailable', /^Nothing was done.*temporarily_unavailable/],
    ] as const) {
      const n8n = await host.connect(sandbox, expired(sandbox));
      sandbox.faults.clear();
      sandbox.faults.add({ route: ofTokens, kind: 'status', status: 200, body: { error }, times: 'always' });
      const [end] = await n8n.run(me);
      expect(`${end?.error?.message} ${end?.error?.description}`).toMatch(words);
    }
  });

  it('a connection without a refresh token has to be reconnected', async () => {
    const { access_token } = expired(sandbox);
    const n8n = await host.connect(sandbox, { access_token });
    const [end] = await n8n.run(booking(sandbox));
    expect(`${end?.error?.message} ${end?.error?.description}`).toMatch(/reconnect/i);
    expect(refreshes(sandbox)).toEqual([]);
  });

  it('a booking is made once although its first request found the token expired', async () => {
    const n8n = await host.connect(sandbox, expired(sandbox));
    const before = sandbox.bookings().length;
    const [end] = await n8n.run(booking(sandbox));
    expect(end?.output?.[0]?.[0]?.json).toMatchObject({ status: 'CONFIRMED', start_time: '2059-03-03T14:00:00.000Z' });
    expect(sandbox.bookings()).toHaveLength(before + 1);
  });

  it('says to reconnect when the refresh is refused', async () => {
    const n8n = await host.connect(sandbox, { ...expired(sandbox), refresh_token: 'revoked' });
    const [end] = await n8n.run(me);
    expect(`${end?.error?.message} ${end?.error?.description}`).toMatch(/reconnect/i);
    expect(end?.error?.itemIndex).toBe(0);
  });

  it('says what to do when the service cannot be reached, and names its host', async () => {
    const n8n = await host.connect(sandbox);
    sandbox.faults.add({ route: '*', kind: 'reset-before', times: 'always' });
    const [end] = await n8n.run(me);
    expect(end?.error?.message).toContain(new URL(sandbox.origin).host);
    expect(end?.error?.description).toContain('Check the address');
  });

  it('never passes the token to another origin on a redirect', async () => {
    const elsewhere = await startSandbox();
    const n8n = await host.connect(sandbox);
    sandbox.faults.add({ route: 'GET /v1/me', kind: 'redirect', headers: { location: `${elsewhere.baseUrl}/me` } });
    const [end] = await n8n.run(me);
    expect(end?.error?.message).toContain('redirect');
    expect(elsewhere.requests()).toEqual([]);
    await elsewhere.stop();
  });
});
