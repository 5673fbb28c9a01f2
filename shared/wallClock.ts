import { DateTime, Info } from 'luxon';
import { isZone } from './time.ts';

/**
 * An instant as the clock on the wall of a zone shows it, ISO 8601 with its offset; `undefined` where either cannot be read.
 *
 * A list shows thousands of times, and asking the engine for one costs ten times what reading its whole record does. So the
 * offset is kept for each zone and day; a day on which the clocks change is asked about time by time.
 */
export function inZone(instant: unknown, zone: unknown): string | undefined {
  if (typeof instant !== 'string' || typeof zone !== 'string') return undefined;
  const kept = usual.test(instant) && isZone(zone) ? offsetOn(instant.slice(0, 10), zone) : undefined;
  if (kept === undefined || kept === unsteady) return asked(instant, zone);
  return new Date(Date.parse(instant) + kept.minutes * 60_000).toISOString().slice(0, 19) + kept.ending;
}

function asked(instant: string, zone: string): string | undefined {
  const time = isZone(zone) ? DateTime.fromISO(instant, { zone }) : undefined;
  return time?.isValid ? (time.toISO({ suppressMilliseconds: true, includeOffset: true }) ?? undefined) : undefined;
}

/** The form in which services write when a meeting is: in UTC, to the minute. */
const usual = /^[12]\d{3}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:00(?:\.0{1,9})?Z$/;

/** How far the clocks of a zone are ahead of UTC on a day. */
interface Offset {
  minutes: number;
  /** As it ends a time: `+05:30`. */
  ending: string;
}

/** A day on which the clocks change, or that there is not; or an offset with seconds. */
const unsteady: Offset = { minutes: Number.NaN, ending: '' };

/** Facts about the calendar, which no account owns. Full, it forgets all. */
const offsets = new Map<string, Offset>();
const most = 20_000;

function offsetOn(date: string, zone: string): Offset {
  const key = `${date} ${zone}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const offset = readOffset(Date.parse(date), date, zone);
  if (offsets.size >= most) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

function readOffset(start: number, date: string, zone: string): Offset {
  const isDay = !Number.isNaN(start) && new Date(start).toISOString().startsWith(date);
  const clock = Info.normalizeZone(zone);
  const minutes = isDay ? clock.offset(start) : Number.NaN;
  if (!Number.isInteger(minutes) || minutes !== clock.offset(start + 86_400_000)) return unsteady;
  return { minutes, ending: clock.isUniversal ? 'Z' : clock.formatOffset(start, 'short') };
}
