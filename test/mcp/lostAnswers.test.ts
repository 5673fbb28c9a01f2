import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import type { Fault } from '../../sandbox/service.ts';
import { call, freeStart, somebody, Stage, textOf, until } from './stage.ts';

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

const create = 'POST /v1/bookings';

const wanted = () => ({ event_type_id: stage.coffee.id, start_time: freeStart(), invitee_name: 'Ada Lovelace', invitee_email: somebody() });

test.each<[string, Omit<Fault, 'route'>]>([
  ['the connection closes after the booking was made', { kind: 'drop-after' }],
  ['a proxy answers with its page, and the booking was made', { kind: 'html', status: 502, commits: true }],
  ['the connection is reset in the middle of the answer', { kind: 'reset-mid-body' }],
  ['the booking is made some time after the connection closed', { kind: 'late-commit', delayMs: 200 }],
  ['the answer is a page of success', { kind: 'not-json' }],
])('%s: it is reported as made, with its id, and was made once', async (_, fault) => {
  const client = await stage.served();
  const given = wanted();
  stage.sandbox.faults.add({ route: create, ...fault });
  const result = await call(client, 'create_booking', given);
  expect(textOf(result)).toContain('Create Booking: done.');
  const [only, ...others] = stage.bookingsOf(given.invitee_email);
  expect(others).toEqual([]);
  expect(result.structuredContent).toMatchObject({ id: only?.id, status: 'CONFIRMED' });
});

test('if nobody knows, it says so; and the next call, by another process, looks before it sends', async () => {
  const client = await stage.served();
  const given = wanted();
  stage.sandbox.faults.add({ route: create, kind: 'drop-after' });
  stage.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 500, times: 'always' });
  const unsure = await call(client, 'create_booking', given);
  expect(unsure.isError).toBe(true);
  expect(textOf(unsure)).toMatch(/may or may not exist.*it is looked for first/s);
  stage.sandbox.faults.clear();
  const another = await stage.served();
  const found = await call(another, 'create_booking', given);
  expect(found.structuredContent).toMatchObject({ id: stage.bookingsOf(given.invitee_email)[0]?.id });
  expect(stage.bookingsOf(given.invitee_email)).toHaveLength(1);
});

/** Longer than a test takes: what is held goes on when it is let go. */
const held = { delayMs: 60_000 };
const letGo = (): Promise<void> => stage.sandbox.clock.advance(held.delayMs);

/** The same booking again while the first one is held. It arrives before that one goes on, as a rule; later, its result is the same. */
async function againMeanwhile(client: Client, given: Record<string, unknown>): Promise<CallToolResult> {
  const again = call(client, 'create_booking', given);
  await sleep(50);
  await letGo();
  return again;
}

/** Begins a booking that its caller gives up on when `impatience` is aborted. */
function impatient(client: Client, given: Record<string, unknown>): { first: Promise<unknown>; impatience: AbortController } {
  const impatience = new AbortController();
  const first = client.callTool({ name: 'create_booking', arguments: given }, { signal: impatience.signal });
  first.catch(() => undefined);
  return { first, impatience };
}

/** A client that gives a booking up once the service has made it, before it answers. */
async function leave(client: Client, given: ReturnType<typeof wanted>): Promise<void> {
  stage.sandbox.faults.add({ route: create, kind: 'delay-after', ...held });
  const { first, impatience } = impatient(client, given);
  await until(() => stage.bookingsOf(given.invitee_email).length > 0);
  impatience.abort();
  await expect(first).rejects.toThrow();
}

describe('a call that the client gave up', () => {
  test('in the middle of a booking, and sends again, gets the booking that was made', async () => {
    const client = await stage.served();
    const given = wanted();
    await leave(client, given);
    const second = await againMeanwhile(client, given);
    expect(second.structuredContent).toMatchObject({ id: stage.bookingsOf(given.invitee_email)[0]?.id });
    expect(stage.bookingsOf(given.invitee_email)).toHaveLength(1);
  });

  test('and whose booking another call cancels before its answer comes: the same call books anew', async () => {
    const client = await stage.served();
    const given = wanted();
    await leave(client, given);
    // The program learns of it.
    await sleep(50);
    const cancelled = stage.bookingsOf(given.invitee_email)[0]?.id;
    await call(client, 'cancel_booking', { booking_id: cancelled, confirm: true });
    const again = (await againMeanwhile(client, given)).structuredContent as { id: string };
    expect(again).toMatchObject({ status: 'CONFIRMED' });
    expect(again.id).not.toBe(cancelled);
  });

  test('and whose result nobody saw: the next caller with the same request gets it', async () => {
    const client = await stage.served();
    const given = wanted();
    stage.sandbox.faults.add({ route: create, kind: 'delay-after', ...held });
    const { impatience } = impatient(client, given);
    await until(() => stage.bookingsOf(given.invitee_email).length > 0);
    impatience.abort();
    await letGo();
    await until(() =>
      stage.sandbox.requests().some(({ method, path, status }) => method === 'POST' && path === '/v1/bookings' && status === 201),
    );
    // The program reads that answer in the background. What it does with it only shows in what it does not send.
    await sleep(50);
    const second = await call(client, 'create_booking', given);
    expect(second.structuredContent).toMatchObject({ id: stage.bookingsOf(given.invitee_email)[0]?.id });
    expect(stage.sandbox.requests().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  /** Makes a booking whose caller leaves before it is told. */
  async function untold(client: Client, given: ReturnType<typeof wanted>): Promise<string> {
    await leave(client, given);
    // The program learns of it.
    await sleep(50);
    await letGo();
    await until(() => stage.sandbox.requests().some(({ path, status }) => path === '/v1/bookings' && status === 201));
    // The program has read that answer once it has deleted its note of the open write.
    await until(() => readdirSync(stage.file.openWrites(stage.file.read().id)).length === 0);
    await sleep(50);
    return stage.bookingsOf(given.invitee_email)[0]?.id ?? '';
  }

  test.each<[string, (client: Client, id: string) => Promise<unknown>]>([
    ['by its host', async (_, id) => stage.sandbox.host.cancel(id)],
    ['with another call', (client, id) => call(client, 'cancel_booking', { booking_id: id, confirm: true })],
  ])('and whose booking was cancelled meanwhile %s: the same call books anew', async (_, cancel) => {
    const client = await stage.served();
    const given = wanted();
    const id = await untold(client, given);
    await cancel(client, id);
    const again = (await call(client, 'create_booking', given)).structuredContent as { id: string };
    expect(again).toMatchObject({ status: 'CONFIRMED' });
    expect(again.id).not.toBe(id);
    expect(
      stage
        .bookingsOf(given.invitee_email)
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['CANCELLED', 'CONFIRMED']);
  });

  test('and whose booking cannot be read now: the same call says so and books nothing, and the next one gets it', async () => {
    const client = await stage.served();
    const given = wanted();
    const id = await untold(client, given);
    stage.sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', status: 503, times: 4 });
    expect((await call(client, 'create_booking', given)).isError).toBe(true);
    expect((await call(client, 'create_booking', given)).structuredContent).toMatchObject({ id });
    expect(stage.bookingsOf(given.invitee_email)).toHaveLength(1);
  });

  test('and while a subscription is made, an identical call gets no secret', async () => {
    const client = await stage.served();
    const given = { url: 'http://127.0.0.1:9/hooks', events: ['BOOKING_CREATED'] };
    stage.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'delay-after', ...held });
    const first = call(client, 'create_subscription', given);
    await until(() => stage.sandbox.subscriptions().length > 0);
    const second = await call(client, 'create_subscription', given);
    expect(textOf(second)).toContain('Only its caller is told the secret, and nothing more was sent');
    await letGo();
    expect((await first).structuredContent).toHaveProperty('signing_secret');
    expect(stage.sandbox.subscriptions()).toHaveLength(1);
  });

  test('and whose subscription nobody knows the secret of: the same call deletes it and makes another', async () => {
    const client = await stage.served();
    const given = { url: 'http://127.0.0.1:9/hooks', events: ['BOOKING_CREATED'] };
    stage.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'delay-after', ...held });
    const impatience = new AbortController();
    const first = client.callTool({ name: 'create_subscription', arguments: given }, { signal: impatience.signal });
    first.catch(() => undefined);
    await until(() => stage.sandbox.subscriptions().length > 0);
    impatience.abort();
    await expect(first).rejects.toThrow();
    // The program learns of it.
    await sleep(50);
    await letGo();
    await until(() => stage.sandbox.requests().some(({ path, status }) => path === '/v1/hooks' && status === 201));
    await sleep(500);
    const [before] = stage.sandbox.subscriptions();
    const { id } = (await call(client, 'create_subscription', given)).structuredContent as { id: string };
    expect(stage.sandbox.subscriptions().map((each) => each.id)).toEqual([id]);
    expect(id).not.toBe(before?.id);
  });

  test('after the booking was made, but before it was told: the next caller with the same request gets it', async () => {
    const client = await stage.served();
    const given = wanted();
    const isAsked = (path: string, status: number) => stage.sandbox.requests().some((each) => each.path === path && each.status === status);
    // The answer waits for the host's time zone.
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'delay', ...held });
    const { first, impatience } = impatient(client, given);
    await until(() => isAsked('/v1/bookings', 201) && stage.sandbox.faults.waiting().length === 0);
    impatience.abort();
    await expect(first).rejects.toThrow();
    const second = await againMeanwhile(client, given);
    expect(second.structuredContent).toMatchObject({ id: stage.bookingsOf(given.invitee_email)[0]?.id });
    expect(stage.sandbox.requests().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('in the middle of a booking that another caller got: it is not reported to a third one, who books anew', async () => {
    const client = await stage.served();
    const given = wanted();
    await leave(client, given);
    const { id } = (await againMeanwhile(client, given)).structuredContent as { id: string };
    await call(client, 'cancel_booking', { booking_id: id, confirm: true });
    const third = (await call(client, 'create_booking', given)).structuredContent as { id: string };
    expect(third).toMatchObject({ status: 'CONFIRMED' });
    expect(third.id).not.toBe(id);
  });

  test('before it was sent: another caller with the same request does not lose it', async () => {
    const client = await stage.served();
    const given = wanted();
    stage.sandbox.faults.add({ route: create, kind: 'status', status: 429, headers: { 'retry-after': '5' } });
    const { first, impatience } = impatient(client, given);
    await until(() => stage.sandbox.requests().some(({ status }) => status === 429));
    impatience.abort();
    await expect(first).rejects.toThrow();
    await sleep(50);
    const second = await call(client, 'create_booking', given);
    expect(textOf(second)).toContain('Create Booking: done.');
    expect(stage.bookingsOf(given.invitee_email)).toHaveLength(1);
  });

  test('while it waited for its turn after a refusal is no longer sent', async () => {
    const client = await stage.served();
    const [given, other] = [wanted(), wanted()];
    stage.sandbox.faults.add({ route: create, kind: 'status', status: 429, headers: { 'retry-after': '2' } });
    const { first, impatience } = impatient(client, given);
    await until(() => stage.sandbox.requests().some(({ status }) => status === 429));
    impatience.abort();
    await expect(first).rejects.toThrow();
    // This one waits as long as the first would have waited.
    expect((await call(client, 'create_booking', other)).isError).toBeUndefined();
    expect(stage.bookingsOf(given.invitee_email)).toEqual([]);
  });
});

test('two calls for the same at the same time make one booking, and both get it', async () => {
  const client = await stage.served();
  const given = wanted();
  const results = await Promise.all([call(client, 'create_booking', given), call(client, 'create_booking', { ...given })]);
  const [only] = stage.bookingsOf(given.invitee_email);
  expect(results.map(({ structuredContent }) => (structuredContent as { id: string }).id)).toEqual([only?.id, only?.id]);
});

test('a booking that was cancelled can be made again with the same arguments', async () => {
  const client = await stage.served();
  const given = wanted();
  const { id } = (await call(client, 'create_booking', given)).structuredContent as { id: string };
  await call(client, 'cancel_booking', { booking_id: id, confirm: true });
  const again = (await call(client, 'create_booking', given)).structuredContent as { id: string };
  expect(again.id).not.toBe(id);
});

test('a cancellation whose answer was lost is reported as done, and as done by this call', async () => {
  const client = await stage.served();
  const { id } = (await call(client, 'create_booking', wanted())).structuredContent as { id: string };
  stage.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'drop-after' });
  expect((await call(client, 'cancel_booking', { booking_id: id, confirm: true })).structuredContent).toMatchObject({
    id,
    status: 'CANCELLED',
    already_cancelled: false,
  });
});
