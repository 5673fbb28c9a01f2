import { carryOut } from '../../shared/carryOut.ts';
import type { ServiceError } from '../../shared/api/errors.ts';
import { cancelBooking, createBooking } from '../../shared/operations/index.ts';
import { Runs } from '../../shared/runs.ts';
import type { Fault } from '../../sandbox/service.ts';
import { heldStep } from '../support/heldStep.ts';
import { clockOf, serve, type TestService } from '../support/service.ts';

/** Bookings whose answer was lost, among others that look like them. What the person is told must be true. */
let service: TestService;
beforeEach(async () => {
  service = await serve();
});
afterEach(() => service.sandbox.stop());

const email = 'family@example.com';
const start = '2030-01-09T09:00:00Z';
const group = () => service.sandbox.eventTypes()[0]?.id ?? '';
const there = () => service.sandbox.bookings().filter((booking) => booking.invitee_email === email);
const names = () =>
  there()
    .map(({ invitee_name: name }) => name)
    .sort();
const posts = () => service.sandbox.requests().filter(({ method, path }) => method === 'POST' && path === '/v1/bookings').length;
const fault = (given: Partial<Fault>) => service.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', ...given });
const form = (name: string, change: object = {}) => ({
  event_type_id: group(),
  start_time: start,
  invitee_name: name,
  invitee_email: email,
  ...change,
});
/** A class that many people may attend at the same time: the service accepts the same time twice. */
async function manySeats(): Promise<void> {
  await service.sandbox.stop();
  service = await serve({ forms: { slots: 'shared' } });
}

const book = async (name: string, change: object = {}) => {
  const [record] = await carryOut(service.client, createBooking, { fields: form(name, change) }, { shape: 'presented' });
  return record ?? {};
};
const outcome = (work: Promise<unknown>) => work.catch((error: unknown) => error);

describe('an answer that holds no booking', () => {
  const page = '<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>';

  it.each([
    ['a page', page],
    ['an object of another kind', { ok: true }],
    ['an empty list', []],
    ['nothing in the envelope', { data: null }],
    ['a record of another kind', { data: { id: 'usr_1', name: 'Maya Okafor', email: 'maya@example.com' } }],
  ])('is a lost answer: %s, and nothing was booked, ends in an existing booking', async (_, body) => {
    fault({ status: 200, body });
    const record = await book('Ada Lovelace');
    expect(there().map(({ id }) => id)).toEqual([record['id']]);
    expect(posts()).toBe(2);
  });

  it.each([
    ['a page', page],
    ['an object of another kind', { ok: true }],
  ])('is a lost answer: %s, and it was booked, ends in that one booking', async (_, body) => {
    fault({ status: 201, body, commits: true });
    const record = await book('Ada Lovelace');
    expect(there().map(({ id }) => id)).toEqual([record['id']]);
    expect(posts()).toBe(1);
  });

  it('every time, and nothing is booked: reported as not created', async () => {
    fault({ status: 200, body: page, times: 'always' });
    const error = await outcome(book('Ada Lovelace'));
    expect(error).toMatchObject({ kind: 'server' });
    expect((error as ServiceError).message).toContain(
      `The booking for ${email} at ${start} was not created (it answered with text that is not JSON)`,
    );
    expect(there()).toEqual([]);
  });

  it("holds somebody else's booking: it is never reported as ours, and nothing is sent again", async () => {
    const other = service.sandbox.host.book({
      event_type_id: group(),
      start_time: '2030-01-10T09:00:00Z',
      invitee_name: 'Grace Hopper',
      invitee_email: 'grace@example.com',
    });
    fault({ status: 201, body: { data: other } });
    const error = await outcome(book('Ada Lovelace'));
    expect(error).toMatchObject({ kind: 'unknownOutcome' });
    expect((error as ServiceError).message).toContain(other.id);
    expect(posts()).toBe(1);
  });

  it('to a cancellation is looked for as well: done if it was cancelled, cancelled again if it was not', async () => {
    for (const commits of [false, true]) {
      const id = service.sandbox.host.book({
        event_type_id: group(),
        start_time: commits ? '2030-01-11T09:00:00Z' : '2030-01-10T09:00:00Z',
        invitee_name: 'Ada',
        invitee_email: email,
      }).id;
      service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'status', status: 200, body: page, commits });
      const [record] = await carryOut(service.client, cancelBooking, { fields: { booking_id: id } }, { shape: 'presented' });
      expect(record).toMatchObject({ id, status: 'CANCELLED', already_cancelled: false });
      expect(service.sandbox.bookings().find((each) => each.id === id)?.status).toBe('CANCELLED');
    }
  });
});

describe('people who share an address and a class', () => {
  it("Ada's request is lost and Bob's answer is lost: each gets the booking with their own name", async () => {
    await manySeats();
    fault({ kind: 'drop-before' });
    fault({ kind: 'drop-after', after: 1 });
    const [ada, bob] = await Promise.all([book('Ada Lovelace'), book('Bob Lovelace')]);
    expect([ada['invitee_name'], bob['invitee_name']]).toEqual(['Ada Lovelace', 'Bob Lovelace']);
    expect(names()).toEqual(['Ada Lovelace', 'Bob Lovelace']);
  });

  it("Ada's request is lost, Bob's is answered: Ada does not get Bob's booking", async () => {
    await manySeats();
    fault({ kind: 'drop-before' });
    const [ada, bob] = await Promise.all([book('Ada Lovelace'), book('Bob Lovelace')]);
    expect([ada['invitee_name'], bob['invitee_name']]).toEqual(['Ada Lovelace', 'Bob Lovelace']);
    expect(names()).toEqual(['Ada Lovelace', 'Bob Lovelace']);
  });

  it('two people with the same name get two bookings, whichever request or answer is lost', async () => {
    await manySeats();
    fault({ kind: 'drop-after' });
    fault({ kind: 'drop-before', after: 1 });
    const records = await Promise.all([book('Ada Lovelace'), book('Ada Lovelace')]);
    expect(records.map(({ id }) => id).sort()).toEqual(
      there()
        .map(({ id }) => id)
        .sort(),
    );
    expect(new Set(records.map(({ id }) => id)).size).toBe(2);
  });

  it('a booking with another name, made before the request, is not mistaken for it', async () => {
    await manySeats();
    service.sandbox.host.book({ event_type_id: group(), start_time: start, invitee_name: 'Bob Lovelace', invitee_email: email });
    fault({ kind: 'drop-before' });
    expect((await book('Ada Lovelace'))['invitee_name']).toBe('Ada Lovelace');
    expect(names()).toEqual(['Ada Lovelace', 'Bob Lovelace']);
  });

  it('a booking with the same name, made before the request, is not mistaken for it', async () => {
    await manySeats();
    const old = service.sandbox.host.book({
      event_type_id: group(),
      start_time: start,
      invitee_name: 'Ada Lovelace',
      invitee_email: email,
    });
    await service.sandbox.clock.advance(600_000);
    fault({ kind: 'drop-before' });
    const record = await book('Ada Lovelace');
    expect(record['id']).not.toBe(old.id);
    expect(there()).toHaveLength(2);
  });

  it('a name that the service writes in another case or with other spaces is the same', async () => {
    fault({ kind: 'drop-after' });
    const client = service.clientWith({
      transport: (inner) => async (request) =>
        JSON.parse(JSON.stringify(await inner(request)).replaceAll('Ada Lovelace', 'ADA  lovelace')) as Awaited<ReturnType<typeof inner>>,
    });
    const [record] = await carryOut(client, createBooking, { fields: form('Ada Lovelace') }, { shape: 'presented' });
    expect(record?.['id']).toBe(there()[0]?.id);
    expect(there()).toHaveLength(1);
  });
});

describe('an old record of the same person that lacks fields', () => {
  /** Shows the booking as a service does that has lost some of its fields. */
  const lacking = (...lost: string[]) =>
    service.clientWith({
      transport: (inner) => async (request) => {
        const answer = await inner(request);
        const list = request.method === 'GET' ? (answer.body as { data?: unknown }).data : undefined;
        for (const record of Array.isArray(list) ? (list as Record<string, unknown>[]) : [])
          if (record['start_time'] === '2019-03-04T09:00:00.000Z' || record['start_time'] === `${start.slice(0, -1)}.000Z`)
            for (const field of lost) record[field] = null;
        return answer;
      },
    });
  const bookWith = async (client: TestService['client']) =>
    (await carryOut(client, createBooking, { fields: form('Ada Lovelace') }, { shape: 'presented' }))[0];

  it('without a type: another field that differs rules it out, and the booking is made', async () => {
    service.sandbox.host.book({
      event_type_id: group(),
      start_time: '2030-01-02T12:00:00Z',
      invitee_name: 'Ada Lovelace',
      invitee_email: email,
    });
    fault({ kind: 'drop-before' });
    const record = await bookWith(lacking('event_type_id', 'event_type_name'));
    expect(there().map(({ id }) => id)).toContain(record?.['id']);
    expect(there()).toHaveLength(2);
  });

  it.each(['event_type_id', 'invitee_name', 'created_at', 'start_time'])(
    'a record that fits in all that is known and lacks %s leaves the result unknown, and says since when',
    async (field) => {
      await manySeats();
      service.sandbox.host.book({ event_type_id: group(), start_time: start, invitee_name: 'Ada Lovelace', invitee_email: email });
      fault({ kind: 'drop-before' });
      const error = await outcome(bookWith(lacking(field)));
      expect(error).toMatchObject({ kind: 'unknownOutcome' });
      expect((error as ServiceError).message).toContain('sent at 2030-01-02T08:00:00.000Z');
      expect(posts()).toBe(1);
    },
  );
});

describe('an item that the host runs again', () => {
  const runs = new Runs();
  const { writes } = heldStep(true);
  /** One try of a run over these items, whose notes an expression changes. */
  const attempt = async (people: readonly string[], notes: string, change: object = {}) => {
    const run = runs.begin('execution 1', clockOf(service.sandbox));
    const client = service.clientWith({ writes: writes() });
    const ends = await Promise.all(
      people.map((name, index) =>
        outcome(
          carryOut(
            client,
            createBooking,
            { fields: form(name, { notes, ...change }) },
            { shape: 'presented', item: { run, name: String(index) } },
          ),
        ),
      ),
    );
    runs.end(
      run,
      clockOf(service.sandbox),
      ends.every((end) => !(end instanceof Error)),
    );
    return ends;
  };

  it('is not sent again if it succeeded, although its notes are different now', async () => {
    await manySeats();
    fault({ status: 403, after: 1, body: { error: 'Forbidden' } });
    const [first] = await attempt(['Ada Lovelace', 'Bob Lovelace'], 'sent at nine');
    const [again, bob] = await attempt(['Ada Lovelace', 'Bob Lovelace'], 'sent at ten');
    expect(again).toEqual(first);
    expect(bob).toMatchObject([{ invitee_name: 'Bob Lovelace' }]);
    expect(names()).toEqual(['Ada Lovelace', 'Bob Lovelace']);
  });

  it('is looked for by what its first try sent, if that was left open', async () => {
    fault({ kind: 'drop-after' });
    service.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 403, times: 3, body: { error: 'Forbidden' } });
    const [open] = await attempt(['Ada Lovelace'], 'nine');
    expect(open).toMatchObject({ kind: 'unknownOutcome' });
    const [found] = await attempt(['Ada Lovelace'], 'ten', { start_time: '2030-01-09T11:00:00Z' });
    expect(found).toMatchObject([{ id: there()[0]?.id }]);
    expect(there()).toHaveLength(1);
  });

  it('is run as new in another run', async () => {
    await manySeats();
    await attempt(['Ada Lovelace'], 'first');
    await attempt(['Ada Lovelace'], 'second');
    expect(there()).toHaveLength(2);
  });
});

it('a long list of a thousand other bookings that continues is not taken as "not there"', async () => {
  fault({ kind: 'drop-before' });
  let page = 0;
  const others = () =>
    Array.from({ length: 100 }, (_, index) => ({ id: `bkg_${page}_${index}`, invitee_email: email, start_time: '2031-01-01T00:00:00Z' }));
  const client = service.clientWith({
    transport: (inner) => async (request) => {
      if (request.method !== 'GET') return inner(request);
      page += 1;
      return { status: 200, headers: {}, body: { data: others(), next_cursor: `page-${page}` } };
    },
  });
  expect(await outcome(carryOut(client, createBooking, { fields: form('Ada Lovelace') }, { shape: 'presented' }))).toMatchObject({
    kind: 'unknownOutcome',
  });
  expect(posts()).toBe(1);
});
