import { carryOut } from '../../shared/carryOut.ts';
import type { ApiResponse, Transport } from '../../shared/api/transport.ts';
import { createBooking } from '../../shared/operations/index.ts';
import type { Fault } from '../../sandbox/service.ts';
import { heldStep } from '../support/heldStep.ts';
import { refusal } from '../support/refusal.ts';
import { serve, testStart, type TestService } from '../support/service.ts';

/** How a booking whose answer was lost is recognised as ours, or as somebody else's. */
let service: TestService;
beforeEach(async () => {
  service = await serve({ limits: false });
});
afterEach(() => service.sandbox.stop());

const email = 'ada@example.org';
const form = (change: object = {}) => ({
  event_type_id: service.sandbox.eventTypes()[0]?.id,
  start_time: '2030-01-09T09:00:00Z',
  invitee_name: 'Ada Lovelace',
  invitee_email: email,
  ...change,
});
const book = async (client = service.client, change: object = {}) =>
  (await carryOut(client, createBooking, { fields: form(change) }, { shape: 'presented' }))[0] ?? {};
const there = () => service.sandbox.bookings().filter(({ invitee_email: each }) => each.toLowerCase() === email);
const asked = (method: string, path: RegExp) => service.sandbox.requests().filter((each) => each.method === method && path.test(each.path));
const posts = () => asked('POST', /^\/v1\/bookings$/).length;
const lists = () => asked('GET', /^\/v1\/bookings$/);
const reads = () => asked('GET', /^\/v1\/bookings\/./).length;
const fault = (given: Partial<Fault>) => service.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-after', ...given });
/** The service shows its bookings differently: in its answers to writes, or in lists. */
const showing = (method: 'GET' | 'POST', change: (record: Record<string, unknown>) => Record<string, unknown>) =>
  service.clientWith({
    transport:
      (inner): Transport =>
      async (request) => {
        const answer = await inner(request);
        return request.method === method && request.url.endsWith('/bookings') ? shownAs(answer, change) : answer;
      },
  });
function shownAs(answer: ApiResponse, change: (record: Record<string, unknown>) => Record<string, unknown>): ApiResponse {
  const body = answer.body as { data?: unknown };
  const { data } = body;
  return { ...answer, body: { ...body, data: Array.isArray(data) ? data.map(change) : change(data as Record<string, unknown>) } };
}
const without =
  (...fields: string[]) =>
  (record: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !fields.includes(name)));

describe('an answer', () => {
  it('that is the booking settles it: nothing is looked for', async () => {
    await book();
    expect([posts(), lists().length, reads()]).toEqual([1, 0, 0]);
  });

  it.each([['invitee_email'], ['event_type_id'], ['start_time']])('that lacks its %s is ours by its other fields', async (field) => {
    await book(showing('POST', without(field)));
    expect([posts(), lists().length, reads()]).toEqual([1, 0, 0]);
  });

  it('that has only an id is ours if the service has a booking with this id', async () => {
    const record = await book(showing('POST', ({ id }) => ({ id })));
    expect(there().map(({ id }) => id)).toEqual([record['id']]);
    expect([posts(), lists().length, reads()]).toEqual([1, 0, 1]);
  });

  it.each(['usr_1', 'bkg_none'])('that has only an id, without a booking, does not count: %s', async (id) => {
    const record = await book(showing('POST', () => ({ id })));
    expect(there().map((each) => each.id)).toEqual([record['id']]);
    expect([posts(), lists().length]).toEqual([1, 1]);
  });

  it('whose id leads to another record does not count', async () => {
    const other = service.sandbox.bookings()[0]?.id;
    const client = service.clientWith({
      transport: (inner) => async (request) => {
        const answer = await inner(request);
        if (request.method === 'POST') return shownAs(answer, () => ({ id: 'bkg_made_up' }));
        return request.url.endsWith('/bkg_made_up') ? { ...answer, status: 200, body: { data: { id: other } } } : answer;
      },
    });
    expect((await book(client))['id']).toBe(there()[0]?.id);
  });

  it("that is somebody else's booking, while ours was made, ends in ours", async () => {
    const other = service.sandbox.bookings()[0];
    fault({ kind: 'status', status: 201, body: { data: other }, commits: true });
    expect((await book())['id']).toBe(there()[0]?.id);
    expect([posts(), there().length]).toEqual([1, 1]);
  });

  it("that is somebody else's booking leaves it open, and the error names that booking and the others that may be ours", async () => {
    const other = service.sandbox.bookings()[0]?.id;
    let made: string | undefined;
    const client = service.clientWith({
      transport: (inner) => async (request) => {
        const answer = await inner(request);
        if (request.method === 'POST') {
          made = there()[0]?.id;
          return { ...answer, body: { data: service.sandbox.bookings()[0] } };
        }
        return shownAs(answer, without('invitee_name'));
      },
    });
    const error = await refusal(book(client));
    expect(error).toMatchObject({ kind: 'unknownOutcome' });
    expect(error.message).toContain(`It may be ${other} or ${made}.`);
    expect(posts()).toBe(1);
  });
});

describe('a lost answer', () => {
  it("is looked for only among the address's bookings", async () => {
    fault({});
    expect((await book())['id']).toBe(there()[0]?.id);
    expect(lists().map(({ query }) => query['email'])).toEqual([email]);
  });

  it.each(['invitee_email', 'event_type_id', 'start_time', 'invitee_name', 'created_at'])(
    'is left open if a booking fits in everything but its missing %s, and that booking is not reported as ours',
    async (field) => {
      fault({});
      const error = await refusal(book(showing('GET', without(field))));
      expect(error.kind).toBe('unknownOutcome');
      expect(error.message).toContain(`It is for ${email} at 2030-01-09T09:00:00Z. It may be ${there()[0]?.id}.`);
      expect(posts()).toBe(1);
    },
  );

  it.each([
    ['invitee_email', 'another@example.org'],
    ['event_type_id', 'evt_other'],
    ['start_time', '2030-01-09T09:30:00Z'],
    ['invitee_name', 'Bob Lovelace'],
    ['created_at', '2029-01-01T00:00:00Z'],
  ])('is not a booking that differs in its %s, whatever else it lacks', async (field, value) => {
    fault({ kind: 'drop-before' });
    service.sandbox.host.book({ ...form({ start_time: '2030-01-10T09:00:00Z' }) });
    const others = ['invitee_email', 'event_type_id', 'start_time', 'invitee_name', 'created_at'].filter((name) => name !== field);
    await book(showing('GET', (record) => ({ ...without(...others)(record), [field]: value })));
    expect([posts(), there().length]).toEqual([2, 2]);
  });

  it("is not a booking that was made more than a minute before the request, by the service's clock", async () => {
    const made = (before: number) => showing('GET', (record) => ({ ...record, created_at: new Date(testStart - before).toISOString() }));
    fault({});
    expect((await book(made(60_000)))['id']).toBe(there()[0]?.id);
    fault({});
    const change = { start_time: '2030-01-10T09:00:00Z' };
    service.sandbox.forgetRequests();
    // Made again, and the service refuses the time because the first booking holds it.
    expect((await refusal(book(made(600_000), change))).kind).toBe('slotTaken');
    expect(posts()).toBe(2);
  });

  it('is not a booking that was made more than a day before, if the service shows no time; one made since then may be it', async () => {
    const timeless = (before: number) => {
      const begun = service.sandbox.clock.now();
      return service.clientWith({
        transport: (inner) => async (request) => {
          const {
            headers: { date: _, ...headers },
            ...answer
          } = await inner(request);
          return request.method === 'GET'
            ? shownAs({ ...answer, headers }, (record) => ({ ...record, created_at: new Date(begun - before).toISOString() }))
            : { ...answer, headers };
        },
      });
    };
    const day = 86_400_000;
    fault({});
    expect((await refusal(book(timeless(day)))).kind).toBe('unknownOutcome');
    fault({});
    expect((await refusal(book(timeless(day + 1), { start_time: '2030-01-10T09:00:00Z' }))).kind).toBe('slotTaken');
  });

  it('names five at most', async () => {
    const client = showing('GET', ({ id }) => ({ id }));
    for (let day = 10; day < 18; day += 1) service.sandbox.host.book({ ...form({ start_time: `2030-05-${day}T21:00:00Z` }) });
    fault({});
    const error = await refusal(book(client));
    expect(error.message.match(/bkg_\w+/g)).toHaveLength(5);
  });

  it('names no booking if nothing can be read', async () => {
    fault({});
    service.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 503, times: 'always' });
    expect((await refusal(book())).message).toMatch(/ at 2030-01-09T09:00:00Z\.$/);
  });

  it.each([
    ['\u00a0Ada\u2003 Lovelace ', 'Ada Lovelace'],
    ['ADA lovelace', 'Ada Lovelace'],
    ['Zoe\u0308 Ångström', 'Zoë Ångström'],
    ['Ａｄａ Lovelace', 'Ada Lovelace'],
  ])('is recognised by its name, written as %j', async (written, name) => {
    fault({});
    const client = showing('GET', (record) => ({ ...record, invitee_name: written }));
    expect((await book(client, { invitee_name: name }))['id']).toBe(there()[0]?.id);
    expect(posts()).toBe(1);
  });

  it('is not a booking that somebody has cancelled in the meantime: that one is over', async () => {
    fault({});
    const client = service.clientWith({
      transport: (inner) => async (request) => {
        const [made] = there();
        if (request.method === 'GET' && made?.status === 'CONFIRMED' && there().length === 1) service.sandbox.host.cancel(made.id);
        return inner(request);
      },
    });
    expect(await book(client)).toMatchObject({ status: 'CONFIRMED' });
    expect(
      there()
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['CANCELLED', 'CONFIRMED']);
  });
});

describe('among others', () => {
  const manySeats = async () => {
    await service.sandbox.stop();
    service = await serve({ limits: false, forms: { slots: 'shared' } });
  };
  /** The largest number of booking requests that ran at the same time. */
  function counting() {
    let now = 0;
    let most = 0;
    const client = service.clientWith({
      transport: (inner) => async (request) => {
        if (request.method !== 'POST') return inner(request);
        most = Math.max(most, (now += 1));
        return inner(request).finally(() => (now -= 1));
      },
    });
    return { client, most: () => most };
  }

  it('the answer to one is never given to the other, who has the same name', async () => {
    await manySeats();
    fault({ kind: 'drop-before', after: 1 });
    const records = [await book(), await book()];
    expect(new Set(records.map(({ id }) => id)).size).toBe(2);
    expect(there()).toHaveLength(2);
  });

  it('what was found for one is never given to the other either', async () => {
    await manySeats();
    fault({});
    const first = await book();
    fault({ kind: 'drop-before' });
    const second = await book();
    expect(
      there()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([first['id'], second['id']].sort());
    expect(there()).toHaveLength(2);
  });

  it('identical bookings go one after another, in any letter case, and others at the same time', async () => {
    await manySeats();
    const alike = counting();
    await Promise.all([
      book(alike.client),
      book(alike.client, { invitee_email: email.toUpperCase(), start_time: '2030-01-09T10:00:00+01:00' }),
    ]);
    expect(alike.most()).toBe(1);
    const other = counting();
    await Promise.all([
      book(other.client, { start_time: '2030-01-10T09:00:00Z' }),
      book(other.client, { start_time: '2030-01-11T09:00:00Z' }),
    ]);
    expect(other.most()).toBe(2);
  });

  it('what one step left open does not affect a step that books something else', async () => {
    const { store, writes } = heldStep();
    const step = (change: object = {}) => book(service.clientWith({ writes: writes(), patience: { readBackMs: [1000] } }), change);
    fault({ kind: 'drop-before' });
    await refusal(step());
    service.sandbox.forgetRequests();
    for (const change of [{ invitee_name: 'Bob Lovelace', start_time: '2030-01-10T09:00:00Z' }, { start_time: '2030-01-11T09:00:00Z' }])
      await step(change);
    expect([posts(), lists().length, store.size]).toEqual([2, 0, 1]);
  });
});
