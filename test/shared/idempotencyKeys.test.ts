import { createBooking, createSubscription } from '../../shared/operations/index.ts';
import { idempotencyKey } from '../../shared/assumptions.ts';
import { parseInput } from '../../shared/operations/parseInput.ts';
import type { Fault, Forms } from '../../sandbox/service.ts';
import { refusal, serve, type TestService } from '../support/service.ts';

let service: TestService;
const begin = async (form: Forms['idempotencyKey']) => {
  service = await serve({ forms: { slots: 'shared', idempotencyKey: form }, tokenLifetimeSeconds: 4_000_000 });
  // As on the platforms: keys are random.
  Object.assign(service.client.clock, { random: () => Math.random() });
};
beforeEach(() => void jest.replaceProperty(idempotencyKey, 'isHeeded', true));
afterEach(() => void jest.restoreAllMocks());

const email = 'ada@example.org';
const create = (more: Record<string, unknown> = {}, item?: string) =>
  createBooking.run(
    service.client,
    parseInput(createBooking, {
      event_type_id: service.sandbox.eventTypes()[0]?.id,
      start_time: '2030-03-06T15:00:00Z',
      invitee_name: 'Ada Lovelace',
      invitee_email: email,
      ...more,
    }),
    { item },
  );
const made = () => service.sandbox.bookings().filter(({ invitee_email: theirs }) => theirs === email);
const sent = () => service.sandbox.requests().filter(({ method }) => method === 'POST');
const keys = () => new Set(sent().map(({ headers }) => headers['idempotency-key'])).size;
const reads = () => service.sandbox.requests().filter(({ method }) => method === 'GET');
const fault = (given: Partial<Fault>) => service.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', ...given });

it('settles a lost answer by one repeat, without a search', async () => {
  await begin('heeded');
  fault({ kind: 'drop-after' });
  const booking = await create();
  expect([made().map(({ id }) => id), sent().length, keys(), reads()]).toEqual([[booking['id']], 2, 1, []]);
});

it('even the secret of a subscription that was made', async () => {
  await begin('heeded');
  fault({ route: 'POST /v1/hooks', kind: 'drop-after' });
  const input = parseInput(createSubscription, { url: 'http://localhost:5678/a', events: ['BOOKING_CREATED'] });
  expect(await createSubscription.run(service.client, input, {})).toMatchObject({
    signing_secret: expect.stringMatching(/^whsec_/) as unknown,
  });
  expect([service.sandbox.subscriptions().length, keys(), reads()]).toEqual([1, 1, []]);
});

it('books again whoever wants the same again, or the same with other notes', async () => {
  await begin('heeded');
  for (const more of [{}, {}, { notes: 'One' }, { notes: 'Two' }]) await create(more);
  expect([made().length, keys(), new Set(made().map(({ id }) => id)).size]).toEqual([4, 4, 4]);
});

it('a request that is still on its way is told, and the next try gets its answer', async () => {
  await begin('heeded');
  fault({ kind: 'late-commit', delayMs: 20_000 });
  const told = await refusal(create());
  expect(told.message).toContain('A request with this Idempotency-Key is in progress');
  expect(told.message).toContain('may or may not exist');
  await service.sandbox.clock.advance(30_000);
  const booking = await create();
  expect([made().map(({ id }) => id), keys(), reads()]).toEqual([[booking['id']], 1, []]);
});

it('the next try of an item whose values have changed does not send other things under its key', async () => {
  await begin('heeded');
  fault({ kind: 'drop-before', times: 2 });
  await refusal(create({}, 'run 1 item 0'));
  const booking = await create({ notes: 'Now with notes' }, 'run 1 item 0');
  expect([made().map(({ id }) => id), keys(), sent().map(({ status }) => status)]).toEqual([[booking['id']], 2, [null, null, 201]]);
});

it.each([429, 401, 403, 404, 422])(
  'a repeat that is refused with %i before the key is looked at says that the first try may have been done, and the next finds it',
  async (status) => {
    await begin('heeded');
    fault({ kind: 'drop-after' });
    fault({ status, times: 'always' });
    expect((await refusal(create())).sentence).toContain('may or may not exist');
    service.sandbox.faults.clear();
    const booking = await create();
    expect([made().map(({ id }) => id), keys()]).toEqual([[booking['id']], 1]);
  },
);

it('a refusal whose answer was lost is told as what it is, if the service says that it had given it before', async () => {
  await begin('heeded');
  fault({ kind: 'drop-after' });
  const told = await refusal(create({ event_type_id: 'evt_none' }));
  expect(told.sentence).toContain('An earlier request for it had failed');
  expect(told.sentence).not.toContain('may or may not exist');
  expect([made(), sent().length, keys()]).toEqual([[], 2, 1]);
});

it('a server error that the service repeats under the key for ever is left behind: the next try looks, and sends under another', async () => {
  await begin('all');
  service.sandbox.forms.trouble = '500';
  expect((await refusal(create())).message).toContain('The host must connect it again');
  service.sandbox.forms.trouble = 'none';
  expect(await create()).toMatchObject({ status: 'CONFIRMED' });
  expect([made().length, keys()]).toEqual([1, 2]);
});

it('without the switch, nothing has a key, and a lost booking is looked for', async () => {
  await begin('heeded');
  jest.replaceProperty(idempotencyKey, 'isHeeded', false);
  fault({ kind: 'drop-after' });
  const booking = await create();
  expect([made().map(({ id }) => id), sent().length, [...new Set(sent().map(({ headers }) => headers['idempotency-key']))]]).toEqual([
    [booking['id']],
    1,
    [undefined],
  ]);
  expect(reads().length).toBeGreaterThan(0);
});
