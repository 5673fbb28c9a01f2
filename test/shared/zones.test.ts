import fc from 'fast-check';
import { DateTime, IANAZone } from 'luxon';
import { instantOf, readStart } from '../../shared/time/time.ts';
import { inZone } from '../../shared/time/wallClock.ts';
import { isDay, isZone, offsetAt, offsetText, utc } from '../../shared/time/zones.ts';

// The core calculates by itself. A library that others trust checks the result.
const zones = [
  ...Intl.supportedValuesOf('timeZone'),
  ...['UTC', 'GMT', 'Etc/GMT+5', 'Asia/Kolkata', 'Europe/Kyiv', 'Australia/Lord_Howe', 'Africa/Monrovia', 'America/St_Johns'],
];
const zone = fc.constantFrom(...zones);
/** From 1800 to 2200: before time zones existed, clocks differed by minutes and seconds. */
const instant = fc.integer({ min: Date.UTC(1800, 0), max: Date.UTC(2200, 0) });

test('every zone is as far from UTC at any instant as the library says', () => {
  fc.assert(
    fc.property(zone, instant, (name, at) => {
      expect(offsetAt(name, at)).toBe(IANAZone.create(name).offset(at));
    }),
    { numRuns: 2_000 },
  );
});

test('a time on the clock of a zone is written as the library writes it, to the millisecond', () => {
  fc.assert(
    fc.property(zone, instant, (name, at) => {
      const text = new Date(at).toISOString();
      expect(inZone(text, name)).toBe(DateTime.fromISO(text, { zone: name }).toISO({ suppressMilliseconds: true }));
    }),
    { numRuns: 1_000 },
  );
});

test('a time with an offset is the instant that the library reads, in every spelling', () => {
  const two = (most: number) => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'));
  const offset = fc.oneof(
    fc.constant('Z'),
    fc.tuple(fc.constantFrom('+', '-'), two(14), fc.constantFrom('', ':'), two(59)).map((parts) => parts.join('')),
    fc.tuple(fc.constantFrom('+', '-'), two(14)).map((parts) => parts.join('')),
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
  fc.assert(
    fc.property(time, (text) => {
      const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{2}):?(\d{2})?$/.exec(text) ?? [];
      const isTooFar = sign !== undefined && Number(hours) * 60 + Number(minutes) > 14 * 60;
      const wanted = isTooFar ? Number.NaN : DateTime.fromISO(text).toMillis();
      if (Number.isNaN(wanted)) refused += 1;
      else read += 1;
      expect(instantOf(text)).toBe(wanted);
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(read, refused)).toBeGreaterThan(300);
});

test('a time on the clock of a zone is read as the instant that shows it, as the first of two, and refused if there is none', () => {
  let skipped = 0;
  fc.assert(
    fc.property(zone, fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2037, 0) }), (name, wall) => {
      const text = new Date(Math.floor(wall / 60_000) * 60_000).toISOString().slice(0, 16);
      const start = readStart(text, name);
      if ('complaint' in start) skipped += 1;
      else {
        const shown = DateTime.fromISO(start.instant, { zone: name });
        expect(shown.toFormat("yyyy-MM-dd'T'HH:mm")).toBe(text);
        const hourBefore = shown.minus({ hours: 1 });
        expect(hourBefore.toFormat("yyyy-MM-dd'T'HH:mm")).not.toBe(text);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(skipped).toBeLessThan(20);
  expect(readStart('2030-03-31T02:30', 'Europe/Berlin')).toMatchObject({ complaint: expect.stringContaining('skip that time') as unknown });
  expect(readStart('2030-10-27T02:30', 'Europe/Berlin')).toEqual({ instant: '2030-10-27T00:30:00Z' });
});

test('a day that does not exist is refused, in any year', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 14 }), fc.integer({ min: 0, max: 33 }), (year, month, day) => {
      expect(isDay(year, month, day)).toBe(DateTime.utc(year, month, day).isValid && month > 0 && day > 0);
    }),
    { numRuns: 3_000 },
  );
  expect(new Date(utc(30, 1, 1)).toISOString()).toBe('0030-01-01T00:00:00.000Z');
});

test('a name is a zone if the engine knows it, and in no other case', () => {
  for (const name of zones) expect(isZone(name)).toBe(true);
  for (const name of [
    '',
    'Europe/Nowhere',
    '+01:00',
    'local',
    'system',
    'Europe/Berlin ',
    '2Europe/Berlin',
    `A${'b'.repeat(100)}`,
    'constructor',
  ])
    expect(isZone(name)).toBe(false);
});

test('an offset ends a time in hours and minutes', () => {
  expect([330, -210, 0, -0.5, 754.2].map(offsetText)).toEqual(['+05:30', '-03:30', '+00:00', '-00:00', '+12:34']);
});
