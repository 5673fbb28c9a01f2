import { createBooking } from '../../shared/operations/index.ts';
import { idempotencyKey } from '../../shared/assumptions.ts';
import { zapierStepPolicy } from '../../shared/client/retry.ts';
import type { Transport } from '../../shared/client/ports.ts';
import { parseInput } from '../../shared/operations/parseInput.ts';
import { memoryStore, PendingWrites, type WriteKeys } from '../../shared/writes/index.ts';
import type { Fault } from '../../sandbox/service.ts';
import { adasForm, heldStep, refusal, requestsOf, serve, type TestService } from '../support/service.ts';
import { listOf, oneOf } from '../support/wire.ts';

let service: TestService;
beforeEach(async () => void (service = await serve({ forms: { slots: 'shared' }, tokenLifetimeSeconds: 4_000_000 })));

const ada = 'ada@example.org';
const slot = '2030-03-06T15:00:00Z';
const form = (change: Record<string, unknown> = {}) => adasForm(service, change);
const create = (client = service.client, change: Record<string, unknown> = {}) =>
  createBooking.run(client, parseInput(createBooking, form(change)), {});
const made = () => service.sandbox.bookings().filter(({ invitee_email: email }) => email === ada);
const posts = () => requestsOf(service, 'POST', '/v1/bookings');
const fault = (given: Partial<Fault>) => service.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', ...given });
const lists = (shown: object[]) => fault({ route: 'GET /v1/bookings', status: 200, body: listOf(shown), times: 'always' });
const pass = (milliseconds: number) => service.sandbox.clock.advance(milliseconds);

/** A process of n8n: what it keeps lasts as long as it lives. */
const process = (transport: (inner: Transport) => Transport = (inner) => inner) =>
  service.clientWith({ writes: new PendingWrites(memoryStore(() => service.sandbox.clock.now(), 'Try again.')), transport });

/** A service that lists nothing for addresses that it does not know. */
const filtered =
  (inner: Transport): Transport =>
  async (request) =>
    [undefined, ada, 'bob@example.net'].includes(request.query?.['email'])
      ? inner(request)
      : { status: 200, headers: {}, body: listOf([]) };

describe('the next try', () => {
  const theirs = (change: Record<string, unknown>) =>
    service.sandbox.host.book({ start_time: slot, invitee_name: 'Ada Lovelace', invitee_email: ada, ...change });
  /** The lists show a booking of the slot alone, and the service the second record for it. */
  const listed = (record: object, whole: object = record) => {
    const slotOnly = { id: 'bkg_theirs', status: 'CONFIRMED', event_type_id: form().event_type_id, start_time: slot };
    const answer = { kind: 'status', status: 200, times: 'always' } as const;
    service.sandbox.faults.add({ route: 'GET /v1/bookings', ...answer, body: listOf([{ ...slotOnly, ...record }]) });
    service.sandbox.faults.add({ route: 'GET /v1/bookings/:id', ...answer, body: oneOf({ ...slotOnly, ...whole }) });
    return slotOnly.id;
  };
  const bob = { invitee_email: 'bob@example.net', invitee_name: 'Bob' };
  const old = { start_time: '2030-03-07T15:00:00Z', created_at: '2029-12-31T08:00:00Z', invitee_email: ada };

  it.each<[string, () => string]>([
    ['a booking of this person with another name, made since', () => theirs({ invitee_name: 'Augusta' }).id],
    ["a booking under another address in this person's list", () => listed({ invitee_email: 'countess@example.net' })],
    ['a booking of nobody', () => listed({})],
    ['a booking of nobody with an id like an address', () => listed({ ical_uid: '7f3a@calendar.example', message_id: 'q1@mail.example' })],
    ['bookings that hide the person behind relays', () => (listed({}), listed({ reply_to: 'r1@relay.example' }))],
  ])('tells what it may be and what to do, and sends nothing, if this slot has %s', async (_, there) => {
    const client = process(filtered);
    fault({ kind: 'drop-before' });
    expect((await refusal(create(client))).kind).toBe('unknownOutcome');
    const id = there();
    await pass(61_000);
    const told = await refusal(create(client));
    expect(told).toMatchObject({ kind: 'unknownOutcome', message: expect.stringContaining(`It may be ${id}.`) as string });
    expect(told.advice).toMatch(/^Look at it in .* If it is what you wanted, you are done\. .* enter yours there by hand\.$/);
    expect(posts()).toHaveLength(1);
  });

  it('names a booking that is listed without an id, also after another such booking was found', async () => {
    const client = process(filtered);
    lists([
      { ...old, id: 'bkg_old' },
      { ...form(bob), id: '' },
      { ...form(), id: '', invitee_email: undefined, invitee_name: undefined },
    ]);
    fault({ kind: 'drop-before', times: 2 });
    expect(await create(client, bob)).toMatchObject(bob);
    await refusal(create(client));
    await pass(61_000);
    expect((await refusal(create(client))).message).toContain('It may be one that is listed without an id.');
  });

  const strangers = () => {
    lists([1, 2, 3].map((at) => ({ id: `bkg_${at}`, status: 'CONFIRMED', start_time: slot, invitee_email: `p${at}@example.net` })));
  };
  const onlyIds = () => {
    lists([1, 2, 3, 4, 5, 6, 7, 8].map((at) => ({ id: theirs({ start_time: `2030-03-1${at}T15:00:00Z` }).id })));
  };

  it.each<[string, () => unknown]>([
    ["another name under this person's address, made weeks ago", () => (theirs({ invitee_name: 'Augusta' }), pass(21 * 86_400_000))],
    ["somebody else's booking, which the list shows without a name", () => listed({}, bob)],
    ['strangers without names, in lists that are not filtered by email', strangers],
    ['somebody without a name or an address, in lists that are not filtered by email', () => listed({})],
    ["eight of this person's other slots, of which the lists show the ids alone", onlyIds],
  ])('sends what was truly lost, whatever else is there: %s', async (_, there) => {
    const client = process();
    await there();
    const before = made().length;
    fault({ kind: 'drop-before' });
    await refusal(create(client));
    await pass(61_000);
    expect(await create(client)).toMatchObject({ invitee_email: ada, start_time: slot.replace('Z', '.000Z') });
    expect(posts()).toHaveLength(2);
    expect(made().length).toBeGreaterThan(before);
  });

  it("costs four requests for each form of the address, also among 900 bookings, and keeps the service's first words", async () => {
    for (let count = 0; count < 900; count += 1) theirs({ invitee_email: `p${count}@example.net`, start_time: `2030-05-01T15:00:00Z` });
    const { writes } = heldStep();
    // A Zap: each run is a process of its own.
    const run = () => service.clientWith({ writes: writes(), patience: zapierStepPolicy });
    const body = { error: 'Service Unavailable', message: 'Maintenance until 14:00' };
    fault({ status: 503, body });
    await refusal(create(run()));
    await pass(61_000);
    const before = requestsOf(service, 'GET').length;
    fault({ kind: 'drop-before' });
    const told = await refusal(create(run()));
    expect(told.message).toMatch(/says: "Maintenance until 14:00"\.? .*did not answer/);
    // Of the look before it was sent, and of those after.
    expect((requestsOf(service, 'GET').length - before) / (1 + zapierStepPolicy.readBackMs.length)).toBe(4);
  });

  const thousand = listOf(
    Array.from({ length: 1_001 }, (_, index) => ({ ...old, id: `bkg_${index}` })),
    'more',
  );
  it.each<[string, Partial<Fault>]>([
    ['cannot be read', { status: 503 }],
    ['of the person are too long to be read', { status: 200, body: thousand }],
  ])('never sends while the lists %s', async (_, given) => {
    const client = process();
    fault({ kind: 'drop-before' });
    service.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', times: 'always', ...given });
    await refusal(create(client));
    await pass(120_000);
    expect((await refusal(create(client))).kind).toBe('unknownOutcome');
    expect(posts()).toHaveLength(1);
  });
});

describe('calls at once for one person and slot', () => {
  const seats = [{ notes: 'seat 1: vegan' }, { notes: 'seat 2: nut allergy' }, { locale: 'fr' }, { invitee_timezone: 'Europe/Paris' }];
  const ahead = () => heldStep({ writesAhead: true }).writes();

  it.each<[string, () => PendingWrites, Partial<Fault>[], string[]]>([
    ['are all sent if they differ', () => process().writes, [], ['done', 'done', 'done', 'done']],
    ['are all sent if they differ, also where writes are recorded ahead', ahead, [], ['done', 'done', 'done', 'done']],
    ['are all sent, also after one that was lost', ahead, [{ kind: 'drop-before' }], ['unknownOutcome', 'done', 'done', 'done']],
    ['are all sent, also after one whose answer came late', ahead, [{ kind: 'drop-after' }], ['done', 'done', 'done', 'done']],
    [
      "end in the service's own refusal",
      ahead,
      [{ status: 409, body: { code: 'SLOT_UNAVAILABLE' } }],
      ['slotTaken', 'done', 'done', 'done'],
    ],
  ])('%s', async (_, writes, faults, ends) => {
    const client = service.clientWith({ writes: writes() });
    for (const given of faults) fault(given);
    const told = await Promise.all(
      seats.map((seat) =>
        create(client, seat).then(
          ({ id }) => ['done', id],
          ({ kind }: { kind: string }) => [kind],
        ),
      ),
    );
    expect(told.map(([end]) => end)).toEqual(ends);
    expect(posts()).toHaveLength(seats.length);
    // Each is told of its own.
    const ids = told.flatMap(([, id]) => (id === undefined ? [] : [id]));
    expect(new Set(ids)).toEqual(new Set(made().map(({ id }) => id)));
  });

  it('of two of one family are each told their own, also if both answers are lost', async () => {
    const names = ['Ada Lovelace', 'Bob Lovelace'];
    fault({ kind: 'drop-after', times: 2 });
    const told = await Promise.all(names.map((invitee_name) => create(process(), { invitee_name })));
    expect(told.map((each) => each['invitee_name'])).toEqual(names);
    expect(new Set(told.map(({ id }) => id)).size).toBe(2);
  });

  it('are the same wish if they come after one that was lost, in other words', async () => {
    const client = process();
    fault({ kind: 'late-commit', delayMs: 40_000 });
    await refusal(create(client, { notes: 'vegan' }));
    await pass(20_000);
    const { id } = await create(client, { notes: 'Vegan, please.' });
    expect(made().map((each) => each.id)).toEqual([id]);
  });

  it('get what was done and not told only if they are identical', async () => {
    const writes = ahead();
    const told: WriteKeys[] = [];
    const untold = () => Object.assign(service.clientWith({ writes }), { onDone: (keys: WriteKeys) => told.push(keys) });
    fault({ kind: 'drop-after' });
    const first = await create(untold(), { notes: 'seat 1', locale: 'fr' });
    const second = await create(untold(), { notes: 'seat 2' });
    const again = await create(untold(), { locale: 'fr', notes: 'seat 1' });
    expect([again['id'], made().map(({ id }) => id)]).toEqual([first['id'], [first['id'], second['id']]]);
    for (const keys of told) await writes.forget(keys);
    expect(await create(untold(), { notes: 'seat 1', locale: 'fr' })).not.toMatchObject({ id: first['id'] });
  });
});

it.each<[string, string, number, string | undefined]>([
  ['of the API, where it is not shown yet', '/api/v1/bookings/bkg%2B1', 404, 'bkg+1'],
  ['of the API, where it cannot be read now', '/v1/bookings/bkg_1', 500, 'bkg_1'],
  ['outside the API, where it cannot be read now', 'https://book.example/bookings/ada?lang=en', 500, 'ada'],
  ['outside the API, where nothing is found', 'https://book.example/bookings/ada', 404, undefined],
])('an answer that only has an address %s, gives what was sent, with its id if that is known', async (_, location, status, id) => {
  const client = service.clientWith({
    transport: () => async (request) => {
      if (request.method === 'POST') return { status: 201, headers: { location }, body: undefined };
      const isList = new URL(request.url).pathname.endsWith('/bookings');
      return { status: isList ? 200 : status, headers: {}, body: isList ? listOf([]) : { error: 'No' } };
    },
  });
  expect(await create(client)).toMatchObject({ invitee_email: ada, start_time: slot });
  expect((await create(client))['id']).toBe(id);
});

describe('where the service heeds idempotency keys', () => {
  beforeEach(async () => {
    service = await serve({ forms: { slots: 'shared', idempotencyKey: 'heeded' } });
    // As on the platforms: keys are random.
    Object.assign(service.client.clock, { random: () => Math.random() });
    jest.replaceProperty(idempotencyKey, 'isHeeded', true);
    fault({ kind: 'drop-after' });
  });
  afterEach(() => void jest.restoreAllMocks());
  const keys = () => new Set(posts().map(({ headers }) => headers['idempotency-key'])).size;

  it('a refusal whose answer was lost is told as what it is, if the service says that it had given it before', async () => {
    const told = await refusal(create(service.client, { event_type_id: 'evt_none' }));
    expect(told.sentence).toContain('An earlier request for it had failed');
    expect(told.sentence).not.toContain('may or may not exist');
    expect([made(), posts().length, keys()]).toEqual([[], 2, 1]);
  });
});
