/** What the engine's calendars say of time zones. Written out here: a library for it would be larger than all of the core. */

/** Full, it forgets all. */
const mostZones = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError where the engine knows no such zone */
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
  if (formats.size >= mostZones) formats.clear();
  formats.set(zone, format);
  return format;
}

/** Whether the engine knows a zone by this name. Its own list lacks valid names (`UTC`, `Asia/Kolkata`), so it is asked, not searched. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || name.length > 64) return false;
  if (formats.has(name)) return true;
  try {
    return formatOf(name) !== undefined;
  } catch {
    // The engine's way to say no.
    return false;
  }
}

/**
 * How far the clocks of a zone are ahead of UTC at an instant: minutes, with a fraction where they were so in the past.
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

/** Milliseconds since the epoch; `Date.UTC` would take the year 30 for 1930. */
export function utc(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
}

/** Whether a calendar has such a day. */
export function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(utc(year, month, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** An offset as a time ends in it: `+05:30`. Minutes. */
export function offsetText(minutes: number): string {
  const size = Math.trunc(Math.abs(minutes));
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
