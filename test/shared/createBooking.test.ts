import { hurried } from '../../shared/api/retry.ts';
import { PendingWrites } from '../../shared/api/pendingWrites.ts';
import { settleEarlier } from '../../shared/api/reconcile.ts';
import { parseInput } from '../../shared/define.ts';
import { cancelBooking, createBooking } from '../../shared/operations/index.ts';
import type { Fault } from '../../sandbox/service.ts';
import { heldStep } from '../support/heldStep.ts';
import { refusal } from '../support/refusal.ts';
import { serve, testStart, type TestService } from '../support/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await serve();
});
afterEach(() => service.sandbox.stop());

const form = (change: Record<string, unknown> = {}) => ({
  event_type_id: service.sandbox.eventTypes()[0]?.id,
  start_time: '2030-01-09T09:00:00',
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
  ...change,
});
const create = (change: Record<string, unknown> = {}, client = service.client, timeZone?: string) =>
  createBooking.run(client, parseInput(createBooking, form(change), { timeZone }), {});
const made = () => service.sandbox.bookings().filter(({ invitee_email: email }) => email === 'ada@example.com');
const posts = () => service.sandbox.requests().filter(({ method, path }) => method === 'POST' && path === '/v1/bookings');
const fault = (given: Partial<Fault>) => service.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', ...given });

it('sends the documented names, and nothing that was left empty', async () => {
  await create({ start_time: '2030-01-09T09:00:00Z', notes: '', invitee_timezone: undefined, locale: null });
  expect(posts()).toHaveLength(1);
  expect(posts()[0]?.body).toEqual({
    event_type_id: form().event_type_id,
    start_time: '2030-01-09T09:00:00Z',
    invitee_name: 'Ada Lovelace',
    invitee_email: 'ada@example.com',
  });
});

it("reads a wall-clock start in the platform's zone without sending that zone as the invitee's", async () => {
  await create({}, service.client, 'America/New_York');
  expect(posts()[0]?.body).toMatchObject({ start_time: '2030-01-09T14:00:00Z' });
  expect(posts()[0]?.body).not.toHaveProperty('invitee_timezone');
});

it('reads a start with spaces around it', async () => {
  await create({ start_time: ' 2030-01-09T09:00:00Z ' });
  expect(posts()[0]?.body).toMatchObject({ start_time: '2030-01-09T09:00:00Z' });
});

it.each([
  [{ start_time: '2030-01-09T09:00:00' }, '"Start" has no UTC offset, and no time zone is set'],
  [{ invitee_email: 'ada' }, '"Invitee Email" is not an email address'],
  [{ locale: 'de' }, '"Language" is not one of the languages en, es, fr'],
  [{ invitee_timezone: 'Mars/Olympus' }, '"Invitee Time Zone" is not a time zone such as Europe/Berlin'],
  [{ event_type_id: '' }, '"Event Type" is required'],
  [{ start_time: '  ' }, '"Start" is required'],
  [{ invitee_name: '   ' }, '"Invitee Name" is required'],
])('refuses %j before anything is sent, naming the field', async (change, sentence) => {
  const error = await refusal(Promise.resolve().then(() => create(change)));
  expect(error.kind).toBe('invalid');
  expect(error.message).toContain(sentence);
  expect(posts()).toEqual([]);
  expect(made()).toEqual([]);
});

const start = { start_time: '2030-01-09T10:00:00+01:00' };

it.each(['drop-after', 'reset-mid-body', 'truncate', 'late-commit'] as const)(
  'finds the booking again when its answer is lost by %s, and never makes it twice',
  async (kind) => {
    fault({ kind });
    const booking = await create(start);
    expect(made()).toHaveLength(1);
    expect(booking['id']).toBe(made()[0]?.id);
    expect(posts()).toHaveLength(1);
  },
);

it('finds the booking again if a 500 came after it was made', async () => {
  fault({ status: 500, commits: true });
  expect((await create(start))['id']).toBe(made()[0]?.id);
  expect(posts()).toHaveLength(1);
});

it.each(['drop-before', 'reset-before'] as const)('makes the booking once, later, if %s lost the request itself', async (kind) => {
  fault({ kind });
  const booking = await create(start);
  expect(made().map(({ id }) => id)).toEqual([booking['id']]);
  expect(posts()).toHaveLength(2);
  expect(service.sandbox.clock.now() - testStart).toBeGreaterThan(30_000);
});

it('does not send again if only seconds are left: it says that the booking may exist and what to look for', async () => {
  fault({ kind: 'drop-before' });
  const error = await refusal(create(start, service.clientWith({ patience: hurried })));
  expect(error.kind).toBe('unknownOutcome');
  expect(error.message).toContain('may or may not exist. It is for ada@example.com at 2030-01-09T09:00:00Z.');
  expect(posts()).toHaveLength(1);
  expect(service.sandbox.requests().filter(({ method, path }) => method === 'GET' && path === '/v1/bookings')).toHaveLength(2);
  expect(service.sandbox.clock.now() - testStart).toBeLessThan(30_000);
});

it('finds a booking that was made, even if only seconds are left', async () => {
  fault({ kind: 'drop-after' });
  expect((await create(start, service.clientWith({ patience: hurried })))['id']).toBe(made()[0]?.id);
});

/** A step on a host that ends it after half a minute and runs it again. */
function held() {
  const { store, writes } = heldStep();
  return { store, writes, run: () => create(start, service.clientWith({ patience: hurried, writes: writes() })) };
}

it('a host that runs the step again: the next run books, once, when the request had been lost', async () => {
  fault({ kind: 'drop-before' });
  const { run, store } = held();
  const error = await refusal(run());
  expect(error).toMatchObject({
    kind: 'unknownOutcome',
    advice: 'The next run of this step looks for it first, and sends it again only if it is not there.',
    retryAfterSeconds: 20,
  });
  await service.sandbox.clock.advance(20_000);
  const booking = await run();
  expect(made().map(({ id }) => id)).toEqual([booking['id']]);
  expect(posts()).toHaveLength(2);
  expect(store.size).toBe(0);
});

it('a host that runs the step again: the next run finds a booking that was made late', async () => {
  fault({ kind: 'late-commit', delayMs: 29_000 });
  const { run, store } = held();
  await refusal(run());
  await service.sandbox.clock.advance(20_000);
  expect((await run())['id']).toBe(made()[0]?.id);
  expect(made()).toHaveLength(1);
  expect(posts()).toHaveLength(1);
  expect(store.size).toBe(0);
});

it.each([
  ['at another start', () => ({ start_time: '2030-01-10T09:00:00Z' })],
  ['for another address', () => ({ ...start, invitee_email: 'ada@example.org' })],
  [
    'of another event type',
    () => ({ ...start, event_type_id: service.sandbox.eventTypes().find(({ name }) => name === 'Coffee Chat')?.id }),
  ],
])('while the result of one booking is open, another one %s is made as usual', async (_, change) => {
  fault({ kind: 'drop-before' });
  const { store, writes } = heldStep();
  const client = () => service.clientWith({ patience: hurried, writes: writes() });
  await refusal(create(start, client()));
  const other = await create(change(), client());
  expect(other).toMatchObject({ status: 'CONFIRMED' });
  expect(service.sandbox.bookings().filter(({ id }) => id === other['id'])).toHaveLength(1);
  expect(posts()).toHaveLength(2);
  expect(store.size).toBe(1);
});

it('a run that comes too early to be sure that the booking is missing books nothing', async () => {
  fault({ kind: 'late-commit', delayMs: 29_000 });
  const { run } = held();
  await refusal(run());
  expect((await refusal(run())).kind).toBe('unknownOutcome');
  expect(posts()).toHaveLength(1);
  await service.sandbox.clock.advance(60_000);
  expect((await run())['id']).toBe(made()[0]?.id);
  expect(made()).toHaveLength(1);
});

it('a step is held three times at most; a replay after that still looks first', async () => {
  fault({ kind: 'drop-before' });
  service.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 403, times: 4 * 3 });
  const { run } = held();
  const delays = [];
  for (let holds = 0; holds < 4; holds += 1) {
    const { retryAfterSeconds, advice } = await refusal(run());
    expect(advice).toContain('looks for it first');
    delays.push(retryAfterSeconds);
    await service.sandbox.clock.advance(300_000);
  }
  expect(delays).toEqual([20, 60, 120, undefined]);
  service.sandbox.faults.clear();
  const booking = await run();
  expect(made().map(({ id }) => id)).toEqual([booking['id']]);
  expect(posts()).toHaveLength(2);
});

it('if the host keeps nothing, nobody is told to wait for a next run', async () => {
  fault({ kind: 'drop-before' });
  const writes = new PendingWrites({ isPrivate: true, get: async () => undefined, set: async () => false, delete: async () => undefined });
  const error = await refusal(create(start, service.clientWith({ patience: hurried, writes })));
  expect(error.retryAfterSeconds).toBeUndefined();
  expect(error.advice).toContain('before you create it again');
});

it('an open write that was stored in another form counts as nothing', async () => {
  const { run, store } = held();
  fault({ kind: 'drop-before' });
  await refusal(run());
  for (const [key] of store) store.set(key, { reason: 'ECONNRESET', waitedMs: 'long' });
  const booking = await run();
  expect(made().map(({ id }) => id)).toEqual([booking['id']]);
});

it('a step that cannot even begin asks what an earlier run made before it says that it failed', async () => {
  fault({ kind: 'late-commit', delayMs: 29_000 });
  const { run, writes } = held();
  const resume = async () => {
    const client = service.clientWith({ patience: hurried, writes: writes() });
    const write = createBooking.write?.(client, parseInput(createBooking, form(start)), {});
    return write && settleEarlier(client, write);
  };
  expect(await resume()).toBeUndefined();
  await refusal(run());
  expect((await refusal(Promise.resolve(resume()))).kind).toBe('unknownOutcome');
  await service.sandbox.clock.advance(20_000);
  expect((await resume())?.['id']).toBe(made()[0]?.id);
});

it('does not make a booking again if the listed ones cannot be compared', async () => {
  await service.sandbox.stop();
  service = await serve({ forms: { records: 'sparse' } });
  fault({ kind: 'drop-before' });
  service.sandbox.host.book({
    event_type_id: form().event_type_id ?? '',
    start_time: '2030-01-10T09:00:00Z',
    invitee_name: 'Ada Lovelace',
    invitee_email: 'ada@example.com',
  });
  const error = await refusal(create(start));
  expect(error.kind).toBe('unknownOutcome');
  expect(posts()).toHaveLength(1);
});

it('an old cancelled booking is not mistaken for the one whose answer was lost', async () => {
  const first = await create(start);
  service.sandbox.host.cancel(String(first['id']));
  fault({ kind: 'drop-before' });
  const second = await create(start);
  expect(second['id']).not.toBe(first['id']);
  expect(made()).toHaveLength(2);
});

it('reports that the booking was not made if it is lost every time', async () => {
  fault({ kind: 'drop-before', times: 'always' });
  const error = await refusal(create(start));
  expect(error.kind).toBe('server');
  expect(error.message).toMatch(/was not created .*has no such booking\.$/);
  expect(posts()).toHaveLength(3);
  expect(made()).toEqual([]);
});

it('sends again at once what the rate limit refused, because it cannot have been carried out', async () => {
  fault({ status: 429, headers: { 'retry-after': '3' }, times: 2 });
  await create(start);
  expect(made()).toHaveLength(1);
  expect(posts().map(({ status }) => status)).toEqual([429, 429, 201]);
});

it('refuses ids that would leave their place in the path', async () => {
  for (const id of ['..', '.', 'a/b', 'a\\b', 'a\nb', 'x'.repeat(513)]) {
    expect((await refusal(cancelBooking.run(service.client, { booking_id: id }, {}))).kind).toBe('invalid');
  }
  expect(service.sandbox.requests()).toEqual([]);
  expect((await refusal(cancelBooking.run(service.client, { booking_id: '%2e%2e?x=1#y' }, {}))).kind).toBe('notFound');
  expect(service.sandbox.requests()[0]?.path).toContain('/cancel');
});
