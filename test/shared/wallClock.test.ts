import { DateTime } from 'luxon';
import fc from 'fast-check';
import { inZone } from '../../shared/wallClock.ts';

/** What the zone's own library shows, one time at a time. */
const byLibrary = (instant: string, zone: string) => DateTime.fromISO(instant, { zone }).toISO({ suppressMilliseconds: true });

const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca', 'America/St_Johns', 'Etc/UTC', 'UTC', 'GMT');
const instants = fc.integer({ min: Date.parse('1900-01-01'), max: Date.parse('2100-01-01') }).map((at) => new Date(at - (at % 1000)));
const forms = fc.constantFrom<(at: Date) => string>(
  (at) => at.toISOString(),
  (at) => at.toISOString().replace('.000', ''),
  (at) => at.toISOString().replace('.000Z', '+00:00'),
  (at) => at.toISOString().replace('.000', '.250'),
);

it('shows any instant, in any form, as the library does that it stands in for', () => {
  fc.assert(fc.property(instants, forms, zones, (at, form, zone) => expect(inZone(form(at), zone)).toBe(byLibrary(form(at), zone))), { numRuns: 2_000 });
});

it.each([
  ['Europe/Berlin', '2026-03-29', 'an hour forward'],
  ['Europe/Berlin', '2026-10-25', 'an hour back'],
  ['Australia/Lord_Howe', '2026-04-04', 'half an hour back'],
  ['Pacific/Apia', '2011-12-30', 'over a whole day'],
])('is right to the minute in %s on %s, when the clocks go %s', (zone, date) => {
  const minutes = Array.from({ length: 1440 }, (_, minute) => new Date(Date.parse(date) + minute * 60_000).toISOString());
  expect(minutes.map((instant) => inZone(instant, zone))).toEqual(minutes.map((instant) => byLibrary(instant, zone)));
});

it('shows nothing for days and hours that there are not, and for zones that there are not', () => {
  for (const instant of ['2030-02-30T09:00:00Z', '2030-13-01T09:00:00Z', '2030-01-31T25:00:00Z', '2030-01-31T09:61:00Z', 'tomorrow', '']) {
    expect(inZone(instant, 'Europe/Berlin')).toBeUndefined();
  }
  for (const zone of ['Mars/Olympus', '+02:00', 'local', '', undefined, 7]) expect(inZone('2030-01-31T09:00:00Z', zone)).toBeUndefined();
});
