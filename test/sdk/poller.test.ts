import {
  createPoller,
  memoryClaims,
  memoryStore,
  type ChangeEvent,
  type KnownChanges,
  type Polled,
  type PollerOptions,
} from '../../sdk/changes/index.ts';
import { ownTime } from '../../sdk/time.ts';
import { createReceiver, type WebhookEvent } from '../../sdk/webhooks/index.ts';
import { until } from '../support/until.ts';
import { bookingBody, headersOf, subscribed } from './deliveries.ts';
import { Stage } from './stage.ts';
import { listOf } from '../support/wire.ts';

let stage: Stage;
beforeEach(async () => (stage = await Stage.open()));
afterEach(() => {
  jest.restoreAllMocks();
  return stage.close();
});

const told = ({ event, record }: ChangeEvent): string => `${event} ${record.id}`;
/** One process that polls for everything and records what it is given. */
const poller = (more: Partial<PollerOptions> = {}, act: (change: ChangeEvent) => unknown = () => undefined) => {
  const given: string[] = [];
  const handle = async (change: ChangeEvent): Promise<void> => {
    await act(change);
    given.push(told(change));
  };
  const errors: unknown[] = [];
  const made = createPoller({ client: stage.client(), store: memoryStore(), onError: (error) => errors.push(error), ...more })
    .on(['BOOKING_CREATED', 'BOOKING_CANCELLED', 'BOOKING_RESCHEDULED', 'BOOKING_APPROVED', 'BOOKING_DENIED'], handle)
    .on(['CONTACT_CREATED', 'CONTACT_UPDATED'], handle);
  return { given, errors, poll: made.poll, run: made.run };
};
const book = (): string => stage.sandbox.host.book(stage.wanted).id;
/** A second later: the lists' update times tell changes apart, to the tenth of a second. */
const startOn = (day: number): string => `2033-02-0${day}T10:00:00Z`;
const move = async (id: string, day: number) => {
  await stage.sandbox.forward(1_000);
  stage.sandbox.host.reschedule(id, { start_time: startOn(day) });
};

it('records the state first, then gives each change once with its record and its key', async () => {
  const changes: ChangeEvent[] = [];
  const { poll } = poller({}, (change) => changes.push(change));
  expect(await poll()).toMatchObject({ handled: 0, baseline: 'first' });
  const id = book();
  expect(await poll()).toMatchObject({ handled: 2, remaining: 0 });
  const created = changes.find(({ event }) => event === 'BOOKING_CREATED');
  expect(created).toEqual({
    event: 'BOOKING_CREATED',
    record: await stage.client().bookings.get({ booking_id: id }),
    change_key: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  expect(changes.map(({ event }) => event).sort()).toEqual(['BOOKING_CREATED', 'CONTACT_CREATED']);
  const last = await poll();
  expect(last).toMatchObject({ handled: 0, duplicates: 0 });
  expect(last).not.toHaveProperty('baseline');
});

describe('event types', () => {
  const lookups = () => stage.sandbox.requests().filter(({ path }) => path.startsWith('/v1/event-types')).length;

  it('that are new in the stored state are looked up in one request, and never again', async () => {
    const store = memoryStore<KnownChanges>();
    const eventTypeIds = stage.sandbox.eventTypes().map(({ id }) => id);
    await poller({ store, eventTypeIds }).poll();
    await poller({ store, eventTypeIds }).poll();
    expect(lookups()).toBe(1);
    await poller({ store }).poll();
    expect(lookups()).toBe(1);
    expect(await poller().poll()).not.toHaveProperty('note');
  });

  it('that do not exist are refused before anything is stored, and one that was deleted later stops nothing', async () => {
    const store = memoryStore<KnownChanges>();
    await expect(poller({ store, eventTypeIds: ['evt_gone'] }).poll()).rejects.toThrow('The event type "evt_gone" was not found.');
    expect(await store.read()).toBeUndefined();
    const [type] = stage.sandbox.eventTypes();
    const eventTypeIds = [type?.id ?? ''];
    await poller({ store, eventTypeIds }).poll();
    stage.sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'status', status: 200, body: listOf([]), times: 'always' });
    expect(await poller({ store, eventTypeIds }).poll()).not.toHaveProperty('baseline');
  });

  it('that are an empty list mean all, which a note says, and blank ones are refused', async () => {
    expect(await poller({ eventTypeIds: [] }).poll()).toMatchObject({
      note: 'Nothing was filtered by "eventTypeIds", because it is empty.',
    });
    await expect(poller({ eventTypeIds: ['', ' '] }).poll()).rejects.toThrow('"Event Types" is set, but it is empty');
  });
});

it('a change whose handler fails comes again, and the others do not', async () => {
  const [good, bad] = [book(), book()];
  let isFailing = true;
  const act = ({ event, record }: ChangeEvent): void => {
    if (isFailing && event === 'BOOKING_CANCELLED' && record.id === bad) throw new Error('as asked for');
  };
  const { poll, given, errors } = poller({}, act);
  await poll();
  for (const id of [good, bad]) stage.sandbox.host.cancel(id, {});
  expect(await poll()).toMatchObject({ handled: 1, remaining: 1 });
  expect(given).toEqual([`BOOKING_CANCELLED ${good}`]);
  expect(errors).toEqual([new Error('as asked for')]);
  isFailing = false;
  expect(await poll()).toMatchObject({ handled: 1, remaining: 0 });
  expect(given).toEqual([`BOOKING_CANCELLED ${good}`, `BOOKING_CANCELLED ${bad}`]);
});

it('if a process dies while it passes on changes, its successor passes on the rest, nothing twice, and nothing is left over', async () => {
  const [kept, claims, gone] = [memoryStore<KnownChanges>(), memoryClaims(), new AbortController()];
  const write = (known: KnownChanges) => {
    if (gone.signal.aborted) throw new Error('The disk is full.');
    return kept.write(structuredClone(known));
  };
  // Dead for its successor: nothing that comes later reaches the store or the claims.
  const dying = poller({ store: { ...kept, write }, claims }, () => {
    if (dying.given.length === 0) return;
    gone.abort(new Error('killed'));
    throw new Error('killed');
  });
  const next = poller({ store: kept, claims });
  const ids = [book(), book()];
  await next.poll();
  for (const [at, id] of ids.entries()) await move(id, at + 1);
  await expect(dying.poll({ signal: gone.signal })).rejects.toThrow('The disk is full.');
  expect(await next.poll()).toMatchObject({ handled: 1, duplicates: 0, remaining: 0 });
  expect([...dying.given, ...next.given].sort()).toEqual(ids.map((id) => `BOOKING_RESCHEDULED ${id}`).sort());
  expect(Object.keys((await kept.read()) ?? {})).toEqual(['known']);
});

it('a poll that is stopped in the middle keeps what was handled', async () => {
  const over = new AbortController();
  const polling = poller({}, () => over.abort(new Error('enough')));
  await polling.poll();
  const ids = [book(), book()];
  await expect(polling.poll({ signal: over.signal })).rejects.toThrow('enough');
  expect(polling.given).toHaveLength(1);
  await polling.poll();
  const bookings = polling.given.filter((each) => each.startsWith('BOOKING'));
  expect(bookings.sort()).toEqual(ids.map((id) => `BOOKING_CREATED ${id}`).sort());
});

describe('together with a receiver with the same claims', () => {
  const claims = memoryClaims();
  const received: WebhookEvent[] = [];
  const receiver = createReceiver({ subscription: subscribed, claims, alsoPolled: true }).on('BOOKING_RESCHEDULED', (event) => {
    received.push(event);
  });
  beforeEach(() => received.splice(0));
  const deliver = async (id: string, start_time: string): Promise<string> => {
    const body = bookingBody({ id, start_time }).replace('BOOKING_CREATED', 'BOOKING_RESCHEDULED');
    const headers = headersOf({ body, event: 'BOOKING_RESCHEDULED' });
    const rawBody = Buffer.from(body);
    return (await receiver.receive({ method: 'POST', url: '/', headers, body: async () => rawBody })).text;
  };

  it('a change comes once, whichever of the two reports it first, and a move there, back and there again comes three times', async () => {
    const id = book();
    const polling = poller({ claims });
    await polling.poll();
    await move(id, 1);
    expect(await deliver(id, startOn(1))).toBe('Thank you.');
    expect(await polling.poll()).toMatchObject({ handled: 0, duplicates: 1 });
    await move(id, 2);
    expect(await polling.poll()).toMatchObject({ handled: 1 });
    expect(await deliver(id, startOn(2))).toBe('This delivery was received before.');
    await move(id, 1);
    expect(await polling.poll()).toMatchObject({ handled: 1 });
    expect(received.map(({ change_key }) => change_key)).toHaveLength(1);
    expect(polling.given).toHaveLength(2);
  });

  it('later changes that happen while a poll passes on changes come once each, as the deliveries report them', async () => {
    const id = book();
    const polling = poller({ claims }, async ({ event }) => {
      if (event !== 'BOOKING_CREATED') return;
      await move(id, 2);
      expect(await deliver(id, startOn(2))).toBe('Thank you.');
    });
    await polling.poll();
    book();
    await move(id, 1);
    expect(await deliver(id, startOn(1))).toBe('Thank you.');
    expect(await polling.poll()).toMatchObject({ remaining: 1 });
    expect(await polling.poll()).toMatchObject({ duplicates: 1, remaining: 0 });
    expect(polling.given).not.toContain(`BOOKING_RESCHEDULED ${id}`);
    expect(received).toHaveLength(2);
  });

  it('claims that cannot distinguish changes are refused at once', () => {
    const { claim } = memoryClaims();
    expect(() => createReceiver({ subscription: subscribed, claims: { claim }, alsoPolled: true })).toThrow('need claimLast');
  });
});

describe('a poller that keeps polling', () => {
  it('makes up for a failed poll, and prints the failure if nobody asks for it', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    jest.spyOn(ownTime, 'sleep').mockResolvedValue();
    const over = new AbortController();
    const given: string[] = [];
    const made = createPoller({ client: stage.hurriedClient(), store: memoryStore() });
    made.on('BOOKING_CREATED', ({ record }) => given.push(record.id));
    stage.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 403, times: 1 });
    let id = '';
    await made.run({
      signal: over.signal,
      everyMs: 1,
      onPolled: ({ handled, baseline }) => {
        if (baseline === 'first') id = book();
        if (handled > 0) over.abort();
      },
    });
    expect(printed.mock.calls).toEqual([[expect.objectContaining({ name: 'ServiceError' })]]);
    expect(given).toEqual([id]);
  });

  it('ends its poll when it is stopped, and reports no failure because of that', async () => {
    const over = new AbortController();
    const { run, errors } = poller();
    stage.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'stall' });
    const running = run({ signal: over.signal });
    await until(() => stage.requestsTo('/v1/bookings').length > 0);
    over.abort(new Error('enough'));
    await running;
    expect(errors).toEqual([]);
  });

  it('waits between two polls as long as the account’s calls need, however often it is told to poll', async () => {
    const over = new AbortController();
    const waits = jest.spyOn(ownTime, 'sleep').mockResolvedValue();
    const polls: number[] = [];
    const onPolled = ({ nextMs }: Polled): void => {
      if (polls.push(nextMs) === 2) over.abort();
    };
    await poller().run({ signal: over.signal, everyMs: 1, onPolled });
    expect(polls[0]).toBeGreaterThan(100);
    expect(waits.mock.calls.map(([milliseconds]) => milliseconds)).toEqual(polls);
  });
});

it('a poll that waits for its turn ends when it is given up, and the other goes on', async () => {
  const store = memoryStore<KnownChanges>();
  const [first, second] = [poller({ store }), poller({ store })];
  const over = new AbortController();
  const polls = [first.poll(), second.poll({ signal: over.signal }), second.poll({ signal: AbortSignal.abort(new Error('before')) })];
  over.abort('enough');
  const ends = await Promise.allSettled(polls);
  const message = 'The poll was given up.';
  expect(ends).toMatchObject([{ value: { baseline: 'first' } }, { reason: { message } }, { reason: { message: 'before' } }]);
  expect(await second.poll()).not.toHaveProperty('baseline');
});
