/** What the engine's calendar says about time zones. Written here, because a library for it would be larger than the whole core. */

/** When this many are kept, all are forgotten. */
const maxZones = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError if the engine does not know the zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  if (formats.size >= maxZones) formats.clear();
  formats.set(zone, format);
  return format;
}

/** What is wrong with any other name. */
export const noZone = 'is not a time zone such as Europe/Berlin';

/**
 * Whether the engine knows a zone by this name. Its own list lacks valid names (`UTC`, `Asia/Kolkata`), so it is tried instead of looked
 * up.
 */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || name.length > 64) return false;
  if (formats.has(name)) return true;
  try {
    return formatOf(name) !== undefined;
  } catch {
    // This is how the engine says no.
    return false;
  }
}

/** Whether a name means several zones: the engine reads `BST` as that of Dhaka, and `EST` as one without summer time. */
export const isAmbiguousZone = (name: string): boolean => /^[a-z]{3}$/i.test(name) && !/^(?:utc|gmt)$/i.test(name);

/** The name of a zone in a record, if it means exactly one. */
export const certainZone = (name: unknown): string | undefined =>
  typeof name === 'string' && isZone(name) && !isAmbiguousZone(name) ? name : undefined;

/**
 * How far a zone is ahead of UTC at an instant, in minutes, with a fraction for some historical offsets.
 *
 * @param at milliseconds since the epoch
 */
export function offsetAt(zone: string, at: number): number {
  if (Number.isNaN(at)) return Number.NaN;
  const shown = formatOf(zone)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  // `GMT-04:56:02`, or `GMT` alone.
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?$/.exec(shown ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes) + Number(seconds) / 60);
}

/** Milliseconds since the epoch. `Date.UTC` would read the year 30 as 1930. */
export function utc(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
}

/** Whether this day exists. */
export const isDay = (year: number, month: number, day: number): boolean => new Date(utc(year, month, day)).getUTCMonth() === month - 1;

/** An offset as the end of a time: `+05:30`. Minutes. */
export function offsetText(minutes: number): string {
  const size = Math.trunc(Math.abs(minutes));
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
