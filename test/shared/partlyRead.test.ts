import type { Transport } from '../../shared/client/ports.ts';
import { runOperation, getBusyTimes, getManyBookings } from '../../shared/operations/index.ts';
import { clientOver, stillClock, testStart } from '../support/service.ts';
import { listOf } from '../support/wire.ts';

const week = { from: new Date(testStart).toISOString(), to: new Date(testStart + 7 * 86_400_000).toISOString() };
const statuses = ['CONFIRMED', 'CANCELLED', 'PENDING'];

/** 4,000 bookings in no order, of which every tenth is in the week. */
const bookingsOf = () =>
  Array.from({ length: 4_000 }, (_, index) => ({
    id: `${index}`,
    status: index % 5 === 0 ? 'CANCELLED' : 'CONFIRMED',
    start_time: new Date(testStart + (index % 10 === 3 ? (index % 7) * 86_400_000 : (8 + ((index * 7) % 90)) * 86_400_000)).toISOString(),
  }));

const inWeek = (bookings: readonly { id: string; start_time: string; status: string }[], status = '') =>
  bookings
    .filter((each) => each.start_time >= week.from && each.start_time < week.to && each.status.includes(status))
    .map(({ id }) => id)
    .sort();

/** A service that takes a second for each answer, and counts places in its cursors. */
function slowService({ isUnfiltered = false, expired = 'kept' }: { isUnfiltered?: boolean; expired?: string } = {}) {
  const clock = stillClock();
  const service = { bookings: bookingsOf(), asked: 0, clock, forgotten: 0 };
  const transport: Transport = async ({ query = {} }) => {
    service.asked += 1;
    clock.at += 1_000;
    const [place = '', issued] = (query['cursor'] ?? '').split('@');
    const isExpired = place !== '' && Number(issued) < service.forgotten;
    if (isExpired && expired === 'refused') return { status: 400, headers: {}, body: { error: 'The cursor has expired.' } };
    if (isExpired && expired === 'empty') return { status: 200, headers: {}, body: listOf([]) };
    const list = service.bookings.filter(({ status }) => isUnfiltered || (query['status'] ?? status) === status);
    const from = isExpired ? 0 : Number(place);
    const next = from + Number(query['limit']);
    const cursor = next < list.length ? `${next}@${clock.at}` : null;
    return { status: 200, headers: {}, body: listOf(list.slice(from, next), cursor) };
  };
  const client = clientOver(transport, { clock });
  /** The same question until its answer is whole. */
  const untilWhole = async (between: (call: number) => void = () => undefined, fields: object = week) => {
    for (let call = 1; call < 9; call += 1) {
      const parts: string[] = [];
      const options = { shape: 'presented', partNote: (text: string) => parts.push(text), bound: { resume: 'unfinished' } } as const;
      const records = await runOperation(client, getManyBookings, { fields: { ...fields } }, options);
      if (parts.length === 0) return { ids: records.map(({ id }) => String(id)).sort(), calls: call };
      clock.at += 60_000;
      between(call);
    }
    throw new Error('It never became whole.');
  };
  return { service, client, untilWhole };
}

describe('a window that is read in several calls is whole in the end', () => {
  it('and each call goes on where the one before stopped: it reads the last page of each list once more', async () => {
    const { service, untilWhole } = slowService();
    const { ids, calls } = await untilWhole();
    expect([ids, calls > 1]).toEqual([inWeek(service.bookings), true]);
    expect(service.asked).toBeLessThanOrEqual(40 + statuses.length + statuses.length * calls);
  });

  it.each(['refused', 'first page', 'empty'])('if the cursors were forgotten in between (%s)', async (expired) => {
    const { service, untilWhole } = slowService({ expired });
    const { ids, calls } = await untilWhole((call) => {
      if (call === 1) service.forgotten = service.clock.at;
    });
    expect([ids, calls > 2]).toEqual([inWeek(service.bookings), true]);
  });

  it('if bookings left a list in between, so that it shifted', async () => {
    const { service, untilWhole } = slowService();
    const expected = inWeek(service.bookings);
    const { ids } = await untilWhole(() => {
      const [first, second] = service.bookings.filter(({ status }) => status === 'CONFIRMED');
      for (const booking of [first, second]) if (booking !== undefined) booking.status = 'CANCELLED';
    });
    expect(ids).toEqual(expected);
  });

  it('if it belongs to another account by then', async () => {
    const { service, untilWhole } = slowService();
    const { ids } = await untilWhole((call) => {
      if (call === 1) for (const booking of service.bookings) booking.id = `other ${booking.id}`;
    });
    expect(ids).toEqual(inWeek(service.bookings));
  });
});

it('the times that are taken are refused until the lists were read to their end: what is missing would look free', async () => {
  const { service, client } = slowService();
  const ask = () => runOperation(client, getBusyTimes, { fields: week }, { shape: 'presented', bound: { resume: 'unfinished' } });
  await expect(ask()).rejects.toMatchObject({ kind: 'invalid', message: expect.stringMatching(/^Nobody can tell yet which/) as unknown });
  service.clock.at += 60_000;
  const times = await ask();
  const counted = times.reduce((sum, { booking_count: count }) => sum + Number(count), 0);
  expect(counted).toBe(inWeek(service.bookings, 'CONFIRMED').length);
});

describe('a service that ignores the status', () => {
  it('is read once, not once for each status', async () => {
    const { service, untilWhole } = slowService({ isUnfiltered: true });
    expect((await untilWhole()).ids).toEqual(inWeek(service.bookings));
    expect(service.asked).toBeLessThan(40 + statuses.length + 10);
  });

  it('shows no other status in a window than was asked for', async () => {
    const { service, untilWhole } = slowService({ isUnfiltered: true });
    expect((await untilWhole(undefined, { ...week, status: 'CANCELLED' })).ids).toEqual(inWeek(service.bookings, 'CANCELLED'));
  });
});
