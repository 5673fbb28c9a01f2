import { instantOf, instantsOf, wallTimeOf } from './time.ts';
import { isZone, offsetAt, offsetText } from './zones.ts';

/**
 * An instant in the local time of a zone, ISO 8601 with its offset; `undefined` if either cannot be read.
 *
 * A list shows thousands of times, and asking the engine for one takes ten times as long as reading its whole record. So the offset is kept
 * for each zone and day. On a day when the clocks change, the engine is asked for each time.
 */
export function inZone(instant: unknown, zone: unknown): string | undefined {
  if (typeof zone !== 'string') return undefined;
  if (typeof instant !== 'string') return asked(instant, zone);
  const date = instant.slice(0, 10);
  const kept = usual.test(instant) ? (offsets.get(zone)?.get(date) ?? learn(zone, date)) : unsteady;
  if (kept === unsteady) return asked(instant, zone);
  const minutes = number(instant, 11) * 60 + number(instant, 14) + kept.minutes;
  const daysOn = Math.floor(minutes / 1440);
  const minute = minutes - daysOn * 1440;
  return `${daysOn === 0 ? date : dateOf(Date.parse(date) + daysOn * aDay)}T${times[minute]}:00${kept.ending}`;
}

function asked(instant: unknown, zone: string): string | undefined {
  if (!isZone(zone)) return undefined;
  const wall = wallTimeOf(instant);
  const at = wall === undefined ? instantOf(instant) : instantsOf(wall, zone)[0];
  if (at === undefined || Number.isNaN(at)) return undefined;
  const minutes = offsetAt(zone, at);
  return `${new Date(at + minutes * 60_000).toISOString().replace(/(?:\.000)?Z$/, '')}${ending(zone, minutes)}`;
}

/** The end of a time in a zone. UTC itself has no offset. */
const ending = (zone: string, minutes: number): string => (/^(?:utc|gmt)$/i.test(zone) ? 'Z' : offsetText(minutes));

/** The usual form in which services send the time of a meeting: in UTC, to the minute. */
const usual = /^[12]\d{3}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:00(?:\.0{1,9})?Z$/;

/** The number in two digits of a text. */
const number = (text: string, at: number) => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;

/** The minutes of a day: `09:05`. */
const times = Array.from({ length: 1440 }, (_, minute) => new Date(minute * 60_000).toISOString().slice(11, 16));

const aDay = 86_400_000;
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** How many minutes a zone is ahead of UTC on a day, and the end of its times: `+05:30`. */
interface Offset {
  minutes: number;
  ending: string;
}

/** For a day when the clocks change or that does not exist, or an offset with seconds. */
const unsteady: Offset = { minutes: Number.NaN, ending: '' };

/** Facts about the calendar, which belong to no account. When it is full, it is emptied. */
const offsets = new Map<string, Map<string, Offset>>();
const max = { zones: 1_000, daysOfOne: 2_000 };

function learn(zone: string, date: string): Offset {
  if (!isZone(zone)) return unsteady;
  if (offsets.size >= max.zones) offsets.clear();
  const known = offsets.get(zone) ?? new Map<string, Offset>();
  if (known.size >= max.daysOfOne) known.clear();
  const offset = readOffset(zone, date);
  offsets.set(zone, known.set(date, offset));
  return offset;
}

function readOffset(zone: string, date: string): Offset {
  const start = Date.parse(date);
  if (Number.isNaN(start) || dateOf(start) !== date) return unsteady;
  const minutes = offsetAt(zone, start);
  if (!Number.isInteger(minutes) || minutes !== offsetAt(zone, start + aDay)) return unsteady;
  return { minutes, ending: ending(zone, minutes) };
}
