import { addLocalTimes, zoneOf } from '../../shared/time/localTimes.ts';
import { sortByRelevance } from '../../shared/records/status.ts';
import { inReadingOrder } from '../../shared/records/outputs.ts';

describe('the times of a booking', () => {
  const booking = { id: 'bkg_1', start_time: '2030-01-31T19:00:00Z', end_time: '2030-01-31T20:00:00Z', invitee_timezone: 'Asia/Kolkata' };
  const invitee = {
    invitee_weekday: 'Friday',
    invitee_start_time: '2030-02-01T00:30:00+05:30',
    invitee_end_time: '2030-02-01T01:30:00+05:30',
  };
  const host = {
    host_weekday: 'Thursday',
    host_start_time: '2030-01-31T20:00:00+01:00',
    host_end_time: '2030-01-31T21:00:00+01:00',
    host_timezone: 'Europe/Berlin',
  };

  it('are shown on the clocks of the host and of the invitee', () => {
    expect(addLocalTimes('booking', booking, 'Europe/Berlin')).toStrictEqual({ ...booking, ...host, ...invitee });
  });

  it('are left out where they cannot be computed', () => {
    expect(addLocalTimes('booking', booking, undefined)).toStrictEqual({ ...booking, ...invitee });
    expect(addLocalTimes('booking', { ...booking, invitee_timezone: null }, 'Europe/Berlin')).toStrictEqual({
      ...booking,
      invitee_timezone: null,
      ...host,
    });
    expect(addLocalTimes('booking', { id: 'bkg_1' }, undefined)).toStrictEqual({ id: 'bkg_1' });
  });

  it('are added to nothing else', () => {
    const contact = { id: 'con_1', start_time: booking.start_time };
    expect(addLocalTimes('contact', contact, 'Europe/Berlin')).toBe(contact);
  });

  it.each([
    [{ timezone: 'Europe/Berlin' }, 'Europe/Berlin'],
    [{ timezone: '' }, undefined],
    [{ timezone: 7 }, undefined],
    [{}, undefined],
  ])('are those of the host by %j: %s', (user, zone) => {
    expect(zoneOf(user)).toBe(zone);
  });
});

it('puts the event, then who, when and what first, and changes nothing else', () => {
  const record = { id: 'a', event_type_name: 'Intro', notes: null, start_time: 's', invitee_name: 'Ada', event: 'E' };
  expect(Object.entries(inReadingOrder(record))).toEqual([
    ['event', 'E'],
    ['invitee_name', 'Ada'],
    ['start_time', 's'],
    ['event_type_name', 'Intro'],
    ['id', 'a'],
    ['notes', null],
  ]);
  expect(Object.keys(inReadingOrder({ id: 'a', start_time: undefined, constructor: 'x' }))).toEqual(['start_time', 'id', 'constructor']);
});

it('orders bookings: the next one first, then the latest past one, cancelled ones last', () => {
  const now = Date.parse('2030-01-02T08:00:00Z');
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
  const bookings = [
    { id: 'cancelled past', status: 'CANCELLED', start_time: at(-1) },
    { id: 'without a time', status: 'CONFIRMED' },
    { id: 'without one either', status: 'CONFIRMED', start_time: 'soon' },
    { id: 'long past', status: 'CONFIRMED', start_time: at(-9) },
    { id: 'late', status: 'CONFIRMED', start_time: at(9) },
    { id: 'past', status: 'CONFIRMED', start_time: at(-2) },
    { id: 'next', status: 'PENDING', start_time: at(1) },
    { id: 'cancelled', status: 'CANCELLED', start_time: at(2) },
    { id: 'now', status: 'CONFIRMED', start_time: at(0) },
    { id: 'as late', status: 'CONFIRMED', start_time: at(9) },
  ];
  expect(sortByRelevance(bookings, now).map(({ id }) => id)).toEqual([
    'now',
    'next',
    'late',
    'as late',
    'past',
    'long past',
    'without a time',
    'without one either',
    'cancelled',
    'cancelled past',
  ]);
});
