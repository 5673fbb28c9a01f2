import { afterEach, describe, expect, it } from '@jest/globals';
import { virtualClock } from '../../sandbox/service.ts';
import { at, bookingInput, caller, listAt, send, start, stopAll, textAt, typeNamed } from './support.ts';

afterEach(stopAll);

describe('POST /v1/bookings', () => {
  it('books, answers 201 with the record, and returns the record by its id', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const call = caller(sandbox);
    const reply = await call(
      'POST',
      '/bookings',
      bookingInput(sandbox, {
        start_time: '2027-06-01T12:00:00+02:00',
        invitee_timezone: 'America/New_York',
        notes: 'Hello',
        locale: 'es',
        question_responses: { topic: 'Prices' },
      }),
    );
    expect([reply.status, at(reply.body, 'data')]).toEqual([
      201,
      expect.objectContaining({
        status: 'CONFIRMED',
        event_type_name: 'Intro Call',
        start_time: '2027-06-01T10:00:00.000Z',
        end_time: '2027-06-01T10:30:00.000Z',
        invitee_name: 'Nadia Ortiz',
        invitee_email: 'nadia@example.com',
        invitee_timezone: 'America/New_York',
        notes: 'Hello',
        locale: 'es',
        question_responses: { topic: 'Prices' },
        cancellation_reason: null,
        previous_start_time: null,
      }),
    ]);
    const again = await call('GET', `/bookings/${textAt(reply.body, 'data', 'id')}`);
    expect([again.status, again.body]).toEqual([200, reply.body]);
    expect(sandbox.requests().map(({ method, path, status, committed }) => [method, path, status, committed])).toEqual([
      ['POST', '/v1/bookings', 201, true],
      ['GET', `/v1/bookings/${textAt(reply.body, 'data', 'id')}`, 200, false],
    ]);
  });

  it("uses the host's zone and English by default (section 2): the language is never inferred", async () => {
    const sandbox = await start();
    expect(sandbox.account.locale).not.toBe('en');
    // A contact who was written to in French so far.
    expect(sandbox.contacts()[2]).toMatchObject({ email: 'chloe.martin@example.com', locale: 'fr' });
    const { body: known } = await caller(sandbox)(
      'POST',
      '/bookings',
      bookingInput(sandbox, { invitee_email: 'chloe.martin@example.com' }, 61),
    );
    expect(at(known, 'data', 'locale')).toBe('en');
    const { body } = await caller(sandbox)('POST', '/bookings', bookingInput(sandbox));
    expect(at(body, 'data')).toMatchObject({
      invitee_timezone: sandbox.account.timezone,
      locale: 'en',
      notes: null,
      question_responses: {},
    });
  });

  it('waits for approval if the booking type requires it', async () => {
    const sandbox = await start();
    const { body } = await caller(sandbox)(
      'POST',
      '/bookings',
      bookingInput(sandbox, { event_type_id: typeNamed(sandbox, 'Design Review'), question_responses: { link: 'https://drafts.example' } }),
    );
    expect(at(body, 'data', 'status')).toBe('PENDING');
  });

  it('accepts an answer to every type of question and returns it unchanged', async () => {
    const sandbox = await start();
    const answers = {
      company: 'Brightside',
      goals: 'More\nlines',
      team_size: 4.5,
      nda_signed: false,
      budget: 'Up to 5,000',
      services: ['Design', 'Support'],
      mobile: '+34 600 123 456',
      billing_email: 'pay@example.com',
      deadline: '2027-02-28',
    };
    const { body } = await caller(sandbox)(
      'POST',
      '/bookings',
      bookingInput(sandbox, { event_type_id: typeNamed(sandbox, 'Project Kick-off'), question_responses: answers }),
    );
    expect(at(body, 'data', 'question_responses')).toEqual(answers);
  });

  it.each(['2027-06-01T12:00:00+0200', '2027-06-01T12:00+02', '2027-06-01t10:00:00.000z', '2027-06-01T10:00:00,000Z'])(
    'accepts the start %s, which is ISO 8601',
    async (start_time) => {
      const sandbox = await start({ clock: virtualClock() });
      const { status, body } = await caller(sandbox)('POST', '/bookings', bookingInput(sandbox, { start_time }));
      expect([status, at(body, 'data', 'start_time')]).toEqual([201, '2027-06-01T10:00:00.000Z']);
    },
  );

  it('takes null in an optional field for one that is not set', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    const unset = { invitee_timezone: null, notes: null, question_responses: null, locale: null };
    const { status, body } = await call('POST', '/bookings', bookingInput(sandbox, unset));
    expect([status, at(body, 'data')]).toMatchObject([201, { notes: null, locale: 'en', invitee_timezone: sandbox.account.timezone }]);
    expect((await call('POST', `/bookings/${textAt(body, 'data', 'id')}/cancel`, { reason: null })).status).toBe(200);
    expect((await call('POST', '/bookings', bookingInput(sandbox, { invitee_name: null }))).body).toMatchObject({
      details: [{ field: 'invitee_name', message: 'is required' }],
    });
  });

  const wrong: [string, Record<string, unknown>, string][] = [
    ['an unknown booking type', { event_type_id: 'evt_nothing' }, 'event_type_id'],
    ['no booking type', { event_type_id: undefined }, 'event_type_id'],
    ['a start without an offset', { start_time: '2027-06-01T12:00:00' }, 'start_time'],
    ['a start in the past', { start_time: '2020-06-01T12:00:00Z' }, 'start_time'],
    ['a day that does not exist', { start_time: '2027-02-30T12:00:00Z' }, 'start_time'],
    ['a start that is a number', { start_time: 1_800_000_000 }, 'start_time'],
    ['no name', { invitee_name: '  ' }, 'invitee_name'],
    ['an invalid email', { invitee_email: 'nadia@' }, 'invitee_email'],
    ['an unknown zone', { invitee_timezone: 'Europe/Atlantis' }, 'invitee_timezone'],
    ['an offset for a zone', { invitee_timezone: '+02:00' }, 'invitee_timezone'],
    ['an unknown locale', { locale: 'de' }, 'locale'],
    ['notes that are too long', { notes: 'x'.repeat(2001) }, 'notes'],
    ['a field that there is not', { invitee_mail: 'a@example.com' }, 'invitee_mail'],
    ['answers as a list', { question_responses: ['x'] }, 'question_responses'],
    ['an answer to no question', { question_responses: { colour: 'red' } }, 'question_responses.colour'],
    ['an inactive booking type', { event_type_id: 'Podcast Recording' }, 'event_type_id'],
  ];
  it.each(wrong)('refuses %s with 400, names the field, and books nothing', async (_what, more, field) => {
    const sandbox = await start();
    const before = sandbox.bookings().length;
    const input = bookingInput(sandbox, more);
    if (input['event_type_id'] === 'Podcast Recording') input['event_type_id'] = typeNamed(sandbox, 'Podcast Recording');
    const { status, body } = await caller(sandbox)('POST', '/bookings', input);
    expect([status, at(body, 'code'), at(body, 'details', 0, 'field')]).toEqual([400, 'VALIDATION_ERROR', field]);
    expect(sandbox.bookings()).toHaveLength(before);
    expect(sandbox.requests().at(-1)?.committed).toBe(false);
  });

  const wrongAnswers: [string, string, unknown][] = [
    ['a required text', 'company', undefined],
    ['filled in, although it is required', 'company', ''],
    ['a text', 'company', 7],
    ['a number', 'team_size', '4'],
    ['a boolean', 'nda_signed', 'yes'],
    ['a choice', 'budget', 'Everything'],
    ['several choices', 'services', ['Design', 'Cooking']],
    ['several choices', 'services', 'Design'],
    ['a phone number', 'mobile', 'call me'],
    ['an email address', 'billing_email', 'none'],
    ['a date', 'deadline', '2027-02-30'],
  ];
  it.each(wrongAnswers)('refuses an answer that is not %s', async (_what, key, value) => {
    const sandbox = await start();
    const question_responses = { company: 'Brightside', budget: 'Up to 5,000', [key]: value };
    const { status, body } = await caller(sandbox)(
      'POST',
      '/bookings',
      bookingInput(sandbox, { event_type_id: typeNamed(sandbox, 'Project Kick-off'), question_responses }),
    );
    expect([status, at(body, 'details', 0, 'field')]).toEqual([400, `question_responses.${key}`]);
  });

  it('names every wrong field at once', async () => {
    const { body } = await caller(await start())('POST', '/bookings', {});
    expect(listAt(body, 'details')).toEqual(
      ['event_type_id', 'start_time', 'invitee_name', 'invitee_email'].map((field) => ({ field, message: 'is required' })),
    );
  });

  it('refuses a slot that overlaps another, and accepts one that begins where another ends', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const call = caller(sandbox);
    const book = (start_time: string) => call('POST', '/bookings', bookingInput(sandbox, { start_time }));
    expect((await book('2027-06-01T10:00:00Z')).status).toBe(201);
    for (const time of ['2027-06-01T09:31:00Z', '2027-06-01T10:00:00Z', '2027-06-01T10:29:00Z']) {
      const { status, body } = await book(time);
      expect([status, at(body, 'code')]).toEqual([400, 'SLOT_UNAVAILABLE']);
    }
    expect((await book('2027-06-01T10:30:00Z')).status).toBe(201);
  });

  it('makes the slot of a cancelled booking free again', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    const first = await call('POST', '/bookings', bookingInput(sandbox));
    await call('POST', `/bookings/${textAt(first.body, 'data', 'id')}/cancel`, {});
    expect((await call('POST', '/bookings', bookingInput(sandbox, { start_time: textAt(first.body, 'data', 'start_time') }))).status).toBe(
      201,
    );
  });

  it('refuses a body of more than 64 kB, and continues to answer', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    const { status, body } = await call('POST', '/bookings', bookingInput(sandbox, { notes: 'x'.repeat(1_000_000) }));
    expect([status, at(body, 'details')]).toEqual([400, [{ field: 'body', message: 'is larger than 64 kB' }]]);
    expect((await call('POST', '/bookings', bookingInput(sandbox))).status).toBe(201);
  });

  it('refuses a body that is not UTF-8', async () => {
    const sandbox = await start();
    const body = Buffer.concat([Buffer.from('{"notes":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    const { status, body: answer } = await send(`${sandbox.baseUrl}/bookings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.issueToken().access_token}`, 'content-type': 'application/json' },
      body,
    });
    expect([status, at(answer, 'details', 0)]).toEqual([400, { field: 'body', message: 'is not UTF-8' }]);
  });

  it.each([
    ['no JSON', '{"event_type_id": ', { 'content-type': 'application/json' }],
    ['an empty body', '', { 'content-type': 'application/json' }],
    ['another content type', 'event_type_id=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a list', '[]', { 'content-type': 'application/json' }],
    ['deep nesting', `{"notes":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, { 'content-type': 'application/json' }],
  ])('refuses %s with 400', async (_what, body, headers) => {
    const { status, body: answer } = await caller(await start())('POST', '/bookings', body, headers);
    expect([status, at(answer, 'code')]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('POST /v1/bookings/:id/cancel', () => {
  it('cancels with a reason, once', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    const id = textAt((await call('POST', '/bookings', bookingInput(sandbox))).body, 'data', 'id');
    const reply = await call('POST', `/bookings/${id}/cancel`, { reason: 'Ill' });
    expect([reply.status, at(reply.body, 'data')]).toEqual([
      200,
      expect.objectContaining({ id, status: 'CANCELLED', cancellation_reason: 'Ill' }),
    ]);
    const again = await call('POST', `/bookings/${id}/cancel`, {});
    expect([again.status, at(again.body, 'code')]).toEqual([400, 'ALREADY_CANCELLED']);
  });

  it('needs no reason, and no body', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    for (const [day, body] of [
      [60, {}],
      [61, undefined],
    ] as const) {
      const id = textAt((await call('POST', '/bookings', bookingInput(sandbox, {}, day))).body, 'data', 'id');
      const reply = await call('POST', `/bookings/${id}/cancel`, body);
      expect([reply.status, at(reply.body, 'data', 'cancellation_reason')]).toEqual([200, null]);
    }
  });

  it('cancels a pending booking', async () => {
    const sandbox = await start();
    const pending = sandbox.bookings().find(({ status }) => status === 'PENDING');
    const reply = await caller(sandbox)('POST', `/bookings/${pending?.id}/cancel`, {});
    expect(at(reply.body, 'data', 'status')).toBe('CANCELLED');
  });

  it('refuses an unknown booking with 404 and an unknown field with 400', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    expect((await call('POST', '/bookings/bkg_nothing/cancel', {})).status).toBe(404);
    const wrong = await call('POST', `/bookings/${sandbox.bookings().at(-1)?.id}/cancel`, { why: 'x' });
    expect([wrong.status, at(wrong.body, 'details', 0, 'field')]).toEqual([400, 'why']);
  });
});

describe('GET /v1/bookings', () => {
  it('filters by status, by email ignoring case, and by both', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    for (const status of ['CONFIRMED', 'CANCELLED', 'PENDING']) {
      const items = listAt((await call('GET', `/bookings?status=${status}&limit=100`)).body, 'data');
      expect(items).toHaveLength(sandbox.bookings().filter((booking) => booking.status === status).length);
      expect(items.length).toBeGreaterThan(0);
    }
    const { invitee_email, status } = sandbox.bookings()[0] ?? { invitee_email: '', status: '' };
    const expected = sandbox.bookings().filter((booking) => booking.invitee_email === invitee_email);
    expect(listAt((await call('GET', `/bookings?email=${invitee_email.toUpperCase()}`)).body, 'data')).toHaveLength(expected.length);
    expect(listAt((await call('GET', `/bookings?email=${invitee_email}&status=${status}`)).body, 'data')).toHaveLength(
      expected.filter((booking) => booking.status === status).length,
    );
    expect(listAt((await call('GET', `/bookings?email=${invitee_email.slice(1)}`)).body, 'data')).toEqual([]);
  });

  it.each([
    ['status', 'DONE'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'ten'],
    ['limit', '1e1'],
    ['email', ''],
    ['cursor', 'nonsense'],
    ['cursor', ''],
  ])('refuses %s=%s with 400', async (name, value) => {
    const { status, body } = await caller(await start())('GET', `/bookings?${name}=${value}`);
    expect([status, at(body, 'details', 0, 'field')]).toEqual([400, name]);
  });

  it('refuses a parameter that is given twice', async () => {
    const { status } = await caller(await start())('GET', '/bookings?status=PENDING&status=CANCELLED');
    expect(status).toBe(400);
  });
});
