import { instantOf, instantsBetween, instantsOf, isZone, readStart } from '../../shared/time/time.ts';
import { inZone } from '../../shared/time/wallClock.ts';

const instant = (text: string, zone?: string): string => {
  const start = readStart(text, zone);
  return 'instant' in start ? start.instant : start.complaint;
};

it.each([
  ['2030-01-31T09:00:00Z', '2030-01-31T09:00:00Z'],
  ['2030-01-31T09:00:00.000+01:00', '2030-01-31T08:00:00Z'],
  ['2030-01-31T09:00+0530', '2030-01-31T03:30:00Z'],
  ['2030-01-31T09:00:00-03', '2030-01-31T12:00:00Z'],
  ['2030-01-31t09:00:00z', '2030-01-31T09:00:00Z'],
  ['2030-01-31 09:00:00.5Z', '2030-01-31T09:00:00.500Z'],
  ['2030-01-31T09:00:00,5Z', '2030-01-31T09:00:00.500Z'],
  ['2030-01-31T24:00:00+01:00', '2030-01-31T23:00:00Z'],
  ['2030-01-31T09:00:00+14:00', '2030-01-30T19:00:00Z'],
  [' 2030-01-31T09:00Z\n', '2030-01-31T09:00:00Z'],
  ['2030-01-31T24:00Z', '2030-02-01T00:00:00Z'],
  ['2030-01-31T23:59:59Z', '2030-01-31T23:59:59Z'],
  [`2030-01-31T09:00:00Z${' '.repeat(60)}`, '2030-01-31T09:00:00Z'],
])('sends a start with an offset as one instant in one form, however it was written: %s', (given, sent) => {
  expect(instant(given, 'Asia/Tokyo')).toBe(sent);
});

it.each(['2030-01-31T09:00:00+25:00', '2030-01-31T09:00:00+01:99', '2030-01-31T09:00:00-14:30', '2030-01-31T09:00:00+0160'])(
  'refuses an offset that no place has: %s',
  (given) => {
    expect(instant(given)).toContain('is not a date and time');
  },
);

it('reads a wall-clock start in the zone that is given', () => {
  expect(instant('2030-01-31T09:00:00', 'Europe/Berlin')).toBe('2030-01-31T08:00:00Z');
  expect(instant('2030-01-31 09:00', 'Asia/Tokyo')).toBe('2030-01-31T00:00:00Z');
});

it('refuses a wall-clock start if no zone is known', () => {
  expect(instant('2030-01-31T09:00:00')).toBe('has no UTC offset, and no time zone is set');
  expect(instant('2030-01-31T09:00:00', 'Mars/Olympus')).toBe('has no UTC offset, and no time zone is set');
});

it('refuses a time that a clock change skips, and takes the first of two if it repeats one', () => {
  expect(instant('2026-03-29T02:30', 'Europe/Berlin')).toBe('does not exist in Europe/Berlin, where the clocks skip that time');
  expect(instant('2026-03-08T02:00', 'America/New_York')).toContain('does not exist in America/New_York');
  expect(instant('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00Z');
  expect(instant('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00Z');
  // Half an hour, in the other half of the year.
  expect(instant('2026-10-04T02:15', 'Australia/Lord_Howe')).toContain('does not exist');
  // A whole day that was skipped.
  expect(instant('2011-12-30T12:00', 'Pacific/Apia')).toContain('does not exist');
});

it.each([
  'tomorrow',
  'on 2030-01-31T09:00:00Z',
  '2030-00-10T09:00:00Z',
  '2030-01-31T09:60:00Z',
  '2030-01-31T09:59:60Z',
  '2030-01-31T09:60+01:00',
  '2030-01-31T24:00:01Z',
  '2030-01-31T24:00:01.001Z',
  '2030-01-31T24:01:00Z',
  '2030-01-31T24:00:00.5Z',
  '2030-01-31',
  '09:00',
  '2030-02-30T09:00:00Z',
  '2030-01-31T25:00:00Z',
  '',
  '2030-01-31T09:00:00Zjunk',
  `2030-01-31T09:00:00.${'0'.repeat(60)}Z`,
])('refuses what is not a date and time: %p', (text) => {
  expect(instant(text, 'Europe/Berlin')).toContain('is not a date and time');
});

it.each([
  // The earlier of two offsets is found a day before or after the time.
  ['2026-10-25T02:30', 'Europe/Berlin', ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']],
  ['2026-10-25T01:59', 'Europe/Berlin', ['2026-10-24T23:59:00.000Z']],
  ['2026-10-25T03:00', 'Europe/Berlin', ['2026-10-25T02:00:00.000Z']],
  ['2026-03-29T02:30', 'Europe/Berlin', []],
  ['2026-11-01T01:30', 'America/New_York', ['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z']],
  ['2026-11-01T00:59', 'America/New_York', ['2026-11-01T04:59:00.000Z']],
  ['2026-04-05T01:45', 'Australia/Lord_Howe', ['2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z']],
])('%s in %s is the instants %j', (wall, zone, instants) => {
  expect(instantsOf(Date.parse(`${wall}Z`), zone).map((at) => new Date(at).toISOString())).toEqual(instants);
});

it("asks the engine for zones, so that valid names are accepted even if the engine's own list lacks them", () => {
  for (const name of ['UTC', 'Asia/Kolkata', 'Europe/Kyiv', 'Europe/Berlin']) expect(isZone(name)).toBe(true);
  for (const name of ['Mars/Olympus', '+02:00', '', 'Europe/', 'a'.repeat(100)]) expect(isZone(name)).toBe(false);
});

it('shows an instant on the clock of a zone, and nothing if either cannot be read', () => {
  expect(inZone('2030-01-31T09:00:00Z', 'America/New_York')).toBe('2030-01-31T04:00:00-05:00');
  expect(inZone('2030-01-31T09:00:00Z', undefined)).toBeUndefined();
  expect(inZone(17, 'UTC')).toBeUndefined();
});

it.each([
  [1_900_000_000, 1_900_000_000_000],
  [1_900_000_000_000, 1_900_000_000_000],
  ['1900000000', 1_900_000_000_000],
  ['1900000000000', 1_900_000_000_000],
  [7, Number.NaN],
  [1.9e15, Number.NaN],
  ['1900000000.250000000', 1_900_000_000_250],
  ['20300131', Number.NaN],
  [null, Number.NaN],
])('reads a number in a record as seconds or milliseconds since the epoch: %j', (value, at) => {
  expect(instantOf(value)).toBe(at);
});

it('knows between which instants a time lies', () => {
  const [earliest, latest] = instantsBetween('2030-01-31T09:00:00');
  expect([earliest, latest].map((at) => new Date(at).toISOString())).toEqual(['2030-01-30T19:00:00.000Z', '2030-01-31T23:00:00.000Z']);
  expect(instantsBetween('2030-01-31T09:00Z')).toEqual([instantOf('2030-01-31T09:00Z'), instantOf('2030-01-31T09:00Z')]);
  for (const unknown of ['soon', undefined, 7]) expect(instantsBetween(unknown)).toEqual([-Infinity, Infinity]);
});

it('compares instants, not texts', () => {
  expect(instantOf('2030-01-31T09:00:00Z')).toBe(instantOf('Thu, 31 Jan 2030 09:00:00 GMT'));
  expect(instantOf('Thu, 31 Jan 2030 09:00:00')).toBeNaN();
  expect(instantOf('2030-01-31T09:00:00Z')).toBe(instantOf('2030-01-31T10:00:00.000+01:00'));
  expect(instantOf('2030-01-31T09:00:00Z')).toBe(instantOf('2030-01-31T10:00:00+0100'));
  expect(instantOf('2030-01-31T09:00:00')).toBeNaN();
});
