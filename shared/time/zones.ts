import { abbreviations } from './abbreviations.ts';
import windowsZones from './windowsZones.json' with { type: 'json' };
import { zoneChanges } from './zoneChanges.ts';

/** A change of a zone's law that older engines do not know. */
export interface ZoneChange {
  /** All its names, because engines differ in which of them they take for one zone. */
  zones: readonly string[];
  from: string;
  /** When the law of before applies again, if it does. */
  until?: string;
  /** How many minutes the zone was ahead of UTC at `from` by the law of before. Absent if the name is new. */
  was?: number;
  /** A zone that has had the same time since then, by a law that did not change. */
  like: string;
}

/** What the engine's calendar says about a zone, and the change that it does not know. A library would be larger than the whole core. */
interface Zone {
  /** Its name, also for one of Windows. */
  name: string;
  format: Intl.DateTimeFormat;
  missed: ZoneChange | undefined;
  /** The offset of each day in UTC that was asked for and has one alone: the engine takes longer than all else that a record needs. Minutes. */
  days: Map<number, number | undefined>;
}

/** When this many zones, or days of one, are kept, all are forgotten. */
const maxKept = 1_000;
const dayMs = 86_400_000;
const zones = new Map<string, Zone>();
const changes: readonly ZoneChange[] = zoneChanges;

/** What Windows, Outlook and Exchange call the zones, in small letters: `windowsZones.xml` of Unicode's CLDR 48.2, the zone for the whole world. */
const ofWindows = new Map(Object.entries(windowsZones));

/** @throws RangeError if the zone is not known */
function zoneOf(given: string): Zone {
  const known = zones.get(given);
  if (known !== undefined) return known;
  const name = ofWindows.get(given.toLowerCase().replaceAll('_', ' ')) ?? given;
  const change = changes.find((each) => each.zones.some((one) => one.toLowerCase() === name.toLowerCase()));
  const format = formatOf(name, change?.like);
  // An engine that says anything but the law of before is newer, and may know of a later change.
  const isOlder = change !== undefined && minutesAhead(format, Date.parse(change.from)) === change.was;
  const zone = { name, format, missed: isOlder ? change : undefined, days: new Map<number, number | undefined>() };
  if (zones.size >= maxKept) zones.clear();
  zones.set(given, zone);
  return zone;
}

function formatOf(zone: string, otherwise?: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch (error) {
    if (otherwise === undefined) throw error;
    return formatOf(otherwise);
  }
}

/** What is wrong with any other name. */
export const noZone = 'is not a time zone such as Europe/Berlin';

/** Whether there is a zone of this name. The engine's own list lacks valid names (`UTC`, `Asia/Kolkata`), so it is tried. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || name.length > 64) return false;
  try {
    return zoneOf(name) !== undefined;
  } catch {
    // This is how the engine says no.
    return false;
  }
}

/** The names of three letters that mean one zone, or zones with the same summer time. Engines read `BST` as Dhaka, and `EST` without summer time. */
const certain = /^(?:utc|uct|gmt|cet|eet|met|wet|jst|prc|roc|rok)$/i;

/** The zone that a name in a record or of a host means, if it is exactly one: `Europe/Berlin` also for Windows' `W. Europe Standard Time`. */
export const certainZone = (name: unknown): string | undefined =>
  typeof name === 'string' && isZone(name) && (!/^[a-z]{3}$/i.test(name) || certain.test(name)) ? zoneOf(name).name : undefined;

/** What people enter may have no summer time. For Windows, `Pacific Standard Time` is Los Angeles also in summer. */
const inWords = /^(eastern|central|mountain|pacific|atlantic|hawaiian) (standard|daylight) time$/i;

/** What is wrong with the name of a zone that somebody entered, as the end of a sentence; `undefined` if it means exactly one. */
export function zoneFault(name: string): string | undefined {
  const short = name.replaceAll('_', ' ').replace(inWords, (_, place: string, law: string) => `${place.charAt(0)}${law.charAt(0)}T`);
  const meant = Object.entries(abbreviations).find(([names]) => names.split(' ').includes(short.toUpperCase()));
  if (meant !== undefined) return `is ambiguous; choose ${meant[1]}`;
  if (!isZone(name)) return noZone;
  return certainZone(name) === undefined ? 'is ambiguous; use a name such as America/New_York' : undefined;
}

/**
 * How far a zone is ahead of UTC at an instant, in minutes, with a fraction for some historical offsets.
 *
 * @param at milliseconds since the epoch
 */
export function offsetAt(zone: string, at: number): number {
  if (Number.isNaN(at)) return Number.NaN;
  const { format, missed, days } = zoneOf(zone);
  const isMissed = missed !== undefined && at >= Date.parse(missed.from) && !(at >= Date.parse(missed.until ?? ''));
  if (isMissed) return offsetAt(missed.like, at);
  const day = Math.floor(at / dayMs);
  if (!days.has(day)) {
    if (days.size >= maxKept) days.clear();
    const [first, last] = [minutesAhead(format, day * dayMs), minutesAhead(format, (day + 1) * dayMs - 1)];
    days.set(day, first === last ? first : undefined);
  }
  return days.get(day) ?? minutesAhead(format, at);
}

function minutesAhead(format: Intl.DateTimeFormat, at: number): number {
  const shown = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
  // `GMT-04:56:02`, or `GMT` alone.
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?$/.exec(shown ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes) + Number(seconds) / 60);
}

/** Milliseconds since the epoch. `Date.UTC` would read the year 30 as 1930. */
export function utc(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  if (year > 99) return Date.UTC(year, month - 1, day, hour, minute, second);
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
