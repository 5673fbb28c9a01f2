import { setTimeout as realSleep } from 'node:timers/promises';
import type { FaultKind } from '../../sandbox/service.ts';
import { Call } from '../../sdk/client/calls.ts';
import type { ServiceError } from '../../sdk/index.ts';
import { accountLimiter } from '../../shared/client/limiter.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import { createBooking } from '../../shared/operations/index.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { until } from '../support/until.ts';
import { failureOf, Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

describe('a call that is given up', () => {
  const reason = new Error('not wanted any more');

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

  /** A client that reports when it waits. */
  function waitingClient() {
    let waits = 0;
    const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> => (
      (waits += 1),
      realSleep(milliseconds, undefined, { signal })
    );
    return { client: stage.hurriedClient({}, { sleep }), isWaiting: () => waits > 0 };
  }

  test('while it waits for the rate limit ends at once, and nothing is sent afterwards', async () => {
    const over = new AbortController();
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status: 429, headers: { 'retry-after': '100' } });
    const { client, isWaiting } = waitingClient();
    const ended = failureOf(client.bookings.create(stage.wanted, { signal: over.signal }));
    await until(isWaiting);
    over.abort(reason);
    expect(await ended).toBe(reason);
    expect(stage.requestsTo('/v1/bookings')).toHaveLength(1);
  });

  test.each<FaultKind>(['stall', 'delay-after'])('after it was sent (%s) is reported as perhaps carried out', async (kind) => {
    const over = new AbortController();
    const wanted = stage.wanted;
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind, delayMs: 60_000 });
    const ended = failureOf(stage.client().bookings.create(wanted, { signal: over.signal }));
    await until(() => stage.requestsTo('/v1/bookings').length > 0);
    over.abort(reason);
    const error = (await ended) as ServiceError;
    expect(error).toMatchObject({ kind: 'unknownOutcome' });
    expect(error.sentence).toMatch(/bookings\.create was cancelled after it was sent .* may or may not have happened\. Check the service/);
  });

  test('while its lost answer is looked for is reported as perhaps carried out, and is no longer looked for', async () => {
    const over = new AbortController();
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-after' });
    stage.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 500, times: 'always' });
    const { client, isWaiting } = waitingClient();
    const ended = failureOf(client.bookings.create(stage.wanted, { signal: over.signal }));
    await until(isWaiting);
    const sent = stage.sandbox.requests().length;
    over.abort(reason);
    expect(await ended).toMatchObject({ kind: 'unknownOutcome' });
    expect(stage.sandbox.requests()).toHaveLength(sent);
  });

  /** A call that has received this answer to its write or read, and is given up while it goes on. */
  const afterAnswer = async (route: string, method: 'create' | 'get', status: number): Promise<unknown> => {
    const over = new AbortController();
    stage.sandbox.faults.add({ route, kind: 'status', status, body: { data: { id: 'b' } }, times: 'always' });
    const { client, isWaiting } = waitingClient();
    const { signal } = over;
    const ended = failureOf(
      method === 'get' ? client.bookings.get({ booking_id: 'b' }, { signal }) : client.bookings.create(stage.wanted, { signal }),
    );
    await until(isWaiting);
    over.abort(reason);
    return ended;
  };

  test.each([302, 408, 500, 502])(
    'after an answer that does not say what happened (%d) is reported as perhaps carried out',
    async (status) => {
      expect(await afterAnswer('POST /v1/bookings', 'create', status)).toMatchObject({ kind: 'unknownOutcome' });
    },
  );

  test('after a read that failed ends with the reason: a read changes nothing', async () => {
    expect(await afterAnswer('GET /v1/bookings/:id', 'get', 500)).toBe(reason);
  });

  test('in the middle of a list ends it with the reason, and no further page is requested', async () => {
    const over = new AbortController();
    const client = stage.client();
    await client.bookings.create(stage.wanted);
    await client.bookings.create(stage.wanted);
    stage.sandbox.forgetRequests();
    const read = async (): Promise<void> => {
      for await (const [first] of client.bookings.list({}, { signal: over.signal, limit: 1 }).pages())
        if (first !== undefined) over.abort(reason);
      for await (const { id } of client.bookings.list({}, { signal: over.signal })) throw new Error(`${id} was not to be read.`);
    };
    expect(await failureOf(read())).toBe(reason);
    expect(stage.requestsTo('/v1/bookings')).toHaveLength(1);
  });

  test('takes its request along', async () => {
    const over = new AbortController();
    let sent: AbortSignal | null | undefined;
    const client = stage.client({ fetch: (address, init) => fetch(address, ((sent = init.signal), init)) });
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'stall' });
    const ended = failureOf(client.users.current({}, { signal: over.signal }));
    await until(() => stage.requestsTo('/v1/me').length > 0);
    over.abort(reason);
    expect([await ended, sent?.aborted]).toEqual([reason, true]);
  });

  test('fails with its own error as long as nobody gives it up', async () => {
    const { signal } = new AbortController();
    expect(await failureOf(stage.client().bookings.get({ booking_id: 'bkg_none' }, { signal }))).toMatchObject({ kind: 'notFound' });
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'stall', times: 'always' });
    const slow = stage.hurriedClient({ timeoutMs: 50 });
    expect(await failureOf(slow.users.current({}, { signal }))).toMatchObject({ kind: 'unreachable' });
  });

  test('leaves nothing behind on a signal that many calls share', async () => {
    const over = new AbortController();
    const [added, removed] = [jest.spyOn(over.signal, 'addEventListener'), jest.spyOn(over.signal, 'removeEventListener')];
    await stage.client().users.current({}, { signal: over.signal });
    expect(removed.mock.calls.length).toBeGreaterThanOrEqual(added.mock.calls.length);
    expect(added).toHaveBeenCalled();
  });
});

test('a call whose signal has aborted sends nothing more and does not wait', async () => {
  // The moments at which a signal aborts cannot be had over real HTTP.
  const over = new AbortController();
  const done: string[] = [];
  const { client } = new Call(
    {
      baseUrl: 'https://service.example/api/v1',
      transport:
        () =>
        async ({ method }) => {
          done.push(method);
          return { status: 200, headers: {}, body: undefined };
        },
      now: Date.now,
      sleep: async () => void done.push('wait'),
      patience: { ...backgroundPolicy, attempts: 1, totalWaitMs: 0 },
      limiter: accountLimiter().for('person'),
      writes: new PendingWrites(memoryStore(() => 0, 'Try again.')),
    },
    createBooking,
    over.signal,
  );
  const subject = { path: ['bookings'], scope: 'bookings:write', resourceName: 'booking' } as const;
  const read = () => client.read({ method: 'GET', ...subject });
  await read();
  over.abort(new Error('not wanted any more'));
  for (const step of [read, () => client.write({ method: 'POST', ...subject }), () => client.clock.sleep(10)])
    expect(await failureOf(step())).toMatchObject({ name: 'GivenUp' });
  expect(done).toEqual(['GET']);
});
