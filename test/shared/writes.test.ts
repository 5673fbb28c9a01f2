import { zapierStepPolicy } from '../../shared/client/retry.ts';
import { NotSent, type Clock, type Transport } from '../../shared/client/transport.ts';
import { cancelBooking, createSubscription } from '../../shared/operations/index.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import type { Fault } from '../../sandbox/service.ts';
import { heldStep } from '../support/heldStep.ts';
import { refusal } from '../support/refusal.ts';
import { ada, begin, create, fault, form, made, pass, posts, process, seconds, service, slot } from '../support/oneBooking.ts';

/** A Zap: each run is a process of its own with half a minute, and what it keeps is in Zapier's store. */
const zap = () => {
  const { writes } = heldStep();
  return () => {
    const end = service.sandbox.clock.now() + 28_000;
    return service.clientWith({ writes: writes(), patience: { ...zapierStepPolicy, leftMs: () => end - service.sandbox.clock.now() } });
  };
};

/** The clock of this machine is set back by an hour with the first such request. */
function setBackDuring(method: string): { clock: Clock; transport: (inner: Transport) => Transport } {
  let behind = 0;
  const { clock } = service.sandbox;
  return {
    clock: { now: () => clock.now() - behind, sleep: (ms) => clock.advance(ms), random: () => 0.5 },
    transport: (inner) => async (request) => {
      if (request.method === method) behind = 3_600_000;
      return inner(request);
    },
  };
}

describe('an answer that may hide a booking', () => {
  it.each<[string, Partial<Fault>]>([
    ['no answer', { kind: 'drop-after' }],
    ['a broken answer', { kind: 'reset-mid-body' }],
    ['half an answer', { kind: 'truncate' }],
    ['a late booking', { kind: 'late-commit', delayMs: 20_000 }],
    ['a server error', { status: 500, body: { error: 'Internal' }, commits: true }],
    ["a proxy's page", { kind: 'html', commits: true }],
    ['a page with 200', { status: 200, body: '<html>Sign in</html>', headers: { 'content-type': 'text/html' }, commits: true }],
    ['JSON that ends early', { status: 201, body: '{"data": {"id": "bkg', headers: { 'content-type': 'application/json' }, commits: true }],
    ...[301, 302, 303, 307].map((status): [string, Partial<Fault>] => [
      `a redirect with ${status}`,
      { status, body: '', headers: { location: 'https://example.com/' }, commits: true },
    ]),
  ])('%s: the booking is found, and sent once', async (_, given) => {
    fault(given);
    const booking = await create();
    expect(booking['id']).toBe(made()[0]?.id);
    expect(made()).toHaveLength(1);
    expect(posts()).toHaveLength(1);
  });

  it.each<[string, Partial<Fault>]>([
    ['plain text', { status: 201, body: 'Created', headers: { 'content-type': 'text/plain' }, commits: true }],
    ['an unknown object', { status: 200, body: { ok: true }, commits: true }],
    ['nothing', { status: 201, body: '', commits: true }],
  ])('%s with a 2xx is no such answer: the booking is shown without a wait', async (_, given) => {
    fault(given);
    const booking = await create();
    expect(booking['id']).toBe(made()[0]?.id);
    expect(seconds()).toBe(0);
    expect(posts()).toHaveLength(1);
  });

  it('if a confirmed booking is not listed yet, what was sent is handed on, without an id', async () => {
    fault({ status: 200, body: { success: true } });
    expect(await create()).toEqual(form());
    expect(seconds()).toBe(0);
  });
});

describe("the service's own words come first", () => {
  const maintenance = { error: 'Service Unavailable', message: 'Maintenance until 14:00' };

  it.each([
    [500, { error: 'Calendar disconnected', code: 'CALENDAR' }, {}, 'says: "Calendar disconnected"'],
    [503, maintenance, { 'retry-after': '120' }, 'says: "Maintenance until 14:00"'],
  ])('after a %i they are told within three seconds, and nothing is sent again', async (status, body, headers, words) => {
    fault({ status, body, headers: headers, times: 'always' });
    const error = await refusal(create());
    expect(error.message).toMatch(new RegExp(`could not answer \\(status ${status}\\).*${words}`));
    expect(error.message).toContain(`The booking for ${ada} at ${slot}`);
    expect(error).toMatchObject({ kind: 'unknownOutcome', status, retryAfterSeconds: undefined });
    expect(seconds()).toBeLessThanOrEqual(3);
    expect(posts()).toHaveLength(1);
  });

  it('for a cancellation as well, after one repeat', async () => {
    const { id } = service.sandbox.host.book({ start_time: slot });
    service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'status', status: 500, body: maintenance, times: 'always' });
    const error = await refusal(cancelBooking.run(service.client, { booking_id: id }, {}));
    expect(error.message).toContain('says: "Maintenance until 14:00"');
    expect(error.message).toContain(`The booking "${id}", whose cancellation was sent`);
    expect(seconds()).toBeLessThanOrEqual(3);
  });

  it('a Zap shows them in its first run, and is not held', async () => {
    const run = zap();
    fault({ status: 500, body: maintenance });
    const error = await refusal(create(run()));
    expect(error.message).toContain('Maintenance until 14:00');
    expect(error.retryAfterSeconds).toBeUndefined();
  });
});

it('a wrong base address is told at once', async () => {
  const page = { kind: 'status', status: 200, body: '<!doctype html>', headers: { 'content-type': 'text/html' }, times: 'always' } as const;
  service.sandbox.faults.add({ route: '*', ...page });
  const error = await refusal(create());
  expect(error.sentence).toContain('answered with a web page');
  expect(error.advice).toContain('Check the base address');
  expect(seconds()).toBe(0);
  expect(service.sandbox.requests().length).toBeLessThanOrEqual(2);
});

it('a connection that may not read bookings is told which permission would have helped', async () => {
  const { access_token: token } = service.sandbox.issueToken({ scopes: ['bookings:write'] });
  fault({ kind: 'drop-after' });
  const error = await refusal(create(service.clientWith({ token })));
  expect(error.message).toContain('It could not be looked for');
  expect(error.message).toContain('bookings:read');
  expect(seconds()).toBe(0);
});

describe('the next try', () => {
  it('makes a booking that was truly lost, once a minute has passed', async () => {
    const client = process();
    fault({ kind: 'drop-before' });
    await refusal(create(client));
    await pass(1_000);
    const booking = await create(client);
    expect(seconds()).toBeGreaterThanOrEqual(60);
    expect(booking['id']).toBe(made()[0]?.id);
    expect(posts()).toHaveLength(2);
    expect(made()).toHaveLength(1);
  });

  it('half an hour later waits for nothing', async () => {
    const client = process();
    fault({ kind: 'drop-before' });
    await refusal(create(client));
    await pass(1_800_000);
    const from = service.sandbox.clock.now();
    await create(client);
    expect(service.sandbox.clock.now()).toBe(from);
    expect(made()).toHaveLength(1);
  });

  it('of a Zap is held once, and makes what was truly lost', async () => {
    const run = zap();
    fault({ kind: 'drop-before', times: 2 });
    const { retryAfterSeconds = 0 } = await refusal(create(run()));
    expect(retryAfterSeconds).toBeGreaterThan(30);
    await pass(retryAfterSeconds * 1000);
    const second = await refusal(create(run()));
    expect(second.retryAfterSeconds).toBeUndefined();
    expect(second.advice).toBe('Replay this step.');
    await pass(1_800_000);
    await create(run());
    expect(made()).toHaveLength(1);
    expect(posts()).toHaveLength(3);
  });

  it.each<[string, () => void]>([
    ['the booking was cancelled', () => service.sandbox.host.cancel(String(made()[0]?.id))],
    ['the booking was moved', () => service.sandbox.host.reschedule(String(made()[0]?.id), { start_time: '2030-03-07T15:00:00Z' })],
  ])('tells and sends nothing if meanwhile %s', async (_, meanwhile) => {
    const run = zap();
    fault({ kind: 'drop-after' });
    service.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 503, times: 40 });
    await refusal(create(run()));
    service.sandbox.faults.clear();
    meanwhile();
    await pass(1_800_000);
    const error = await refusal(create(run()));
    expect(error.message).toContain(`It may be ${made()[0]?.id}.`);
    expect(posts()).toHaveLength(1);
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ['an older booking of this person in this slot', { invitee_email: ada, start_time: slot }, true],
    ['an older booking of this person in another slot', { invitee_email: ada, start_time: '2030-03-09T15:00:00Z' }, false],
    ['an older booking of somebody else in another slot', { invitee_email: 'bob@example.org', start_time: '2030-03-09T15:00:00Z' }, false],
  ])('%s', async (_, older, isTold) => {
    await begin({ forms: { slots: 'shared' } });
    const { id } = service.sandbox.host.book({ invitee_name: 'Ada Lovelace', ...older });
    await pass(1_800_000);
    const client = process();
    fault({ kind: 'drop-before' });
    await refusal(create(client));
    await pass(61_000);
    const told = await create(client).catch((error: unknown) => error);
    if (isTold) expect(told).toMatchObject({ kind: 'unknownOutcome', message: expect.stringContaining(`It may be ${id}.`) as string });
    else expect(told).toMatchObject({ invitee_email: ada });
    expect(posts()).toHaveLength(isTold ? 1 : 2);
  });

  it("tells and sends nothing if somebody's new booking has this slot, because it may be ours under another address", async () => {
    await begin({ forms: { slots: 'shared' } });
    const client = process();
    fault({ kind: 'drop-before' });
    const { id } = service.sandbox.host.book({ invitee_email: 'lovelace@example.net', invitee_name: 'A. Lovelace', start_time: slot });
    await refusal(create(client));
    await pass(61_000);
    expect((await refusal(create(client))).message).toContain(`It may be ${id}.`);
    expect(posts()).toHaveLength(1);
  });

  it('waits out the minute even if the clock of this machine was set forward', async () => {
    let ahead = 0;
    const writes = new PendingWrites(memoryStore(() => service.sandbox.clock.now() + ahead, 'Try again.'));
    const clock = {
      now: () => service.sandbox.clock.now() + ahead,
      sleep: (milliseconds: number) => service.sandbox.clock.advance(milliseconds),
      random: () => 0.5,
    };
    fault({ kind: 'late-commit', delayMs: 50_000 });
    await refusal(create(service.clientWith({ writes, clock })));
    ahead = 3_600_000;
    const booking = await create(service.clientWith({ writes, clock }));
    expect(booking['id']).toBe(made()[0]?.id);
    expect(made()).toHaveLength(1);
  });

  it('is not held for longer than a minute if the clock of this machine was set back', async () => {
    const { writes } = heldStep();
    fault({ kind: 'drop-before' });
    const { retryAfterSeconds } = await refusal(create(service.clientWith({ writes: writes(), ...setBackDuring('GET') })));
    expect(retryAfterSeconds).toBeLessThanOrEqual(61);
  });

  it('of an item looks for what its first try sent, even if its values have changed', async () => {
    const client = process();
    fault({ kind: 'late-commit', delayMs: 40_000 });
    await refusal(create(client, {}, { item: 'run 1 item 0' }));
    const booking = await create(client, { start_time: '2030-03-06T15:01:00Z' }, { item: 'run 1 item 0' });
    expect(booking['id']).toBe(made()[0]?.id);
    expect(made()).toHaveLength(1);
  });

  it('says that the slot may be taken by the first try', async () => {
    const client = process();
    fault({ kind: 'drop-before' });
    await refusal(create(client));
    await pass(61_000);
    fault({ status: 400, body: { error: 'Slot taken', code: 'SLOT_UNAVAILABLE' } });
    const error = await refusal(create(client));
    expect(error.kind).toBe('slotTaken');
    expect(error.message).toContain(`The booking for ${ada} at ${slot}, sent at`);
  });

  it('never sends while the lists cannot be read', async () => {
    const client = process();
    fault({ kind: 'drop-before' });
    service.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 503, times: 'always' });
    await refusal(create(client));
    await pass(120_000);
    expect((await refusal(create(client))).kind).toBe('unknownOutcome');
    expect(posts()).toHaveLength(1);
  });
});

describe('several callers', () => {
  it('two of one family at one time are each told their own booking', async () => {
    await begin({ forms: { slots: 'shared' } });
    const client = process();
    fault({ kind: 'drop-after', times: 2 });
    const names = ['Ada Lovelace', 'Bob Lovelace'];
    const bookings = await Promise.all(names.map((invitee_name) => create(client, { invitee_name })));
    expect(bookings.map((each) => each['invitee_name'])).toEqual(names);
    expect(made().map(({ id }) => id)).toEqual(bookings.map(({ id }) => id));
  });

  it("a booking of the same person under another name is not taken for one's own", async () => {
    await begin({ forms: { slots: 'shared' } });
    await create(process(), { invitee_name: 'Bob Lovelace' });
    fault({ kind: 'drop-before' });
    const error = await refusal(create(process()));
    expect(error.message).toContain(`It may be ${made()[0]?.id}.`);
  });
});

describe('a program that its user ends at any moment', () => {
  it('has recorded what it was about to send, so that the next one looks first', async () => {
    const { writes } = heldStep({ mayStoreContent: true, writesAhead: true });
    const dying = service.clientWith({
      writes: writes(),
      transport: (inner) => async (request) => {
        await inner(request);
        return new Promise(() => undefined);
      },
    });
    void create(dying);
    while (made().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const booking = await create(service.clientWith({ writes: writes() }));
    expect(booking['id']).toBe(made()[0]?.id);
    expect(posts()).toHaveLength(1);
  });

  it('leaves no record after a booking, a refusal, or a request that was never sent', async () => {
    const { store, writes } = heldStep({ mayStoreContent: true, writesAhead: true });
    await create(service.clientWith({ writes: writes() }));
    fault({ status: 400, body: { error: 'No' } });
    await refusal(create(service.clientWith({ writes: writes() }), { invitee_name: 'Bob' }));
    const ended = service.clientWith({
      writes: writes(),
      transport: () => () => Promise.reject(new NotSent('over')),
    });
    await expect(create(ended, { invitee_name: 'Cy' })).rejects.toThrow('over');
    expect(store.size).toBe(0);
  });
});

it("a store that others can read holds no words, no address and no name: only the write's key and its times", async () => {
  const { store, writes } = heldStep();
  fault({ status: 500, body: { error: `No calendar for ${ada}` } });
  await refusal(create(service.clientWith({ writes: writes() })));
  expect(store.size).toBe(1);
  expect(JSON.stringify([...store.values()])).not.toMatch(/example|Ada|calendar/i);
});

it("a signal of the platform during the search keeps the booking, so that the platform's next run looks first", async () => {
  const { store, writes } = heldStep();
  class Refresh extends Error {}
  const client = service.clientWith({
    writes: writes(),
    transport: (inner) => (request) => (request.method === 'GET' ? Promise.reject(new Refresh()) : inner(request)),
  });
  fault({ kind: 'drop-after' });
  await expect(create(client)).rejects.toThrow(Refresh);
  expect(store.size).toBe(1);
  await create(service.clientWith({ writes: writes() }));
  expect(posts()).toHaveLength(1);
});

it('subscribing for somebody else never creates a second one over one that may be it', async () => {
  const url = 'http://localhost:9/hook';
  const given = { url, events: ['BOOKING_CREATED'] as ['BOOKING_CREATED'] };
  service.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-after' });
  const client = process();
  for (const tries of [1, 2]) {
    const error = await refusal(createSubscription.run(client, given, {}));
    expect([tries, error.message]).toEqual([tries, expect.stringContaining(`The webhook subscription for ${url}`)]);
    await pass(120_000);
  }
  expect(service.sandbox.subscriptions()).toHaveLength(1);
});

it('subscribing for somebody else, whose first try is still recognised if the clock of this machine was set back', async () => {
  const given = { url: 'http://localhost:9/hook', events: ['BOOKING_CREATED'] as ['BOOKING_CREATED'] };
  service.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-after' });
  const client = service.clientWith({ writes: heldStep().writes(), ...setBackDuring('POST') });
  await refusal(createSubscription.run(client, given, {}));
  await pass(3_700_000);
  expect((await refusal(createSubscription.run(client, given, {}))).kind).toBe('unknownOutcome');
  expect(service.sandbox.subscriptions()).toHaveLength(1);
});
