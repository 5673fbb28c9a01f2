import { zapierStepPolicy } from '../../shared/client/retry.ts';
import { cancelBooking } from '../../shared/operations/index.ts';
import { heldStep } from '../support/heldStep.ts';
import { refusal } from '../support/refusal.ts';
import { serve, type TestService } from '../support/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await serve();
});
afterEach(() => service.sandbox.stop());

const confirmed = () => service.sandbox.bookings().find(({ status }) => status === 'CONFIRMED')?.id ?? '';
const statusOf = (id: string) => service.sandbox.bookings().find((booking) => booking.id === id)?.status;
const posts = () => service.sandbox.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/cancel'));

/** A step on a host that ends it after half a minute and runs it again. */
function step(id: string) {
  const { store, writes } = heldStep();
  return {
    store,
    run: () =>
      cancelBooking.run(service.clientWith({ patience: zapierStepPolicy, writes: writes() }), { booking_id: id, reason: undefined }, {}),
  };
}

it('a host that runs the step again: the next run cancels what could not be cancelled before, and says that it was not', async () => {
  const id = confirmed();
  const { run, store } = step(id);
  service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'drop-before', times: 3 });
  const error = await refusal(run());
  expect(error).toMatchObject({ kind: 'unknownOutcome', retryAfterSeconds: expect.any(Number) as number });
  expect(error.advice).toBe('Try again: if it has been done, nothing more happens.');
  expect(error.message).toContain(`The booking "${id}", whose cancellation was sent at`);
  expect(posts()).toHaveLength(3);
  expect(await run()).toMatchObject({ id, status: 'CANCELLED', already_cancelled: false });
  expect(store.size).toBe(0);
});

it('a host that runs the step again: what was cancelled late counts as cancelled by this step', async () => {
  const id = confirmed();
  const { run } = step(id);
  service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'late-commit', delayMs: 29_000, times: 3 });
  await refusal(run());
  await service.sandbox.clock.advance(32_000);
  expect(statusOf(id)).toBe('CANCELLED');
  expect(await run()).toMatchObject({ id, already_cancelled: false });
});

describe('what the service answers to a cancellation', () => {
  const route = 'POST /v1/bookings/:id/cancel';
  const cancel = (id: string, client = service.client) => cancelBooking.run(client, { booking_id: id, reason: undefined }, {});
  const reads = () => service.sandbox.requests().filter(({ method }) => method === 'GET').length;
  const already = { status: 409, body: { error: 'Booking is already cancelled', code: 'ALREADY_CANCELLED' } };

  it('is final if it is the cancelled booking: nothing is looked for', async () => {
    const id = confirmed();
    expect(await cancel(id)).toMatchObject({ id, status: 'CANCELLED', already_cancelled: false });
    expect([posts().length, reads()]).toEqual([1, 0]);
  });

  it.each([
    ['the booking without its status', {}, 0],
    ['the booking as it was before', { status: 'CONFIRMED' }, 0],
    ['a record of the cancellation', { id: 'can_1', status: 'DONE' }, 1],
  ])('is believed if it is %s, and the booking is told', async (_, change, looks) => {
    const id = confirmed();
    service.sandbox.faults.add({ route, kind: 'status', status: 200, body: { data: { id, ...change } }, commits: true });
    expect(await cancel(id)).toMatchObject({ id, already_cancelled: false });
    expect([posts().length, reads()]).toEqual([1, looks]);
  });

  it('that shows only the id is told as cancelled', async () => {
    const id = confirmed();
    service.sandbox.faults.add({ route, kind: 'status', status: 200, body: { booking_id: id }, commits: true });
    expect(await cancel(id)).toMatchObject({ id, status: 'CANCELLED', already_cancelled: false });
    expect(reads()).toBe(0);
  });

  it.each([
    [401, 1],
    [404, 1],
    [503, 3],
  ])('is believed without a record, also if the booking cannot be read (%i): it is asked for once', async (status, tries) => {
    const id = confirmed();
    service.sandbox.faults.add({ route, kind: 'status', status: 204, commits: true });
    service.sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', status, times: 'always' });
    expect(await cancel(id)).toEqual({ id, status: 'CANCELLED', already_cancelled: false });
    expect(posts()).toHaveLength(1);
    expect(reads()).toBe(tries);
  });

  it('counts as done if it was cancelled before', async () => {
    const { id } = service.sandbox.host.cancel(confirmed());
    expect(await cancel(id)).toMatchObject({ id, status: 'CANCELLED', already_cancelled: true });
  });

  it('is a refusal if it gives another reason, although the booking is cancelled', async () => {
    const { id } = service.sandbox.host.cancel(confirmed());
    service.sandbox.faults.add({ route, kind: 'status', status: 403 });
    expect((await refusal(cancel(id))).kind).toBe('scope');
    expect(reads()).toBe(0);
  });

  it('"already cancelled" as the answer to the second try refers to the first try, which was ours', async () => {
    const id = confirmed();
    service.sandbox.faults.add({ route, kind: 'drop-before' });
    service.sandbox.faults.add({ route, kind: 'status', ...already, commits: true, after: 1 });
    expect(await cancel(id)).toMatchObject({ id, status: 'CANCELLED', already_cancelled: false });
    expect(posts()).toHaveLength(2);
  });

  it('"already cancelled" is believed, also if the booking cannot be read', async () => {
    const id = confirmed();
    service.sandbox.faults.add({ route, kind: 'status', ...already });
    service.sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', status: 404 });
    expect(await cancel(id)).toEqual({ id, status: 'CANCELLED', already_cancelled: true });
  });

  it("passes on the platform's own error while the booking is read", async () => {
    const { id } = service.sandbox.host.cancel(confirmed());
    const signal = new Error('refresh the token');
    const client = service.clientWith({
      transport: (inner) => (request) => (request.method === 'GET' ? Promise.reject(signal) : inner(request)),
    });
    await expect(cancel(id, client)).rejects.toBe(signal);
  });

  it('an error with words is told after one more try, in its words', async () => {
    const body = { error: 'The calendar is locked until noon' };
    service.sandbox.faults.add({ route, kind: 'status', status: 500, body, times: 'always' });
    const from = service.sandbox.clock.now();
    expect((await refusal(cancel(confirmed()))).message).toContain(body.error);
    expect(posts()).toHaveLength(2);
    expect(service.sandbox.clock.now() - from).toBeLessThanOrEqual(1_000);
  });

  it('if it is lost, of a booking that does not show its status, is asked for again', async () => {
    await service.sandbox.stop();
    service = await serve({ forms: { records: 'sparse' } });
    const id = confirmed();
    service.sandbox.faults.add({ route, kind: 'drop-after' });
    expect(await cancel(id)).toMatchObject({ id, already_cancelled: false });
    expect(statusOf(id)).toBe('CANCELLED');
  });

  it('for one booking does not affect another one that is cancelled later', async () => {
    const [first = '', second = ''] = service.sandbox
      .bookings()
      .filter(({ status }) => status === 'CONFIRMED')
      .map(({ id }) => id);
    const { writes } = heldStep();
    const step = (id: string) => cancel(id, service.clientWith({ patience: { readBackMs: [1000] }, writes: writes() }));
    service.sandbox.faults.add({ route, kind: 'drop-before', times: 3 });
    await refusal(step(first));
    service.sandbox.forgetRequests();
    expect(await step(second)).toMatchObject({ id: second, status: 'CANCELLED' });
    expect([posts().length, reads()]).toEqual([1, 0]);
  });
});

it('a cancellation that is refused after its answer was lost, and cannot be looked at, is not told as refused', async () => {
  const id = confirmed();
  // Each answer is broken, also the refusal of what is cancelled by then.
  for (const route of ['POST /v1/bookings/:id/cancel', 'GET /v1/bookings/:id'])
    service.sandbox.faults.add({ route, kind: 'not-json', times: 'always' });
  const { run } = step(id);
  const told = [await refusal(run()), await refusal(run())];
  expect(statusOf(id)).toBe('CANCELLED');
  for (const { message } of told) expect(message).toContain('may or may not be cancelled');
});
