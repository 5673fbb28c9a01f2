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

/** A step of a host that ends it after half a minute and runs it again. */
function step(id: string) {
  const { store, writes } = heldStep();
  return { store, run: () => cancelBooking.run(service.clientWith({ patience: hurried, writes: writes() }), { booking_id: id, reason: undefined }, {}) };
}

it('a host that runs the step again: the next run cancels what could not be cancelled, and says that it was not cancelled before', async () => {
  const id = confirmed();
  const { run, store } = step(id);
  service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'drop-before', times: 3 });
  const error = await refusal(run());
  expect(error).toMatchObject({ kind: 'unknownOutcome', advice: 'The next run of this step looks for it first, and sends it again only if it is not there.', retryAfterSeconds: 20 });
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

it('what an earlier run left open is not told as failed by a run that cannot reach the service', async () => {
  const id = confirmed();
  const { run } = step(id);
  service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'drop-before', times: 3 });
  await refusal(run());
  service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'status', status: 403 });
  expect((await refusal(run())).kind).toBe('unknownOutcome');
});

it('a step is held three times at most, a replay later cancels all the same', async () => {
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

it('where nothing is kept, the person is told to look before trying again', async () => {
  service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'drop-before', times: 3 });
  const error = await refusal(cancelBooking.run(service.clientWith({ patience: hurried }), { booking_id: confirmed(), reason: undefined }, {}));
  expect(error.retryAfterSeconds).toBeUndefined();
  expect(error.advice).toBe('Look at the booking in the service before you try again.');
  expect(posts()).toHaveLength(3);
});
