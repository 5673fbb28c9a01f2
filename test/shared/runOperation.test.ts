import { createBooking, cancelBooking } from '../../shared/operations/index.ts';
import { getEventType } from '../../shared/operations/eventType.ts';
import { getManyBookings } from '../../shared/operations/booking/getMany.ts';
import type { OperationInput } from '../../shared/operations/define.ts';
import { runOperation } from '../../shared/operations/runOperation.ts';
import type { Operation } from '../../shared/operations/define.ts';
import { Runs } from '../../shared/writes/finishedItems.ts';
import { adasForm, heldStep, refusal, requestsOf, serve, clockOf, testStart, type TestService } from '../support/service.ts';
import { zapierStepPolicy } from '../../shared/client/retry.ts';
import type { Fault } from '../../sandbox/service.ts';
import { errorOf, oneOf, listOf } from '../support/wire.ts';

let service: TestService;
beforeEach(async () => void (service = await serve({ limits: false })));

const typeNamed = (name: string) => service.sandbox.eventTypes().find((each) => each.name === name);
const form = (change: Record<string, unknown> = {}) =>
  adasForm(service, { event_type_id: typeNamed('Intro Call')?.id, start_time: '2030-02-06T09:00:00Z', ...change });
/** A form for the event type that asks questions. */
const asked = (change: Record<string, unknown> = {}) =>
  form({ event_type_id: typeNamed('Project Kick-off')?.id, start_time: '2030-02-07T09:00:00Z', ...change });
const labelOf = (key: string) => typeNamed('Project Kick-off')?.questions.find((each) => each.key === key)?.label;
/** An answer to every required question. */
const answers = { company: 'Engines', budget: 'Up to 5,000' };
const run = (operation: Operation, input: OperationInput, client = service.client) =>
  runOperation(client, operation, input, { shape: 'presented' });
const books = () => requestsOf(service, 'POST', '/v1/bookings').length;
const typesRead = () => requestsOf(service, 'GET', '/v1/event-types/').length;
const sent = () => requestsOf(service, 'POST').at(-1)?.body as Record<string, unknown>;
const fault = (route: string, given: object) => service.sandbox.faults.add({ route, kind: 'status', ...given });
const signal = new Error('refresh the token');
/** A client whose platform ends the run with its own signal when event types are read. */
const signalling = () =>
  service.clientWith({
    transport: (inner) => (request) => (request.url.includes('/event-types/') ? Promise.reject(signal) : inner(request)),
  });

describe('an item of a run that the host repeats', () => {
  const items = () => {
    const host = new Runs().begin('execution 1', clockOf(service.sandbox));
    return (name: string, fields: object, client = service.client) =>
      runOperation(client, createBooking, { fields: form({ ...fields }) }, { shape: 'presented', item: { run: host, name } });
  };

  it('returns what it did before, and does nothing again', async () => {
    const item = items();
    const first = await item('0', {});
    expect(await item('0', { notes: 'at ten' })).toEqual(first);
    expect(books()).toBe(1);
  });

  it.each([
    ['finds what its earlier try sent, although its values are different now', '0', '09:00'],
    ['books for itself if another item left its try open', '1', '10:00'],
  ])('%s', async (_, name, start) => {
    const client = service.clientWith({ writes: heldStep().writes(), patience: { readBackMs: [1000] } });
    const item = items();
    fault('POST /v1/bookings', { kind: 'drop-after' });
    fault('GET /v1/bookings', { status: 503, times: 'always' });
    await refusal(item('0', {}, client));
    service.sandbox.faults.clear();
    const record = await item(name, { start_time: '2030-02-06T10:00:00Z' }, client);
    expect(record['start_time']).toContain(`2030-02-06T${start}`);
    expect(books()).toBe(name === '0' ? 1 : 2);
  });

  /** Begins a run in which item 0 was done already, or is done now. @returns whether it was done already */
  const begun = async (runs: Runs, clock: { now(): number }, name: string, failedAs?: string, ended?: string | false) => {
    const run = runs.begin(name, clock as never, failedAs);
    let isDone = true;
    await run.once('0', () => {
      isDone = false;
      return Promise.resolve({ id: name });
    });
    if (ended !== false) runs.end(run, clock as never, ended);
    return isDone;
  };

  it('is kept for ten minutes after the end of its run, whatever came of it, and while a try is running', async () => {
    let now = testStart;
    const clock = { now: () => now };
    const runs = new Runs();
    const names = ['running', 'failed', 'succeeded'];
    for (const name of names) expect(await begun(runs, clock, name, undefined, name === 'running' ? false : undefined)).toBe(false);
    now += 600_000;
    for (const name of names) expect([name, await begun(runs, clock, name)]).toEqual([name, true]);
    now += 600_001;
    for (const name of names) expect([name, await begun(runs, clock, name)]).toEqual([name, name === 'running']);
  });

  it('under another name, belongs to the last run that failed as this one; of two, each is repeated once', async () => {
    const runs = new Runs();
    const clock = clockOf(service.sandbox);
    await begun(runs, clock, 'a', undefined, 'three people');
    await begun(runs, clock, 'b', undefined, 'three people');
    await begun(runs, clock, 'succeeded', undefined, undefined);
    expect(await begun(runs, clock, 'not repeated')).toBe(false);
    expect(await begun(runs, clock, 'others', 'two people')).toBe(false);
    const taken = ['retry 1', 'retry 2', 'retry of what was completed since'].map((name) => runs.begin(name, clock, 'three people').name);
    expect(taken.slice(0, 2)).toEqual(['b', 'a']);
    expect(['a', 'b']).toContain(taken[2]);
  });

  it('is done once by two tries at the same time, and again if it failed', async () => {
    const run = new Runs().begin('execution 1', clockOf(service.sandbox));
    const first = Promise.withResolvers<{ id: string }>();
    const both = [run.once('0', () => first.promise), run.once('0', () => Promise.reject(new Error('It was done twice.')))];
    first.resolve({ id: 'bkg_1' });
    expect(await Promise.all(both)).toEqual([{ id: 'bkg_1' }, { id: 'bkg_1' }]);
    await expect(run.once('1', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(await run.once('1', () => Promise.resolve({ id: 'bkg_2' }))).toEqual({ id: 'bkg_2' });
  });
});

it('answers in fields of their own and by key are sent together, those in fields first', async () => {
  const question_responses = JSON.stringify({ ...answers, company: 'by key', goals: 'by key' });
  await run(createBooking, { fields: asked({ question_responses }), answers: { company: 'in its field' } });
  expect(sent()['question_responses']).toMatchObject({ company: 'in its field', goals: 'by key' });
  expect(typesRead()).toBe(1);
});

it('answers by key alone, and in fields alone, are checked as well', async () => {
  const wrong = { ...answers, team_size: 'many' };
  for (const input of [{ fields: asked({ question_responses: wrong }) }, { fields: asked(), answers: wrong }]) {
    const error = await refusal(run(createBooking, input));
    expect([error.kind, error.message]).toEqual(['invalid', `The question "${labelOf('team_size')}" takes a number.`]);
  }
  expect(books()).toBe(0);
});

it("answers with a day are read in the invitee's time zone, or else in the platform's", async () => {
  const workshop = { event_type_id: typeNamed('Workshop')?.id, question_responses: { people: 3, day: '2031-03-03T23:00:00.000Z' } };
  const day = async (fields: object, timeZone?: string) => {
    await runOperation(service.client, createBooking, { fields: form({ ...workshop, ...fields }) }, { shape: 'presented', timeZone });
    return (sent()['question_responses'] as typeof workshop.question_responses).day;
  };
  expect(await day({ invitee_timezone: 'Europe/Madrid' }, 'America/New_York')).toBe('2031-03-04');
  expect(await day({ start_time: '2030-02-06T12:00:00Z', invitee_timezone: '' }, 'Europe/Madrid')).toBe('2031-03-04');
  expect(await day({ start_time: '2030-02-06T15:00:00Z', invitee_timezone: '' })).toBe('2031-03-03');
});

it.each([403, 404, 503])('answers that nobody can check are sent unchanged: status %i', async (status) => {
  fault('GET /v1/event-types/:id', { status, times: 'always' });
  await run(createBooking, { fields: asked({ question_responses: answers }) });
  expect(sent()['question_responses']).toEqual(answers);
});

describe('a refusal of the service', () => {
  it('of the start shows it in the time zone in which it was read', async () => {
    const details = [
      { field: 'start_time', message: 'too early' },
      { field: 'notes', message: 'too long' },
    ];
    const body = errorOf('Refused', 'VALIDATION_ERROR', { details });
    fault('POST /v1/bookings', { status: 400, body });
    const fields = form({ start_time: '2030-02-06T09:00', invitee_timezone: 'Europe/Madrid' });
    const { message } = await refusal(run(createBooking, { fields }));
    expect(message).toContain(' "Start" (2030-02-06T09:00:00+01:00): too early; "Notes": too long.');
  });

  it.each([503, 403])('is shown as it came if the event type answers %i', async (status) => {
    fault('GET /v1/event-types/:id', { status, times: 'always' });
    const error = await refusal(run(createBooking, { fields: asked() }));
    expect(error).toMatchObject({ kind: 'invalid', status: 400 });
    expect(error.message).toContain('"company" in "Answers"');
  });

  it.each([
    ['no question was answered wrongly', 'question_responses.company', 1],
    ['it is for another field', 'invitee_email', 0],
    ['it is for a field that only begins alike', 'question_responses_more', 0],
  ])('is shown as it came if %s', async (_, field, reads) => {
    const body = errorOf('Refused', 'VALIDATION_ERROR', { details: [{ field, message: 'is odd' }] });
    fault('POST /v1/bookings', { status: 400, body });
    expect((await refusal(run(createBooking, { fields: form() }))).message).toContain('is odd');
    expect(typesRead()).toBe(reads);
  });

  it.each([
    ['an ID and its own name', [{ id: 'intro', name: 'Intro', slug: 'intro' }]],
    [
      'an ID and the name of another',
      [
        { id: 'intro', name: 'Call' },
        { id: 'evt_2', name: 'Intro' },
      ],
    ],
    [
      'the name of two',
      [
        { id: 'evt_1', name: 'Intro' },
        { id: 'evt_2', name: 'intro' },
      ],
    ],
  ])('of an event type is shown as it came if it is %s', async (_, data) => {
    const body = errorOf('Refused', 'VALIDATION_ERROR', { details: [{ field: 'event_type_id', message: 'is turned off' }] });
    fault('POST /v1/bookings', { status: 400, body });
    fault('GET /v1/event-types', { status: 200, body: listOf(data) });
    const { message } = await refusal(run(createBooking, { fields: form({ event_type_id: 'intro' }) }));
    expect(message).toMatch(/is turned off\.$/);
  });

  it('of an event type that is named keeps its words, says the ID once it can be read, and costs a run one request', async () => {
    const body = errorOf('Refused', 'VALIDATION_ERROR', { details: [{ field: 'event_type_id', message: 'is turned off' }] });
    fault('POST /v1/bookings', { status: 400, body, times: 'always' });
    fault('GET /v1/event-types', { status: 403, body: errorOf('Not now', 'FORBIDDEN') });
    fault('GET /v1/event-types', { status: 200, body: listOf([{ id: 'evt_1', name: 'Intro' }]), times: 'always' });
    for (const [index, event_type_id] of ['intro', 'intro', 'Intro', 'other'].entries()) {
      const { message } = await refusal(run(createBooking, { fields: form({ event_type_id }) }));
      expect(message).toContain('is turned off');
      expect(message.includes('whose ID is "evt_1"')).toBe([1, 2].includes(index));
    }
    expect(requestsOf(service, 'GET', '/v1/event-types')).toHaveLength(2);
  });

  it.each([getEventType, getManyBookings])('of a name where $name takes the ID of an event type says the ID', async (operation) => {
    const { message } = await refusal(run(operation, { fields: { event_type_id: 'intro call' } }));
    expect(message).toBe(
      `The event type "intro call" was not found. "intro call" is the name of an event type, whose ID is "${typeNamed('Intro Call')?.id}".`,
    );
  });

  it('for which the platform has an error of its own passes that on', async () => {
    await expect(run(createBooking, { fields: asked() }, signalling())).rejects.toBe(signal);
  });
});

it('an earlier try that was left open is reported, also if its answers can no longer be checked', async () => {
  const { writes } = heldStep();
  const patience = { readBackMs: [1000, 32_000] };
  const again = () =>
    run(createBooking, { fields: asked({ question_responses: answers }) }, service.clientWith({ writes: writes(), patience }));
  fault('POST /v1/bookings', { kind: 'drop-after' });
  fault('GET /v1/bookings', { status: 503, times: 'always' });
  await refusal(again());
  service.sandbox.faults.clear();
  fault('GET /v1/event-types/:id', { status: 404, times: 'always' });
  expect(await again()).toMatchObject({ invitee_email: 'ada@example.org', status: 'CONFIRMED' });
  expect(books()).toBe(1);
});

describe('a cancellation', () => {
  let service: TestService;
  beforeEach(async () => void (service = await serve()));

  const confirmed = () => service.sandbox.bookings().flatMap(({ id, status }) => (status === 'CONFIRMED' ? [id] : []));
  const first = () => confirmed()[0] ?? '';
  const statusOf = (id: string) => service.sandbox.bookings().find((booking) => booking.id === id)?.status;
  const posts = () => service.sandbox.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/cancel'));
  const reads = () => requestsOf(service, 'GET').length;
  const fault = (given: Partial<Fault>) => service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'status', ...given });
  const unreadable = (given: Partial<Fault>) => service.sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', ...given });
  const cancel = (id: string, client = service.client) => cancelBooking.run(client, { booking_id: id }, {});

  /** A step on a host that ends it after half a minute and runs it again. */
  function step(id: string) {
    const { store, writes } = heldStep();
    return { store, run: (booking = id) => cancel(booking, service.clientWith({ patience: zapierStepPolicy, writes: writes() })) };
  }

  const done = { status: 'CANCELLED', already_cancelled: false };
  const already = { status: 409, body: errorOf('Booking is already cancelled', 'ALREADY_CANCELLED') };

  describe('an answer with a success status is believed at once', () => {
    it.each<[string, object, number]>([
      ['only the id', { booking_id: ':id' }, 0],
      ['a record of the cancellation', oneOf({ id: 'can_1', status: 'DONE' }), 1],
    ])('with %s, and the booking is told', async (_, body, looks) => {
      const id = first();
      fault({ status: 200, body: JSON.parse(JSON.stringify(body).replace(':id', id)), commits: true });
      expect(await cancel(id)).toMatchObject({ id, already_cancelled: false });
      expect([posts().length, reads()]).toEqual([1, looks]);
    });

    it.each([
      ['CONFIRMED', 'CANCELLED'],
      ['pending', 'CANCELLED'],
      ['CANCELLED_BY_HOST', 'CANCELLED_BY_HOST'],
    ])('with the booking as %s, it is told as %s: some services answer with what they had read before', async (status, told) => {
      const id = first();
      fault({ status: 200, body: oneOf({ id, status }), commits: true });
      expect(await cancel(id)).toMatchObject({ id, status: told });
    });

    it('without a record, also if the booking cannot be read: it is asked for once', async () => {
      const id = first();
      fault({ status: 204, commits: true });
      unreadable({ status: 404, times: 'always' });
      expect(await cancel(id)).toEqual({ id, ...done });
      expect([posts().length, reads()]).toEqual([1, 1]);
    });
  });

  describe('a refusal', () => {
    const words = { message: 'Booking is already cancelled' };

    it.each<[string, Partial<Fault>]>([
      ['of the service itself', { route: 'GET /never' }],
      ...[403, 409, 422, 404].map((status): [string, Partial<Fault>] => [`with ${status} and no code`, { status, body: words }]),
    ])('%s counts as done if the booking was cancelled before', async (_, given) => {
      const { id } = service.sandbox.host.cancel(first());
      fault({ ...given, times: 'always' });
      expect(await cancel(id)).toMatchObject({ id, status: 'CANCELLED', already_cancelled: true });
    });

    it.each([403, 409, 422, 404])('with %s and no code stays one if the booking is not cancelled', async (status) => {
      fault({ status, body: { message: 'The host has locked it' } });
      expect((await refusal(cancel(first()))).message).toContain('The host has locked it');
    });

    it('for another reason stays one, although the booking is cancelled', async () => {
      const { id } = service.sandbox.host.cancel(first());
      fault({ status: 403 });
      expect((await refusal(cancel(id))).kind).toBe('scope');
      expect(reads()).toBe(0);
    });

    it.each([already.body, words])('of the second try, with %j, refers to the first try, which was ours', async (body) => {
      const id = first();
      fault({ kind: 'drop-before' });
      fault({ ...already, body, commits: true });
      expect(await cancel(id)).toMatchObject({ id, ...done });
      expect(posts()).toHaveLength(2);
    });

    it('"already cancelled" is believed, also if the booking cannot be read', async () => {
      fault(already);
      unreadable({ status: 404 });
      const id = first();
      expect(await cancel(id)).toEqual({ id, status: 'CANCELLED', already_cancelled: true });
    });
  });

  it('waits for another one of the same booking: only the first says that it cancelled it', async () => {
    const id = first();
    fault({ kind: 'drop-before' });
    const both = await Promise.all([cancel(id), cancel(id)]);
    expect(both.map(({ already_cancelled: already }) => already)).toEqual([false, true]);
  });

  describe('a lost answer', () => {
    it('of a booking that does not show its status is asked for again', async () => {
      service = await serve({ forms: { records: 'sparse' } });
      const id = first();
      fault({ kind: 'drop-after' });
      expect(await cancel(id)).toMatchObject({ id, already_cancelled: false });
      expect(statusOf(id)).toBe('CANCELLED');
    });

    it.each([
      [404, 404, undefined],
      [410, 410, undefined],
      [404, 409, { error: 'Already closed' }],
      [404, 422, { error: 'Already closed' }],
    ])('of a booking that is gone with %i is done, whatever sending it again is refused with: %i %j', async (gone, status, body) => {
      const id = first();
      fault({ kind: 'drop-after' });
      fault({ status, body });
      unreadable({ status: gone, times: 'always' });
      expect(await cancel(id)).toEqual({ id, ...done });
    });

    it.each(['CANCELLED', 'removed', 'annulled', 'Withdrawn'])(
      'of a booking that is shown as %s is not asked for again',
      async (status) => {
        const id = first();
        fault({ kind: 'drop-after' });
        unreadable({ status: 200, body: oneOf({ id, status }) });
        expect(await cancel(id)).toMatchObject({ id, status, already_cancelled: false });
        expect(posts()).toHaveLength(1);
      },
    );

    it('on a host that runs the step again: the next run cancels what could not be cancelled before, and says that it was not', async () => {
      const id = first();
      const { run, store } = step(id);
      fault({ kind: 'drop-before', times: 3 });
      const error = await refusal(run());
      expect(error).toMatchObject({ kind: 'unknownOutcome', retryAfterSeconds: expect.any(Number) as number });
      expect(error.advice).toBe('Try again: if it has been done, nothing more happens.');
      expect(error.message).toContain(`The booking "${id}", whose cancellation was sent at`);
      expect(error.message).toMatch(/may or may not be cancelled\.$/);
      expect(posts()).toHaveLength(3);
      const other = service.sandbox.host.cancel(confirmed()[1] ?? '');
      expect(await run(other.id)).toMatchObject({ id: other.id, already_cancelled: true });
      // What the service carried out late was this caller's.
      fault({ ...already, commits: true });
      expect(await run()).toMatchObject({ id, ...done });
      expect(store.size).toBe(0);
    });
  });
});
