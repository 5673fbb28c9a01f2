import { hurried } from '../../shared/api/retry.ts';
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
    run: () => cancelBooking.run(service.clientWith({ patience: hurried, writes: writes() }), { booking_id: id, reason: undefined }, {}),
  };
}

it('a host that runs the step again: the next run cancels what could not be cancelled before, and says that it was not', async () => {
  const id = confirmed();
  const { run, store } = step(id);
  service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'drop-before', times: 3 });
  const error = await refusal(run());
  expect(error).toMatchObject({
    kind: 'unknownOutcome',
    advice: 'The next run of this step looks for it first, and sends it again only if it is not there.',
    retryAfterSeconds: 20,
  });
  expect(error.message).toContain(id);
  expect(await run()).toMatchObject({ id, status: 'CANCELLED', already_cancelled: false });
  expect(store.size).toBe(0);
});

it('a host that runs the step again: the next run finds what was cancelled late', async () => {
  const id = confirmed();
  const { run } = step(id);
  service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'late-commit', delayMs: 29_000, times: 3 });
  await refusal(run());
  await service.sandbox.clock.advance(32_000);
  expect(statusOf(id)).toBe('CANCELLED');
  expect(await run()).toMatchObject({ id, already_cancelled: false });
});

it('what an earlier run left open is not reported as failed by a run that cannot reach the service', async () => {
  const id = confirmed();
  const { run } = step(id);
  service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'drop-before', times: 3 });
  await refusal(run());
  service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'status', status: 403 });
  expect((await refusal(run())).kind).toBe('unknownOutcome');
});

it('a step is held three times at most; a later replay cancels anyway', async () => {
  const id = confirmed();
  const { run } = step(id);
  service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'drop-before', times: 'always' });
  const delays = [];
  for (let holds = 0; holds < 4; holds += 1) delays.push((await refusal(run())).retryAfterSeconds);
  expect(delays).toEqual([20, 60, 120, undefined]);
  expect(statusOf(id)).toBe('CONFIRMED');
  service.sandbox.faults.clear();
  expect(await run()).toMatchObject({ id, status: 'CANCELLED' });
});

it('if nothing is kept, the person is told to look before trying again', async () => {
  service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'drop-before', times: 3 });
  const error = await refusal(
    cancelBooking.run(service.clientWith({ patience: hurried }), { booking_id: confirmed(), reason: undefined }, {}),
  );
  expect(error.retryAfterSeconds).toBeUndefined();
  expect(error.advice).toBe('Check the booking in the service before you try again.');
  expect(posts()).toHaveLength(3);
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

  it('may leave out the status, but may not be another booking, nor one that is not cancelled', async () => {
    for (const [change, looks] of [
      [{}, 0],
      [{ id: 'bkg_other' }, 1],
      [{ status: 'CONFIRMED' }, 1],
    ] as const) {
      const id = confirmed();
      service.sandbox.forgetRequests();
      service.sandbox.faults.add({ route, kind: 'status', status: 200, body: { data: { id, ...change } }, commits: true });
      expect(await cancel(id)).toMatchObject({ id, already_cancelled: false });
      expect([posts().length, reads()]).toEqual([1, looks]);
    }
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

  it('"already cancelled" is a refusal if the booking cannot be read, or is not cancelled', async () => {
    const id = confirmed();
    service.sandbox.faults.add({ route, kind: 'status', ...already, times: 2 });
    expect((await refusal(cancel(id))).kind).toBe('alreadyCancelled');
    service.sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', status: 404 });
    expect((await refusal(cancel(id))).kind).toBe('alreadyCancelled');
    expect(statusOf(id)).toBe('CONFIRMED');
  });

  it("passes on the platform's own error while the booking is read", async () => {
    const { id } = service.sandbox.host.cancel(confirmed());
    const signal = new Error('refresh the token');
    const client = service.clientWith({
      transport: (inner) => (request) => (request.method === 'GET' ? Promise.reject(signal) : inner(request)),
    });
    await expect(cancel(id, client)).rejects.toBe(signal);
  });

  it('is reported as not cancelled if it is lost every time and the booking is not cancelled', async () => {
    const id = confirmed();
    service.sandbox.faults.add({ route, kind: 'drop-before', times: 'always' });
    const error = await refusal(cancel(id));
    expect(error.kind).toBe('server');
    expect(error.message).toContain(`The booking "${id}" was not cancelled (`);
  });

  it('is left open if a booking does not show its status', async () => {
    await service.sandbox.stop();
    service = await serve({ forms: { records: 'sparse' } });
    service.sandbox.faults.add({ route, kind: 'drop-before', times: 'always' });
    expect((await refusal(cancel(confirmed()))).kind).toBe('unknownOutcome');
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
