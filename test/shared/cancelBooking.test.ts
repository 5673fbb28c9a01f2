import { zapierStepPolicy } from '../../shared/client/retry.ts';
import { cancelBooking } from '../../shared/operations/index.ts';
import type { Fault } from '../../sandbox/service.ts';
import { heldStep } from '../support/heldStep.ts';
import { refusal, serve, type TestService } from '../support/service.ts';

let service: TestService;
beforeEach(async () => void (service = await serve()));

const confirmed = () => service.sandbox.bookings().flatMap(({ id, status }) => (status === 'CONFIRMED' ? [id] : []));
const first = () => confirmed()[0] ?? '';
const statusOf = (id: string) => service.sandbox.bookings().find((booking) => booking.id === id)?.status;
const posts = () => service.sandbox.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/cancel'));
const reads = () => service.sandbox.requests().filter(({ method }) => method === 'GET').length;
const fault = (given: Partial<Fault>) => service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'status', ...given });
const unreadable = (given: Partial<Fault>) => service.sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', ...given });
const cancel = (id: string, client = service.client) => cancelBooking.run(client, { booking_id: id }, {});

/** A step on a host that ends it after half a minute and runs it again. */
function step(id: string) {
  const { store, writes } = heldStep();
  return { store, run: () => cancel(id, service.clientWith({ patience: zapierStepPolicy, writes: writes() })) };
}

const done = { status: 'CANCELLED', already_cancelled: false };

describe('an answer with a success status is believed at once', () => {
  it.each<[string, object, number]>([
    ['the booking without its status', { data: { id: ':id' } }, 0],
    ['only the id', { booking_id: ':id' }, 0],
    ['a record of the cancellation', { data: { id: 'can_1', status: 'DONE' } }, 1],
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
    fault({ status: 200, body: { data: { id, status } }, commits: true });
    expect(await cancel(id)).toMatchObject({ id, status: told });
  });

  it.each([
    [404, 1],
    [503, 3],
  ])('without a record, also if the booking cannot be read (%i): it is asked for once', async (status, tries) => {
    const id = first();
    fault({ status: 204, commits: true });
    unreadable({ status, times: 'always' });
    expect(await cancel(id)).toEqual({ id, ...done });
    expect([posts().length, reads()]).toEqual([1, tries]);
  });
});

describe('a refusal', () => {
  const already = { status: 409, body: { error: 'Booking is already cancelled', code: 'ALREADY_CANCELLED' } };
  const words = { message: 'Booking is already cancelled' };

  it.each<[string, Partial<Fault>]>([
    ['of the service itself', { route: 'GET /never' }],
    ...[403, 409, 422, 404].map((status): [string, Partial<Fault>] => [`with ${status} and no code`, { status, body: words }]),
  ])('%s counts as done if the booking was cancelled before', async (_, given) => {
    const { id } = service.sandbox.host.cancel(first());
    fault({ ...given, times: 'always' });
    expect(await cancel(id)).toMatchObject({ id, status: 'CANCELLED', already_cancelled: true });
  });

  it('for another reason stays one, although the booking is cancelled', async () => {
    const { id } = service.sandbox.host.cancel(first());
    fault({ status: 403 });
    expect((await refusal(cancel(id))).kind).toBe('scope');
    expect(reads()).toBe(0);
  });

  it('of the second try, "already cancelled", refers to the first try, which was ours', async () => {
    const id = first();
    fault({ kind: 'drop-before' });
    fault({ ...already, commits: true, after: 1 });
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

describe('a lost answer', () => {
  it('of a booking that does not show its status is asked for again', async () => {
    service = await serve({ forms: { records: 'sparse' } });
    const id = first();
    fault({ kind: 'drop-after' });
    expect(await cancel(id)).toMatchObject({ id, already_cancelled: false });
    expect(statusOf(id)).toBe('CANCELLED');
  });

  it('on a host that runs the step again: the next run cancels what could not be cancelled before, and says that it was not', async () => {
    const id = first();
    const { run, store } = step(id);
    fault({ kind: 'drop-before', times: 3 });
    const error = await refusal(run());
    expect(error).toMatchObject({ kind: 'unknownOutcome', retryAfterSeconds: expect.any(Number) as number });
    expect(error.advice).toBe('Try again: if it has been done, nothing more happens.');
    expect(error.message).toContain(`The booking "${id}", whose cancellation was sent at`);
    expect(posts()).toHaveLength(3);
    expect(await run()).toMatchObject({ id, ...done });
    expect(store.size).toBe(0);
  });
});
