import { readdirSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import type { ServiceRecord } from '../../shared/records/fields.ts';
import { callKey, GivenUp, memoryLedger, SingleFlight, type CallLedger, type Turn, type Work } from '../../mcp/adapter/singleFlight.ts';
import { ServiceError } from '../../shared/serviceError.ts';
import type { WriteKeys } from '../../shared/writes/index.ts';
import { timersOf } from '../support/timersOf.ts';
import { until } from '../support/until.ts';
import { call, Stage, textOf } from './stage.ts';

const minute = 60 * 1000;
const nobodyLeaves = new AbortController().signal;

/** Work that ends when it is told to, and what came of each time that it was begun or read again. */
class Flights {
  time = 0;
  /** What was told, so that it is no longer recorded as open. */
  readonly forgotten: string[] = [];
  readonly #flights: SingleFlight;

  constructor(ledger?: CallLedger) {
    const forget = async (keys: WriteKeys | undefined) => void this.forgotten.push(keys?.content ?? '');
    this.#flights = new SingleFlight({ forget }, ledger ?? memoryLedger(() => this.time));
  }

  readonly begun: { end: (id: string) => void; fail: (error: Error) => void; abandoned: AbortSignal }[] = [];
  /** The ids that were read again, and the records that are there. */
  readonly readAgain: string[] = [];
  there: Record<string, ServiceRecord> = {};

  async call(key: string, left: AbortSignal = nobodyLeaves, more: Partial<Work> = {}): Promise<unknown> {
    const work: Work = {
      begin: (abandoned, untold) =>
        new Promise((resolve, reject) => {
          const end = (id: string): void => {
            untold({ content: id });
            resolve((this.there[id] = { id }));
          };
          this.begun.push({ end, fail: reject, abandoned });
        }),
      readAgain: async (id) => {
        this.readAgain.push(id);
        return this.there[id];
      },
      begunAt: this.time,
      ...more,
    };
    const { record, told } = await this.#flights.run(key, left, work);
    told();
    return record['id'];
  }

  /** A call whose caller leaves at once. */
  async left(key: string): Promise<void> {
    const leaving = new AbortController();
    const call = this.call(key, leaving.signal);
    await soon();
    leaving.abort();
    await expect(call).rejects.toThrow(GivenUp);
  }

  /** The same, and its work makes a record afterwards. */
  async untold(key: string, id: string): Promise<void> {
    await this.left(key);
    this.begun.at(-1)?.end(id);
    await soon();
  }
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let work: Flights;
beforeEach(() => void (work = new Flights()));

test('two calls are the same if the tool and its arguments are, in whatever order the arguments come', () => {
  const keyOf = (size: unknown, days = ['Mon', 'Fri'], tool = 'book') =>
    callKey(tool, { name: 'Ada', answers: { size, days, none: null } });
  expect(callKey('book', { answers: { none: null, days: ['Mon', 'Fri'], size: 4 }, name: 'Ada' })).toBe(keyOf(4));
  expect(new Set([keyOf(4), keyOf('4'), keyOf(4, ['Fri', 'Mon']), keyOf(4, ['Mon', 'Fri'], 'cancel')]).size).toBe(4);
});

test('identical calls at the same time share one result; the next one is new, also after a failure', async () => {
  const both = [work.call('a'), work.call('a')];
  await soon();
  expect(work.begun).toHaveLength(1);
  work.begun[0]?.end('first');
  expect(await Promise.all(both)).toEqual(['first', 'first']);
  const next = work.call('a');
  await soon();
  expect(work.begun).toHaveLength(2);
  work.begun[1]?.fail(new Error('no'));
  await expect(next).rejects.toThrow('no');
  void work.call('a');
  await soon();
  expect(work.begun).toHaveLength(3);
  expect(work.forgotten).toEqual(['first']);
});

describe('a caller who leaves', () => {
  test('waits no longer and leaves alone those who stay; the work learns of it when nobody waits any more', async () => {
    const leaving = new AbortController();
    const [left, stays] = [work.call('a', leaving.signal), work.call('a')];
    leaving.abort();
    await expect(left).rejects.toThrow('The call was cancelled before anything was sent.');
    await soon();
    expect(work.begun[0]?.abandoned.aborted).toBe(false);
    work.begun[0]?.end('done');
    expect(await stays).toBe('done');
    // The result was received, so the next one is new.
    await work.left('a');
    await soon();
    expect([work.begun.length, work.begun[1]?.abandoned.aborted]).toEqual([2, true]);
  });

  test('ends work that was not sent: a caller who came just before that gets work of their own', async () => {
    await work.left('a');
    const late = work.call('a');
    work.begun[0]?.fail(new GivenUp());
    await soon();
    expect(work.begun).toHaveLength(2);
    work.begun[1]?.end('done');
    expect(await late).toBe('done');
  });
});

describe('a result that nobody received', () => {
  test('is told to a call that comes while it is made', async () => {
    await work.left('a');
    const late = work.call('a', nobodyLeaves, { secretFor: 'an address' });
    work.begun[0]?.end('made');
    expect([await late, work.begun.length]).toEqual(['made', 1]);
  });

  test('is kept for ten minutes', async () => {
    await work.untold('a', 'made');
    await work.untold('b', 'also made');
    work.time = 10 * minute;
    expect(await work.call('a')).toBe('made');
    work.time += 1;
    void work.call('b');
    await soon();
    expect(work.readAgain).toEqual(['made']);
  });
});

test('a call whose ledger does not answer once it has begun tells its result, which others find as an open write, or its own error', async () => {
  const down = (): Promise<never> => Promise.reject(new Error('down'));
  const turn: Turn = { run: (record) => record(), done: down, told: down, failed: down };
  work = new Flights({ begin: async () => turn, cancelled: down });
  const call = async (end: (begun: Flights['begun'][number]) => void) => {
    const result = work.call('a');
    await soon();
    for (const begun of work.begun.splice(0)) end(begun);
    return result;
  };
  expect(await call(({ end }) => end('made'))).toBe('made');
  expect(work.forgotten).toEqual([]);
  const failed = new ServiceError('slotTaken', { message: 'Taken.', advice: '' });
  await expect(call(({ fail }) => fail(failed))).rejects.toBe(failed);
});

describe('a client that does not wait for its answer', () => {
  // The contract of every platform proves how a write ends whose answer was lost.
  let stage: Stage;
  let client: Client;
  beforeEach(async () => {
    stage = await Stage.open({ forms: { slots: 'shared' } });
    client = await stage.served();
  });
  afterEach(() => stage.close());

  const hook = { url: 'http://127.0.0.1:9/hooks', events: ['BOOKING_CREATED'] };
  const idIn = ({ structuredContent }: CallToolResult) => (structuredContent as { id?: string } | undefined)?.id;
  const isAnswered = (path: string, status: number) =>
    stage.sandbox.requests().some((each) => each.path === path && each.status === status);

  /** Longer than a test takes: what is held goes on when it is let go. */
  const held = { delayMs: 60_000 };
  const letGo = (): Promise<void> => stage.sandbox.clock.advance(held.delayMs);

  /** The program, which runs in this process, has learned of what its client did before: it answers one more call. */
  const learned = (): Promise<unknown> => client.listTools();

  /** Begins a call, and leaves it when that is so. The program learns of it. */
  async function leave(name: string, given: Record<string, unknown>, when: () => boolean): Promise<void> {
    const impatience = new AbortController();
    const left = client.callTool({ name, arguments: given }, { signal: impatience.signal });
    left.catch(() => undefined);
    await until(when);
    impatience.abort();
    await expect(left).rejects.toThrow();
    await learned();
  }

  /** Leaves a booking once the service has made it, before it answers. */
  function leaveBooking(given: Stage['wanted']): Promise<void> {
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'delay-after', ...held });
    return leave('create_booking', given, () => stage.bookingsOf(given.invitee_email).length > 0);
  }

  const writes = (): string[] => readdirSync(stage.file.openWrites(stage.file.read()));
  const openWrites = (): number => writes().length;
  /** The program has dealt with the answer: what is at work holds a lock beside its record. */
  const isDealtWith = async (path: string): Promise<void> => {
    await until(() => isAnswered(path, 201));
    await until(() => writes().every((name) => name.endsWith('.json')));
  };

  /** Makes a booking whose caller leaves before it is told. */
  async function untold(given: Stage['wanted']): Promise<string> {
    await leaveBooking(given);
    await letGo();
    await isDealtWith('/v1/bookings');
    return stage.bookingsOf(given.invitee_email)[0]?.id ?? '';
  }

  describe('a call that the client gave up', () => {
    test('and whose booking was cancelled meanwhile by its host: the same call books anew', async () => {
      const given = stage.wanted;
      const id = await untold(given);
      stage.sandbox.host.cancel(id);
      const again = idIn(await call(client, 'create_booking', given));
      expect(stage.bookingsOf(given.invitee_email)).toMatchObject([
        { id, status: 'CANCELLED' },
        { id: again, status: 'CONFIRMED' },
      ]);
    });

    test('and whose booking nobody was told of: the same call gets it; if it cannot be read now, it says so and books nothing', async () => {
      const given = stage.wanted;
      const id = await untold(given);
      stage.sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', status: 503, times: 4 });
      const refused = await call(client, 'create_booking', given);
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('which an identical call made')]);
      expect(idIn(await call(client, 'create_booking', given))).toBe(id);
      expect(stage.bookingsOf(given.invitee_email)).toHaveLength(1);
      // Now it was told, so who asks again wants another one.
      await until(() => openWrites() === 0);
      await call(client, 'create_booking', given);
      expect(stage.bookingsOf(given.invitee_email)).toHaveLength(2);
    });
  });

  /** A client of the older protocol, which gives up a call by another request. */
  async function older(): Promise<Client> {
    const { address } = await stage.serve();
    const made = new Client({ name: 'older', version: '1.0.0' });
    await made.connect(new StreamableHTTPClientTransport(new URL(address)));
    stage.later(() => made.close());
    return made;
  }

  test('twelve calls that are cancelled, also by a request of the older protocol, time out or end with the session, in a class: asked again in a new session, one booking each', async () => {
    const { sandbox } = stage;
    const { start_time } = stage.wanted;
    for (let count = 0; count < 40; count += 1)
      sandbox.host.book({ start_time, invitee_name: 'Somebody', invitee_email: `seat${count}@example.net` });
    // The client's time is over when the test says so, and not before a busy machine has brought the call to the service.
    const patienceMs = 59_999;
    const timers = timersOf(patienceMs);
    const ends = ['cancelled', 'timed out', 'closed', 'cancelled by a request'] as const;
    for (let count = 0; count < 12; count += 1) {
      const given = { ...stage.wanted, start_time };
      const end = ends[count % 4];
      sandbox.forgetRequests();
      const session = end === 'cancelled by a request' ? await older() : await stage.served();
      sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'delay-after', ...held });
      const impatience = new AbortController();
      const options = end === 'timed out' ? { timeout: patienceMs } : { signal: impatience.signal };
      const left = session.callTool({ name: 'create_booking', arguments: given }, options).catch(() => 'left');
      await until(() => stage.bookingsOf(given.invitee_email).length > 0);
      if (end?.startsWith('cancelled')) impatience.abort();
      if (end === 'timed out') timers.ends.pop()?.();
      if (end === 'closed') await session.close();
      else expect(await left).toBe('left');
      await learned();
      await letGo();
      // Each end once so that the same call comes after the answer, and otherwise before it.
      if (count >= 8) await isDealtWith('/v1/bookings');
      sandbox.faults.clear();
      const again = await call(await stage.served(), 'create_booking', given);
      expect([end, stage.bookingsOf(given.invitee_email).map(({ id }) => id)]).toEqual([end, [idIn(again)]]);
    }
    timers.restore();
    await until(() => openWrites() === 0);
  });

  test('a request that was given up says nothing about a later one of the same number, which another session gives it', async () => {
    const [{ address }, given] = [await stage.serve(), stage.wanted];
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const send = async (message: object): Promise<void> => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      await (await fetch(address, { method: 'POST', headers, body })).text();
    };
    const calling = (id: number, name: string, args = {}) => send({ id, method: 'tools/call', params: { name, arguments: args } });
    await calling(1, 'list_event_types');
    await send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    for (const id of [1, 2]) {
      await calling(id, 'create_booking', given);
      await until(() => openWrites() === 0);
    }
    expect(stage.bookingsOf(given.invitee_email)).toHaveLength(2);
  });

  describe('the secret of a subscription', () => {
    beforeEach(() => void stage.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'delay-after', ...held }));
    const isMade = (): boolean => stage.sandbox.subscriptions().length > 0;

    test('is told to one caller: an identical call meanwhile gets none, and sends nothing', async () => {
      const first = call(client, 'create_subscription', hook);
      await until(isMade);
      const second = await call(client, 'create_subscription', hook);
      expect(textOf(second)).toContain('Only its caller gets the secret, and nothing more was sent');
      await letGo();
      expect((await first).structuredContent).toHaveProperty('signing_secret');
      expect(stage.sandbox.subscriptions()).toHaveLength(1);
    });

    test('that nobody was told: the same call deletes the subscription and makes another', async () => {
      await leave('create_subscription', hook, isMade);
      await letGo();
      await isDealtWith('/v1/hooks');
      const [before] = stage.sandbox.subscriptions();
      const id = idIn(await call(client, 'create_subscription', hook));
      expect(stage.sandbox.subscriptions().map((each) => each.id)).toEqual([id]);
      expect(id).not.toBe(before?.id);
    });
  });
});
