import { createBooking, createSubscription, deleteSubscription } from '../../shared/operations/index.ts';
import { judgeSuccess, refusesRead } from '../../shared/reading/index.ts';
import { adasForm, refusal, requestsOf, serve, type TestService } from '../support/service.ts';

const creation = { kind: 'booking', isCreation: true } as const;
const booking = { id: 'bk_1', start_time: '2030-03-06T15:00:00Z', invitee_email: 'ada@example.org', status: 'CONFIRMED' };
const eventType = { id: 'evt_1', name: 'Intro', duration_minutes: 30, location: 'Phone', status: 'active' };
const contact = { id: 'con_1', name: 'Ada', email: 'ada@example.org', notes: 'Likes engines' };

// G12

/** What says no: `success: false`, or something under `error`. With the words that people should read. */
const noes: [status: number, body: unknown, words?: string][] = [
  [200, { success: false, error: 'Taken' }, 'Taken'],
  [200, { Success: 'False', Message: 'Taken' }, 'Taken'],
  [200, { error: 'Taken' }, 'Taken'],
  [200, { errors: [{ message: 'Taken' }] }, 'Taken'],
  [200, { validation_errors: { start_time: ['Taken'] } }, 'Taken'],
  [201, { booking: null, contact: { id: 'con_1' }, error: 'Taken' }, 'Taken'],
  [200, { data: { id: 'bk_1' }, error: 'Taken' }, 'Taken'],
  [200, { data: { error: 'Taken' } }, 'Taken'],
  [200, { success: true, error: 'Taken' }, 'Taken'],
  [200, false],
  [200, { data: { visitCreate: { visit: null, userErrors: [{ message: 'Already booked' }] } } }],
];

/** What shows the record, has `success: true`, or is empty. */
const yeses: [status: number, body: unknown][] = [
  [201, booking],
  [201, { data: booking }],
  [201, { data: { booking } }],
  [200, { success: true, data: booking, errors: [], error: null }],
  [200, [booking]],
  [200, JSON.stringify({ booking })],
  [201, { booking_id: 'bk_1' }],
  [201, { id: 'bk_1', status: 'CONFIRMED' }],
  [201, { data: { id: 'bk_1' } }],
  [200, { success: 'True' }],
  [202, { success: true }],
  [200, { code: 0, data: null, message: '' }],
  ...['', ' ', null, {}, [], true, 'Created', { data: {} }, { errors: [] }, { status: 200 }].map((body): [number, unknown] => [200, body]),
];

/** Anything else, which is looked for. With the words that people should read. */
const unclear: [status: number, body: unknown, words?: string][] = [
  [202, { id: 'job_17', status: 'queued' }],
  [202, { ...booking, status: 'processing' }],
  [202, { id: 'bk_1' }],
  [200, { id: 'req_1', message: 'Slot taken' }, 'Slot taken'],
  [200, { status: 'rejected', message: 'Slot taken' }, 'Slot taken'],
  [200, { data: { ...booking, status: 'failed' } }],
  [201, { data: { type: 'contact', id: '7', attributes: { name: 'Ada' } } }],
  [200, { data: { id: null } }],
  [200, { booking: null }],
  [200, { event_type: eventType }],
  [200, { data: contact }],
  [200, [booking, booking]],
  [200, 'The slot is not available', 'The slot is not available'],
  [207, { responses: [{ status: 409, message: 'Taken' }] }],
];

describe('the body of a 2xx to a new booking', () => {
  it.each(yeses)('%i %j is done', (status, body) => {
    expect(judgeSuccess(status, body, creation)).toBe('done');
  });
  it.each(noes)('%i %j says no', (status, body) => {
    expect(judgeSuccess(status, body, creation)).toBe('refused');
  });
  it.each(unclear)('%i %j proves nothing', (status, body) => {
    expect(judgeSuccess(status, body, creation)).toBe('unclear');
  });
});

it.each<[unknown, 'done' | 'refused' | 'unclear']>([
  ['', 'done'],
  [{ success: true }, 'done'],
  [{ ...booking, status: 'CANCELLED' }, 'done'],
  [{ data: { id: 'can_1', status: 'DONE' } }, 'unclear'],
  [{ message: 'Too late' }, 'unclear'],
  [{ success: false }, 'refused'],
])('the body %j of a 2xx to a cancellation is %s', (body, verdict) => {
  expect(judgeSuccess(200, body, { kind: 'booking', isCreation: false })).toBe(verdict);
});

it('a subscription was made if its secret is there', () => {
  expect(judgeSuccess(201, { signing_secret: 'whsec_1' }, { kind: 'subscription', isCreation: true })).toBe('done');
});

it.each([
  [{ success: false, data: [] }, true],
  [{ success: false, error: 'Search is away', data: [{ id: 'bk_1' }] }, true],
  [{ success: false, message: 'No bookings found', data: [] }, false],
  [{ error: 'No contacts match', data: { contacts: [] } }, false],
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
  const create = () => createBooking.run(service.client, adasForm(service), {});
  const answer = (route: string, status: number, given: unknown) => {
    const body = typeof given === 'object' ? given : JSON.stringify(given);
    service.sandbox.faults.add({ route, kind: 'status', status, body });
  };
  const sent = (method: string) => requestsOf(service, method, '/v1');

  it.each(noes.slice(0, 3))(
    'a booking that was answered by %i %j is told as refused, in the words of the service, after a short look',
    async (status, body, words = '') => {
      answer('POST /v1/bookings', status, body);
      const from = service.sandbox.clock.now();
      expect((await refusal(create())).message).toContain(words);
      expect(service.sandbox.clock.now() - from).toBeLessThanOrEqual(1_000);
      expect(sent('POST')).toHaveLength(1);
    },
  );

  it.each(unclear.slice(0, 4))(
    'a booking that was answered by %i %j is looked for, and told with its words',
    async (status, body, words = '') => {
      answer('POST /v1/bookings', status, body);
      const error = await refusal(create());
      expect(error.kind).toBe('unknownOutcome');
      expect(error.message).toContain(`responded (status ${status}), but did not say whether it was done`);
      expect(error.message).toContain(words);
      expect(sent('POST')).toHaveLength(1);
    },
  );

  it('an empty success is no booking if a page answers when it is looked for', async () => {
    answer('POST /v1/bookings', 200, '');
    const page = { body: '<!doctype html>', headers: { 'content-type': 'text/html' } };
    service.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 200, times: 'always', ...page });
    const error = await refusal(create());
    expect([error.kind, error.message]).toEqual([
      'unknownOutcome',
      expect.stringContaining('The response did not contain the record. The booking for'),
    ]);
  });

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
