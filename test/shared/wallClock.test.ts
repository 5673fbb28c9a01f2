import { DateTime } from 'luxon';
import fc from 'fast-check';
import { inZone } from '../../shared/time/wallClock.ts';

/** What the zone's own library shows, one time at a time. */
const byLibrary = (instant: string, zone: string) => DateTime.fromISO(instant, { zone }).toISO({ suppressMilliseconds: true });

const zones = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/St_Johns',
  'Etc/UTC',
  'UTC',
  'GMT',
);
const instants = fc.integer({ min: Date.parse('1900-01-01'), max: Date.parse('2100-01-01') }).map((at) => new Date(at - (at % 1000)));
const forms = fc.constantFrom<(at: Date) => string>(
  (at) => at.toISOString(),
  (at) => at.toISOString().replace('.000', ''),
  (at) => at.toISOString().replace('.000Z', '+00:00'),
  (at) => at.toISOString().replace('.000', '.250'),
);

it('shows any instant, in any form, like the library that it replaces', () => {
  fc.assert(
    fc.property(instants, forms, zones, (at, form, zone) => expect(inZone(form(at), zone)).toBe(byLibrary(form(at), zone))),
    { numRuns: 2_000 },
  );
});

it('shows any minute, in the form in which services write it, like the library', () => {
  const minutes = fc
    .integer({ min: Date.parse('1890-01-01') / 60_000, max: Date.parse('2100-01-01') / 60_000 })
    .map((minute) => new Date(minute * 60_000).toISOString());
  const everywhere = fc.constantFrom(
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'Africa/Monrovia',
    'Europe/Amsterdam',
    'Asia/Gaza',
    'utc',
    'Etc/GMT+5',
  );
  const check = (instant: string, zone: string) => expect(inZone(instant, zone)).toBe(byLibrary(instant, zone));
  fc.assert(fc.property(minutes, fc.oneof(zones, everywhere), check), { numRuns: 3_000 });
  for (const instant of [
    '1000-01-01T00:00:00Z',
    '0999-12-31T23:59:00Z',
    '2999-12-31T23:59:00Z',
    '9999-12-31T23:59:00Z',
    '0000-01-01T00:00:00Z',
  ])
    for (const zone of ['Pacific/Kiritimati', 'America/New_York', 'UTC']) check(instant, zone);
});

it.each([
  ['Pacific/Kiritimati', '2030-01-31', 'not at all, fourteen hours ahead'],
  ['Pacific/Pago_Pago', '2030-03-01', 'not at all, eleven hours behind'],
  ['America/St_Johns', '2009-03-08', 'at a minute past midnight'],
  ['Europe/Berlin', '2026-03-29', 'an hour forward'],
  ['Europe/Berlin', '2026-10-25', 'an hour back'],
  ['Australia/Lord_Howe', '2026-04-04', 'half an hour back'],
  ['Pacific/Apia', '2011-12-30', 'over a whole day'],
])('is right to the minute in %s on %s, when the clocks go %s', (zone, date) => {
  const minutes = Array.from({ length: 1440 }, (_, minute) => new Date(Date.parse(date) + minute * 60_000).toISOString());
  expect(minutes.map((instant) => inZone(instant, zone))).toEqual(minutes.map((instant) => byLibrary(instant, zone)));
});

describe('the engine is asked as rarely as possible', () => {
  const asked = (work: () => void): number => {
    const spy = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    try {
      work();
      return spy.mock.calls.length;
    } finally {
      spy.mockRestore();
    }
  };
  const shown = (instants: readonly string[], zone: string) => asked(() => instants.forEach((instant) => inZone(instant, zone)));

  it('twice for all times of a day in a zone, in every usual form', () => {
    const forms = ['T00:00:00Z', 'T09:59:00Z', 'T19:30:00.0Z', 'T23:01:00.000Z', 'T20:00:00.000000000Z'];
    expect(
      shown(
        forms.map((form) => `2041-07-18${form}`),
        'Europe/Madrid',
      ),
    ).toBe(2);
    expect(
      shown(
        forms.map((form) => `2041-07-18${form}`),
        'Europe/Madrid',
      ),
    ).toBe(0);
    expect(shown(['2041-07-19T09:00:00Z', '2041-07-19T10:00:00Z'], 'Europe/Madrid')).toBe(2);
    expect(shown(['2041-07-18T09:00:00Z', '2041-07-18T10:00:00Z'], 'Europe/Lisbon')).toBe(2);
    expect(shown(['1941-07-18T09:00:00Z', '1941-07-18T10:00:00Z'], 'Europe/Lisbon')).toBe(2);
  });

  it('again for a day after two thousand others of its zone, so that the memory stays small', () => {
    const days = Array.from({ length: 2000 }, (_, day) => new Date(Date.UTC(2050, 0, 1 + day)).toISOString());
    shown(days, 'Asia/Tokyo');
    expect(shown(days.slice(-1), 'Asia/Tokyo')).toBe(0);
    expect(shown(['2060-01-01T00:00:00Z'], 'Asia/Tokyo')).toBe(2);
    expect(shown(days.slice(0, 1), 'Asia/Tokyo')).toBe(2);
  });
});

it.each([
  ['12030-01-31T08:00:00Z', undefined],
  ['2030-01-31T08:00:00Z!', undefined],
  ['2030-01-31T08:00:00.0000000001Z', undefined],
  ['2030-01-31T09:00:00+01:00', '2030-01-31T17:00:00+09:00'],
  ['2030-01-31T03:00:00-05:00', '2030-01-31T17:00:00+09:00'],
  ['2030-01-31T17:00', '2030-01-31T17:00:00+09:00'],
  ['2030-01-31T08:00:30Z', '2030-01-31T17:00:30+09:00'],
])('shows %s in Tokyo as %s', (instant, shown) => {
  expect(inZone(instant, 'Asia/Tokyo')).toBe(shown);
});

it('shows nothing for a time without an offset that the clocks of the zone skip', () => {
  expect(inZone('2026-03-29T02:30', 'Europe/Berlin')).toBeUndefined();
});

it('shows nothing for days and hours that do not exist, nor for zones that do not exist', () => {
  for (const instant of ['2030-02-30T09:00:00Z', '2030-13-01T09:00:00Z', '2030-01-31T25:00:00Z', '2030-01-31T09:61:00Z', 'tomorrow', '']) {
    expect(inZone(instant, 'Europe/Berlin')).toBeUndefined();
  }
  for (const zone of ['Mars/Olympus', '+02:00', 'local', '', undefined, 7]) expect(inZone('2030-01-31T09:00:00Z', zone)).toBeUndefined();
});
