import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { brand } from '../../shared/brand.ts';
import { FORM_NAMES, FORMS, parseForm, type Forms, type Sandbox } from '../../sandbox/service.ts';
import { refresh, tokenCall } from './authorize.ts';
import { listForms, type Expectations } from './listForms.ts';
import { subscriptionForms } from './subscriptionForms.ts';
import { at, bookingInput, caller, listAt, send, start, startReceiver, stopAll, textAt, typeNamed, type Reply } from './support.ts';

afterEach(stopAll);

const get = (sandbox: Sandbox, path: string) => caller(sandbox)('GET', path);
const first = async (sandbox: Sandbox, path: string, ...where: (string | number)[]) =>
  at((await get(sandbox, path)).body, 'data', 0, ...where);
const keysOf = (value: unknown) => Object.keys(value as object);
const hook = (sandbox: Sandbox, more: Record<string, unknown> = {}) =>
  caller(sandbox)('POST', '/hooks', { url: 'http://127.0.0.1:9/x', events: ['BOOKING_CREATED'], ...more });
const kickOff = async (sandbox: Sandbox) => (await get(sandbox, `/event-types/${typeNamed(sandbox, 'Project Kick-off')}`)).body;
const cancelOne = async (sandbox: Sandbox): Promise<Reply> => caller(sandbox)('POST', `/bookings/${sandbox.host.book().id}/cancel`, {});

/** The parsed body of a delivery, which is signed as it was sent. */
async function delivered(sandbox: Sandbox, event: string): Promise<unknown> {
  const receiver = await startReceiver();
  const created = await hook(sandbox, { url: receiver.url, events: [event] });
  sandbox.host.book();
  await sandbox.settled();
  const [delivery] = receiver.received;
  const digest = createHmac('sha256', textAt(created.body, 'signing_secret'))
    .update(delivery?.body ?? '')
    .digest('hex');
  expect(delivery?.headers[`${brand.headerPrefix}-Signature`.toLowerCase()]).toBe(`sha256=${digest}`);
  expect(delivery?.headers[`${brand.headerPrefix}-Event`.toLowerCase()]).toBe(event);
  return JSON.parse(delivery?.body ?? '') as unknown;
}

const questionsKeyedBy = (key: string) => async (sandbox: Sandbox) => {
  const questions = listAt(await kickOff(sandbox), 'data', 'questions');
  expect(keysOf(questions[0])).toEqual([...new Set([key, 'label', 'type', 'required', 'options'])]);
  const question_responses = Object.fromEntries(
    [
      ['Company', 'Brightside'],
      ['Budget', 'Up to 5,000'],
    ].map(([label, answer]) => [
      textAt(
        questions.find((each) => at(each, 'label') === label),
        key,
      ),
      answer,
    ]),
  );
  const { status, body } = await caller(sandbox)(
    'POST',
    '/bookings',
    bookingInput(sandbox, { event_type_id: typeNamed(sandbox, 'Project Kick-off'), question_responses }),
  );
  expect([status, at(body, 'data', 'question_responses')]).toEqual([201, question_responses]);
};
const recordUnder =
  (...keys: string[]) =>
  async (sandbox: Sandbox) => {
    const body = await delivered(sandbox, 'BOOKING_CREATED');
    expect(keysOf(body).slice(0, 3)).toEqual(['event', 'created_at', ...keys]);
    expect(at(body, ...(keys[0] === 'id' ? [] : keys), 'id')).toBe(sandbox.bookings().at(-1)?.id);
  };
const namedEvent = (event: unknown) => async (sandbox: Sandbox) =>
  expect(at(await delivered(sandbox, 'BOOKING_CREATED'), 'event')).toBe(event);
const clientAuth = (inBody: number, basic: number) => async (sandbox: Sandbox) => {
  const { id, secret } = sandbox.client;
  const token = { grant_type: 'refresh_token' };
  expect((await tokenCall(sandbox, { ...token, refresh_token: sandbox.issueToken().refresh_token })).status).toBe(inBody);
  const headers = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
  expect(
    (
      await send(`${sandbox.origin}/api/oauth/token`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ ...token, refresh_token: sandbox.issueToken().refresh_token }),
      })
    ).status,
  ).toBe(basic);
};
const error = (expected: Partial<{ status: number; type: string | null; body: unknown }>) => async (sandbox: Sandbox) => {
  const { status, headers, body } = await get(sandbox, '/bookings/nothing');
  expect({ status, type: headers.get('content-type'), body }).toMatchObject(expected);
};
const refusal = (status: number) => async (sandbox: Sandbox) => {
  const taken = sandbox.host.book();
  const replies = [
    await caller(sandbox)('POST', '/bookings', {}),
    await caller(sandbox)('POST', '/bookings', bookingInput(sandbox, { start_time: taken.start_time })),
    await caller(sandbox)('POST', `/bookings/${sandbox.host.cancel(taken.id).id}/cancel`, {}),
  ];
  expect(replies.map((reply) => [reply.status, at(reply.body, 'code')])).toEqual([
    [status, 'VALIDATION_ERROR'],
    [status, 'SLOT_UNAVAILABLE'],
    [status, 'ALREADY_CANCELLED'],
  ]);
};
const limitReached = (status: number, named: Forms['limitNamed']) => async (sandbox: Sandbox) => {
  for (let index = 0; index < 25; index++)
    sandbox.host.addSecretlessSubscription({ url: 'http://127.0.0.1:9/', events: ['BOOKING_CREATED'] });
  const reply = await hook(sandbox);
  expect([reply.status, at(reply.body, 'code') === 'SUBSCRIPTION_LIMIT']).toEqual([status, named === 'code']);
  if (named !== 'code') expect(textAt(reply.body, 'message').includes('subscription')).toBe(named === 'message');
};
/** The name only shows if envelopes are named at all. */
const namesHooks = (hookName: Forms['hookName']) => async () => {
  const sandbox = await start({ forms: { single: 'named', list: 'plural', hookName } });
  expect(keysOf((await hook(sandbox)).body)).toEqual([hookName, 'signing_secret']);
  expect(keysOf((await get(sandbox, '/hooks')).body)).toEqual([`${hookName}s`, 'next_cursor']);
};
const rateLimited = (header: string | null, value: RegExp) => async (sandbox: Sandbox) => {
  for (let index = 0; index < 10; index++) await get(sandbox, '/hooks');
  const { status, headers } = await get(sandbox, '/hooks');
  expect([status, ['retry-after', 'x-ratelimit-reset', 'ratelimit-reset'].filter((name) => headers.has(name))]).toEqual([
    429,
    header === null ? [] : [header],
  ]);
  expect(headers.get(header ?? '-') ?? '').toMatch(value);
};
const sparse = async (sandbox: Sandbox) => {
  for (const path of ['/bookings', '/contacts', '/event-types']) expect(keysOf(await first(sandbox, path))).toEqual(['id']);
};
const bookingTwice = (sandbox: Sandbox) => () => {
  const { start_time } = sandbox.host.book();
  sandbox.host.book({ start_time });
};
const seconds = /^\d{1,2}$/;
const epoch = /^\d{10}$/;

/** What each value of each form looks like on the wire. A new form or value without an entry does not compile. */
const EXPECTED: Expectations = {
  ...listForms,
  ...subscriptionForms,
  single: {
    data: async (sandbox) => expect(keysOf((await get(sandbox, '/me')).body)).toEqual(['data']),
    named: async (sandbox) => {
      const { bookings, contacts, eventTypes } = sandbox;
      for (const [path, key] of [
        ['/me', 'user'],
        [`/bookings/${bookings()[0]?.id}`, 'booking'],
        [`/contacts/${contacts()[0]?.id}`, 'contact'],
        [`/event-types/${eventTypes()[0]?.id}`, 'event_type'],
      ] as const)
        expect(keysOf((await get(sandbox, path)).body)).toEqual([key]);
      expect(keysOf((await hook(sandbox)).body)).toEqual(['hook', 'signing_secret']);
    },
    root: async (sandbox) => expect(at((await get(sandbox, '/me')).body, 'email')).toBe(sandbox.account.email),
  },
  hookName: { hook: namesHooks('hook'), subscription: namesHooks('subscription') },
  ids: {
    string: async (sandbox) => expect(await first(sandbox, '/bookings', 'id')).toBe(sandbox.bookings().at(-1)?.id),
    number: async (sandbox) => {
      const id = at((await caller(sandbox)('POST', '/bookings', bookingInput(sandbox, { event_type_id: '1' }))).body, 'data', 'id');
      expect(id).toBe(sandbox.bookings().length);
      const call = caller(sandbox);
      expect(at((await call('GET', `/bookings/${String(id)}`)).body, 'data')).toMatchObject({
        id,
        event_type_id: 1,
        event_type_name: 'Intro Call',
      });
      expect((await call('POST', `/bookings/${String(id)}/cancel`, {})).status).toBe(200);
      const subscription = at((await hook(sandbox)).body, 'data', 'id');
      expect([subscription, (await call('DELETE', `/hooks/${String(subscription)}`)).status]).toEqual([1, 204]);
    },
  },
  user: {
    full: async (sandbox) =>
      expect(keysOf(at((await get(sandbox, '/me')).body, 'data'))).toEqual(['id', 'name', 'email', 'timezone', 'locale', 'plan']),
    id: async (sandbox) => expect((await get(sandbox, '/me')).body).toEqual({ data: { id: sandbox.account.id } }),
    email: async (sandbox) => expect((await get(sandbox, '/me')).body).toEqual({ data: { email: sandbox.account.email } }),
  },
  records: { full: async (sandbox) => expect(keysOf(await first(sandbox, '/bookings'))).toHaveLength(18), sparse },
  bookingEventType: {
    flat: async (sandbox) =>
      expect(await first(sandbox, '/bookings')).toMatchObject({ event_type_id: expect.any(String), event_type_name: expect.any(String) }),
    object: async (sandbox) => {
      expect(await first(sandbox, '/bookings')).toMatchObject({ event_type: { id: expect.any(String), name: expect.any(String) } });
      expect(await first(sandbox, '/bookings')).not.toHaveProperty('event_type_id');
    },
  },
  bookingInvitee: {
    flat: async (sandbox) =>
      expect(await first(sandbox, '/bookings')).toMatchObject({
        invitee_name: expect.any(String),
        invitee_email: expect.any(String),
        invitee_timezone: expect.any(String),
      }),
    object: async (sandbox) => {
      expect(await first(sandbox, '/bookings')).toMatchObject({
        invitee: { name: expect.any(String), email: expect.any(String), timezone: expect.any(String) },
      });
      expect(await first(sandbox, '/bookings')).not.toHaveProperty('invitee_email');
    },
  },
  questions: {
    questions: async (sandbox) => expect(listAt(await kickOff(sandbox), 'data', 'questions')).toHaveLength(9),
    custom_questions: async (sandbox) => expect(listAt(await kickOff(sandbox), 'data', 'custom_questions')).toHaveLength(9),
    absent: async (sandbox) => expect(keysOf(at(await kickOff(sandbox), 'data')).filter((key) => key.includes('questions'))).toEqual([]),
  },
  questionKey: {
    key: questionsKeyedBy('key'),
    id: questionsKeyedBy('id'),
    slug: questionsKeyedBy('slug'),
    name: questionsKeyedBy('name'),
    label: questionsKeyedBy('label'),
  },
  questionType: {
    documented: async (sandbox) => expect(at(await kickOff(sandbox), 'data', 'questions', 0, 'type')).toBe('text'),
    unknown: async (sandbox) => expect(at(await kickOff(sandbox), 'data', 'questions', 0, 'type')).toBe('essay'),
  },
  options: {
    strings: async (sandbox) => expect(at(await kickOff(sandbox), 'data', 'questions', 4, 'options', 0)).toBe('Up to 5,000'),
    objects: async (sandbox) => {
      const option = at(await kickOff(sandbox), 'data', 'questions', 4, 'options', 0);
      expect(option).toEqual({ value: expect.stringMatching(/^opt_/), label: 'Up to 5,000' });
      const book = (budget: unknown) =>
        caller(sandbox)(
          'POST',
          '/bookings',
          bookingInput(sandbox, { event_type_id: typeNamed(sandbox, 'Project Kick-off'), question_responses: { company: 'x', budget } }),
        );
      expect((await book('Up to 5,000')).status).toBe(400);
      expect(at((await book(at(option, 'value'))).body, 'data', 'question_responses', 'budget')).toBe(at(option, 'value'));
    },
  },
  subscriptionUrl: {
    url: async (sandbox) => expect(keysOf(at((await hook(sandbox)).body, 'data'))[1]).toBe('url'),
    target_url: async (sandbox) => expect(keysOf(at((await hook(sandbox)).body, 'data'))[1]).toBe('target_url'),
  },
  subscriptionEvents: {
    events: async (sandbox) => expect(at((await hook(sandbox)).body, 'data', 'events')).toEqual(['BOOKING_CREATED']),
    event: async (sandbox) => expect(at((await hook(sandbox)).body, 'data', 'event')).toBe('BOOKING_CREATED'),
  },
  secret: {
    beside: async (sandbox) => expect(textAt((await hook(sandbox)).body, 'signing_secret')).toMatch(/^whsec_/),
    inside: async (sandbox) => {
      expect(textAt((await hook(sandbox)).body, 'data', 'signing_secret')).toMatch(/^whsec_/);
      expect((await get(sandbox, '/hooks')).text).not.toContain('signing_secret');
    },
    absent: async (sandbox) => {
      expect((await hook(sandbox)).text).not.toContain('signing_secret');
      expect(sandbox.subscriptions()).toEqual([expect.objectContaining({ signed: false })]);
    },
  },
  deleted: {
    204: async (sandbox) => deletes(sandbox, 204),
    200: async (sandbox) => deletes(sandbox, 200, '{"deleted":true}'),
    202: async (sandbox) => deletes(sandbox, 202),
    '{}': async (sandbox) => deletes(sandbox, 200, '{}'),
    success: async (sandbox) => deletes(sandbox, 200, '{"success":true}'),
  },
  cancelled: {
    record: async (sandbox) => expect(at((await cancelOne(sandbox)).body, 'data', 'status')).toBe('CANCELLED'),
    empty: async (sandbox) => expect(await cancelOne(sandbox)).toMatchObject({ status: 200, text: '' }),
    204: async (sandbox) => expect(await cancelOne(sandbox)).toMatchObject({ status: 204, text: '' }),
    202: async (sandbox) => expect(await cancelOne(sandbox)).toMatchObject({ status: 202, text: '' }),
    '{}': async (sandbox) => expect(await cancelOne(sandbox)).toMatchObject({ status: 200, text: '{}' }),
    success: async (sandbox) => expect(await cancelOne(sandbox)).toMatchObject({ status: 200, text: '{"success":true}' }),
  },
  deliveryRecord: {
    data: recordUnder('data'),
    payload: recordUnder('payload'),
    named: async (sandbox) => {
      await recordUnder('booking')(sandbox);
      expect(keysOf(await delivered(await start({ forms: { deliveryRecord: 'named' } }), 'CONTACT_CREATED'))).toEqual([
        'event',
        'created_at',
        'contact',
      ]);
    },
    root: recordUnder('id'),
  },
  deliveryEvent: { name: namedEvent('BOOKING_CREATED'), other: namedEvent('booking.created'), absent: namedEvent(undefined) },
  clientAuth: { either: clientAuth(200, 200), body: clientAuth(200, 401), basic: clientAuth(401, 200) },
  expiresIn: {
    present: async (sandbox) => expect(at((await refresh(sandbox, sandbox.issueToken().refresh_token)).body, 'expires_in')).toBe(3600),
    absent: async (sandbox) => expect((await refresh(sandbox, sandbox.issueToken().refresh_token)).body).not.toHaveProperty('expires_in'),
  },
  rotation: {
    rotate: async (sandbox) =>
      expect(textAt((await refresh(sandbox, sandbox.issueToken().refresh_token)).body, 'refresh_token')).toMatch(/^rt_/),
    keep: async (sandbox) => {
      const { refresh_token } = sandbox.issueToken();
      for (let again = 0; again < 3; again++)
        expect(await refresh(sandbox, refresh_token)).toMatchObject({
          status: 200,
          body: expect.not.objectContaining({ refresh_token: expect.anything() }),
        });
    },
  },
  revoked: { 200: async (sandbox) => revokes(sandbox, 200), 204: async (sandbox) => revokes(sandbox, 204) },
  rateLimit: {
    'retry-after': rateLimited('retry-after', seconds),
    'http-date': rateLimited('retry-after', /^\w{3}, \d\d \w{3} \d{4} .* GMT$/),
    'x-ratelimit-reset': rateLimited('x-ratelimit-reset', seconds),
    'x-ratelimit-reset-epoch': rateLimited('x-ratelimit-reset', epoch),
    'ratelimit-reset': rateLimited('ratelimit-reset', seconds),
    'ratelimit-reset-epoch': rateLimited('ratelimit-reset', epoch),
    none: rateLimited(null, /^$/),
  },
  errorMessage: {
    absent: error({ body: { error: 'Not found', code: 'NOT_FOUND' } }),
    present: error({ body: { error: 'Not found', code: 'NOT_FOUND', message: 'There is no booking nothing.' } }),
  },
  errorDetails: {
    present: async (sandbox) => expect(listAt((await get(sandbox, '/bookings?limit=0')).body, 'details')).toHaveLength(1),
    absent: async (sandbox) =>
      expect((await get(sandbox, '/bookings?limit=0')).body).toEqual({ error: 'Validation failed', code: 'VALIDATION_ERROR' }),
  },
  errorBody: {
    json: error({ status: 404, type: 'application/json' }),
    html: error({ status: 404, type: 'text/html; charset=utf-8', body: undefined }),
    text: error({ status: 404, type: 'text/plain; charset=utf-8', body: undefined }),
    empty: error({ status: 404, type: null, body: undefined }),
  },
  errorCode: {
    assumed: error({ body: { error: 'Not found', code: 'NOT_FOUND' } }),
    unknown: async (sandbox) => {
      await error({ body: { error: 'Not found', code: expect.stringMatching(/^E\d+$/) } })(sandbox);
      expect(at((await caller(sandbox, 'wrong')('GET', '/me')).body, 'code')).toBe('INVALID_TOKEN');
    },
  },
  refusal: { 400: refusal(400), 409: refusal(409), 422: refusal(422) },
  limitStatus: {
    403: limitReached(403, 'code'),
    400: limitReached(400, 'code'),
    409: limitReached(409, 'code'),
    422: limitReached(422, 'code'),
    429: limitReached(429, 'code'),
  },
  limitNamed: { code: limitReached(403, 'code'), message: limitReached(403, 'message'), webhooks: limitReached(403, 'webhooks') },
  slots: {
    one: async (sandbox) => expect(bookingTwice(sandbox)).toThrow('is taken by another booking'),
    shared: async (sandbox) => expect(bookingTwice(sandbox)).not.toThrow(),
  },
  approval: { created: async (sandbox) => approves(sandbox, 2), approved: async (sandbox) => approves(sandbox, 1) },
  emailMatch: {
    exact: async (sandbox) => expect(listAt((await get(sandbox, '/contacts?email=ruiz@example.com')).body, 'data')).toHaveLength(0),
    partial: async (sandbox) => {
      expect(listAt((await get(sandbox, '/contacts?email=RUIZ@example.com')).body, 'data')).toHaveLength(1);
      expect(listAt((await get(sandbox, '/bookings?email=example.com&limit=100')).body, 'data')).toHaveLength(sandbox.bookings().length);
    },
    case: async (sandbox) => finds(sandbox, { 'ana.ruiz@example.com': 1, 'Ana.Ruiz@example.com': 0 }),
    made: async () =>
      finds(await start({ forms: { emailMatch: 'made', email: 'untagged' } }), { 'Ana.Ruiz+shop@example.com': 1, 'ana@example.com': 0 }),
  },
};

async function finds(sandbox: Sandbox, expected: Record<string, number>): Promise<void> {
  for (const [email, count] of Object.entries(expected)) {
    const found = listAt((await get(sandbox, `/contacts?email=${encodeURIComponent(email)}`)).body, 'data');
    expect([email, found.length]).toEqual([email, count]);
  }
}

async function deletes(sandbox: Sandbox, status: number, text = ''): Promise<void> {
  const id = textAt((await hook(sandbox)).body, 'data', 'id');
  expect(await caller(sandbox)('DELETE', `/hooks/${id}`)).toMatchObject({ status, text });
  expect(sandbox.subscriptions()).toEqual([]);
}

async function revokes(sandbox: Sandbox, status: number): Promise<void> {
  expect((await tokenCall(sandbox, { token: sandbox.issueToken().access_token }, {}, '/api/oauth/revoke')).status).toBe(status);
}

async function approves(sandbox: Sandbox, deliveries: number): Promise<void> {
  await hook(sandbox, { events: ['BOOKING_APPROVED', 'BOOKING_CREATED'] });
  sandbox.host.approve(sandbox.bookings().find(({ status }) => status === 'PENDING')?.id ?? '');
  await sandbox.settled();
  expect(sandbox.deliveries()).toHaveLength(deliveries);
}

describe.each(FORM_NAMES)('the form %s', (name) => {
  it.each([...FORMS[name].values])('can be %s', async (value) => {
    const sandbox = await start({ forms: { [name]: value } });
    const expected: Record<string, (sandbox: Sandbox) => Promise<void>> = EXPECTED[name];
    const check = expected[value];
    if (check === undefined) throw new Error(`Nothing says what ${name}=${value} looks like.`);
    await check(sandbox);
  });
});

describe('a form', () => {
  it('is read from the command line, and an unknown one is refused with a list of those that exist', () => {
    expect(parseForm('list=items')).toEqual({ list: 'items' });
    expect(() => parseForm('list=rows')).toThrow('It can be: data, items, results, plural, array.');
    expect(() => parseForm('lists=items')).toThrow('The forms are: list, cursor,');
  });
});
