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

/** The form in which services write when a meeting is: in UTC, to the minute. */
const usual = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:00(?:\.0{1,9})?Z$/;

/** The same for the usual form, by arithmetic; `undefined` where there is no such zone or day, or an offset has seconds. */
function moved(instant: string, zone: string): string | undefined {
  const date = instant.slice(0, 10);
  const day = days.get(zone)?.get(date) ?? learn(zone, date);
  if (day === undefined) return undefined;
  const minute = number(instant, 11) * 60 + number(instant, 14);
  const { offset, times } = minute < day.turn ? day.before : day.after;
  const minutes = minute + offset;
  const passed = Math.floor(minutes / minutesADay);
  return `${day.dates[passed + 1]}${times[minutes - passed * minutesADay]}`;
}

/** The number that two digits of a text make. */
const number = (text: string, at: number) => (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero;
const zero = '0'.charCodeAt(0);

const minutesADay = 1440;

/** Every minute of a day as it ends an ISO time, by what follows it: texts that thousands of times share. */
const timesEndingIn = new Map<string, readonly string[]>();

function timesAt(offset: number, zone: Zone): readonly string[] {
  const ending = zone.isUniversal ? 'Z' : offset < 0 ? `-${clock(-offset)}` : `+${clock(offset)}`;
  const known = timesEndingIn.get(ending);
  if (known !== undefined) return known;
  const times = Array.from({ length: minutesADay }, (_, minute) => `${clock(minute)}:00${ending}`);
  timesEndingIn.set(ending, times);
  return times;
}

/** Minutes as hours and minutes, such as `09:05`. */
const clock = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
const two = (value: number) => String(value).padStart(2, '0');

/** How the clocks of a zone are set: by so many minutes, and every minute of a day as they show it. */
interface Setting {
  offset: number;
  times: readonly string[];
}

/** A day in UTC, as a zone sees it. */
interface Day {
  before: Setting;
  /** The minute from which `after` applies; beyond the day's end where the clocks do not change on it. */
  turn: number;
  after: Setting;
  /** The day before, the day itself and the day after, as they begin an ISO time. */
  dates: readonly string[];
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
  if (Number.isNaN(start) || dateOf(start) !== date) return undefined;
  const offsetAt = (minute: number) => zone.offset(start + minute * 60_000);
  const [before, after] = [offsetAt(0), offsetAt(minutesADay)];
  if (!Number.isInteger(before) || !Number.isInteger(after)) return undefined;
  return {
    before: { offset: before, times: timesAt(before, zone) },
    turn: before === after ? minutesADay : firstMinute((minute) => offsetAt(minute) !== before),
    after: { offset: after, times: timesAt(after, zone) },
    dates: [-1, 0, minutesADay].map((minute) => `${dateOf(start + minute * 60_000)}T`),
  };
}

/** The first minute of a day for which it holds, where it holds for all that follow and for the last. */
function firstMinute(holds: (minute: number) => boolean): number {
  let [low, high] = [0, minutesADay];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
