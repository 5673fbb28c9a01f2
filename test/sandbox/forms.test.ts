import { afterEach, describe, expect, it } from '@jest/globals';
import { FORMS, parseForm, type FormName, type Forms, type Sandbox } from '../../sandbox/service.ts';
import { refresh, tokenCall } from './authorize.ts';
import {
  answers,
  deliver,
  each,
  get,
  hasKeys,
  hook,
  listed,
  NOW,
  post,
  shows,
  testEach,
  type Check,
  type Expectations,
} from './formChecks.ts';
import { at, bookingInput, caller, deliveryHeader, listAt, signatureOf, start, stopAll, textAt, typeNamed } from './support.ts';

afterEach(stopAll);

const any = expect.anything();
const kickOff = (sandbox: Sandbox) => `/event-types/${typeNamed(sandbox, 'Project Kick-off')}`;
const bookKickOff = (sandbox: Sandbox, question_responses: Record<string, unknown>) =>
  post(sandbox, '/bookings', bookingInput(sandbox, { event_type_id: typeNamed(sandbox, 'Project Kick-off'), question_responses }));
const cancelOne = (sandbox: Sandbox) => post(sandbox, `/bookings/${sandbox.host.book().id}/cancel`);
const deleteOne = async (sandbox: Sandbox) => {
  const id = textAt((await hook(sandbox)).body, 'data', 'id');
  const reply = await caller(sandbox)('DELETE', `/hooks/${id}`);
  expect(sandbox.subscriptions()).toEqual([]);
  return reply;
};
const renewed = (sandbox: Sandbox) => refresh(sandbox, sandbox.issueToken().refresh_token);
const created = (where: string[], expected: unknown): Check => {
  return async (sandbox) => expect(at((await hook(sandbox)).body, ...where)).toEqual(expected);
};

/** The second page follows from the cursor at this place. */
const cursorAt =
  (...where: string[]): Check =>
  async (sandbox) => {
    const { body } = await get(sandbox, '/contacts');
    expect(await listed(sandbox, `/contacts?cursor=${textAt(body, ...where)}`)).toHaveLength(sandbox.contacts().length - 25);
  };
const ends = (end: unknown) => shows('/contacts?limit=100', 'next_cursor', end);
const contradicts =
  (said: Record<string, unknown>): Check =>
  async (sandbox) => {
    await shows('/contacts?limit=2', '', { data: [any, any], ...said })(sandbox);
    await ends(null)(sandbox);
  };

const questionsKeyedBy =
  (key: string): Check =>
  async (sandbox) => {
    const questions = listAt((await get(sandbox, kickOff(sandbox))).body, 'data', 'questions');
    expect(Object.keys(questions[0] as object)).toEqual([...new Set([key, 'label', 'type', 'required', 'options'])]);
    const keyOf = (label: string) =>
      textAt(
        questions.find((question) => at(question, 'label') === label),
        key,
      );
    const given = { [keyOf('Company')]: 'Brightside', [keyOf('Budget')]: 'Up to 5,000' };
    const { status, body } = await bookKickOff(sandbox, given);
    expect([status, at(body, 'data', 'question_responses')]).toEqual([201, given]);
  };

/** The parsed body of a delivery, which is signed as it was sent. */
async function delivered(sandbox: Sandbox, event = 'BOOKING_CREATED'): Promise<object> {
  const { received, secret } = await deliver(sandbox, { event });
  const [delivery = { headers: {}, body: '' }] = received;
  expect([deliveryHeader(delivery, 'Signature'), deliveryHeader(delivery, 'Event')]).toEqual([signatureOf(delivery, secret), event]);
  return JSON.parse(delivery.body) as object;
}
const recordUnder =
  (key: string): Check =>
  async (sandbox) => {
    const body = await delivered(sandbox);
    expect(Object.keys(body).slice(0, 3)).toEqual(['event', 'created_at', key]);
    expect(at(body, ...(key === 'id' ? [] : [key]), 'id')).toBe(sandbox.bookings().at(-1)?.id);
  };
const namesEvent =
  (event: unknown): Check =>
  async (sandbox) =>
    expect(at(await delivered(sandbox), 'event')).toBe(event);

const clientAuth =
  (inBody: number, basic: number): Check =>
  async (sandbox) => {
    const { id, secret } = sandbox.client;
    const headers = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
    const byBasic = { grant_type: 'refresh_token', refresh_token: sandbox.issueToken().refresh_token };
    expect((await renewed(sandbox)).status).toBe(inBody);
    expect((await tokenCall(sandbox, byBasic, { headers, asClient: false })).status).toBe(basic);
  };
const error =
  (expected: Partial<{ status: number; type: string | null; body: unknown }>): Check =>
  async (sandbox) => {
    const { status, headers, body } = await get(sandbox, '/bookings/nothing');
    expect({ status, type: headers.get('content-type'), body }).toMatchObject(expected);
  };
const notFound = { error: 'Not found', code: 'NOT_FOUND' };
const refusal =
  (status: string): Check =>
  async (sandbox) => {
    const taken = sandbox.host.book();
    const replies = [
      await post(sandbox, '/bookings'),
      await post(sandbox, '/bookings', bookingInput(sandbox, { start_time: taken.start_time })),
      await post(sandbox, `/bookings/${sandbox.host.cancel(taken.id).id}/cancel`),
    ];
    expect(replies.map((reply) => [reply.status, at(reply.body, 'code')])).toEqual(
      ['VALIDATION_ERROR', 'SLOT_UNAVAILABLE', 'ALREADY_CANCELLED'].map((code) => [Number(status), code]),
    );
  };
const limitReached =
  (status: string, named: Forms['limitNamed'] = 'code'): Check =>
  async (sandbox) => {
    for (let index = 0; index < 25; index++)
      sandbox.host.addSecretlessSubscription({ url: 'http://127.0.0.1:9/', events: ['BOOKING_CREATED'] });
    const reply = await hook(sandbox);
    expect([reply.status, at(reply.body, 'code') === 'SUBSCRIPTION_LIMIT']).toEqual([Number(status), named === 'code']);
    if (named !== 'code') expect(textAt(reply.body, 'message').includes('subscription')).toBe(named === 'message');
  };
const rateLimited =
  (header: string | null, value: string | null): Check =>
  async (sandbox) => {
    for (let index = 0; index < 10; index++) await get(sandbox, '/hooks');
    const { status, headers } = await get(sandbox, '/hooks');
    const sent = ['retry-after', 'x-ratelimit-reset', 'ratelimit-reset'].filter((name) => headers.has(name));
    expect([status, sent, header && headers.get(header)]).toEqual([429, header === null ? [] : [header], value]);
  };
const inOneMinute = String(NOW / 1000 + 60);

/** The name only shows if envelopes are named at all. */
const namesHooks =
  (hookName: Forms['hookName']): Check =>
  async () => {
    const sandbox = await start({ forms: { single: 'named', list: 'plural', hookName } });
    await created([], { [hookName]: any, signing_secret: any })(sandbox);
    await hasKeys('/hooks', '', `${hookName}s`, 'next_cursor')(sandbox);
  };
/** How many of an account's subscriptions each of two applications sees, after the first has made one. */
const hooksShown =
  (...counts: number[]): Check =>
  async (sandbox) => {
    await hook(sandbox);
    const other = sandbox.addClient({ redirectUris: ['http://127.0.0.1:9/back'] });
    const token = sandbox.issueToken({ clientId: other.id }).access_token;
    const lists = [await get(sandbox, '/hooks'), await caller(sandbox, token)('GET', '/hooks')];
    expect(lists.map(({ body }) => listAt(body, 'data').length)).toEqual(counts);
  };
const secondToOneAddress =
  (status: number): Check =>
  async (sandbox) => {
    const statuses = [];
    for (const url of ['http://127.0.0.1:9/x', 'http://127.0.0.1:9/x', 'http://127.0.0.1:9/y'])
      statuses.push((await hook(sandbox, { url })).status);
    expect(statuses).toEqual([201, status, 201]);
  };
const waits =
  (...expected: number[]): Check =>
  async (sandbox) => {
    await deliver(sandbox, { statuses: [500, 500] });
    const tries = sandbox.deliveries()[0]?.attempts.map((attempt) => Date.parse(attempt.at)) ?? [];
    expect(tries.slice(1).map((time, index) => time - (tries[index] ?? 0))).toEqual(expected);
  };
const timestamps =
  (areEqual: boolean): Check =>
  async (sandbox) => {
    const [first, second] = (await deliver(sandbox, { statuses: [500] })).received.map((each) => deliveryHeader(each, 'Timestamp'));
    expect([typeof second, first === second]).toEqual(['string', areEqual]);
  };
const gone =
  (left: number, sent: number): Check =>
  async (sandbox) => {
    const { received } = await deliver(sandbox, { statuses: [410] });
    expect([sandbox.subscriptions().length, received.length]).toEqual([left, sent]);
  };
const tooHigh =
  (status: number): Check =>
  async (sandbox) => {
    expect((await get(sandbox, '/contacts?limit=101')).status).toBe(status);
    expect((await get(sandbox, '/contacts?limit=0')).status).toBe(400);
  };
const finds =
  (path: string, expected: Record<string, number>): Check =>
  async (sandbox) => {
    for (const [email, count] of Object.entries(expected))
      expect([email, (await listed(sandbox, `${path}?email=${encodeURIComponent(email)}&limit=100`)).length]).toEqual([email, count]);
  };
const approves =
  (deliveries: number): Check =>
  async (sandbox) => {
    await hook(sandbox, { events: ['BOOKING_APPROVED', 'BOOKING_CREATED'] });
    sandbox.host.approve(sandbox.bookings().find(({ status }) => status === 'PENDING')?.id ?? '');
    await sandbox.settled();
    expect(sandbox.deliveries()).toHaveLength(deliveries);
  };
const bookTwice = (sandbox: Sandbox) => () => sandbox.host.book({ start_time: sandbox.host.book().start_time });

/** What each value of each form looks like on the wire. */
const EXPECTED: Expectations<FormName> = {
  list: {
    ...each(['data', 'items', 'results'], (key) => shows('/event-types?limit=2', '', { [key]: [any, any], next_cursor: any })),
    plural: async (sandbox) => {
      for (const path of ['bookings', 'event-types', 'contacts', 'hooks'])
        await hasKeys(`/${path}`, '', path.replace('-', '_'), 'next_cursor')(sandbox);
    },
    array: shows('/event-types?limit=2', '', [any, any]),
  },
  cursor: { ...each(['next_cursor', 'nextCursor', 'cursor'], (key) => cursorAt(key)), none: hasKeys('/contacts', '', 'data') },
  cursorPlace: {
    top: cursorAt('next_cursor'),
    ...each(['pagination', 'meta', 'page_info'], (place) => cursorAt(place, 'next_cursor')),
  },
  end: { null: ends(null), false: ends(false), empty: ends(''), absent: ends(undefined) },
  hasMore: {
    absent: hasKeys('/contacts', '', 'data', 'next_cursor'),
    present: async (sandbox) => {
      await shows('/contacts', 'has_more', true)(sandbox);
      await shows('/contacts?limit=100', 'has_more', false)(sandbox);
    },
  },
  contradiction: {
    none: ends(null),
    more: contradicts({ next_cursor: null, has_more: true }),
    link: contradicts({ cursor: null, links: { next: expect.stringMatching(/cursor=\w+/) } }),
    other: contradicts({ next_cursor: null, nextCursor: expect.any(String) }),
    unnamed: contradicts({ next_cursor: null, links: { next: '?page=2' } }),
  },
  cursors: {
    opaque: cursorAt('next_cursor'),
    page: async (sandbox) => {
      const ids = sandbox.contacts().map(({ id }) => id);
      await shows('/contacts?limit=10', 'next_cursor', '2')(sandbox);
      const second = (await listed(sandbox, '/contacts?limit=4&cursor=2')).map((contact) => at(contact, 'id'));
      expect(second).toEqual(ids.reverse().slice(4, 8));
      expect((await get(sandbox, '/contacts?cursor=zero')).status).toBe(400);
    },
  },
  single: {
    data: hasKeys('/me', '', 'data'),
    named: async (sandbox) => {
      await hasKeys('/me', '', 'user')(sandbox);
      await hasKeys(`/bookings/${sandbox.bookings()[0]?.id}`, '', 'booking')(sandbox);
      await hasKeys(`/contacts/${sandbox.contacts()[0]?.id}`, '', 'contact')(sandbox);
      await hasKeys(kickOff, '', 'event_type')(sandbox);
    },
    root: shows('/me', 'email', ({ account }: Sandbox) => account.email),
  },
  hookName: each(['hook', 'subscription'], namesHooks),
  ids: {
    string: shows('/bookings', 'data.0.id', (of: Sandbox) => of.bookings().at(-1)?.id),
    number: async (sandbox) => {
      const id = at((await post(sandbox, '/bookings', bookingInput(sandbox, { event_type_id: '1' }))).body, 'data', 'id');
      expect(id).toBe(sandbox.bookings().length);
      const expected: unknown = expect.objectContaining({ id, event_type_id: 1, event_type_name: 'Intro Call' });
      await shows(`/bookings/${String(id)}`, 'data', expected)(sandbox);
      expect((await post(sandbox, `/bookings/${String(id)}/cancel`)).status).toBe(200);
      await created(['data', 'id'], 1)(sandbox);
      expect((await caller(sandbox)('DELETE', '/hooks/1')).status).toBe(204);
    },
  },
  user: {
    full: hasKeys('/me', 'data', 'id', 'name', 'email', 'timezone', 'locale', 'plan'),
    id: shows('/me', 'data', ({ account: { id } }: Sandbox) => ({ id })),
    email: shows('/me', 'data', ({ account: { email } }: Sandbox) => ({ email })),
  },
  records: {
    full: async (sandbox) => expect(Object.keys((await listed(sandbox, '/bookings'))[0] as object)).toHaveLength(18),
    sparse: async (sandbox) => {
      for (const path of ['/bookings', '/contacts', '/event-types']) await hasKeys(path, 'data.0', 'id')(sandbox);
    },
  },
  bookingEventType: {
    flat: shows('/bookings', 'data.0', expect.objectContaining({ event_type_id: any, event_type_name: any })),
    object: shows('/bookings', 'data.0.event_type', { id: any, name: any }),
  },
  bookingInvitee: {
    flat: shows('/bookings', 'data.0', expect.objectContaining({ invitee_name: any, invitee_email: any, invitee_timezone: any })),
    object: shows('/bookings', 'data.0.invitee', { name: any, email: any, timezone: any }),
  },
  questions: {
    ...each(['questions', 'custom_questions'], (key) => shows(kickOff, `data.${key}.8.label`, 'When must it be finished?')),
    absent: shows(kickOff, 'data', expect.not.objectContaining({ questions: any })),
  },
  questionKey: each(FORMS.questionKey.values, questionsKeyedBy),
  questionType: { documented: shows(kickOff, 'data.questions.0.type', 'text'), unknown: shows(kickOff, 'data.questions.0.type', 'essay') },
  options: {
    strings: shows(kickOff, 'data.questions.4.options.0', 'Up to 5,000'),
    objects: async (sandbox) => {
      const option = at((await get(sandbox, kickOff(sandbox))).body, 'data', 'questions', 4, 'options', 0);
      expect(option).toEqual({ value: expect.stringMatching(/^opt_/), label: 'Up to 5,000' });
      expect((await bookKickOff(sandbox, { company: 'x', budget: 'Up to 5,000' })).status).toBe(400);
      const { body } = await bookKickOff(sandbox, { company: 'x', budget: at(option, 'value') });
      expect(at(body, 'data', 'question_responses', 'budget')).toBe(at(option, 'value'));
    },
  },
  subscriptionUrl: each(['url', 'target_url'], (key) => created(['data', key], 'http://127.0.0.1:9/x')),
  subscriptionEvents: { events: created(['data', 'events'], ['BOOKING_CREATED']), event: created(['data', 'event'], 'BOOKING_CREATED') },
  secret: {
    beside: created(['signing_secret'], expect.stringMatching(/^whsec_/)),
    inside: async (sandbox) => {
      await created(['data', 'signing_secret'], expect.stringMatching(/^whsec_/))(sandbox);
      expect((await get(sandbox, '/hooks')).text).not.toContain('signing_secret');
    },
    absent: async (sandbox) => {
      expect((await hook(sandbox)).text).not.toContain('signing_secret');
      expect(sandbox.subscriptions()).toEqual([expect.objectContaining({ signed: false })]);
    },
  },
  deleted: {
    204: answers(deleteOne, 204),
    200: answers(deleteOne, 200, '{"deleted":true}'),
    202: answers(deleteOne, 202),
    '{}': answers(deleteOne, 200, '{}'),
    success: answers(deleteOne, 200, '{"success":true}'),
  },
  cancelled: {
    record: async (sandbox) => expect(at((await cancelOne(sandbox)).body, 'data', 'status')).toBe('CANCELLED'),
    empty: answers(cancelOne, 200),
    204: answers(cancelOne, 204),
    202: answers(cancelOne, 202),
    '{}': answers(cancelOne, 200, '{}'),
    success: answers(cancelOne, 200, '{"success":true}'),
  },
  deliveryRecord: {
    data: recordUnder('data'),
    payload: recordUnder('payload'),
    named: async (sandbox) => {
      await recordUnder('booking')(sandbox);
      const contact = await delivered(await start({ forms: { deliveryRecord: 'named' } }), 'CONTACT_CREATED');
      expect(Object.keys(contact)).toEqual(['event', 'created_at', 'contact']);
    },
    root: recordUnder('id'),
  },
  deliveryEvent: { name: namesEvent('BOOKING_CREATED'), other: namesEvent('booking.created'), absent: namesEvent(undefined) },
  clientAuth: { either: clientAuth(200, 200), body: clientAuth(200, 401), basic: clientAuth(401, 200) },
  expiresIn: {
    present: async (sandbox) => expect(at((await renewed(sandbox)).body, 'expires_in')).toBe(3600),
    absent: async (sandbox) => expect((await renewed(sandbox)).body).not.toHaveProperty('expires_in'),
  },
  rotation: {
    rotate: async (sandbox) => expect(textAt((await renewed(sandbox)).body, 'refresh_token')).toMatch(/^rt_/),
    keep: async (sandbox) => {
      const { refresh_token } = sandbox.issueToken();
      for (let again = 0; again < 3; again++) {
        const { status, body } = await refresh(sandbox, refresh_token);
        expect([status, at(body, 'refresh_token')]).toEqual([200, undefined]);
      }
    },
  },
  revoked: each(FORMS.revoked.values, (status) => async (sandbox) => {
    const reply = await tokenCall(sandbox, { token: sandbox.issueToken().access_token }, { path: '/api/oauth/revoke' });
    expect(reply.status).toBe(Number(status));
  }),
  rateLimit: {
    'retry-after': rateLimited('retry-after', '60'),
    'http-date': rateLimited('retry-after', 'Mon, 03 Jun 2030 08:01:00 GMT'),
    'x-ratelimit-reset': rateLimited('x-ratelimit-reset', '60'),
    'x-ratelimit-reset-epoch': rateLimited('x-ratelimit-reset', inOneMinute),
    'ratelimit-reset': rateLimited('ratelimit-reset', '60'),
    'ratelimit-reset-epoch': rateLimited('ratelimit-reset', inOneMinute),
    none: rateLimited(null, null),
  },
  errorMessage: {
    absent: shows('/bookings/nothing', '', notFound),
    present: shows('/bookings/nothing', '', { ...notFound, message: 'There is no booking nothing.' }),
  },
  errorDetails: {
    present: shows('/bookings?limit=0', 'details', [{ field: 'limit', message: any }]),
    absent: shows('/bookings?limit=0', '', { error: 'Validation failed', code: 'VALIDATION_ERROR' }),
  },
  errorBody: {
    json: error({ status: 404, type: 'application/json', body: notFound }),
    html: error({ status: 404, type: 'text/html; charset=utf-8', body: undefined }),
    text: error({ status: 404, type: 'text/plain; charset=utf-8', body: undefined }),
    empty: error({ status: 404, type: null, body: undefined }),
  },
  errorCode: {
    assumed: error({ body: notFound }),
    unknown: async (sandbox) => {
      await error({ body: { error: 'Not found', code: expect.stringMatching(/^E\d+$/) } })(sandbox);
      expect(at((await caller(sandbox, 'wrong')('GET', '/me')).body, 'code')).toBe('INVALID_TOKEN');
    },
  },
  refusal: each(FORMS.refusal.values, refusal),
  limitStatus: each(FORMS.limitStatus.values, (status) => limitReached(status)),
  limitNamed: each(FORMS.limitNamed.values, (named) => limitReached('403', named)),
  slots: {
    one: async (sandbox) => expect(bookTwice(sandbox)).toThrow('is taken by another booking'),
    shared: async (sandbox) => expect(bookTwice(sandbox)).not.toThrow(),
  },
  approval: { created: approves(2), approved: approves(1) },
  emailMatch: {
    exact: finds('/contacts', { 'ruiz@example.com': 0, 'Ana.Ruiz@example.com': 1 }),
    partial: async (sandbox) => {
      await finds('/contacts', { 'RUIZ@example.com': 1 })(sandbox);
      await finds('/bookings', { 'example.com': sandbox.bookings().length })(sandbox);
    },
    case: finds('/contacts', { 'ana.ruiz@example.com': 1, 'Ana.Ruiz@example.com': 0 }),
    made: async () =>
      finds('/contacts', { 'Ana.Ruiz+shop@example.com': 1, 'ana@example.com': 0 })(
        await start({ forms: { emailMatch: 'made', email: 'untagged' } }),
      ),
  },
  hooksListed: { account: hooksShown(1, 1), client: hooksShown(1, 0) },
  targets: { any: secondToOneAddress(201), unique: secondToOneAddress(400) },
  retries: { minutes: waits(1_000, 5_000), days: waits(5_000, 300_000) },
  timestamp: { first: timestamps(true), attempt: timestamps(false) },
  gone: { removed: gone(0, 1), retried: gone(1, 2) },
  limitAbove: { refused: tooHigh(400), cut: tooHigh(200) },
};

testEach('form', FORMS, EXPECTED);

describe('a form', () => {
  it('is read from the command line, and an unknown one is refused with a list of those that exist', () => {
    expect(parseForm('list=items')).toEqual({ list: 'items' });
    expect(() => parseForm('list=rows')).toThrow('It can be: data, items, results, plural, array.');
    expect(() => parseForm('lists=items')).toThrow('The forms are: list, cursor,');
  });
});
