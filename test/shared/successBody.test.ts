import { cancelBooking, createBooking, createSubscription, deleteSubscription } from '../../shared/operations/index.ts';
import { judgeSuccess, refusesRead } from '../../shared/reading/index.ts';
import { parseInput } from '../../shared/operations/parseInput.ts';
import { refusal, serve, type TestService } from '../support/service.ts';

const creation = { kind: 'booking', isCreation: true } as const;
const booking = { id: 'bk_1', start_time: '2030-03-06T15:00:00Z', invitee_email: 'ada@example.org', status: 'CONFIRMED' };
const eventType = { id: 'evt_1', name: 'Intro', duration_minutes: 30, location: 'Phone', status: 'active' };
const contact = { id: 'con_1', name: 'Ada', email: 'ada@example.org', notes: 'Likes engines' };

// G12

/** What says no, or names an error: with the words that people should read. */
const noes: [status: number, body: unknown, words?: string][] = [
  [200, { success: false, error: 'Taken' }, 'Taken'],
  [200, { ok: 'false', msg: 'Taken' }, 'Taken'],
  [200, { isSuccess: 0, message: 'Taken' }, 'Taken'],
  [200, { result: 'error', message: 'Taken' }, 'Taken'],
  [200, { status: 400, message: 'Taken' }, 'Taken'],
  [200, { status: false, message: 'Taken' }, 'Taken'],
  [200, { error: 'Taken' }, 'Taken'],
  [200, { errors: [{ message: 'Taken' }] }, 'Taken'],
  [200, { code: 'SLOT_UNAVAILABLE' }],
  [200, { event_type: { id: 'evt_1' }, error: 'Taken' }, 'Taken'],
  [201, { booking: null, contact: { id: 'con_1' }, error: 'Taken' }, 'Taken'],
  [200, { Success: false, Message: 'Taken' }, 'Taken'],
  [200, { data: { success: false } }],
  [200, { result: { status: 'error' } }],
  [200, { result: { status: 'error', message: 'Taken' } }, 'Taken'],
  [200, { statusCode: 409 }],
  [200, { status: 'rejected' }],
  [200, { esito: 'x', result: 'KO' }],
  [200, { booked: false }],
  [200, { validation_errors: { start_time: ['Taken'] } }, 'Taken'],
  [200, { data: null, message: 'Slot taken' }, 'Slot taken'],
  [207, { responses: [{ status: 409, message: 'Taken' }] }, 'Taken'],
  [207, { responses: [{ status: 409, body: { error: 'Taken' } }] }],
  [207, [{ status: '409', message: 'Taken' }], 'Taken'],
  [207, { bookings: [{ status: 409 }, { status: 409 }] }],
  // Their relatives.
  [200, { Status: 'ERROR', Error: 'Taken' }, 'Taken'],
  [200, { data: { error: 'Taken' } }, 'Taken'],
  [200, { data: { result: { status: 'failed' } } }],
  [200, { status: { code: 409, message: 'Taken' } }, 'Taken'],
  [200, { status: '409' }],
  [200, { http_status: 422 }],
  [200, { statusCode: 200, body: '{"error":"Taken"}' }],
  [200, { hasErrors: true }],
  [200, { error: true, message: 'Taken' }, 'Taken'],
  [200, { errorMessage: 'Taken' }, 'Taken'],
  [200, { conflicts: [{ start: '2030' }] }],
  [200, { created: 0, failed: 1 }],
  [200, { is_booked: false }],
  [200, { booking: { error: 'Taken' } }],
  [200, { data: { id: 'bk_1', status: 'rejected' } }],
  [200, { data: { id: 'bk_1' }, error: 'Taken' }, 'Taken'],
  [200, { data: contact, error: 'Taken' }, 'Taken'],
  [200, { success: true, error: 'Taken' }, 'Taken'],
  [200, { message: 'This slot is already booked' }, 'This slot is already booked'],
  [200, 'The slot is not available', 'The slot is not available'],
  [200, false],
  [200, 'false'],
  [200, 0],
  [200, { kind: 'Error', id: 'err_1' }],
  [200, { type: 'error', message: 'Taken' }, 'Taken'],
];

/** What proves nothing. */
const unclear: [status: number, body: unknown, words?: string][] = [
  [202, { id: 'job_17', status: 'queued' }, 'queued'],
  [202, { id: 'job_17' }],
  [202, { data: { id: 'job_17' } }],
  [202, { id: 'bk_1', status: 'PENDING' }, 'PENDING'],
  [202, { status: 'accepted' }, 'accepted'],
  [202, { ...booking, status: 'processing' }, 'processing'],
  [200, { id: 'job_17', status: 'queued' }, 'queued'],
  [200, { id: '17', type: 'booking.job', created_at: '2030' }],
  [200, { data: { id: '17', object: 'task', status: 'in_progress' } }],
  [200, { job_id: '17' }],
  [200, { status: 'queued' }, 'queued'],
  [200, { event_type: eventType }],
  [200, { event_type: { ...booking } }],
  [200, { contact }],
  [201, { data: contact }],
  [201, contact],
  [201, { data: eventType }],
  [201, { data: { type: 'contacts', id: '7', attributes: { name: 'Ada' } } }],
  [200, { previous: booking }],
  [200, { id: 'req_1', message: 'Le créneau est pris' }, 'Le créneau est pris'],
  [200, { message: 'Le créneau est pris' }, 'Le créneau est pris'],
  [200, 'Le créneau est pris', 'Le créneau est pris'],
  [200, { data: null, message: 'Waiting list' }, 'Waiting list'],
  [200, { booking: null }],
  [200, { booking_id: null }],
  [200, { data: { id: null } }],
  [200, { bookings: [] }],
  [200, { data: [booking, { ...booking, id: 'bk_2' }] }],
  [200, { cancelled: true }],
  [200, { email: { status: 'success' }, message: 'Le créneau est pris' }, 'Le créneau est pris'],
];

/** What services answer on an ordinary day. */
const done: [status: number, body: unknown][] = [
  [201, { data: booking }],
  [201, booking],
  [202, { data: booking }],
  [201, { booking: { id: 'bk_1' } }],
  [201, { data: { booking } }],
  [201, [booking]],
  [201, { data: [booking] }],
  [201, { result: { booking } }],
  [207, { results: [{ status: 201, data: booking }] }],
  [200, { data: { id: 'bk_1' } }],
  [201, { id: 'bk_1' }],
  [201, { id: 17 }],
  [201, { id: 'bk_1', status: 'PENDING' }],
  [201, { booking_id: 'bk_1' }],
  // The document shows no field of a booking: a record of unknown fields is one.
  [201, { id: 'bk_1', slot: '2030-03-06', guest: 'Ada', title: 'Intro' }],
  [201, { id: 7, firstName: 'Ada', lastName: 'Lovelace', email: 'a@example.org', datetime: '2030', type: 'Intro', price: '0' }],
  [201, { data: { type: 'bookings', id: '7', attributes: { start_time: '2030' } } }],
  [201, { data: { ...booking, status: 'no_show', error_margin: 5, issue: 7 } }],
  [201, { data: booking, message: 'No confirmation was sent' }],
  [201, { data: booking, errors: [] }],
  [201, { data: booking, warnings: ['The confirmation could not be sent'] }],
  ...[null, '', false, {}, [], 0].map((error): [number, unknown] => [201, { data: booking, error }]),
  [201, { data: booking, contact, event_type: eventType, code: 0 }],
  [201, { data: booking, calendar: { status: 'error' } }],
  [200, { success: true }],
  [200, { Success: 'True' }],
  [200, { data: { success: true } }],
  [200, { status: 'OK' }],
  [200, { status: 'success', data: null }],
  [200, { code: 0, message: 'success', data: null }],
  [200, { statusCode: 201 }],
  [200, { code: 48213, message: 'Booked' }],
  [200, { code: 'BOOKING_CREATED' }],
  [200, { message: 'Your booking has been confirmed.' }],
  [200, { isBooked: true }],
  [200, { created: 1, failed: 0 }],
  [200, { booking: 'confirmed', status: 'confirmed' }],
  [201, 'Created'],
  [200, 'OK'],
  [202, 'Accepted'],
  [200, true],
  [200, 'true'],
  [200, 1],
  [200, { data: null, error: null }],
  ...[undefined, null, '', ' ', {}, [], { data: null }, { data: {} }, { errors: [] }].map((body): [number, unknown] => [200, body]),
  [202, undefined],
  [201, JSON.stringify({ id: 'packed' })],
];

describe('the body of a 2xx to a new booking', () => {
  it.each(noes)('%i %j says no', (status, body) => {
    expect(judgeSuccess(status, body, creation)).toBe('refused');
  });

  it.each(unclear)('%i %j proves nothing', (status, body) => {
    expect(judgeSuccess(status, body, creation)).toBe('unclear');
  });

  it.each(done)('%i %j is done', (status, body) => {
    expect(judgeSuccess(status, body, creation)).toBe('done');
  });
});

describe('the body of a 2xx to a cancellation', () => {
  const cancellation = { kind: 'booking', isCreation: false } as const;

  it.each([
    { data: { ...booking, status: 'CANCELLED' } },
    { data: { ...booking, status: 'rejected' } },
    { data: { id: 'can_1', status: 'DONE' } },
    { cancelled: true },
    { message: 'Booking cancelled' },
    { status: 'canceled' },
    'Cancelled',
  ])('%j is done', (body) => {
    expect(judgeSuccess(200, body, cancellation)).toBe('done');
  });

  it.each([
    { cancelled: false },
    { id: 'bk_1', cancelled: false },
    { status: 'not_cancelled' },
    { message: 'Too late: it cannot be cancelled' },
  ])('%j says no', (body) => {
    expect(judgeSuccess(200, body, cancellation)).toBe('refused');
  });

  it.each([{ booked: true }, { status: 'created' }, { contact }, { message: 'Trop tard' }])('%j proves nothing', (body) => {
    expect(judgeSuccess(200, body, cancellation)).toBe('unclear');
  });
});

it.each([
  [{ success: false, data: [] }, true],
  [{ success: false, error: 'Search is away', data: [{ id: 'bk_1' }] }, true],
  [{ success: false, message: 'No bookings found', data: [] }, false],
  [{ error: 'No contacts match', data: { contacts: [] } }, false],
  [{ status: 404, message: 'Not Found', data: [] }, false],
  [{ data: { bookings: [] }, errors: [{ message: 'Timeout' }] }, true],
  [{ Success: false, Message: 'Trial over' }, true],
  [{ error: 'Trial over' }, true],
  [{ errors: [{ message: 'Trial over' }] }, true],
  [{ data: [], error: 'The index is away' }, true],
  [{ data: [{ id: 'bk_1' }], error: 'One is hidden' }, false],
  [{ id: 'bk_1', error: 'Old' }, false],
  [{ id: 'bk_1', status: 'failed' }, false],
  [{ data: { id: 'bk_1' }, error: 'Old' }, false],
  [{ data: { id: 'bk_1' }, success: false }, true],
  ['text', false],
])('the body %j of a 2xx says that nothing was read: %p', (body, isRefused) => {
  expect(refusesRead(body)).toBe(isRefused);
});

describe('over HTTP', () => {
  let service: TestService;
  beforeEach(async () => void (service = await serve()));
  const form = () => ({
    event_type_id: service.sandbox.eventTypes()[0]?.id,
    start_time: '2030-03-06T15:00:00Z',
    invitee_name: 'Ada Lovelace',
    invitee_email: 'ada@example.org',
  });
  const create = () => createBooking.run(service.client, parseInput(createBooking, form()), {});
  const answer = (route: string, status: number, body: unknown, commits = false) =>
    service.sandbox.faults.add({
      route,
      kind: 'status',
      status,
      body: typeof body === 'object' ? body : JSON.stringify(body),
      commits,
    } as never);
  const sent = (method: string) => service.sandbox.requests().filter((each) => each.method === method && !each.path.includes('/oauth'));
  const elapsed = async (work: () => Promise<unknown>) => {
    const from = service.sandbox.clock.now();
    await work();
    return service.sandbox.clock.now() - from;
  };

  it.each(noes)(
    'a booking that was answered by %i %j is told as refused, in the words of the service, after a short look',
    async (status, body, words = '') => {
      answer('POST /v1/bookings', status, body);
      let error: Awaited<ReturnType<typeof refusal>> | undefined;
      expect(await elapsed(async () => (error = await refusal(create())))).toBeLessThanOrEqual(1_000);
      expect(error).toMatchObject({ message: expect.stringContaining(words) as string });
      expect(sent('POST')).toHaveLength(1);
    },
  );

  it.each(unclear)('a booking that was answered by %i %j is looked for, and told with its words', async (status, body, words = '') => {
    answer('POST /v1/bookings', status, body);
    const error = await refusal(create());
    expect(error.kind).toBe('unknownOutcome');
    expect(error.message).toContain(`answered (status ${status}), but not whether it was done`);
    expect(error.message).toContain(words);
    expect(sent('POST')).toHaveLength(1);
  });

  it('an empty success is no booking if a page answers when it is looked for', async () => {
    answer('POST /v1/bookings', 200, '');
    const page = { body: '<!doctype html>', headers: { 'content-type': 'text/html' } };
    service.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 200, times: 'always', ...page });
    const error = await refusal(create());
    expect([error.kind, error.message]).toEqual([
      'unknownOutcome',
      expect.stringContaining('The answer did not show the record. The booking for'),
    ]);
  });

  it.each([...noes, ...unclear])('a booking that was made although the answer was %i %j is found at once', async (status, body) => {
    answer('POST /v1/bookings', status, body, true);
    let made: unknown;
    expect(await elapsed(async () => (made = await create()))).toBe(0);
    expect(made).toMatchObject({ id: service.sandbox.bookings().find(({ invitee_email: email }) => email === 'ada@example.org')?.id });
  });

  it.each([{ error: 'Locked' }, { cancelled: false }, { contact }, { id: 'job_17', status: 'queued' }])(
    'a cancellation that was answered by %j is told as done only if the booking is cancelled',
    async (body) => {
      const [first, second] = service.sandbox.bookings().filter(({ status }) => status === 'CONFIRMED');
      answer('POST /v1/bookings/:id/cancel', 200, body, true);
      expect(await cancelBooking.run(service.client, { booking_id: first?.id ?? '' }, {})).toMatchObject({ status: 'CANCELLED' });
      service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'status', status: 200, body, times: 'always' });
      const error = await refusal(cancelBooking.run(service.client, { booking_id: second?.id ?? '' }, {}));
      expect(error.message).toContain('may or may not be cancelled');
    },
  );

  it.each([{ error: 'Locked' }, { message: 'Trop tard' }, { contact }])(
    'a deletion that was answered by %j is sent again, and is done when the subscription is gone',
    async (body) => {
      const url = 'http://127.0.0.1:9/hooks';
      const { id } = await createSubscription.run(service.client, { url, events: ['BOOKING_CREATED'] }, {});
      answer('DELETE /v1/hooks/:id', 200, body);
      await deleteSubscription.run(service.client, { subscription_id: String(id) }, {});
      expect(service.sandbox.subscriptions()).toEqual([]);
      expect(sent('DELETE')).toHaveLength(2);
    },
  );
});
