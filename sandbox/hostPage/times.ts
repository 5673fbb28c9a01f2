import { html } from 'hono/html';
import { DateTime } from 'luxon';
import { invalid } from '../errors.ts';
import { instant } from '../records.ts';
import { zoneNamed } from '../zones.ts';
import type { Html } from './layout.ts';

const MOMENT = 'ccc d LLL yyyy, HH:mm';
const LOCAL = "yyyy-MM-dd'T'HH:mm";

/** An instant as people write it, in their time zone. */
export function moment(at: string, zone: string): Html {
  return html`<time datetime="${at}">${inZone(at, zone).toFormat(MOMENT)}</time>`;
}

/** The start and the end of a booking. */
export function span(start: string, end: string, zone: string): Html {
  return html`${moment(start, zone)}–${inZone(end, zone).toFormat('HH:mm')}`;
}

/** The time until an instant, or since it: "in 28 seconds". Both are milliseconds since the epoch. */
export function fromNow(at: number, now: number): string {
  const base = DateTime.fromMillis(now);
  return DateTime.fromMillis(at).toRelative({ base, locale: 'en' }) ?? instant(at);
}

/** An instant as the value of a date and time field. */
export function localValue(at: number, zone: string): string {
  return DateTime.fromMillis(at, { zone: zoneNamed(zone) }).toFormat(LOCAL);
}

/**
 * The instant of a date and time that was entered for a zone.
 *
 * @throws {Refusal} VALIDATION_ERROR for start_time, also if the clocks of the zone skip that time
 */
export function instantOf(local: string, zone: string): string {
  const time = DateTime.fromISO(local, { zone: zoneNamed(zone) });
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(local) || !time.isValid) throw invalid('start_time', 'must be a date and a time');
  if (time.toFormat(LOCAL) !== local.slice(0, 16)) throw invalid('start_time', `does not exist in ${zone}: the clocks go forward then`);
  return instant(time.toMillis());
}

/** Whether a meeting is within a zone's working hours: Monday to Friday, 9:00 to 18:00. Both are milliseconds since the epoch. */
export const inWorkingHours =
  (zone: string) =>
  (start: number, end: number): boolean => {
    const from = DateTime.fromMillis(start, { zone: zoneNamed(zone) });
    return (
      from.weekday <= 5 && from.hour >= 9 && DateTime.fromMillis(end, { zone: zoneNamed(zone) }) <= from.startOf('day').set({ hour: 18 })
    );
  };

/** The zones to choose from. The current one is always included, even if it has an old name. */
export function zones(current: string): string[] {
  return [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])].sort();
}

function inZone(at: string, zone: string): DateTime {
  return DateTime.fromISO(at, { zone: zoneNamed(zone) });
}
