import { Call } from '../../sdk/client/calls.ts';
import { ServiceError } from '../../sdk/index.ts';
import { sleep } from '../../sdk/sleep.ts';
import { accountLimiter } from '../../shared/client/limiter.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { until } from '../support/until.ts';
import { failureOf, Stage } from './stage.ts';

const reason = new Error('not wanted any more');

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

describe('a call that is given up', () => {
  test('before it begins sends nothing and ends with the reason of the signal', async () => {
    const signal = AbortSignal.abort(reason);
    expect(await failureOf(stage.client().bookings.create(stage.wanted, { signal }))).toBe(reason);
    expect(await failureOf(stage.client().bookings.list({}, { signal }).all())).toBe(reason);
    expect(await failureOf(stage.client().bookings.create(stage.wanted, { signal: AbortSignal.abort('enough') }))).toMatchObject({
      message: 'The call was given up.',
      cause: 'enough',
    });
    expect(stage.sandbox.requests()).toEqual([]);
  });

  test('after it was sent is reported as perhaps carried out', async () => {
    const over = new AbortController();
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'stall' });
    const ended = failureOf(stage.client().bookings.create(stage.wanted, { signal: over.signal }));
    await until(() => stage.requestsTo('/v1/bookings').length > 0);
    over.abort(reason);
    const error = (await ended) as ServiceError;
    expect(error).toMatchObject({ kind: 'unknownOutcome' });
    expect(error.sentence).toMatch(/bookings\.create was cancelled after it was sent .* may or may not have happened\. Check the service/);
  });

  test('in the middle of a list ends it with the reason, and no further page is requested', async () => {
    const over = new AbortController();
    stage.sandbox.host.book(stage.wanted);
    stage.sandbox.host.book(stage.wanted);
    const read = async (): Promise<void> => {
      for await (const [first] of stage.client().bookings.list({}, { signal: over.signal, limit: 1 }).pages())
        if (first !== undefined) over.abort(reason);
      for await (const { id } of stage.client().bookings.list({}, { signal: over.signal })) throw new Error(`${id} was not to be read.`);
    };
    expect(await failureOf(read())).toBe(reason);
    expect(stage.requestsTo('/v1/bookings')).toHaveLength(1);
  });

  test('takes its request along, and leaves nothing behind on a signal that many calls share', async () => {
    const over = new AbortController();
    const [added, removed] = [jest.spyOn(over.signal, 'addEventListener'), jest.spyOn(over.signal, 'removeEventListener')];
    let sent: AbortSignal | null | undefined;
    const client = stage.client({ fetch: (address, init) => fetch(address, ((sent = init.signal), init)) });
    await client.users.current({}, { signal: over.signal });
    expect(removed.mock.calls.length).toBeGreaterThanOrEqual(added.mock.calls.length);
    expect(added).toHaveBeenCalled();
    stage.sandbox.forgetRequests();
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'stall' });
    const ended = failureOf(client.users.current({}, { signal: over.signal }));
    await until(() => stage.requestsTo('/v1/me').length > 0);
    over.abort(reason);
    expect([await ended, sent?.aborted]).toEqual([reason, true]);
  });
});

/** The moments at which a signal aborts cannot be had over real HTTP: a service that gives one answer, and a wait that aborts the signal. */
describe('a signal that aborts', () => {
  function callOn(status: number) {
    const over = new AbortController();
    const done: string[] = [];
    const call = new Call(
      {
        baseUrl: 'https://service.example/api/v1',
        transport:
          () =>
          async ({ method }) => {
            done.push(method);
            return { status, headers: {}, body: undefined };
          },
        now: Date.now,
        sleep: async () => (done.push('wait'), over.abort(reason)),
        retryPolicy: { ...backgroundPolicy, attempts: 1, totalWaitMs: 0 },
        limiter: accountLimiter().for('person'),
        writes: new PendingWrites(memoryStore(() => 0, 'Try again.')),
        hooks: {},
      },
      'bookings.create',
      over.signal,
    );
    const subject = { path: ['bookings'], scope: 'bookings:write', resourceName: 'booking' } as const;
    const read = () => call.client.read({ method: 'GET', ...subject });
    const write = () => call.client.write({ method: 'POST', ...subject });
    return { call, over, done, read, write };
  }

  const forEver = () => new Promise<never>(() => undefined);

  test('during a wait ends the call after it: nothing more is sent, and nothing is waited for', async () => {
    const { call, done, read, write } = callOn(200);
    const { clock } = call.client;
    await read();
    for (const step of [() => clock.sleep(10), read, write, () => clock.sleep(10)])
      expect(await failureOf(step())).toMatchObject({ name: 'GivenUp' });
    expect(done).toEqual(['GET', 'wait']);
    // Each wait is a little longer or shorter by chance.
    expect(clock.random()).not.toBe(clock.random());
  });

  test.each([
    [302, true],
    [400, false],
    [408, true],
    [499, false],
    [500, true],
  ])('after a write was answered with %d: it may have changed something is %s', async (status, isUnknown) => {
    const { call, over, write } = callOn(status);
    const ended = failureOf(call.guard(() => write().then(() => (over.abort(reason), forEver()))));
    expect(await ended).toMatchObject(isUnknown ? { kind: 'unknownOutcome' } : { message: reason.message });
  });

  test('makes work fail before the call has heard of it: what may have changed something stays unknown', async () => {
    const unreachable = new ServiceError('unreachable', { message: 'No answer.', advice: 'Try again.' });
    const unknown = new ServiceError('unknownOutcome', { message: 'It may exist.', advice: 'Look for it.' });
    for (const error of [unreachable, unknown]) {
      const { call, over } = callOn(200);
      const work = new Promise<never>((_, reject) => over.signal.addEventListener('abort', () => reject(error)));
      const ended = failureOf(call.guard(() => work));
      over.abort(reason);
      expect(await ended).toBe(error === unknown ? unknown : reason);
    }
  });

  test('before or during a wait of the poller ends it with the reason, and a wait that ends leaves nothing behind', async () => {
    const day = 86_400_000;
    const { over } = callOn(200);
    expect(await failureOf(sleep(day, AbortSignal.abort(reason)))).toBe(reason);
    expect(await failureOf(sleep(day, AbortSignal.abort('enough')))).toMatchObject({ message: 'The wait was ended.' });
    const [added, removed] = [jest.spyOn(over.signal, 'addEventListener'), jest.spyOn(over.signal, 'removeEventListener')];
    await sleep(1, over.signal);
    expect(removed.mock.calls).toEqual(added.mock.calls);
    const waits = failureOf(sleep(day, over.signal));
    over.abort(reason);
    expect(await waits).toBe(reason);
  });
});
