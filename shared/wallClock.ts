import { DateTime, Info, type Zone } from 'luxon';
import { isZone } from './time.ts';

/**
 * An instant as the clock on the wall of a zone shows it, ISO 8601 with its offset; `undefined` where either cannot be read.
 *
 * A list shows thousands of times, and asking the engine for one costs ten times what reading its whole record does. So
 * the usual form is moved by the zone's offset as text, and the engine is asked once for each day.
 */
export function inZone(instant: unknown, zone: unknown): string | undefined {
  if (typeof instant !== 'string' || typeof zone !== 'string') return undefined;
  return (usual.test(instant) ? moved(instant, zone) : undefined) ?? asked(instant, zone);
}

function asked(instant: string, zone: string): string | undefined {
  const time = isZone(zone) ? DateTime.fromISO(instant, { zone }) : undefined;
  return time?.isValid ? (time.toISO({ suppressMilliseconds: true, includeOffset: true }) ?? undefined) : undefined;
}

/** The form in which services write nearly all instants: in UTC, to the second. */
const usual = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.0{1,9})?Z$/;

/** The same for the usual form, by arithmetic; `undefined` where there is no such zone or day, or the offset has seconds. */
function moved(instant: string, zone: string): string | undefined {
  const date = instant.slice(0, 10);
  const day = days.get(zone)?.get(date) ?? learn(zone, date);
  if (day === undefined) return undefined;
  const offset = day.offset ?? day.zone.offset(Date.parse(instant));
  if (!Number.isInteger(offset)) return undefined;
  const minutes = number(instant, 11) * 60 + number(instant, 14) + offset;
  const passed = Math.floor(minutes / minutesADay);
  return `${day.dates[passed + 1]}T${clock(minutes - passed * minutesADay)}${instant.slice(16, 19)}${day.ending ?? ending(offset)}`;
}

/** The number that two digits of a text make. */
const number = (text: string, at: number) => (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero;
const zero = '0'.charCodeAt(0);

const minutesADay = 1440;

/** Minutes as hours and minutes, such as `09:05`. */
function clock(minutes: number): string {
  const hour = Math.floor(minutes / 60);
  return `${twoDigits[hour]}:${twoDigits[minutes - hour * 60]}`;
}

const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

const ending = (offset: number) => (offset < 0 ? `-${clock(-offset)}` : `+${clock(offset)}`);

/** A day in UTC, as a zone sees it. */
interface Day {
  zone: Zone;
  /** In minutes; `undefined` where the clocks change on that day. */
  offset: number | undefined;
  /** What a time on it ends in, such as `+01:00`; `undefined` where that changes. */
  ending: string | undefined;
  /** The day before, the day itself and the day after. */
  dates: readonly [string, string, string];
}

/** Facts about the calendar, which no account owns. Full, it forgets all. */
const days = new Map<string, Map<string, Day>>();
const most = { zones: 1_000, daysOfOne: 2_000 };

function learn(zone: string, date: string): Day | undefined {
  const day = isZone(zone) ? readDay(Info.normalizeZone(zone), date) : undefined;
  if (day === undefined) return undefined;
  if (days.size >= most.zones) days.clear();
  const known = days.get(zone) ?? new Map<string, Day>();
  if (known.size >= most.daysOfOne) known.clear();
  days.set(zone, known.set(date, day));
  return day;
}

function readDay(zone: Zone, date: string): Day | undefined {
  const start = Date.parse(date);
  const end = start + minutesADay * 60_000;
  if (Number.isNaN(start) || dateOf(start) !== date) return undefined;
  const offset = zone.offset(start);
  const isSteady = zone.offset(end) === offset;
  return {
    zone,
    offset: isSteady ? offset : undefined,
    ending: zone.isUniversal ? 'Z' : isSteady ? ending(offset) : undefined,
    dates: [dateOf(start - 1), date, dateOf(end)],
  };
}

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
