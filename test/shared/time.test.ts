import { instantOf, readStart, inZone } from '../../shared/time/time.ts';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { abbreviations } from '../../shared/time/abbreviations.ts';
import windowsZones from '../../shared/time/windowsZones.json' with { type: 'json' };
import { zoneChanges } from '../../shared/time/zoneChanges.ts';
import { certainZone, isZone, zoneFault } from '../../shared/time/zones.ts';

const instant = (text: string, zone?: string): string => {
  const start = readStart(text, zone);
  return 'instant' in start ? start.instant : start.complaint;
};

it.each([
  ['2030-01-31T09:00:00Z', '2030-01-31T09:00:00Z'],
  ['2030-01-31T24:00:00+01:00', '2030-01-31T23:00:00Z'],
  ['2030-01-31T09:00:00+14:00', '2030-01-30T19:00:00Z'],
  ['2030-01-31T24:00Z', '2030-02-01T00:00:00Z'],
  [`2030-01-31T09:00:00Z${' '.repeat(60)}`, '2030-01-31T09:00:00Z'],
  // An offset or UTC after a space, with a T as without one, and as pages and browsers write it.
  ...[
    ' UTC',
    ' utc',
    'UTC',
    ' GMT',
    ' Z',
    ' z',
    ' +00:00',
    '\u202fUTC',
    'GMT+0',
    ' UTC+00:00',
    ' GMT-0000',
    ' +00:00 [Europe/London]',
  ].flatMap((utc): [string, string][] =>
    ['2030-01-31T09:00:00', '2030-01-31 09:00:00', '2030-01-31t09:00', '2030-01-31 \u00a0 09:00'].map((at) => [
      at + utc,
      '2030-01-31T09:00:00Z',
    ]),
  ),
  ...[' +01:00', '  +0100', '\u202f+01', ' GMT+1', ' UTC+1', 'gmt+1:00', ' UTC+01:00', ' GMT+0100'].map((offset): [string, string] => [
    `2030-01-31T09:00:00${offset}`,
    '2030-01-31T08:00:00Z',
  ]),
  ['2030-01-31T09:00:00 \u221205:00', '2030-01-31T14:00:00Z'],
  ['2030-01-31T09:00:00 UTC-5', '2030-01-31T14:00:00Z'],
  // As programs write it.
  ['Thu Jan 31 2030 09:00:00 GMT+0100 (Central European Standard Time)', '2030-01-31T08:00:00Z'],
  // As calendar files and links have it (RFC 5545).
  ['20300131T090000Z', '2030-01-31T09:00:00Z'],
  ['Fri, 1 Feb 2030 09:00:00 -0500', '2030-02-01T14:00:00Z'],
  // As programs write it with its zone and its calendar, which count more than the zone of the form.
  ...[
    '2030-01-31T09:00[Europe/Berlin]',
    '2030-01-31t09:00:00[europe/berlin]',
    '2030-01-31T09:00:00+01:00[Europe/Berlin][u-ca=gregory]',
    '2030-01-31T09:00[!Europe/Berlin][!u-ca=gregory][others=any]',
    '2030-01-31 09:00:00.000000000 [Europe/Berlin]',
    '2030-01-31T09:00[+01:00]',
    '2030-01-31T09:00+01:00[GMT+01:00]',
    '2030-01-31T09:00+01:00[Europe/Nowhere]',
    // In UTC, and only shown in a zone.
    '2030-01-31T08:00Z[America/New_York]',
    '2030-01-31T08:00-00:00[America/New_York][u-ca=iso8601]',
  ].map((at): [string, string] => [at, '2030-01-31T08:00:00Z']),
  ['2030-01-31T09:00[u-ca=gregory]', '2030-01-31T00:00:00Z'],
  // The second of two.
  ['2026-10-25T02:30:00+01:00[Europe/Berlin]', '2026-10-25T01:30:00Z'],
  // Without an offset, in the zone.
  ['2030-01-31 09:00', '2030-01-31T00:00:00Z'],
  // As people type it, and spreadsheets show it: the year comes first, so that no day is a month.
  ...[
    '2030-01-31 9:00',
    '2030-1-31 9:00:00',
    '2030/01/31 09:00',
    '2030/1/31T9:00',
    '2030/1/31 9:00[Asia/Tokyo]',
    '2030\u20111\u201131 9:00',
    '2030-01-31T9 am',
    '2030/1/31 09:00 A.M.',
    '2030-01-31 9:00:00\u202fAM [Asia/Tokyo]',
  ].map((at): [string, string] => [at, '2030-01-31T00:00:00Z']),
  ['2030/1/31 9:00:00 +01:00', '2030-01-31T08:00:00Z'],
  ['2030-01-31T2:30pm', '2030-01-31T05:30:00Z'],
  ['2030-01-31 12:15 AM', '2030-01-30T15:15:00Z'],
  ['2030-01-31 12 PM GMT+1', '2030-01-31T11:00:00Z'],
])('sends a start as one instant in one form, however it was written: %s', (given, sent) => {
  expect(instant(given, 'Asia/Tokyo')).toBe(sent);
});

it.each([
  'tomorrow',
  '2030-01-31',
  '2030-01-31 9:5',
  '2030/31/1 9:00',
  '2030-01-31 99:00',
  '1/31/2030 9:00',
  '1/31/2030 9:00 AM',
  '2030-01-31 14:30 PM',
  '2030-01-31 0:30 am',
  '2030-01-31 9:00 AMT',
  '',
  `2030-01-31T09:00:00.${'0'.repeat(60)}Z`,
  '2030-01-31T09:00:00 +1',
  '2030-01-31T09:00:00 CET',
  '2030-01-31 T09:00:00',
  '2030-01-31T09:00:00 UTC+15',
  '2030-01-31T09:00:00 UTC UTC',
  '2030-01-31T09:00:00[Europe/Nowhere]',
  '2030-01-31T09:00:00+01:00[!Europe/Nowhere]',
  '2030-01-31T09:00:00+01:00[+02:00]',
  '2030-01-31T09:00:00+01:00[Europe/Berlin][!spaces=none]',
  '2030-01-31T09:00:00[Europe/Berlin][Europe/Paris]',
  '2030-01-31T09:00:00[]',
  // Nor in words. Programs that read them make another day of it.
  'Tue, 31 Feb 2026 09:00:00 GMT',
  'Wed, 15 Dec 2026 09:00:00 GMT',
  'Wed Dec 15 2026 09:00:00 GMT-0500 (EST)',
  'Tue, 15 Dez 2026 09:00:00 GMT',
  'Tue, 15 Dec 2026 25:00:00 GMT',
  'Tue, 15 Dec 2026 09:00:00 +9900',
])('refuses what is not a date and time: %p', (text) => {
  expect(instant(text, 'Europe/Berlin')).toContain('is not a date and time');
  expect(inZone(text, 'Europe/Berlin')).toBeUndefined();
});

it.each([
  [undefined, '2030-01-31T09:00', 'has no UTC offset, and no time zone is set'],
  ['', '2030-01-31T09:00', 'has no UTC offset, and no time zone is set'],
  // Such as GENERIC_TIMEZONE in n8n: one is set.
  ...['Mars/Olympus', 'Pacific', 'GMT+2'].map((zone): [string, string, string] => [
    zone,
    '2030-01-31T09:00',
    `has no UTC offset, and its time zone ${zone} is not a time zone such as Europe/Berlin`,
  ]),
  ['Europe/Berlin', '2026-03-29T02:30', 'does not exist in Europe/Berlin, where the clocks skip that time'],
  // Half an hour, in the other half of the year.
  ['Australia/Lord_Howe', '2026-10-04T02:15', 'does not exist in Australia/Lord_Howe, where the clocks skip that time'],
  ['Pacific/Apia', '2011-12-30T12:00', 'does not exist in Pacific/Apia, where the clocks skip that time'],
  // Two that contradict each other.
  [undefined, '2030-01-31T09:00-05:00[Europe/Berlin]', 'has the UTC offset -05:00, but it is +01:00 then in Europe/Berlin'],
  [undefined, '2030-01-31T09:00+00:00[Europe/Berlin]', 'has the UTC offset +00:00, but it is +01:00 then in Europe/Berlin'],
  [undefined, '2026-03-29T02:30+01:00[Europe/Berlin]', 'has the UTC offset +01:00, but it is +02:00 then in Europe/Berlin'],
  // A program with an older table than this one.
  [undefined, '2026-12-15T09:00-08:00[America/Vancouver]', 'has the UTC offset -08:00, but it is -07:00 then in America/Vancouver'],
  ['Asia/Tokyo', '2026-03-29T02:30[Europe/Berlin]', 'does not exist in Europe/Berlin, where the clocks skip that time'],
  // An abbreviation contradicts nothing, and says too little alone.
  [undefined, '2026-07-15T09:00-04:00[EST]', '2026-07-15T13:00:00Z'],
  ...['2026-07-15T09:00', '2026-07-15T09:00[EST]'].map((at): [string, string, string] => [
    'EST',
    at,
    'has no UTC offset, and its time zone EST is ambiguous; choose America/New_York, America/Toronto or America/Panama',
  ]),
  ['CET', '2026-07-15T09:00', '2026-07-15T07:00:00Z'],
  // The law of today.
  ['America/Vancouver', '2026-12-15T09:00', '2026-12-15T16:00:00Z'],
  ['Canada/Pacific', '2026-11-01T01:30', '2026-11-01T08:30:00Z'],
  ['america/yellowknife', '2056-12-15T09:00', '2056-12-15T15:00:00Z'],
  ['Cuba', '2027-01-15T09:00', '2027-01-15T13:00:00Z'],
  ['Cuba', '2028-01-15T09:00', '2028-01-15T14:00:00Z'],
  // The first of two.
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00Z'],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00Z'],
])('in %s, the wall-clock start %s %s', (zone, wall, result) => {
  expect(instant(wall, zone)).toBe(result);
});

it.each<[unknown, unknown, string | undefined]>([
  ['2030-01-31T09:00:00+01:00', 'Asia/Tokyo', '2030-01-31T17:00:00+09:00'],
  // It could be in any zone: read in each, it would be another instant at the host than at the invitee.
  ['2030-01-31T17:00', 'Asia/Tokyo', undefined],
  ['2030-01-31T08:00:00Z!', 'Asia/Tokyo', undefined],
  [1896076800, 'Asia/Tokyo', '2030-01-31T17:00:00+09:00'],
  ['1896076800000', 'Asia/Tokyo', '2030-01-31T17:00:00+09:00'],
  ['Thu, 31 Jan 2030 08:00:00 GMT', 'Asia/Tokyo', '2030-01-31T17:00:00+09:00'],
  ['2030-01-31T09:00[Europe/Berlin]', 'Asia/Tokyo', '2030-01-31T17:00:00+09:00'],
  ['2030-07-31T09:00[EST]', 'Asia/Tokyo', undefined],
  [17, 'UTC', undefined],
])('%j is shown in %j as %s', (text, zone, shown) => {
  expect(inZone(text, zone)).toBe(shown);
});

it.each([
  [1_900_000_000, 1_900_000_000_000],
  [1_900_000_000_000, 1_900_000_000_000],
  ['1900000000.250000000', 1_900_000_000_250],
  [1.9e15, Number.NaN],
  ['20300131', Number.NaN],
  [null, Number.NaN],
  ['Thu, 31 Jan 2030 09:00:00 GMT', Date.UTC(2030, 0, 31, 9)],
  ['Thu, 31 Jan 2030 09:00:00 +0100', Date.UTC(2030, 0, 31, 8)],
  ['Thu Jan 31 2030 09:00:00 GMT+0100 (Central European Standard Time)', Date.UTC(2030, 0, 31, 8)],
  ['Thu Jan 31 2030 09:00:00', Number.NaN],
  ['2030-01-31T09:00:00', Number.NaN],
])('the time of a record %j is compared as the instant %p', (value, at) => {
  expect(instantOf(value)).toBe(at);
});

describe('beside a library that others trust', () => {
  // The core calculates by itself. A library that others trust checks the result.
  const byLibrary = (text: string, zone: string) => DateTime.fromISO(text, { zone }).toISO({ suppressMilliseconds: true });
  const changed: readonly string[] = zoneChanges.flatMap(({ zones: names }) => names);
  const zones = [
    ...Intl.supportedValuesOf('timeZone'),
    ...['UTC', 'GMT', 'Etc/GMT+5', 'Asia/Kolkata', 'Europe/Kyiv', 'Australia/Lord_Howe', 'Africa/Monrovia', 'America/St_Johns'],
  ];
  // The library has only the engine's rules: the test of the clocks compares the zones whose law has changed since.
  const zone = fc.constantFrom(...zones.filter((name) => !changed.includes(name)));
  /** From 1800 to 2200: before time zones existed, clocks differed by minutes and seconds. */
  const instant = fc.integer({ min: Date.UTC(1800, 0), max: Date.UTC(2200, 0) });
  /** Services write times with more or less of a second, and with an offset. */
  const form = fc.constantFrom<(at: number) => string>(
    (at) => new Date(at).toISOString(),
    (at) => new Date(at - (at % 60_000)).toISOString(),
    (at) => new Date(at).toISOString().replace(/\.\d+/, ''),
    (at) => new Date(at).toISOString().replace(/\.\d+Z/, '+00:00'),
  );

  it('a time on the clock of a zone is written as the library writes it, in any form', () => {
    const check = (text: string, name: string) => expect(inZone(text, name)).toBe(byLibrary(text, name));
    fc.assert(
      fc.property(zone, instant, form, (name, at, written) => check(written(at), name)),
      { numRuns: 500 },
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
    fc.assert(fc.property(time, check), { numRuns: 500 });
    expect(Math.min(read, refused)).toBeGreaterThan(50);
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
    fc.assert(fc.property(zone, fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2037, 0) }), check), { numRuns: 500 });
    expect(skipped).toBeLessThan(10);
  });

  it('a name is a zone if the engine knows it, and in no other case', () => {
    expect(zones.filter((name) => !isZone(name))).toEqual([]);
    const others = ['', 'Europe/Nowhere', 'Europe/', '+01:00', 'local', 'system', 'Europe/Berlin ', '2Europe/Berlin', 'constructor'];
    expect([...others, `A${'b'.repeat(100)}`].filter(isZone)).toEqual([]);
  });

  it('an abbreviation is no zone that somebody may enter, whether or not the engine has one of this name', () => {
    const names = ['EST', 'pst', 'BST', 'CET', 'EDT', 'CTT', 'JST', 'UTC', 'gmt', 'GB', 'EST5EDT', 'Japan', 'ROK', 'Etc/UTC'];
    expect(names.filter((name) => zoneFault(name) !== undefined)).toEqual(['EST', 'pst', 'BST', 'CET', 'EDT', 'CTT']);
    expect(zoneFault('ist')).toBe('is ambiguous; choose Asia/Kolkata, Europe/Dublin or Asia/Jerusalem');
    // As people in Panama say it, and as a form may hand it on.
    for (const name of ['Eastern Standard Time', 'eastern_daylight_time']) expect(zoneFault(name)).toBe(zoneFault('EST'));
    expect([zoneFault('CTT'), zoneFault('XYZ')]).toEqual([
      'is ambiguous; use a name such as America/New_York',
      'is not a time zone such as Europe/Berlin',
    ]);
    // Whoever stores it means one zone, or zones with the same summer time.
    expect(['EST', 'BST', 'EDT', 'CET', 'PRC', 'uct'].filter(certainZone)).toEqual(['CET', 'PRC', 'uct']);
  });

  // https://github.com/unicode-org/cldr/blob/release-48-2/common/supplemental/windowsZones.xml
  it("the names of Windows' zones mean those that the whole world has for them", () => {
    const names = Object.keys(windowsZones);
    expect([names.length, names.filter((name) => !isZone(name)), names.filter((name) => isZone(certainZone(name) ?? ''))]).toEqual([
      138,
      [],
      names,
    ]);
    expect(['W. Europe Standard Time', 'eastern standard time', 'UTC-02', 'Nowhere Standard Time'].map(certainZone)).toEqual([
      'Europe/Berlin',
      'America/New_York',
      'Etc/GMT+2',
      undefined,
    ]);
    expect(names.filter((name) => zoneFault(name) !== undefined).map((name) => name.replace(' standard time', ''))).toEqual([
      ...['atlantic', 'central', 'eastern', 'hawaiian', 'mountain', 'pacific'],
    ]);
    expect(inZone('2030-07-31T08:00:00Z', 'Pacific Standard Time')).toBe('2030-07-31T01:00:00-07:00');
  });

  it('every zone that an abbreviation may mean is one', () => {
    const named = Object.values(abbreviations).flatMap((meant) => meant.split(/, | or /));
    expect(named.filter((name) => zoneFault(name) !== undefined)).toEqual([]);
  });
});
