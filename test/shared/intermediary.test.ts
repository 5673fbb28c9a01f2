import { cancelBooking, createBooking, deleteSubscription, getBooking, getManyBookings } from '../../shared/operations/index.ts';
import { NetworkFault } from '../../shared/client/ports.ts';
import { brand } from '../../shared/brand.ts';
import { readTokens } from '../../shared/oauth/oauth.ts';
import { all, answered, clientOver, refusal, refusalOf, serve, type TestService } from '../support/service.ts';
import { errorOf, oneOf } from '../support/wire.ts';

const html = { 'content-type': 'text/html; charset=utf-8' };
const page = '<!doctype html><html><head><title>Sign in to Corp WiFi</title></head><body>Welcome</body></html>';
const aboutTheAccount = /permission|\bplan\b|reconnect|not found|expired|revoked|account's rate limit/i;
/** Node.js's `fetch` throws for a 407 as if there had been no answer: see below. */
const pages = [200, 401, 403, 404, 410, 429, 500, 502, 511];
const odd: [status: number, body: unknown][] = [
  ...[401, 403, 404, 429].flatMap((status): [number, unknown][] => [
    [status, { blocked: true, by: 'filter' }],
    [status, ['no']],
    [status, { message: 'Blocked by the proxy of Corp' }],
    [status, 'upstream connect error'],
  ]),
  [403, ''],
  [403, {}],
  [403, 'Forbidden'],
  [403, 'Access denied'],
  [403, 'error code: 1020'],
  [403, 'RBAC: access denied'],
  // So gateways, firewalls and filters answer in JSON.
  [403, { message: 'Forbidden' }],
  [403, { message: 'Access denied' }],
  [403, { message: 'Missing Authentication Token' }],
  [403, { success: false, errors: [{ code: 1010, message: 'Access denied' }] }],
  [403, { message: 'Your organization has blocked this site', code: 'BLOCKED' }],
  [401, { message: 'No API key found in request' }],
  [401, { statusCode: 401, message: 'Access denied due to missing subscription key.' }],
  [404, { message: 'no Route matched with those values' }],
  [404, 'default backend - 404'],
  [451, { error: 'Blocked' }],
  [511, ''],
];

/** What a gateway or a firewall says of its own answer. */
const marked: [status: number, body: unknown, headers: Record<string, string>][] = [
  [401, { message: 'Unauthorized' }, { 'x-amzn-errortype': 'UnauthorizedException' }],
  [403, { Message: 'User is not authorized to access this resource' }, { 'x-amzn-errortype': 'AccessDeniedException' }],
  [404, '', { 'x-amzn-errortype': 'NotFoundException' }],
  [404, { message: 'No such method' }, { 'x-amzn-errortype': 'NotFoundException' }],
  [429, { message: 'Limit Exceeded' }, { 'x-amzn-errortype': 'LimitExceededException' }],
  [403, { message: 'You may not do this' }, { 'cf-mitigated': 'challenge' }],
  [401, { message: 'Who are you?' }, { 'proxy-authenticate': 'Basic realm="Corp"' }],
];

/** Everything that is not the answer of the service. */
const nobodys: [status: number, body: unknown, headers: Record<string, string>][] = [
  ...pages.map((status): [number, unknown, Record<string, string>] => [status, page, html]),
  ...odd.map(([status, body]): [number, unknown, Record<string, string>] => [status, body, {}]),
  ...marked,
];

describe('what is not the answer of the service', () => {
  let service: TestService;
  beforeEach(async () => void (service = await serve({ tokenLifetimeSeconds: 200_000 })));
  const answers = (status: number, body: unknown, headers = {}) =>
    service.sandbox.faults.add({ route: '*', kind: 'status', status, body: body, headers, times: 'always' });
  const booking = () => ({
    event_type_id: service.sandbox.eventTypes()[0]?.id ?? '',
    start_time: '2030-03-06T15:00:00Z',
    invitee_name: 'Ada Lovelace',
    invitee_email: 'ada@example.org',
  });
  const calls: [string, () => Promise<unknown>][] = [
    ['Get', () => getBooking.run(service.client, { booking_id: 'bkg_1' }, {})],
    ['List', () => all(getManyBookings.run(service.client, {}, {}))],
    ['Create', () => createBooking.run(service.client, booking(), {})],
    ['Cancel', () => cancelBooking.run(service.client, { booking_id: 'bkg_1' }, {})],
    ['Unsubscribe', () => deleteSubscription.run(service.client, { subscription_id: 'sub_1' }, {})],
  ];

  it.each(nobodys)(
    'a %i with %j and the headers %j is told as such by every call, and says nothing about the account',
    async (...answer) => {
      answers(...answer);
      for (const [, call] of calls) {
        const { sentence } = await refusal(call());
        expect(sentence).toContain('Something between here and the service answered');
        const { host } = new URL(service.sandbox.baseUrl);
        for (const words of answer[1] === page ? [host, '("Sign in to Corp WiFi")'] : []) expect(sentence).toContain(words);
        expect(sentence).not.toMatch(aboutTheAccount);
      }
    },
  );

  it.each([
    [511, 'asks for a sign-in'],
    [403, `Check the base URL in the connection: it looks like ${brand.baseUrl}`],
    [502, 'Try again in a few minutes'],
  ])('after a %i, the advice is: %s', async (status, advice) => {
    answers(status, page, html);
    expect((await refusal(calls[0]?.[1]() ?? Promise.resolve())).advice).toContain(advice);
  });

  it('a 407 is told as that of a proxy, whether it is an answer or, as in Node.js, none', async () => {
    answers(407, page, html);
    const thrown = await refusal(getBooking.run(service.client, { booking_id: 'bkg_1' }, {}));
    expect(thrown.sentence).toContain('it answered with status 407. Put the user name and the password into HTTPS_PROXY');
    for (const body of [page, '', errorOf('Proxy Authentication Required', 'X')]) {
      const { client } = answered([{ status: 407, body }]);
      const { sentence } = await refusal(getBooking.run(client, { booking_id: 'bkg_1' }, {}));
      expect(sentence).toContain('Something between here and the service answered');
      expect(sentence).toContain('A proxy asks for a user name and a password');
      expect(sentence).not.toMatch(aboutTheAccount);
    }
  });

  it('does not end a subscription: a page with 404 is not "gone", as an empty 404 is', async () => {
    answers(404, page, html);
    expect((await refusal(deleteSubscription.run(service.client, { subscription_id: 'sub_1' }, {}))).kind).toBe('unknownOutcome');
    service.sandbox.faults.clear();
    answers(404, '');
    expect((await refusal(deleteSubscription.run(service.client, { subscription_id: 'sub_2' }, {}))).kind).toBe('notFound');
  });

  it('still waits for a rate limit in front of the service', async () => {
    service.sandbox.faults.add({ route: '*', kind: 'status', status: 429, body: page, headers: { ...html, 'retry-after': '2' } });
    await all(getManyBookings.run(service.client, {}, {}));
    expect(service.sandbox.requests().map(({ status }) => status)).toEqual([429, 200]);
  });
});

describe('what is the answer of the service', () => {
  it.each([
    [401, errorOf('Unauthorized', 'INVALID_TOKEN'), 'Reconnect the account.'],
    [401, { message: 'Your API key is not valid.' }, 'Reconnect the account.'],
    [404, { meta: { status_code: 404, message: 'There is no such booking' }, ...oneOf({}) }, 'was not found'],
    [401, '', 'Try again. If this goes on, reconnect the account'],
    [401, 'Unauthorized', 'If this goes on, reconnect the account'],
    [403, errorOf('Insufficient scope', 'INSUFFICIENT_SCOPE'), 'lacks the permission'],
    [403, { message: 'Your plan does not include this' }, 'Your plan does not include this'],
    [403, 'Your plan does not include this', 'Your plan does not include this'],
    [403, errorOf('The proxy may not do this', 'X1'), 'did not allow this'],
    [403, errorOf('Forbidden', 'X1'), 'did not allow this'],
    [403, { message: 'Only the host may cancel this' }, 'did not allow this'],
    [404, errorOf('Not found', 'NOT_FOUND'), 'was not found'],
    [404, '', 'was not found'],
    [400, { start_time: ['Taken'] }, 'start_time: Taken'],
    [429, { error: 'Too many requests' }, 'rate limit has been reached'],
    [500, { timestamp: 1, path: '/v1' }, 'could not answer (status 500)'],
  ])('a %i with %j is told in its words: %s', async (status, body, words) => {
    const service = await serve();
    service.sandbox.faults.add({ route: '*', kind: 'status', status, body: body, times: 'always' });
    const client = service.clientWith({ patience: { totalWaitMs: 0 } });
    expect((await refusal(getBooking.run(client, { booking_id: 'bkg_1' }, {}))).sentence).toContain(words);
  });
});

describe('at the address for tokens', () => {
  const told = (status: number, body: unknown, headers = {}) =>
    refusalOf(() => readTokens({ status, body, headers }, 'rt_1', 'https://example.com/api/oauth/token'));

  it.each(nobodys)('a %i with %j and the headers %j says nothing about the account', async (...answer) => {
    const { sentence, kind } = await told(...answer);
    if (answer[1] === page)
      expect(sentence).toMatch(
        /^Something between here and the service answered: example\.com\S* answered with a web page \("Sign in to Corp WiFi"\)/,
      );
    expect(sentence).not.toMatch(aboutTheAccount);
    expect(kind).not.toBe('unauthenticated');
  });

  it('an empty 401 names the possibility', async () => {
    expect((await told(401, '')).sentence).toContain('If this goes on, reconnect the account');
  });
});

it('people who can change nothing about the machine are told of no setting', async () => {
  for (const code of ['SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED', 'ECONNREFUSED', 'ENOTFOUND']) {
    const client = clientOver(() => Promise.reject(new NetworkFault(code, false)), { isManaged: true });
    const { sentence } = await refusal(getBooking.run(client, { booking_id: 'bkg_1' }, {}));
    expect(sentence).not.toMatch(/NODE_EXTRA_CA_CERTS|HTTPS_PROXY|this machine/);
    expect(sentence).toContain('example.com');
  }
});

it('whoever writes something that a firewall blocks is told within a second', async () => {
  const { client, sandbox } = await serve();
  sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status: 403, body: page, headers: html });
  const from = sandbox.clock.now();
  const event_type_id = String(sandbox.eventTypes()[0]?.id);
  const wanted = { event_type_id, start_time: '2030-03-06T15:00:00Z', invitee_name: 'Ada', invitee_email: 'ada@example.org' };
  const error = await refusal(createBooking.run(client, wanted, {}));
  expect([error.message, error.retryAfterSeconds]).toEqual([expect.stringContaining('answered with a web page'), undefined]);
  expect(sandbox.clock.now() - from).toBeLessThanOrEqual(1_000);
});
