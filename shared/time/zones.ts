/** What the engine's calendar says about time zones. Written here, because a library for it would be larger than the whole core. */

/** When this many are kept, all are forgotten. */
const maxZones = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError if the engine does not know the zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  if (formats.size >= maxZones) formats.clear();
  formats.set(zone, format);
  return format;
}

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

/**
 * How far a zone is ahead of UTC at an instant, in minutes, with a fraction for some historical offsets.
 *
 * @param at milliseconds since the epoch
 */
export function offsetAt(zone: string, at: number): number {
  const second = Math.floor(at / 1000) * 1000;
  if (Number.isNaN(second)) return Number.NaN;
  const shown = Object.fromEntries(
    formatOf(zone)
      .formatToParts(second)
      .map(({ type, value }) => [type, value]),
  );
  const part = (name: string): number => Number(shown[name]);
  const year = shown['era'] === 'BC' ? 1 - part('year') : part('year');
  return (utc(year, part('month'), part('day'), part('hour') % 24, part('minute'), part('second')) - second) / 60_000;
}

/** Milliseconds since the epoch. `Date.UTC` would read the year 30 as 1930. */
export function utc(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
}

/** Whether this day exists. */
export function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(utc(year, month, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** An offset as the end of a time: `+05:30`. Minutes. */
export function offsetText(minutes: number): string {
  const size = Math.trunc(Math.abs(minutes));
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
