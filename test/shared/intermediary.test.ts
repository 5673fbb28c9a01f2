import { cancelBooking, createBooking, deleteSubscription, getBooking, getManyBookings } from '../../shared/operations/index.ts';
import { NetworkFault } from '../../shared/client/ports.ts';
import { brand } from '../../shared/brand.ts';
import { readTokens } from '../../shared/oauth/oauth.ts';
import { adasForm, all, answered, clientOver, refusal, refusalOf, serve, type TestService } from '../support/service.ts';
import { aboutTheAccount, inBetween, page, type InBetween } from '../support/inBetween.ts';
import { errorOf, oneOf } from '../support/wire.ts';

/** Without what is told in other words: a 200, a redirect, and a 407, for which Node.js's `fetch` throws as if there had been no answer. */
const between = inBetween.filter(({ status, ...answer }) =>
  status === 200 ? answer.body === page.body : status !== 302 && status !== 407,
);
const odd: readonly InBetween[] = [
  ...[401, 403, 404, 429].flatMap((status): InBetween[] => [
    { status, body: { blocked: true, by: 'filter' } },
    { status, body: ['no'] },
    { status, body: { message: 'Blocked by the proxy of Corp' } },
    { status, body: 'upstream connect error' },
  ]),
  { status: 410, ...page },
  { status: 403, body: 'Forbidden' },
  { status: 403, body: 'Access denied' },
  { status: 403, body: 'error code: 1020' },
  { status: 403, body: 'RBAC: access denied' },
  // So gateways, firewalls and filters answer in JSON.
  { status: 403, body: { message: 'Access denied' } },
  { status: 403, body: { message: 'Missing Authentication Token' } },
  { status: 403, body: { success: false, errors: [{ code: 1010, message: 'Access denied' }] } },
  { status: 403, body: { message: 'Your organization has blocked this site', code: 'BLOCKED' } },
  { status: 401, body: { statusCode: 401, message: 'Access denied due to missing subscription key.' } },
  { status: 404, body: 'default backend - 404' },
  { status: 451, body: { error: 'Blocked' } },
  { status: 511, body: '' },
];

/** What a gateway or a firewall says of its own answer. */
const amazon = (type: string) => ({ 'x-amzn-errortype': type });
const marked: readonly InBetween[] = [
  { status: 401, body: { message: 'Unauthorized' }, headers: amazon('UnauthorizedException') },
  { status: 403, body: { Message: 'User is not authorized to access this resource' }, headers: amazon('AccessDeniedException') },
  { status: 404, body: '', headers: amazon('NotFoundException') },
  { status: 404, body: { message: 'No such method' }, headers: amazon('NotFoundException') },
  { status: 429, body: { message: 'Limit Exceeded' }, headers: amazon('LimitExceededException') },
  { status: 403, body: { message: 'You may not do this' }, headers: { 'cf-mitigated': 'challenge' } },
  { status: 401, body: { message: 'Who are you?' }, headers: { 'proxy-authenticate': 'Basic realm="Corp"' } },
];

/** Everything that is not the answer of the service. */
const nobodys = [...between, ...odd, ...marked];

describe('what is not the answer of the service', () => {
  let service: TestService;
  beforeEach(async () => void (service = await serve({ tokenLifetimeSeconds: 200_000 })));
  const answers = (answer: InBetween) => service.sandbox.faults.add({ route: '*', kind: 'status', ...answer, times: 'always' });
  const calls: [string, () => Promise<unknown>][] = [
    ['Get', () => getBooking.run(service.client, { booking_id: 'bkg_1' }, {})],
    ['List', () => all(getManyBookings.run(service.client, {}, {}))],
    ['Create', () => createBooking.run(service.client, adasForm(service), {})],
    ['Cancel', () => cancelBooking.run(service.client, { booking_id: 'bkg_1' }, {})],
    ['Unsubscribe', () => deleteSubscription.run(service.client, { subscription_id: 'sub_1' }, {})],
  ];

  it.each(nobodys)('$status with $body and the headers $headers is told as such by every call, and blames no account', async (answer) => {
    answers(answer);
    for (const [, call] of calls) {
      const { sentence } = await refusal(call());
      expect(sentence).toContain('Something between here and the service answered');
      const { host } = new URL(service.sandbox.baseUrl);
      for (const words of answer.body === page.body ? [host, '("Sign in to Corp WiFi")'] : []) expect(sentence).toContain(words);
      expect(sentence).not.toMatch(aboutTheAccount);
    }
  });

  it.each([
    [511, 'asks for a sign-in'],
    [403, `Check the base URL in the connection: it looks like ${brand.baseUrl}`],
    [502, 'Try again in a few minutes'],
  ])('after a %i, the advice is: %s', async (status, advice) => {
    answers({ status, ...page });
    expect((await refusal(calls[0]?.[1]() ?? Promise.resolve())).advice).toContain(advice);
  });

  it('a 407 is told as that of a proxy, whether it is an answer or, as in Node.js, none', async () => {
    answers({ status: 407, ...page });
    const thrown = await refusal(getBooking.run(service.client, { booking_id: 'bkg_1' }, {}));
    expect(thrown.sentence).toContain('it answered with status 407. Put the user name and the password into HTTPS_PROXY');
    for (const body of [page.body, '', errorOf('Proxy Authentication Required', 'X')]) {
      const { client } = answered([{ status: 407, body }]);
      const { sentence } = await refusal(getBooking.run(client, { booking_id: 'bkg_1' }, {}));
      expect(sentence).toContain('Something between here and the service answered');
      expect(sentence).toContain('A proxy asks for a user name and a password');
      expect(sentence).not.toMatch(aboutTheAccount);
    }
  });

  it('does not end a subscription: a page with 404 is not "gone", as an empty 404 is', async () => {
    answers({ status: 404, ...page });
    expect((await refusal(deleteSubscription.run(service.client, { subscription_id: 'sub_1' }, {}))).kind).toBe('unknownOutcome');
    service.sandbox.faults.clear();
    answers({ status: 404, body: '' });
    expect((await refusal(deleteSubscription.run(service.client, { subscription_id: 'sub_2' }, {}))).kind).toBe('notFound');
  });

  it('still waits for a rate limit in front of the service', async () => {
    service.sandbox.faults.add({ route: '*', kind: 'status', status: 429, ...page, headers: { ...page.headers, 'retry-after': '2' } });
    await all(getManyBookings.run(service.client, {}, {}));
    expect(service.sandbox.requests().map(({ status }) => status)).toEqual([429, 200]);
  });
});

describe('what is the answer of the service', () => {
  it.each([
    [401, errorOf('Unauthorized', 'INVALID_TOKEN'), 'Reconnect the account.'],
    [401, { message: 'Your API key is not valid.' }, 'Reconnect the account.'],
    [404, { meta: { status_code: 404, message: 'There is no such booking' }, ...oneOf({}) }, 'was not found'],
    [404, { 'error-code': 'none', 'error-message': 'That visit is absent' }, 'That visit is absent'],
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
  const told = ({ headers = {}, ...answer }: InBetween) =>
    refusalOf(() => readTokens({ ...answer, headers }, 'rt_1', 'https://example.com/api/oauth/token'));

  it.each(nobodys)('$status with $body and the headers $headers says nothing about the account', async (answer) => {
    const { sentence, kind } = await told(answer);
    if (answer.body === page.body)
      expect(sentence).toMatch(
        /^Something between here and the service answered: example\.com\S* answered with a web page \("Sign in to Corp WiFi"\)/,
      );
    expect(sentence).not.toMatch(aboutTheAccount);
    expect(kind).not.toBe('unauthenticated');
  });

  it('an empty 401 names the possibility', async () => {
    expect((await told({ status: 401, body: '' })).sentence).toContain('If this goes on, reconnect the account');
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
  const service = await serve();
  const { client, sandbox } = service;
  sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status: 403, ...page });
  const from = sandbox.clock.now();
  const error = await refusal(createBooking.run(client, adasForm(service), {}));
  expect([error.message, error.retryAfterSeconds]).toEqual([expect.stringContaining('answered with a web page'), undefined]);
  expect(sandbox.clock.now() - from).toBeLessThanOrEqual(1_000);
});
