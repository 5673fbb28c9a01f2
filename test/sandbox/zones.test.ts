import { DateTime } from 'luxon';
import { zoneNamed } from '../../sandbox/zones.ts';
import { offsetAt } from '../../shared/time/zones.ts';

it.each([
  ['America/Vancouver', '2026-12-15T09:00', '2026-12-15T16:00:00.000Z'],
  ['Canada/Pacific', '2050-12-15T09:00', '2050-12-15T16:00:00.000Z'],
  ['America/Havana', '2026-12-15T09:00', '2026-12-15T13:00:00.000Z'],
  ['Europe/Chisinau', '2026-03-29T02:30', '2026-03-29T00:30:00.000Z'],
  ['Europe/Madrid', '2059-07-01T09:00', '2059-07-01T07:00:00.000Z'],
])('in %s, the service and the core, each by its own rules, read %s as %s', (zone, local, instant) => {
  const time = DateTime.fromISO(local, { zone: zoneNamed(zone) });
  expect(time.toUTC().toISO()).toBe(instant);
  expect(time.toFormat("yyyy-MM-dd'T'HH:mm")).toBe(local);
  expect(offsetAt(zone, time.toMillis())).toBe(time.offset);
});
