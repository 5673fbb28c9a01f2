import { brand } from '../../shared/brand.ts';
import { startSandbox, type Fault, type Sandbox } from '../../sandbox/service.ts';
import { builtPackage } from '../../tools/build/products.ts';
import { installN8n, n8nVersion } from '../../tools/rigs/n8n/install.ts';
import { createBooking } from '../../shared/operations/index.ts';
import { bookingForm } from '../contract/fixtures.ts';
import { panelOf } from '../contract/platforms/n8nPanel.ts';
import { resourceMapping } from '../../n8n/adapter/lists.ts';
import { loadOptionsHost } from './support/host.ts';
import { installCore } from './support/cores.ts';
import { credentialFor, startCoreHost, type CoreHost, type End } from './support/coreHost.ts';
import { errorOf } from '../support/wire.ts';

const halfAnHour = 30 * 60_000;

const me = { parameters: { resource: 'user', operation: 'getCurrent' } };

// Strict: a refresh token that is used twice ends the whole connection.
const startUnforgiving = (): Promise<Sandbox> => startSandbox({ revokeFamilyOnReuse: true });

const expired = (sandbox: Sandbox) => sandbox.issueToken({ expiresInSeconds: -1 });
const refreshes = (sandbox: Sandbox) => sandbox.requests().filter(({ path }) => path === '/api/oauth/token');
const shown = (end: End | undefined) => `${end?.error?.message} ${end?.error?.description}`;

const booking = (sandbox: Sandbox) => ({
  parameters: panelOf(createBooking, { fields: bookingForm(sandbox, { start_time: '2059-03-03T09:00:00' }) }),
  timezone: 'America/New_York',
});

const failing = (answer: Omit<Fault, 'route'>): Fault => ({ route: 'POST /api/oauth/token', times: 'always', ...answer });
const page = { headers: { 'content-type': 'text/html' }, body: '<html><body>Down for maintenance</body></html>' };

/** How the token endpoint fails, and what the user is told. */
const failures: [string, Fault, string | RegExp][] = [
  ['a page', failing({ kind: 'status', status: 200, ...page }), /answered with a web page|without an access_token/],
  // The older n8n do not hand over the body of a refused refresh.
  [
    'a 503 page',
    failing({ kind: 'status', status: 503, ...page }),
    /answered with a web page and status 503|could not answer the token request \(status 503\)/,
  ],
  ['a dropped connection', failing({ kind: 'drop-before' }), 'did not answer the token request ('],
  ['silence', failing({ kind: 'stall' }), 'did not answer the token request (within 20 seconds)'],
  [
    'a 429',
    failing({ kind: 'status', status: 429, body: errorOf('Too many requests', 'RATE_LIMITED') }),
    'for token requests has been reached',
  ],
  [
    'a refusal',
    failing({ kind: 'status', status: 400, body: { error: 'invalid_request' } }),
    'refused the token request (invalid_request)',
  ],
  ['an error with status 200', failing({ kind: 'status', status: 200, body: { error: 'slow_down' } }), 'slow_down'],
];

/** The built action node inside n8n's own execution contexts: by the n8n that each core belongs to, and who installs it. */
const cores: [string, () => Promise<string>][] = [
  ['1.110.1, the oldest that is supported', () => installCore('1.110.1')],
  ['2.8.4, which refreshes once for every request', () => installCore('2.8.4')],
  [`${n8nVersion}, which refreshes once for all`, async () => (await installN8n()).folder],
];

const hosts: CoreHost[] = [];
beforeAll(async () => {
  const tarball = (await builtPackage('n8n')).tarball;
  hosts.push(...(await Promise.all(cores.map(async ([, install]) => startCoreHost(await install(), tarball)))));
}, halfAnHour);
afterAll(() => Promise.all(hosts.map((host) => host.stop())));

it('whatever the token endpoint does, a booking is reported as not carried out, with the reason', async () => {
  const services = await Promise.all(failures.map(startUnforgiving));
  for (const [index, [, fault]] of failures.entries()) services[index]?.faults.add(fault);
  const before = services.map((sandbox) => sandbox.bookings().length);
  const runs = services.map((sandbox) => ({ credential: credentialFor(sandbox, expired(sandbox)), ...booking(sandbox) }));
  // In all cores at once: one of the failures takes 20 seconds.
  for (const ends of await Promise.all(hosts.map((host) => host.run(...runs))))
    for (const [index, [what, , words]] of failures.entries()) {
      const nothing = `Nothing was done, because the connection to ${brand.name} could not be renewed: `;
      const told = shown(ends[index]);
      for (const part of [nothing, words])
        expect([what, told]).toEqual([what, typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part)]);
      // Only if it goes on.
      expect(told).not.toMatch(/may or may not|(?<!If this goes on, )reconnect/i);
    }
  expect(services.map((sandbox) => sandbox.bookings().length)).toEqual(before);
  await Promise.all(services.map((sandbox) => sandbox.stop()));
});

describe.each(cores.map(([name], index) => [name, index] as const))('inside the core of n8n %s', (_, index) => {
  let sandbox: Sandbox;
  const run = (...runs: Parameters<CoreHost['run']>) => hosts[index]?.run(...runs) ?? fail('The core was not started.');
  beforeEach(async () => (sandbox = await startUnforgiving()));
  afterEach(() => sandbox.stop());

  it('200 parallel executions and 200 items of one survive an expired token, with one refresh', async () => {
    const one = { credential: credentialFor(sandbox, expired(sandbox)), ...me };
    const items = Array.from({ length: 200 }, () => ({}));
    const [many, ...ends] = await run({ ...one, items }, ...items.map(() => one));
    expect([many, ...ends].flatMap((end) => end?.error ?? [])).toEqual([]);
    expect(many?.output?.[0]).toHaveLength(200);
    expect(ends.filter(({ output }) => output?.[0]?.[0]?.json['email'] === sandbox.account.email)).toHaveLength(200);
    expect(refreshes(sandbox)).toHaveLength(1);
  });

  it('says to reconnect when the grant was refused, also with status 200, or cannot be refreshed', async () => {
    const { access_token } = expired(sandbox);
    const [revoked, without] = [{ ...expired(sandbox), refresh_token: 'revoked' }, { access_token }];
    const ask = async (tokens: object) => shown((await run({ credential: credentialFor(sandbox, tokens), ...me }))[0]);
    for (const tokens of [revoked, without]) expect(await ask(tokens)).toMatch(/reconnect/i);
    sandbox.faults.add(failing({ kind: 'status', status: 200, body: { error: 'invalid_grant' } }));
    expect(await ask(expired(sandbox))).toMatch(/reconnect/i);
  });

  it('says to connect the credential at once if n8n has no token for it, and that nothing was sent', async () => {
    const before = sandbox.requests().length;
    // Some n8n have no token data before the first connection, others have some without a token.
    for (const tokens of [undefined, {}, { refresh_token: 'x' }])
      for (const action of [me, booking(sandbox)]) {
        const credential = credentialFor(sandbox, tokens ?? {});
        if (tokens === undefined)
          Object.assign(credential, { id: `${credential.id} never`, data: { ...credential.data, oauthTokenData: undefined } });
        const told = shown((await run({ credential, ...action }))[0]);
        expect([tokens, told]).toEqual([
          tokens,
          expect.stringMatching(/"Account" is not connected .*nothing was sent\. Connect the credential/),
        ]);
      }
    expect(sandbox.requests()).toHaveLength(before);
  });

  it('a booking is made once although its first request found the token expired', async () => {
    const before = sandbox.bookings().length;
    const [end] = await run({ credential: credentialFor(sandbox, expired(sandbox)), ...booking(sandbox) });
    expect(end?.output?.[0]?.[0]?.json).toMatchObject({ status: 'CONFIRMED', start_time: '2059-03-03T14:00:00.000Z' });
    expect(sandbox.bookings()).toHaveLength(before + 1);
  });

  describe('answers in the fields of questions reach the core as they were given', () => {
    const required = { company: 'Globex', budget: 'Up to 5,000' };

    /** Books once for each set of answers, in the zone of the sandbox's neighbour. @returns the answers that were sent, or what n8n shows */
    async function answering(...each: Record<string, unknown>[]): Promise<unknown[]> {
      const one = booking(sandbox);
      const id = sandbox.eventTypes().find(({ name }) => name === 'Project Kick-off')?.id;
      const { parameters } = one;
      const asked = { ...parameters, eventTypeId: { __rl: true, mode: 'id', value: id } };
      const panel = loadOptionsHost({ sandbox, parameters: asked });
      const schema = (await resourceMapping.questionFields?.call(panel))?.fields;
      const runs = each.map((answers, run) => ({
        ...one,
        credential: credentialFor(sandbox),
        parameters: {
          ...asked,
          startTime: `2059-03-${String(run + 1).padStart(2, '0')}T09:00:00`,
          questionResponses: { mappingMode: 'defineBelow', value: { ...required, ...answers }, schema },
        },
      }));
      return (await run(...runs)).map((end) => (end.error ? shown(end) : end.output?.[0]?.[0]?.json['question_responses']));
    }

    it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
      ['nothing from the panel', { team_size: null, nda_signed: null, deadline: null, 'services::Design': false }, {}],
      ['nothing from an expression', { team_size: '={{ "" }}', nda_signed: '={{ "" }}', deadline: '={{ null }}', mobile: '={{ [] }}' }, {}],
      ['white space', { team_size: ' ', nda_signed: '\t', deadline: '\u200b', goals: ' ', 'services::Design': ' ' }, {}],
      [
        'values of expressions',
        { team_size: '={{ "12" }}', nda_signed: '={{ 1 }}', goals: '={{ 7 }}' },
        { team_size: 12, nda_signed: true, goals: '7' },
      ],
      [
        'yes and no as words',
        { nda_signed: 'YES', 'services::Design': 'yes', 'services::Hosting': 'no' },
        { nda_signed: true, services: ['Design'] },
      ],
      ['a choice in other letters', { budget: 'up to 5,000' }, { budget: 'Up to 5,000' }],
      ['the day of the panel', { deadline: '2059-05-06T00:00:00' }, { deadline: '2059-05-06' }],
      ['a day at midnight elsewhere', { deadline: '2059-05-06T00:00:00.000Z' }, { deadline: '2059-05-06' }],
      [
        'a date of an expression',
        { deadline: "={{ DateTime.fromISO('2059-05-06T01:00', { zone: 'Asia/Tokyo' }) }}" },
        { deadline: '2059-05-06' },
      ],
      ['many digits', { goals: "={{ '12345678901234567890' }}" }, { goals: '12345678901234567890' }],
    ])('%s', async (_what, given, sent) => {
      expect(await answering(given)).toEqual([{ ...required, ...sent }]);
    });

    it('or are refused in the words of the question, with nothing booked', async () => {
      const refused: [Record<string, unknown>, string][] = [
        ...['05/06/2026', '01.06.2056', 'Dec 5', 'Table 5', '12', '={{ 12 }}'].map((deadline): [Record<string, unknown>, string] => [
          { deadline },
          '"When must it be finished?" takes a date such as 2030-01-31.',
        ]),
        [{ team_size: '={{ true }}' }, '"How many people work on it?" takes a number.'],
        [{ team_size: '={{ ({ a: 1 }) }}' }, '"How many people work on it?" takes a number.'],
        [{ team_size: '={{ 12345678901234567890 }}' }, 'cannot be kept exactly: enter it as text.'],
        [{ nda_signed: 'perhaps' }, '"Is the confidentiality agreement signed?" takes yes or no.'],
        [{ 'services::Design': 'perhaps' }, 'The choice "Design (Which services do you need?)" takes yes or no: it is "perhaps".'],
        [{ budget: '={{ "" }}' }, '"Budget" is required for this event type (options: "Up to 5,000"'],
        [{ company: '={{ null }}' }, '"Company" is required for this event type.'],
        [{ goals: '={{ ({ a: 1 }) }}' }, '"What should the project achieve?" takes text.'],
      ];
      const before = sandbox.bookings().length;
      const told = await answering(...refused.map(([answers]) => answers));
      expect(told).toEqual(refused.map(([, words]) => expect.stringContaining(words) as unknown));
      expect(told.filter((words) => /[<>]/.test(String(words)))).toEqual([]);
      expect(sandbox.bookings()).toHaveLength(before);
    });
  });

  it('never passes the token to another origin on a redirect, and says what to do when the service cannot be reached', async () => {
    const elsewhere = await startSandbox();
    const one = { credential: credentialFor(sandbox), ...me };
    sandbox.faults.add({ route: 'GET /v1/me', kind: 'redirect', headers: { location: `${elsewhere.baseUrl}/me` } });
    const [end] = await run(one);
    expect(end?.error?.message).toContain('redirect');
    expect(elsewhere.requests()).toEqual([]);
    await elsewhere.stop();
    sandbox.faults.add({ route: '*', kind: 'reset-before', times: 'always' });
    expect(shown((await run(one))[0])).toMatch(new RegExp(`${new URL(sandbox.origin).host}.*Check the address`));
  });
});
