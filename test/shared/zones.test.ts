import fc from 'fast-check';
import { DateTime, IANAZone } from 'luxon';
import { instantOf, readStart, inZone } from '../../shared/time/time.ts';
import { isDay, isZone, offsetAt, offsetText, utc } from '../../shared/time/zones.ts';

// The core calculates by itself. A library that others trust checks the result.
const byLibrary = (text: string, zone: string) => DateTime.fromISO(text, { zone }).toISO({ suppressMilliseconds: true });
const zones = [
  ...Intl.supportedValuesOf('timeZone'),
  ...['UTC', 'GMT', 'Etc/GMT+5', 'Asia/Kolkata', 'Europe/Kyiv', 'Australia/Lord_Howe', 'Africa/Monrovia', 'America/St_Johns'],
];
const zone = fc.constantFrom(...zones);
/** From 1800 to 2200: before time zones existed, clocks differed by minutes and seconds. */
const instant = fc.integer({ min: Date.UTC(1800, 0), max: Date.UTC(2200, 0) });
/** Services write times with more or less of a second, and with an offset. */
const form = fc.constantFrom<(at: number) => string>(
  (at) => new Date(at).toISOString(),
  (at) => new Date(at - (at % 60_000)).toISOString(),
  (at) => new Date(at).toISOString().replace(/\.\d+/, ''),
  (at) => new Date(at).toISOString().replace(/\.\d+Z/, '+00:00'),
);

it('every zone is as far from UTC at any instant as the library says', () => {
  const check = (name: string, at: number) => expect(offsetAt(name, at)).toBe(IANAZone.create(name).offset(at));
  fc.assert(fc.property(zone, instant, check), { numRuns: 2_000 });
});

it('a time on the clock of a zone is written as the library writes it, in any form', () => {
  const check = (text: string, name: string) => expect(inZone(text, name)).toBe(byLibrary(text, name));
  fc.assert(
    fc.property(zone, instant, form, (name, at, written) => check(written(at), name)),
    { numRuns: 4_000 },
  );
  for (const text of ['1000-01-01T00:00Z', '0999-12-31T23:59Z', '2999-12-31T23:59Z', '9999-12-31T23:59Z', '0000-01-01T00:00Z'])
    for (const name of ['Pacific/Kiritimati', 'America/New_York', 'UTC']) check(text.replace('Z', ':00Z'), name);
});

it('a time with an offset is the instant that the library reads, in every spelling', () => {
  const two = (max: number) => fc.integer({ min: 0, max: max }).map((number) => String(number).padStart(2, '0'));
  const sign = fc.constantFrom('+', '-');
  const offset = fc.oneof(
    fc.constant('Z'),
    fc.tuple(sign, two(14), fc.constantFrom('', ':'), two(59)).map((parts) => parts.join('')),
    fc.tuple(sign, two(14)).map((parts) => parts.join('')),
  );
  const fraction = fc.oneof(
    fc.constant(''),
    fc.tuple(fc.constantFrom('.', ','), fc.stringMatching(/^\d{1,9}$/)).map((parts) => parts.join('')),
  );
  const year = fc.integer({ min: 1, max: 9999 }).map((number) => String(number).padStart(4, '0'));
  const time = fc
    .tuple(year, two(13), two(32), two(25), two(61), two(61), fraction, offset)
    .map(([y, month, day, hour, minute, second, rest, ends]) => `${y}-${month}-${day}T${hour}:${minute}:${second}${rest}${ends}`);
  let [read, refused] = [0, 0];
  const check = (text: string) => {
    const [, plus, hours = '0', minutes = '0'] = /([+-])(\d{2}):?(\d{2})?$/.exec(text) ?? [];
    const isTooFar = plus !== undefined && Number(hours) * 60 + Number(minutes) > 14 * 60;
    const wanted = isTooFar ? Number.NaN : DateTime.fromISO(text).toMillis();
    if (Number.isNaN(wanted)) refused += 1;
    else read += 1;
    expect(instantOf(text)).toBe(wanted);
  };
  fc.assert(fc.property(time, check), { numRuns: 3_000 });
  expect(Math.min(read, refused)).toBeGreaterThan(300);
});

it('a time on the clock of a zone is read as the instant that shows it, as the first of two, and refused if there is none', () => {
  let skipped = 0;
  const check = (name: string, wall: number) => {
    const text = new Date(wall).toISOString().slice(0, 16);
    const start = readStart(text, name);
    if ('complaint' in start) return void (skipped += 1);
    const shown = DateTime.fromISO(start.instant, { zone: name });
    expect(shown.toFormat("yyyy-MM-dd'T'HH:mm")).toBe(text);
    expect(shown.minus({ hours: 1 }).toFormat("yyyy-MM-dd'T'HH:mm")).not.toBe(text);
  };
  fc.assert(fc.property(zone, fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2037, 0) }), check), { numRuns: 2_000 });
  expect(skipped).toBeLessThan(20);
});

it('a day that does not exist is refused, in any year', () => {
  const check = (year: number, month: number, day: number) =>
    expect(isDay(year, month, day)).toBe(DateTime.utc(year, month, day).isValid && month > 0 && day > 0);
  const upTo = (max: number) => fc.integer({ min: 0, max });
  fc.assert(fc.property(upTo(9999), upTo(14), upTo(33), check), { numRuns: 3_000 });
  expect(new Date(utc(30, 1, 1)).toISOString()).toBe('0030-01-01T00:00:00.000Z');
});

it('a name is a zone if the engine knows it, and in no other case', () => {
  expect(zones.filter((name) => !isZone(name))).toEqual([]);
  const others = ['', 'Europe/Nowhere', 'Europe/', '+01:00', 'local', 'system', 'Europe/Berlin ', '2Europe/Berlin', 'constructor'];
  expect([...others, `A${'b'.repeat(100)}`].filter(isZone)).toEqual([]);
});

it('an offset ends a time in hours and minutes', () => {
  expect([330, -210, 0, -0.5, 754.2].map(offsetText)).toEqual(['+05:30', '-03:30', '+00:00', '-00:00', '+12:34']);
});
