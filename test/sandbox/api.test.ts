import { afterEach, describe, expect, it } from '@jest/globals';
import * as z from 'zod/v4';
import { SCOPES } from '../../sandbox/guard.ts';
import { ENDPOINTS } from '../../sandbox/openapi/endpoints.ts';
import { virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { at, bookingInput, caller, listAt, send, start, stopAll, textAt, typeNamed, type Call, type Reply } from './support.ts';

afterEach(stopAll);

const hook = { url: 'http://127.0.0.1:9/hook', events: ['BOOKING_CREATED'] };
const bodies: Record<string, (sandbox: Sandbox) => unknown> = {
  createBooking: (sandbox) => bookingInput(sandbox),
  cancelBooking: () => ({ reason: 'A test' }),
  createSubscription: () => hook,
};

it.each(ENDPOINTS)(
  '$method $path answers as described, with $scope scope, only a valid token of an account with the Pro plan, about its own records',
  async ({ method, path, name, scope, answer }) => {
    const sandbox = await start();
    const ids: Record<string, string | undefined> = {
      bookings: sandbox.bookings().findLast(({ status }) => status === 'CONFIRMED')?.id,
      'event-types': sandbox.eventTypes()[0]?.id,
      contacts: sandbox.contacts()[0]?.id,
      hooks: sandbox.host.addSecretlessSubscription({ url: 'http://127.0.0.1:9/', events: ['CONTACT_CREATED'] }).id,
    };
    const request = (token: string, id = ids[path.split('/')[1] ?? ''] ?? ''): Promise<Reply> =>
      caller(sandbox, token)(method.toUpperCase(), path.replace('{id}', id), bodies[name]?.(sandbox));
    const tokenFor = (given: Parameters<typeof sandbox.issueToken>[0]) => sandbox.issueToken(given).access_token;
    for (const token of ['', 'wrong', tokenFor({ expiresInSeconds: 0 })]) {
      const reply = await request(token);
      expect(reply).toMatchObject({ status: 401, body: { error: 'Unauthorized', code: 'INVALID_TOKEN' } });
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    const free = sandbox.addAccount({ plan: 'FREE' }).id;
    expect(await request(tokenFor({ accountId: free }))).toMatchObject({ status: 403, body: { code: 'PLAN_REQUIRED' } });
    if (scope !== 'any') {
      const reply = await request(tokenFor({ scopes: Object.keys(SCOPES).filter((each) => each !== scope) }));
      expect(reply).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
      expect(reply.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
    }
    if (path.includes('{id}')) {
      const notFound = { status: 404, body: { code: 'NOT_FOUND' } };
      expect(await request(tokenFor({}), 'nothing')).toMatchObject(notFound);
      expect(await request(tokenFor({ accountId: sandbox.addAccount().id }))).toMatchObject(notFound);
    }
    const { status, body } = await request(tokenFor({ scopes: [scope === 'any' ? 'contacts:read' : scope] }));
    expect(status).toBe(answer.status);
    if (answer.schema === undefined) expect(body).toBeUndefined();
    else expect(strict(answer.schema).safeParse(body).error).toBeUndefined();
  },
);

/**
 * The same schema, but it refuses properties that it does not name. Otherwise nobody would notice a field that is answered and not
 * described.
 */
function strict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject)
    return z.strictObject(Object.fromEntries(Object.entries(schema.shape).map(([key, inner]) => [key, strict(inner as z.ZodType)])));
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element as z.ZodType));
  return schema;
}

it('keeps the lists of accounts apart, knows no other path or method, and goes by the current plan', async () => {
  const sandbox = await start();
  const other = caller(sandbox, sandbox.issueToken({ accountId: sandbox.addAccount().id }).access_token);
  for (const path of ['/bookings', '/contacts', '/hooks']) expect((await other('GET', path)).body).toEqual({ data: [], next_cursor: null });
  const call = caller(sandbox);
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['PUT', '/bookings'],
    ['GET', '/bookings/x/cancel'],
  ] as const)
    expect(await call(method, path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  sandbox.host.setPlan('FREE');
  expect((await call('GET', '/me')).status).toBe(403);
  sandbox.host.setPlan('BUSINESS');
  expect((await call('GET', '/me')).status).toBe(200);
});

const ids = (records: unknown[]) => records.map((record) => textAt(record, 'id'));
const listed = async (call: Call, path: string) => listAt((await call('GET', path)).body, 'data');

describe('filters', () => {
  it('of bookings: by status, by email ignoring case, and by both', async () => {
    const sandbox = await start();
    const all = sandbox.bookings();
    const [{ invitee_email: email } = { invitee_email: '' }] = all;
    const expected: [query: string, holds: (booking: (typeof all)[number]) => boolean][] = [
      ['status=CANCELLED', ({ status }) => status === 'CANCELLED'],
      [`email=${email.toUpperCase()}`, ({ invitee_email }) => invitee_email === email],
      [`email=${email}&status=CONFIRMED`, ({ invitee_email, status }) => invitee_email === email && status === 'CONFIRMED'],
      [`email=${email.slice(1)}`, () => false],
    ];
    for (const [query, holds] of expected)
      expect([query, ids(await listed(caller(sandbox), `/bookings?limit=100&${query}`))]).toEqual([
        query,
        ids(all.filter(holds)).reverse(),
      ]);
  });

  it('that are wrong are refused with 400', async () => {
    const call = caller(await start());
    const wrong = 'status=DENIED limit=0 limit=101 limit=1e1 email= email=a&email=b cursor=nonsense cursor=Y29udGFjdHM6Mw';
    for (const query of wrong.split(' ')) {
      const reply = await call('GET', `/bookings?${query}`);
      expect([query, reply.status, at(reply.body, 'details', 0, 'field')]).toEqual([query, 400, query.split('=')[0]]);
    }
  });
});

/** A sandbox, and what books in it: `type` names the event type. */
async function ready() {
  const sandbox = await start({ clock: virtualClock() });
  const call = caller(sandbox);
  const book = ({ type = 'Intro Call', ...more }: Record<string, unknown> = {}, day?: number) =>
    call('POST', '/bookings', bookingInput(sandbox, { event_type_id: typeNamed(sandbox, String(type)), ...more }, day));
  return { sandbox, call, book };
}

describe('POST /v1/bookings', () => {
  it('books, answers 201 with the record, and returns the record by its id', async () => {
    const { sandbox, call, book } = await ready();
    const own = { invitee_timezone: 'America/New_York', notes: 'Hello', locale: 'es', question_responses: { topic: 'Prices' } };
    const reply = await book({ start_time: '2027-06-01T12:00:00+02:00', ...own });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        data: {
          status: 'CONFIRMED',
          event_type_name: 'Intro Call',
          start_time: '2027-06-01T10:00:00.000Z',
          end_time: '2027-06-01T10:30:00.000Z',
          invitee_name: 'Nadia Ortiz',
          invitee_email: 'nadia@example.com',
          cancellation_reason: null,
          previous_start_time: null,
          ...own,
        },
      },
    });
    const path = `/bookings/${textAt(reply.body, 'data', 'id')}`;
    expect(await call('GET', path)).toMatchObject({ status: 200, body: reply.body });
    expect(sandbox.requests()).toMatchObject([
      { method: 'POST', path: '/v1/bookings', status: 201, committed: true },
      { method: 'GET', path: `/v1${path}`, status: 200, committed: false },
    ]);
  });

  it("uses the host's zone and English by default, also for null (section 2): the language is never inferred", async () => {
    const { sandbox, book } = await ready();
    expect(sandbox.account.locale).not.toBe('en');
    // A contact who was written to in French so far.
    const chloe = { invitee_email: 'chloe.martin@example.com' };
    expect(sandbox.contacts()[2]).toMatchObject({ email: chloe.invitee_email, locale: 'fr' });
    const unset = { invitee_timezone: null, notes: null, question_responses: null, locale: null };
    const usual = { invitee_timezone: sandbox.account.timezone, locale: 'en', notes: null, question_responses: {} };
    for (const [index, more] of [{}, chloe, unset].entries()) expect(at((await book(more, 60 + index)).body, 'data')).toMatchObject(usual);
    expect((await book({ invitee_name: null })).body).toMatchObject({ details: [{ field: 'invitee_name', message: 'is required' }] });
  });

  it('accepts every notation of ISO 8601 with an offset', async () => {
    const { call, book } = await ready();
    for (const start_time of ['2027-06-01T12:00:00+0200', '2027-06-01T12:00+02', '2027-06-01t10:00:00.000z', '2027-06-01T10:00:00,000Z']) {
      const reply = await book({ start_time });
      expect(reply).toMatchObject({ status: 201, body: { data: { start_time: '2027-06-01T10:00:00.000Z' } } });
      await call('POST', `/bookings/${textAt(reply.body, 'data', 'id')}/cancel`);
    }
  });

  it('refuses what is wrong with 400, names the field, and books nothing', async () => {
    const { sandbox, book } = await ready();
    const before = sandbox.bookings().length;
    const answered = { company: 'Brightside', budget: 'Up to 5,000' };
    const answers: [string, unknown][] = [
      ['company', undefined],
      ['company', 7],
      ['team_size', '4'],
      ['nda_signed', 'yes'],
      ['budget', 'Everything'],
      ['services', ['Design', 'Cooking']],
      ['mobile', 'call me'],
      ['billing_email', 'none'],
      ['deadline', '2027-02-30'],
    ];
    const wrong: [field: string, Record<string, unknown>][] = [
      ['event_type_id', { event_type_id: 'evt_nothing' }],
      ['event_type_id', { type: 'Podcast Recording' }],
      ...['2027-06-01T12:00:00', '2020-06-01T12:00:00Z', '2027-02-30T12:00:00Z'].map((start_time): (typeof wrong)[number] => [
        'start_time',
        { start_time },
      ]),
      ['invitee_name', { invitee_name: '  ' }],
      ['invitee_email', { invitee_email: 'nadia@' }],
      ['invitee_timezone', { invitee_timezone: 'Europe/Atlantis' }],
      ['locale', { locale: 'de' }],
      ['notes', { notes: 'x'.repeat(2001) }],
      ['invitee_mail', { invitee_mail: 'a@example.com' }],
      ['question_responses', { question_responses: ['x'] }],
      ['question_responses.colour', { question_responses: { colour: 'red' } }],
      ...answers.map(([key, answer]): (typeof wrong)[number] => [
        `question_responses.${key}`,
        { type: 'Project Kick-off', question_responses: { ...answered, [key]: answer } },
      ]),
    ];
    for (const [field, more] of wrong)
      expect(await book(more)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', details: [{ field }] } });
    expect([sandbox.bookings().length, sandbox.requests().at(-1)?.committed]).toEqual([before, false]);
  });

  it('refuses a slot that overlaps another, until that is cancelled, and accepts one that begins where another ends', async () => {
    const { call, book } = await ready();
    const first = await book({ start_time: '2027-06-01T10:00:00Z' });
    for (const start_time of ['2027-06-01T09:31:00Z', '2027-06-01T10:00:00Z', '2027-06-01T10:29:00Z'])
      expect(await book({ start_time })).toMatchObject({ status: 400, body: { code: 'SLOT_UNAVAILABLE' } });
    expect((await book({ start_time: '2027-06-01T10:30:00Z' })).status).toBe(201);
    await call('POST', `/bookings/${textAt(first.body, 'data', 'id')}/cancel`, {});
    expect((await book({ start_time: '2027-06-01T10:00:00Z' })).status).toBe(201);
  });

  const json = { 'content-type': 'application/json' };
  it.each<[string, string | Buffer<ArrayBuffer>, Record<string, string>, string]>([
    ['no JSON', '{"event_type_id": ', json, 'is not valid JSON'],
    ['another content type', 'a=b', { 'content-type': 'text/plain' }, 'must be application/json'],
    ['what is not UTF-8', Buffer.from('{"notes":"\xc3\x28"}', 'latin1'), json, 'is not UTF-8'],
    ['more than 64 kB', JSON.stringify({ notes: 'x'.repeat(1_000_000) }), json, 'is larger than 64 kB'],
    ['deep nesting', `{"notes":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, json, ''],
  ])('refuses %s with 400, and continues to answer', async (_what, body, headers, message) => {
    const { sandbox, book } = await ready();
    const authorization = `Bearer ${sandbox.issueToken().access_token}`;
    const reply = await send(`${sandbox.baseUrl}/bookings`, { method: 'POST', headers: { authorization, ...headers }, body });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'VALIDATION_ERROR']);
    expect(textAt(reply.body, 'details', 0, 'message')).toContain(message);
    expect((await book()).status).toBe(201);
  });
});

it('POST /v1/bookings/:id/cancel cancels once, also a pending booking, with a reason or without a body', async () => {
  const { sandbox, call, book } = await ready();
  const path = `/bookings/${textAt((await book()).body, 'data', 'id')}/cancel`;
  expect(await call('POST', path, { why: 'x' })).toMatchObject({ status: 400, body: { details: [{ field: 'why' }] } });
  const cancelled = { data: { status: 'CANCELLED', cancellation_reason: 'Ill' } };
  expect(await call('POST', path, { reason: 'Ill' })).toMatchObject({ status: 200, body: cancelled });
  expect(await call('POST', path, {})).toMatchObject({ status: 400, body: { code: 'ALREADY_CANCELLED' } });
  const pending = sandbox.bookings().find(({ status }) => status === 'PENDING');
  const without = { data: { status: 'CANCELLED', cancellation_reason: null } };
  expect(await call('POST', `/bookings/${pending?.id}/cancel`)).toMatchObject({ status: 200, body: without });
});

describe('subscriptions', () => {
  it('show their signing secret at creation and never again', async () => {
    const lines: string[] = [];
    const sandbox = await start({ log: (line) => lines.push(line) });
    const call = caller(sandbox);
    const created = await call('POST', '/hooks', hook);
    const secret = textAt(created.body, 'signing_secret');
    expect(created.body).toEqual({
      data: { id: expect.stringMatching(/^sub_/), ...hook, active: true, created_at: expect.any(String) },
      signing_secret: expect.stringMatching(/^whsec_.{43}$/),
    });
    const list = await call('GET', '/hooks');
    expect(listAt(list.body, 'data')).toEqual([at(created.body, 'data')]);
    for (const shown of [list.text, JSON.stringify(sandbox.subscriptions()), JSON.stringify(sandbox.requests()), lines.join('\n')])
      expect(shown).not.toContain(secret);
  });

  it('are 25 at most (section 8), counted while they are active', async () => {
    const sandbox = await start({ limits: false });
    const call = caller(sandbox);
    const subscribe = async () => (await call('POST', '/hooks', hook)).status;
    for (let count = 0; count < 25; count += 1) expect(await subscribe()).toBe(201);
    expect(await call('POST', '/hooks', hook)).toMatchObject({
      status: 403,
      body: { error: 'Subscription limit reached', code: 'SUBSCRIPTION_LIMIT' },
    });
    const [first, second] = sandbox.subscriptions().map(({ id }) => id);
    sandbox.host.setActive(first ?? '', false);
    expect([await subscribe(), await subscribe()]).toEqual([201, 403]);
    expect(() => sandbox.host.setActive(first ?? '', true)).toThrow('maximum of 25 active');
    await call('DELETE', `/hooks/${second}`);
    expect([await subscribe(), await subscribe()]).toEqual([201, 403]);
  });

  it('are refused with a field that is wrong', async () => {
    const sandbox = await start({ limits: false });
    for (const [more, field] of [
      [{ url: 'hook' }, 'url'],
      [{ url: 'file:///etc/passwd' }, 'url'],
      [{ url: 'http://a:b@127.0.0.1/' }, 'url'],
      [{ events: undefined }, 'events'],
      [{ events: [] }, 'events'],
      [{ events: ['BOOKING_MOVED'] }, 'events.0'],
      [{ events: ['BOOKING_CREATED', 'BOOKING_CREATED'] }, 'events'],
      [{ secret: 'x' }, 'secret'],
    ] as const) {
      const reply = await caller(sandbox)('POST', '/hooks', { ...hook, ...more });
      expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', details: [{ field }] } });
    }
    expect(sandbox.subscriptions()).toEqual([]);
  });

  it('are accepted on this machine, and on others if the sandbox is told to', async () => {
    const [sandbox, open] = [await start({ limits: false }), await start({ allowNonLoopback: true })];
    for (const url of ['http://localhost:9/x', 'http://127.8.9.10:99/x?y=1', 'http://[::1]:9/', 'http://2130706433/'])
      expect(await caller(sandbox)('POST', '/hooks', { ...hook, url })).toMatchObject({ status: 201, body: { data: { url } } });
    for (const host of [
      'example.com',
      '169.254.169.254',
      '[::ffff:169.254.169.254]',
      '0.0.0.0',
      '127.0.0.1.example.com',
      '10.0.0.1#127.0.0.1',
    ]) {
      const url = `http://${host}/`;
      const reply = await caller(sandbox)('POST', '/hooks', { ...hook, url });
      expect([url, reply.status, reply.text]).toEqual([url, 400, expect.stringContaining('--allow-non-loopback')]);
    }
    expect((await caller(open)('POST', '/hooks', { ...hook, url: 'https://example.com/hook' })).status).toBe(201);
  });
});
