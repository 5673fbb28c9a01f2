import { afterEach, describe, expect, it } from '@jest/globals';
import { virtualClock } from '../../sandbox/service.ts';
import { at, bookingInput, caller, listAt, send, start, stopAll, textAt, typeNamed } from './support.ts';

afterEach(stopAll);

const kickOff = {
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
    const { sandbox, call, book } = await ready();
    expect(sandbox.account.locale).not.toBe('en');
    // A contact who was written to in French so far.
    expect(sandbox.contacts()[2]).toMatchObject({ email: 'chloe.martin@example.com', locale: 'fr' });
    const usual = { invitee_timezone: sandbox.account.timezone, locale: 'en', notes: null, question_responses: {} };
    const unset = { invitee_timezone: null, notes: null, question_responses: null, locale: null };
    for (const [day, more] of [
      [60, {}],
      [61, { invitee_email: 'chloe.martin@example.com' }],
      [62, unset],
    ] as const) {
      const { body } = await book(more, day);
      expect(at(body, 'data')).toMatchObject(usual);
      expect((await call('POST', `/bookings/${textAt(body, 'data', 'id')}/cancel`, { reason: null })).status).toBe(200);
    }
    expect((await book({ invitee_name: null })).body).toMatchObject({ details: [{ field: 'invitee_name', message: 'is required' }] });
  });

  it('waits for approval if the booking type requires it', async () => {
    const { book } = await ready();
    expect(at((await book({ type: 'Design Review', question_responses: { link: 'x' } })).body, 'data', 'status')).toBe('PENDING');
  });

  it('accepts an answer to every type of question and returns it unchanged', async () => {
    const { book } = await ready();
    expect(at((await book({ type: 'Project Kick-off', question_responses: kickOff })).body, 'data', 'question_responses')).toEqual(kickOff);
  });

  it.each(['2027-06-01T12:00:00+0200', '2027-06-01T12:00+02', '2027-06-01t10:00:00.000z', '2027-06-01T10:00:00,000Z'])(
    'accepts the start %s, which is ISO 8601',
    async (start_time) => {
      const { book } = await ready();
      expect(await book({ start_time })).toMatchObject({ status: 201, body: { data: { start_time: '2027-06-01T10:00:00.000Z' } } });
    },
  );

  const wrong: [string, Record<string, unknown>, string][] = [
    ['an unknown booking type', { event_type_id: 'evt_nothing' }, 'event_type_id'],
    ['an inactive booking type', { type: 'Podcast Recording' }, 'event_type_id'],
    ['a start without an offset', { start_time: '2027-06-01T12:00:00' }, 'start_time'],
    ['a start in the past', { start_time: '2020-06-01T12:00:00Z' }, 'start_time'],
    ['a day that does not exist', { start_time: '2027-02-30T12:00:00Z' }, 'start_time'],
    ['a start that is a number', { start_time: 1_800_000_000 }, 'start_time'],
    ['a blank name', { invitee_name: '  ' }, 'invitee_name'],
    ['an invalid email', { invitee_email: 'nadia@' }, 'invitee_email'],
    ['an unknown zone', { invitee_timezone: 'Europe/Atlantis' }, 'invitee_timezone'],
    ['an offset for a zone', { invitee_timezone: '+02:00' }, 'invitee_timezone'],
    ['an unknown locale', { locale: 'de' }, 'locale'],
    ['notes that are too long', { notes: 'x'.repeat(2001) }, 'notes'],
    ['a field that there is not', { invitee_mail: 'a@example.com' }, 'invitee_mail'],
    ['answers as a list', { question_responses: ['x'] }, 'question_responses'],
    ['an answer to no question', { question_responses: { colour: 'red' } }, 'question_responses.colour'],
    ...Object.entries<unknown[]>({
      company: [undefined, '', 7],
      team_size: ['4'],
      nda_signed: ['yes'],
      budget: ['Everything'],
      services: [['Design', 'Cooking'], 'Design'],
      mobile: ['call me'],
      billing_email: ['none'],
      deadline: ['2027-02-30'],
    }).flatMap(([key, answers]) =>
      answers.map((answer): [string, Record<string, unknown>, string] => [
        `the answer ${JSON.stringify(answer)} to ${key}`,
        { type: 'Project Kick-off', question_responses: { ...kickOff, [key]: answer } },
        `question_responses.${key}`,
      ]),
    ),
  ];
  it.each(wrong)('refuses %s with 400, names the field, and books nothing', async (_what, more, field) => {
    const { sandbox, book } = await ready();
    const before = sandbox.bookings().length;
    expect(await book(more)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', details: [{ field }] } });
    expect([sandbox.bookings().length, sandbox.requests().at(-1)?.committed]).toEqual([before, false]);
  });

  it('names every wrong field at once', async () => {
    const { call } = await ready();
    const missing = ['event_type_id', 'start_time', 'invitee_name', 'invitee_email'].map((field) => ({ field, message: 'is required' }));
    expect(listAt((await call('POST', '/bookings', {})).body, 'details')).toEqual(missing);
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
    ['an empty body', '', json, 'is not valid JSON'],
    ['another content type', 'a=b', { 'content-type': 'text/plain' }, 'must be application/json'],
    ['what is not UTF-8', Buffer.from('{"notes":"\xc3\x28"}', 'latin1'), json, 'is not UTF-8'],
    ['more than 64 kB', JSON.stringify({ notes: 'x'.repeat(1_000_000) }), json, 'is larger than 64 kB'],
    ['a list', '[]', json, 'expected object'],
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

describe('POST /v1/bookings/:id/cancel', () => {
  it('cancels with a reason, once', async () => {
    const { call, book } = await ready();
    const path = `/bookings/${textAt((await book()).body, 'data', 'id')}/cancel`;
    const cancelled = { data: { status: 'CANCELLED', cancellation_reason: 'Ill' } };
    expect(await call('POST', path, { reason: 'Ill' })).toMatchObject({ status: 200, body: cancelled });
    expect(await call('POST', path, {})).toMatchObject({ status: 400, body: { code: 'ALREADY_CANCELLED' } });
  });

  it('needs no reason and no body, also for a pending booking, and refuses an unknown field', async () => {
    const { sandbox, call } = await ready();
    const path = `/bookings/${sandbox.bookings().find(({ status }) => status === 'PENDING')?.id}/cancel`;
    expect(await call('POST', path, { why: 'x' })).toMatchObject({ status: 400, body: { details: [{ field: 'why' }] } });
    expect(await call('POST', path)).toMatchObject({ status: 200, body: { data: { status: 'CANCELLED', cancellation_reason: null } } });
  });
});
