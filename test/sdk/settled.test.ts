import { setTimeout as realSleep } from 'node:timers/promises';
import type { FaultKind } from '../../sandbox/service.ts';
import type { ServiceError } from '../../sdk/index.ts';
import { until } from '../support/until.ts';
import { failureOf, Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

describe('a booking whose answer was lost', () => {
  test.each<FaultKind>(['drop-after', 'reset-mid-body', 'not-json', 'empty'])('by %s is made once and reported as made', async (kind) => {
    const wanted = stage.wanted;
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind });
    const booking = await stage.hurriedClient().bookings.create(wanted);
    expect(stage.bookingsOf(wanted.invitee_email)).toEqual([expect.objectContaining({ id: booking.id })]);
  });

  test('and that was never made is told as perhaps made, and made by the same call a minute later', async () => {
    const wanted = stage.wanted;
    const client = stage.hurriedClient();
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-before' });
    const error = (await failureOf(client.bookings.create(wanted))) as ServiceError;
    expect(error.sentence).toContain('may or may not exist');
    expect(error.sentence).toContain('Call it again with the same client');
    const booking = await client.bookings.create(wanted);
    expect(stage.bookingsOf(wanted.invitee_email)).toEqual([expect.objectContaining({ id: booking.id })]);
  });

  test('and that nobody can look for is reported as unknown, with what to look for', async () => {
    const wanted = stage.wanted;
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-after' });
    stage.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 500, times: 'always' });
    const error = (await failureOf(stage.hurriedClient().bookings.create(wanted))) as ServiceError;
    expect(error.kind).toBe('unknownOutcome');
    expect(error.message).toContain(wanted.invitee_email);
  });
});

test('two identical calls at once book twice only if the service allows it: the second waits until the first is settled', async () => {
  const wanted = stage.wanted;
  const client = stage.hurriedClient();
  const [first, second] = await Promise.allSettled([client.bookings.create(wanted), client.bookings.create(wanted)]);
  expect([first.status, second.status]).toEqual(['fulfilled', 'rejected']);
  expect(second).toMatchObject({ reason: { kind: 'slotTaken' } });
});

describe('a call that is given up', () => {
  const reason = new Error('not wanted any more');

  test('before it begins sends nothing and ends with the reason of the signal', async () => {
    const signal = AbortSignal.abort(reason);
    expect(await failureOf(stage.client().bookings.create(stage.wanted, { signal }))).toBe(reason);
    expect(await failureOf(stage.client().bookings.list({}, { signal }).all())).toBe(reason);
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

  test.each([408, 500])('after an answer that does not say what happened (%d) is reported as perhaps carried out', async (status) => {
    const over = new AbortController();
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status });
    const { client, isWaiting } = waitingClient();
    const ended = failureOf(client.bookings.create(stage.wanted, { signal: over.signal }));
    await until(isWaiting);
    over.abort(reason);
    expect(await ended).toMatchObject({ kind: 'unknownOutcome' });
  });

  test('for a reason that is no error ends with one that names it', async () => {
    const ended = failureOf(stage.client().bookings.create(stage.wanted, { signal: AbortSignal.abort('enough') }));
    expect(await ended).toMatchObject({ message: 'The call was given up.', cause: 'enough' });
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
    const sent: (AbortSignal | null | undefined)[] = [];
    const client = stage.client({
      fetch: (address, init) => {
        sent.push(init.signal);
        return fetch(address, init);
      },
    });
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'stall' });
    const ended = failureOf(client.users.current({}, { signal: over.signal }));
    await until(() => stage.requestsTo('/v1/me').length > 0);
    expect(sent.map((signal) => signal?.aborted)).toEqual([false]);
    over.abort(reason);
    expect(await ended).toBe(reason);
    expect(sent.map((signal) => signal?.aborted)).toEqual([true]);
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
