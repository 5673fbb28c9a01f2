import { accountLimiter } from '../../shared/client/limiter.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import { ServiceError } from '../../shared/client/errors.ts';
import { createBooking } from '../../shared/operations/index.ts';
import { Call, type Sleep } from '../../sdk/client/calls.ts';
import { failureOf } from './stage.ts';

/** One call on a service that gives one answer, and what it sent. The moments at which a signal aborts cannot be had over real HTTP. */
function callOn(status: number, sleep: Sleep = async () => undefined) {
  const over = new AbortController();
  const sent: string[] = [];
  const transport = async ({ method }: { method: string }) => {
    sent.push(method);
    return { status, headers: {}, body: undefined };
  };
  const call = new Call(
    {
      baseUrl: 'https://service.example/api/v1',
      transport: () => transport,
      now: () => Date.UTC(2030, 0, 31, 9),
      sleep,
      patience: { ...backgroundPolicy, attempts: 1, totalWaitMs: 0 },
      limiter: accountLimiter().for('person'),
      writes: new PendingWrites(memoryStore(() => 0, 'Try again.')),
    },
    createBooking,
    over.signal,
  );
  const subject = { path: ['bookings'], scope: 'bookings:write', resourceName: 'booking' } as const;
  const read = () => call.client.read({ method: 'GET', ...subject });
  const write = () => call.client.write({ method: 'POST', ...subject });
  return { call, over, sent, read, write };
}

const reason = new Error('not wanted any more');
const forEver = () => new Promise<never>(() => undefined);

test('when its signal has aborted, a call sends nothing more and does not wait', async () => {
  let waits = 0;
  const { call, over, sent, read, write } = callOn(200, async () => void (waits += 1));
  await read();
  over.abort(reason);
  for (const step of [read, write, () => call.client.clock.sleep(10)])
    expect(await failureOf(step())).toMatchObject({ name: 'GivenUp', message: 'The call was given up.' });
  expect(sent).toEqual(['GET']);
  expect(waits).toBe(0);
});

test('work is not begun if the signal has aborted before', async () => {
  const { call, over, sent, read } = callOn(200);
  over.abort(reason);
  expect(await failureOf(call.guard(read))).toBe(reason);
  expect(sent).toEqual([]);
});

test('a read changes nothing: a cancellation after it ends with its reason', async () => {
  const { call, over, read } = callOn(200);
  expect(await failureOf(call.guard(() => read().then(() => (over.abort(reason), forEver()))))).toBe(reason);
});

test('each wait is a little longer or shorter by chance', () => {
  const { random } = callOn(200).call.client.clock;
  const drawn = Array.from({ length: 20 }, random);
  expect(new Set(drawn).size).toBeGreaterThan(1);
  expect(drawn.every((each) => each >= 0 && each < 1)).toBe(true);
});

test('a signal that aborts during a wait ends the call after it', async () => {
  const { call, over } = callOn(200, async () => over.abort(reason));
  expect(await failureOf(call.client.clock.sleep(10))).toMatchObject({ name: 'GivenUp' });
});

test.each([400, 404, 422, 429, 499])(
  'a write that was refused with %d changed nothing: a later cancellation ends it with its reason',
  async (status) => {
    const { call, over, write } = callOn(status);
    const ended = failureOf(call.guard(() => write().then(() => (over.abort(reason), forEver()))));
    expect(await ended).toBe(reason);
  },
);

test.each([200, 201, 302, 408, 500, 502])(
  'a write that was answered with %d may have changed something, and a cancellation says so',
  async (status) => {
    const { call, over, write } = callOn(status);
    const ended = failureOf(call.guard(() => write().then(() => (over.abort(reason), forEver()))));
    expect(await ended).toMatchObject({
      kind: 'unknownOutcome',
      message: expect.stringContaining('at 2030-01-31T09:00:00.000Z') as string,
    });
  },
);

describe('work that fails because of the signal, before the call has heard of it', () => {
  const failedWith = (error: Error): Promise<unknown> => {
    const { call, over } = callOn(200);
    const work = new Promise<never>((_, reject) => over.signal.addEventListener('abort', () => reject(error)));
    const ended = failureOf(call.guard(() => work));
    over.abort(reason);
    return ended;
  };

  test.each([
    ['an error of its own', new Error('aborted')],
    ['an error of the service', new ServiceError('unreachable', { message: 'No answer.', advice: 'Try again.' })],
  ])('ends with the reason of the signal in place of %s', async (_, error) => {
    expect(await failedWith(error)).toBe(reason);
  });

  test('stays unknown if it may have changed something', async () => {
    const unknown = new ServiceError('unknownOutcome', { message: 'It may exist.', advice: 'Look for it.' });
    expect(await failedWith(unknown)).toBe(unknown);
  });
});

test('work that fails by itself ends with its own error, and work that succeeds with its result', async () => {
  const { call } = callOn(200);
  expect(await call.guard(async () => 'done')).toBe('done');
  expect(await failureOf(call.guard(() => Promise.reject(reason)))).toBe(reason);
});
