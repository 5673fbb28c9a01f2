import type { ServiceError } from '../../sdk/index.ts';
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

  test.each([
    ['refused for now, which changes nothing', 429, 'not wanted any more'],
    ['answered with an error of the service', 500, 'bookings.create was cancelled after it was sent'],
  ])('after a write was %s, during the wait that follows: the reason says whether something may have changed', async (_, status, words) => {
    const over = new AbortController();
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status, headers: { 'retry-after': '30' }, times: 'always' });
    stage.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'stall', times: 'always' });
    let waits = false;
    const client = stage.client({ onRetry: () => (waits = true) });
    const ended = failureOf(client.bookings.create(stage.wanted, { signal: over.signal }));
    await until(() => waits || stage.requestsTo('/v1/bookings').some(({ method }) => method === 'GET'));
    over.abort(reason);
    expect(await ended).toMatchObject({ message: expect.stringContaining(words) as string });
    expect(stage.requestsTo('/v1/bookings').filter(({ method }) => method === 'POST')).toHaveLength(1);
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
