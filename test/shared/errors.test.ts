import { brand } from '../../shared/brand.ts';
import { refusal as refusalOf } from '../../shared/client/errors.ts';
import { retryAfter } from '../../shared/client/retryAfter.ts';
import {
  cancelBooking,
  createBooking,
  createSubscription,
  getBooking,
  getCurrentUser,
  getManyBookings,
} from '../../shared/operations/index.ts';
import { FORMS } from '../../sandbox/service.ts';
import { all, refusal } from '../support/refusal.ts';
import { serve, testStart, type TestService } from '../support/service.ts';

let service: TestService | undefined;
const running = async (options: Parameters<typeof serve>[0] = {}) => (service = await serve(options));
afterEach(async () => {
  await service?.sandbox.stop();
  service = undefined;
});

const booking = (service: TestService, change: object = {}) => ({
  event_type_id: service.sandbox.eventTypes()[0]?.id ?? '',
  start_time: '2030-01-09T09:00:00Z',
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
  ...change,
});

it('asks to reconnect if the token is not known', async () => {
  const { clientWith } = await running();
  const error = await refusal(getCurrentUser.run(clientWith({ token: 'not-a-token' }), {}, {}));
  expect(error).toMatchObject({ kind: 'unauthenticated', status: 401, code: 'INVALID_TOKEN' });
  expect(error.sentence).toBe(`The connection to ${brand.name} has expired or was revoked. Reconnect the account.`);
});

it('names the scope that is missing', async () => {
  const { sandbox, clientWith } = await running();
  const client = clientWith({ token: sandbox.issueToken({ scopes: ['contacts:read'] }).access_token });
  const error = await refusal(all(getManyBookings.run(client, {}, {})));
  expect(error.kind).toBe('scope');
  expect(error.sentence).toBe(
    `This connection to ${brand.name} lacks the permission bookings:read (list and get bookings) that is needed here. Reconnect the account and accept all permissions.`,
  );
});

it('distinguishes a plan that is too small from a missing scope', async () => {
  const { sandbox, clientWith } = await running();
  const { id: accountId } = sandbox.addAccount({ plan: 'FREE' });
  const error = await refusal(getCurrentUser.run(clientWith({ token: sandbox.issueToken({ accountId }).access_token }), {}, {}));
  expect(error.kind).toBe('plan');
  expect(error.advice).toContain(`Upgrade the ${brand.name} account to the Pro plan or higher`);
});

it("shows the service's words, the documented scope and both remedies if the code of a 403 is not known (G18)", async () => {
  const { sandbox, clientWith } = await running({ forms: { errorCode: 'unknown' } });
  const client = clientWith({ token: sandbox.issueToken({ scopes: ['contacts:read'] }).access_token });
  const error = await refusal(all(getManyBookings.run(client, {}, {})));
  expect(error.kind).toBe('forbidden');
  expect(error.message).toContain(`${brand.name} says: "`);
  expect(error.advice).toContain('bookings:read');
  expect(error.advice).toContain('Reconnect');
  expect(error.advice).toContain('Upgrade');
});

it('names the thing that was not found', async () => {
  const { client } = await running();
  const error = await refusal(getBooking.run(client, { booking_id: 'bkg_none' }, {}));
  expect(error.kind).toBe('notFound');
  expect(error.sentence).toBe(
    'The booking "bkg_none" was not found. It may be deleted, or in another account. Check its ID, or choose it again.',
  );
});

it.each(FORMS.refusal.values)('names each field that the service refused, at status %s (G17, G18)', async (status) => {
  const here = await running({ forms: { refusal: status } });
  const error = await refusal(createBooking.run(here.client, booking(here, { event_type_id: 'evt_none' }), {}));
  expect(error.kind).toBe('invalid');
  expect(error.message).toContain('"Event Type": there is no event type');
  expect(error.fields).toEqual([{ field: 'event_type_id', message: expect.any(String) as string }]);
  expect(here.sandbox.bookings().filter(({ invitee_email: email }) => email === 'ada@example.com')).toEqual([]);
});

it.each(FORMS.refusal.values)('says that a slot is taken, at status %s', async (status) => {
  const here = await running({ forms: { refusal: status } });
  await createBooking.run(here.client, booking(here), {});
  const error = await refusal(createBooking.run(here.client, booking(here, { invitee_email: 'grace@example.com' }), {}));
  expect(error.kind).toBe('slotTaken');
  expect(error.advice).toBe('Choose another start.');
});

it.each(FORMS.errorBody.values)('has a sentence if the body of an error is %s', async (errorBody) => {
  const { client } = await running({ forms: { errorBody } });
  const error = await refusal(getBooking.run(client, { booking_id: 'bkg_none' }, {}));
  expect(error.kind).toBe('notFound');
  expect(error.sentence).not.toContain('<');
});

it("prefers the service's message to its name of the error (G17)", async () => {
  const { sandbox, clientWith } = await running({ forms: { errorMessage: 'present', errorCode: 'unknown' } });
  const client = clientWith({ token: sandbox.issueToken({ scopes: ['contacts:read'] }).access_token });
  const error = await refusal(all(getManyBookings.run(client, {}, {})));
  expect(error.message).not.toContain('"Forbidden"');
});

it.each(FORMS.rateLimit.values.filter((form) => form !== 'none'))('waits as long as the service asks in %s (G16)', async (rateLimit) => {
  const { sandbox, clientWith } = await running({ forms: { rateLimit }, limits: { api: 2 } });
  const client = clientWith({ patience: { totalWaitMs: 0 } });
  for (let request = 0; request < 2; request += 1) await getCurrentUser.run(client, {}, {});
  const error = await refusal(getCurrentUser.run(client, {}, {}));
  expect(error.kind).toBe('rateLimited');
  expect(error.retryAfterSeconds).toBeGreaterThan(50);
  expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
  expect(sandbox.clock.now()).toBe(testStart);
});

it.each([
  [{ 'retry-after': '7' }, 7],
  [{ 'retry-after': '-5' }, 0],
  [{ 'retry-after': '5400' }, 5400],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': 'soon', 'x-ratelimit-reset': '3' }, 3],
  [{ 'retry-after': new Date(testStart + 9000).toUTCString() }, 9],
  [{ 'x-ratelimit-reset': String(testStart / 1000 + 30) }, 30],
  [{ 'ratelimit-reset': String(testStart + 30_000) }, 30],
  [{}, undefined],
])('reads %j as a wait of %p seconds', (headers, seconds) => {
  expect(retryAfter(headers, testStart)).toBe(seconds);
});

it('tells at once what the service says about a fault and when to come back, whatever a window says', async () => {
  const { sandbox, client } = await running();
  const body = { error: 'Service Unavailable', message: 'Maintenance until 14:00' };
  const down = (headers: Record<string, string>) =>
    sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 503, headers, body, times: 'always' });
  down({ 'retry-after': '120', 'x-ratelimit-reset': '50' });
  const error = await refusal(getCurrentUser.run(client, {}, {}));
  expect(error).toMatchObject({ kind: 'server', status: 503, retryAfterSeconds: 120 });
  expect(error.sentence).toBe(
    `${brand.name} could not answer (status 503). ${brand.name} says: "Maintenance until 14:00". Your request was fine. Try again in 120 seconds.`,
  );
  expect(sandbox.clock.now()).toBe(testStart);
  sandbox.faults.clear();
  down({ 'x-ratelimit-reset': '50' });
  expect((await refusal(getCurrentUser.run(client, {}, {}))).retryAfterSeconds).toBeUndefined();
  expect(sandbox.clock.now() - testStart).toBeLessThanOrEqual(3000);
});

it("reads dates by the answer's own clock: ours may be ten minutes slow", () => {
  const answeredAt = testStart + 600_000;
  const date = new Date(answeredAt).toUTCString();
  for (const headers of [
    { date, 'retry-after': new Date(answeredAt + 60_000).toUTCString() },
    { date, 'x-ratelimit-reset': String(answeredAt / 1000 + 60) },
    { date, 'ratelimit-reset': String(answeredAt + 60_000) },
    { date: 'not a date', 'retry-after': new Date(testStart + 60_000).toUTCString() },
  ] as Record<string, string>[])
    expect(retryAfter(headers, testStart)).toBe(60);
});

describe('at the limit of subscriptions (G19)', () => {
  const full = async (forms: Parameters<typeof serve>[0]) => {
    const here = await running({ ...forms, limits: false });
    for (let count = 0; count < 25; count += 1) {
      await createSubscription.run(
        here.client,
        { url: `http://127.0.0.1:9/${count < 20 ? 'a' : 'b'}/${count}`, events: ['BOOKING_CREATED'] },
        {},
      );
    }
    return refusal(createSubscription.run(here.client, { url: 'http://localhost:8/one-too-many', events: ['BOOKING_CREATED'] }, {}));
  };

  const ways = FORMS.limitStatus.values.flatMap((limitStatus) =>
    FORMS.limitNamed.values.map((limitNamed) => ({ limitStatus, limitNamed })),
  );
  it.each(ways)(
    'counts the subscriptions by host and names the oldest, at status $limitStatus with the limit named by $limitNamed',
    async (forms) => {
      const error = await full({ forms });
      expect(error.kind).toBe('subscriptionLimit');
      expect(error.message).toContain('already has 25 active webhook subscriptions');
      expect(error.message).toContain('25 at 127.0.0.1:9');
      expect(error.message).toMatch(/The oldest is sub_\w+, of 2030-01-02\./);
      expect(error.advice).toContain('Turn off unused ones');
    },
  );
});

it('recognises a limit of requests as such, also on subscriptions', () => {
  const about = { resourceName: 'webhook subscription', scope: 'webhooks:manage' } as const;
  const answer = (body: object) => ({ status: 429, headers: {}, body });
  expect(refusalOf(answer({ error: 'Rate limit for subscription requests exceeded' }), about, 0).kind).toBe('rateLimited');
  expect(refusalOf(answer({ error: 'Subscription limit reached' }), about, 0).kind).toBe('subscriptionLimit');
  expect(refusalOf(answer({ error: 'Subscription limit reached', code: 'RATE_LIMITED' }), about, 0).kind).toBe('subscriptionLimit');
  expect(refusalOf(answer({ error: 'Too Many Requests', code: 'RATE_LIMITED' }), about, 0).kind).toBe('rateLimited');
});

describe('a 429', () => {
  const told = (body: object, headers: Record<string, string> = {}) =>
    refusalOf({ status: 429, headers, body }, { resourceName: 'booking', scope: 'bookings:write' }, testStart);

  it.each([
    {},
    { code: 'RATE_LIMITED' },
    { error: 'Too Many Requests', code: 'RATE_LIMITED' },
    { error: 'Too Many Requests', code: 'TOO_MANY_REQUESTS' },
    { error: 'Rate limit exceeded', code: 'E77' },
    { error: 'E77', message: 'More than 1,000 requests a minute', code: 'RATE_LIMITED' },
    { error: 'Slow down' },
  ])('of the form %j is the limit of all requests', (body) => {
    const error = told(body);
    expect(error.holdsOthers).toBe(true);
    expect(error.advice).toBe('Try again in about a minute; the limit is 1000 requests a minute.');
  });

  it.each([
    { error: 'Daily limit of bookings for this event type reached' },
    { error: 'Daily limit of bookings for this event type reached', code: 'RATE_LIMITED' },
    { error: 'Too Many Requests', message: 'Too many booking requests for this event type today', code: 'RATE_LIMITED' },
    { error: 'Kontingent' },
    { code: 'DAILY_BOOKING_LIMIT' },
  ])('of the form %j is about this operation alone, in its own words', (body) => {
    const error = told(body, { 'retry-after': '5400', 'x-ratelimit-reset': '40' });
    expect(error).toMatchObject({ kind: 'rateLimited', holdsOthers: false, retryAfterSeconds: 5400, advice: 'Try again in 90 minutes.' });
    const words = 'message' in body ? body.message : body.error;
    if (words !== undefined) expect(error.message).toContain(`${brand.name} says: "${words}".`);
    expect(told(body, { 'x-ratelimit-reset': '40' }).advice).toBe('Try again later.');
  });
});

it('an error about a permission carries its name', async () => {
  const lacking = (body: object) =>
    refusalOf({ status: 403, headers: {}, body }, { resourceName: 'booking', scope: 'bookings:read' }, testStart);
  expect(lacking({ code: 'INSUFFICIENT_SCOPE' })).toMatchObject({ kind: 'scope', scope: 'bookings:read' });
  expect(lacking({ error: 'Forbidden' })).toMatchObject({ kind: 'forbidden', scope: 'bookings:read' });
  expect(lacking({ code: 'PLAN_REQUIRED' }).scope).toBeUndefined();
  const { sandbox, clientWith } = await running();
  const client = clientWith({ token: sandbox.issueToken({ scopes: ['bookings:write'] }).access_token });
  expect(await refusal(all(getManyBookings.run(client, {}, {})))).toMatchObject({ kind: 'scope', scope: 'bookings:read' });
});

it.each([
  ['Maximum number of webhooks reached (25)', 'subscriptionLimit'],
  ['You have hit the limit of 25 hooks', 'subscriptionLimit'],
  ['Endpoint quota exceeded', 'subscriptionLimit'],
  ['Too many webhook requests, limit 10', 'forbidden'],
  ['The webhook address may have a maximum length of 200', 'forbidden'],
  ['Webhooks are not allowed here', 'forbidden'],
] as const)('understands the words "%s" on subscriptions as %s (G19)', (message, kind) => {
  const answer = { status: 403, headers: {}, body: { error: 'Refused', code: 'E4711', message } };
  expect(refusalOf(answer, { resourceName: 'webhook subscription', scope: 'webhooks:manage' }, 0).kind).toBe(kind);
  expect(refusalOf(answer, { resourceName: 'booking', scope: 'bookings:write' }, 0).kind).toBe('forbidden');
});

it("shows the service's words for a conflict on create, and does not blame the event type", async () => {
  const here = await running();
  here.sandbox.faults.add({
    route: 'POST /v1/bookings',
    kind: 'status',
    status: 409,
    body: { error: 'Conflict', code: 'E77', message: 'The slot was just taken' },
  });
  const { message } = await refusal(createBooking.run(here.client, booking(here), {}));
  expect(message).toBe(
    `${brand.name} could not do this for the event type "${booking(here).event_type_id}", because it conflicts with something in the service. ${brand.name} says: "The slot was just taken".`,
  );
});

it('treats a booking that is already cancelled as a success and says so', async () => {
  const here = await running();
  const made = await createBooking.run(here.client, booking(here), {});
  const input = { booking_id: String(made['id']) };
  expect(await cancelBooking.run(here.client, input, {})).toMatchObject({ status: 'CANCELLED', already_cancelled: false });
  expect(await cancelBooking.run(here.client, input, {})).toMatchObject({ id: made['id'], status: 'CANCELLED', already_cancelled: true });
});

it('follows no redirect, and says what to correct', async () => {
  const { sandbox, client } = await running();
  sandbox.faults.add({ route: 'GET /v1/me', kind: 'redirect', headers: { location: 'http://127.0.0.1:9/elsewhere' } });
  const error = await refusal(getCurrentUser.run(client, {}, {}));
  expect(error.kind).toBe('redirected');
  expect(error.advice).toBe('Correct the base address in the connection.');
});

it('shows no token that the service put into its words', () => {
  const error = refusalOf(
    { status: 400, headers: {}, body: { error: 'Header was Bearer abc.def.ghi\nand more' } },
    { resourceName: 'booking', scope: 'any' },
    0,
  );
  expect(error.sentence).not.toContain('abc.def');
  expect(error.sentence).toContain('Bearer [hidden] and more');
});

it.each([
  ['webhooks:manage', 'rate limit for subscription requests has been reached', 'the limit is 10 subscription requests a minute'],
  ['bookings:read', 'rate limit has been reached', 'the limit is 1000 requests a minute'],
] as const)('a refusal for the rate of what needs %s names the limit of its own endpoint (section 8)', (scope, what, limit) => {
  const told = (headers: Record<string, string>) =>
    refusalOf({ status: 429, headers, body: {} }, { resourceName: 'thing', scope }, 0).sentence;
  expect(told({})).toContain(what);
  expect(told({})).toContain(`Try again in about a minute; ${limit}.`);
  expect(told({ 'retry-after': '120' })).toContain(`Try again in 120 seconds; ${limit}.`);
  expect(told({ 'retry-after': '121' })).toContain(`Try again in 3 minutes; ${limit}.`);
});
