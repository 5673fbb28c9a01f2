import { abbreviations } from './abbreviations.ts';
import windowsZones from './windowsZones.json' with { type: 'json' };
import { zoneChanges } from './zoneChanges.ts';

/** A change of a zone's rules that older engines do not know. */
export interface ZoneChange {
  /** All names of the zone, because engines differ in which names they treat as the same zone. */
  zones: readonly string[];
  from: string;
  /** When the previous rule applies again, if it does. */
  until?: string;
  /** How many minutes the zone was ahead of UTC at `from` by the previous rule. Absent if the name is new. */
  was?: number;
  /** A zone that has had the same time since then, by a rule that did not change. */
  like: string;
}

/** What the engine knows about a zone, and the change that it does not know. A time-zone library would be larger than the whole core. */
interface Zone {
  /** Its IANA name, even if Windows' name was given. */
  name: string;
  format: Intl.DateTimeFormat;
  missed: ZoneChange | undefined;
  /**
   * A cache of offsets in minutes, by day in UTC; `undefined` for a day on which the offset changes. Asking the engine takes longer than
   * everything else about a record.
   */
  days: Map<number, number | undefined>;
}

/** When this many zones, or days of a zone, are cached, all are dropped. */
const maxKept = 1_000;
const dayMs = 86_400_000;
const zones = new Map<string, Zone>();
const changes: readonly ZoneChange[] = zoneChanges;

/**
 * The zone names of Windows, Outlook and Exchange, in lowercase: `windowsZones.xml` of Unicode's CLDR 48.2, with the zone for the whole
 * world.
 */
const ofWindows = new Map(Object.entries(windowsZones));

/** @throws RangeError if the zone is unknown */
function zoneOf(given: string): Zone {
  const known = zones.get(given);
  if (known !== undefined) return known;
  const name = ofWindows.get(given.toLowerCase().replaceAll('_', ' ')) ?? given;
  const change = changes.find((each) => each.zones.some((one) => one.toLowerCase() === name.toLowerCase()));
  const format = formatOf(name, change?.like);
  // An engine that does not return the previous offset is newer, and may know a later change.
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

/** The complaint about any other name. */
export const noZone = 'is not a time zone such as Europe/Berlin';

/** Whether a zone has this name. The engine's own list lacks valid names (`UTC`, `Asia/Kolkata`), so the name is tried. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || name.length > 64) return false;
  try {
    return zoneOf(name) !== undefined;
  } catch {
    // The engine throws for unknown names.
    return false;
  }
}

/**
 * Three-letter names that mean one zone, or zones with the same daylight saving time. Engines read `BST` as Dhaka, and `EST` without
 * daylight saving time.
 */
const certain = /^(?:utc|uct|gmt|cet|eet|met|wet|jst|prc|roc|rok)$/i;

/**
 * The zone that a name in a record or of a host means, if it is unambiguous: `Europe/Berlin`, also for Windows' `W. Europe Standard Time`.
 */
export const certainZone = (name: unknown): string | undefined =>
  typeof name === 'string' && isZone(name) && (!/^[a-z]{3}$/i.test(name) || certain.test(name)) ? zoneOf(name).name : undefined;

/** People may mean the zone without daylight saving time. For Windows, `Pacific Standard Time` is Los Angeles in summer too. */
const inWords = /^(eastern|central|mountain|pacific|atlantic|hawaiian) (standard|daylight) time$/i;

/** What is wrong with a zone name that someone entered, as the rest of a sentence; `undefined` if it is unambiguous. */
export function zoneFault(name: string): string | undefined {
  const short = name.replaceAll('_', ' ').replace(inWords, (_, place: string, law: string) => `${place.charAt(0)}${law.charAt(0)}T`);
  const meant = Object.entries(abbreviations).find(([names]) => names.split(' ').includes(short.toUpperCase()));
  if (meant !== undefined) return `is ambiguous; choose ${meant[1]}`;
  if (!isZone(name)) return noZone;
  return certainZone(name) === undefined ? 'is ambiguous; use a name such as America/New_York' : undefined;
}

/**
 * The offset of a zone from UTC at an instant, in minutes (positive to the east), with a fraction for some historical offsets.
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
  // `GMT-04:56:02`, or only `GMT`.
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

/** Whether this date exists. */
export const isDay = (year: number, month: number, day: number): boolean => new Date(utc(year, month, day)).getUTCMonth() === month - 1;

/** An offset as the end of a time: `+05:30`. @param minutes the offset */
export function offsetText(minutes: number): string {
  const size = Math.trunc(Math.abs(minutes));
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
