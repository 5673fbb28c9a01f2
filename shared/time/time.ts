import { asText } from '../values.ts';
import { certainZone, isDay, isZone, offsetAt, offsetText, utc, zoneFault } from './zones.ts';

export { isZone };

/** ISO 8601 to the minute or finer, with `Z` or an offset (as section 2 requires for `start_time`), or without. */
const dateTime = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

/** The largest offset of any time zone from UTC, in minutes. */
const furthestOffset = 14 * 60;
const furthestZoneMs = furthestOffset * 60_000;

/** A time as written: the local time in milliseconds, as if it were in UTC, and its offset in minutes. */
interface Written {
  wall: number;
  /** `undefined` if it has none. */
  offset: number | undefined;
  /** The zone of the local time, if the text names one. */
  zone?: string;
}

/** What programs append in brackets: the zone, and annotations about calendars (RFC 9557, section 4.1). */
const suffix = / ?((?:\[[^[\]]{1,64}\]){1,4})$/;
/** A time in UTC has no local zone, even if a zone for displaying it is appended (RFC 9557, section 3.4). */
const inUtc = /(?:Z|UTC|GMT|-00(?::?00)?)$/i;

/**
 * Reads an ISO 8601 time in any of its forms (`20300131T090000Z`, `+0100`, `t`, spaces, a comma), also with a zone and a calendar
 * (`[Europe/Berlin][u-ca=gregory]`), with `UTC` instead of `Z`, or with `UTC+1` as people and browsers write it; `undefined` if it is not
 * one.
 */
export function readTime(text: string): Written | undefined {
  // Tried first, because nearly all times have this form.
  const plain = dateTime.exec(text);
  if (plain !== null) return writtenIn(plain);
  const whole = text.trim();
  const [ending = '', marks = ''] = suffix.exec(whole) ?? [];
  const all = marks.slice(1, -1).split('][');
  const [mark = '', ...others] = all.filter((each) => !each.includes('='));
  // An annotation with `!` must not be ignored unless it is known to change nothing.
  if (others.length > 0 || all.some((each) => each.startsWith('!') && each.includes('=') && !each.startsWith('!u-ca='))) return undefined;
  const bare = whole.slice(0, whole.length - ending.length);
  const time = readUnmarked(bare);
  if (time === undefined || mark === '' || inUtc.test(bare)) return time;
  const zone = mark.replace(/^!/, '');
  if (isZone(zone)) return { ...time, zone };
  const fixed = readUnmarked(bare.replace(/[+-]\d\d:?\d\d$/, '') + zone);
  if (fixed !== undefined) return (time.offset ?? fixed.offset) === fixed.offset ? fixed : undefined;
  return time.offset === undefined || zone !== mark ? undefined : time;
}

/**
 * Normalizes the day and the hour of a text to ISO 8601, if it begins as people type it and spreadsheets show it, with the year first:
 * `2030/1/31 9:00`.
 */
export const isoDay = (text: string): string =>
  text
    .replace(
      /^(\d{4})[-/](\d\d?)[-/](\d\d?)(?!\d)/,
      (_, year: string, month: string, day: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
    )
    .replace(/^(\d{4}-\d{2}-\d{2}[T ])(\d:)/, (_, day: string, hour: string) => `${day}0${hour}`);

/** An hour from 1 to 12 with the half of its day. */
const halfDay = /^([\d/-]{8,10}[T ])(0?[1-9]|1[0-2])((?::\d{2}){0,2}) ?([AP])\.?M\.?/;

/** A time normalized to ISO 8601, if it is meant as one. */
const inIso = (text: string): string =>
  // Typeset pages use characters that look like a minus.
  isoDay(
    text
      .toUpperCase()
      .replace(/[\u2010\u2011\u2212]/g, '-')
      .replace(/\s+/g, ' ')
      .replace(
        halfDay,
        (_, day: string, hour: string, rest: string, half: string) =>
          `${day}${(Number(hour) % 12) + (half === 'P' ? 12 : 0)}${rest || ':00'}`,
      ),
  )
    // The basic format, used in calendar files and links.
    .replace(/^(\d{4})(\d{2})(\d{2}T\d{2})(\d{2})/, '$1-$2-$3:$4')
    .replace(/^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(\d{2})(?!\d)/, '$1:$2')
    .replace(/(?:UTC|GMT)([+-])(\d)(?=:|$)/, (_, sign: string, hour: string) => `${sign}0${hour}`)
    .replace(/(?:UTC|GMT)(?=[+-]\d)/, '')
    .replace(/(?:UTC|GMT)$/, 'Z')
    .replace(/ (?=[+-]\d|Z$)/, '')
    .replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T');

/** A date as HTTP, email and JavaScript write it: `Thu, 31 Jan 2030 09:00:00 GMT`, or `Thu Jan 31 2030 09:00:00 GMT+0100 (CET)`. */
const textDate =
  /^([A-Z][a-z]{2}),? (?:(\d{1,2}) ([A-Z][a-z]{2})|([A-Z][a-z]{2}) (\d{1,2})) (\d{4}) (\d{2}:\d{2}:\d{2}) (?:GMT|(?:GMT)?([+-]\d{4}))(?: \([^()]{1,60}\))?$/;

/** Such a date in ISO 8601; empty if the day of the week does not match. */
function textInIso(text: string): string {
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  const [, weekday = '', before, earlier = '', later = '', after, year = '', time = '', offset = 'Z'] = textDate.exec(text) ?? [];
  const date = isoDay(`${year}-${months.indexOf(earlier || later) + 1}-${before ?? after ?? ''}`);
  return new Date(`${date}T00:00Z`).toUTCString().startsWith(weekday) ? `${date}T${time}${offset}` : '';
}

function readUnmarked(text: string): Written | undefined {
  const parts = dateTime.exec(text) ?? dateTime.exec(inIso(text)) ?? dateTime.exec(textInIso(text));
  return parts === null ? undefined : writtenIn(parts);
}

/** @param parts the groups of {@link dateTime} */
function writtenIn(parts: RegExpExecArray): Written | undefined {
  const part = (at: number): number => Number(parts[at] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const milliseconds = parts[7] === undefined ? 0 : Math.floor(Number(`0.${parts[7]}`) * 1000);
  const isMidnight = hour === 24 && minute + second + milliseconds === 0;
  if (!isDay(year, month, day) || (hour > 23 && !isMidnight) || minute > 59 || second > 59) return undefined;
  const wall = utc(year, month, day, hour, minute, second) + milliseconds;
  const written = parts[8];
  if (written === 'Z') return { wall, offset: 0 };
  if (written === undefined) return { wall, offset: undefined };
  const [hours, minutes] = [Number(written.slice(1, 3)), Number(written.slice(3).replace(':', ''))];
  if (minutes > 59 || hours * 60 + minutes > furthestOffset) return undefined;
  return { wall, offset: (written.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) };
}

/** The form in which every start is sent: the instant in UTC, to the second unless it is finer. */
const written = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');

/**
 * The start of a booking as it is sent: one instant in one form, such as `2030-01-31T08:00:00Z`. A time without an offset is read in the
 * given time zone. A time that a clock change skips is an error; for one that occurs twice, the first is used.
 *
 * @param zone for a time without an offset; `undefined` if none was specified
 * @returns the instant, or what is wrong with the text, as the rest of a sentence that begins with the field's name
 */
export function readStart(text: string, zone: string | undefined): { instant: string } | { complaint: string } {
  const time = readTime(text);
  if (time === undefined) return { complaint: 'is not a date and time such as 2030-01-31T09:00:00+01:00' };
  const named = time.zone ?? zone;
  const known = certainZone(named);
  if (time.offset !== undefined) {
    const at = time.wall - time.offset * 60_000;
    const there = time.zone === undefined || known === undefined ? time.offset : offsetAt(known, at);
    if (there === time.offset) return { instant: written(at) };
    return { complaint: `has the UTC offset ${offsetText(time.offset)}, but it is ${offsetText(there)} then in ${known}` };
  }
  if (!named) return { complaint: noOffset };
  if (known === undefined) return { complaint: `${unplaced}, and its time zone ${named} ${zoneFault(named)}` };
  const [first] = instantsOf(time.wall, known);
  return first === undefined ? { complaint: `does not exist in ${known}, where the clocks skip that time` } : { instant: written(first) };
}

/**
 * The start of a day in a zone, in the form of {@link readStart}. In some zones, such as those of Santiago and Cairo, the clocks skip one
 * midnight a year.
 */
export function startOfDay(day: string, zone: string | undefined): ReturnType<typeof readStart> {
  const midnight = readStart(`${day}T00:00`, zone);
  return 'instant' in midnight ? midnight : readStart(`${day}T01:00`, zone);
}

/** The complaint about a time whose instant is unknown, and why. */
export const unplaced = 'has no UTC offset';
export const noOffset = `${unplaced}, and no time zone is set`;

const dayMs = 86_400_000;

/** The instants with this local time, earliest first: none if it is skipped, two if it is repeated. */
export function instantsOf(wall: number, zone: string): number[] {
  const offsets = new Set([wall - dayMs, wall, wall + dayMs].map((at) => offsetAt(zone, at) * 60_000));
  // A time repeats only if the offset becomes smaller, so the earlier instant comes first.
  return [...offsets].map((offset) => wall - offset).filter((at) => at + offsetAt(zone, at) * 60_000 === wall);
}

/**
 * A time in a record, in milliseconds since the epoch: ISO 8601 with an offset or a zone, a date in words, or a number of seconds or
 * milliseconds since the epoch. `NaN` for anything else: a time without an offset could be in any zone.
 */
export function instantOf(value: unknown): number {
  const time = typeof value === 'string' ? readTime(value) : undefined;
  if (time?.offset !== undefined) return time.wall - time.offset * 60_000;
  const zone = certainZone(time?.zone);
  if (time !== undefined && zone !== undefined) return instantsOf(time.wall, zone)[0] ?? Number.NaN;
  const text = asText(value);
  const number = typeof value === 'number' || /^\d{10}(?:\d{3})?(?:\.\d{1,9})?$/.test(text) ? Number(value) : Number.NaN;
  // Seconds until the year 5138, milliseconds since 1973. Other numbers are not times.
  if (number >= 1e8 && number < 1e11) return number * 1000;
  return number >= 1e11 && number < 1e14 ? number : Number.NaN;
}

/** Any text in the form of a zone name: ` EST`, ` Europe/Berlin`, `[Asia/Tokyo]`. */
const zoneName = / ?[[(]?[A-Z][A-Za-z_/]{1,40}[\])]?$/;

/** The first and the last instant that a time in a record may mean: equal, unless it has no offset, is only a day, or cannot be read. */
export function instantsBetween(value: unknown): readonly [earliest: number, latest: number] {
  const at = instantOf(value);
  if (!Number.isNaN(at)) return [at, at];
  const text = asText(value).replace(zoneName, '');
  const [wall, day] = [wallTimeOf(text), wallTimeOf(`${text}T00:00`)];
  if (wall === undefined && day === undefined) return [-Infinity, Infinity];
  return [(wall ?? day ?? 0) - furthestZoneMs, (wall ?? (day ?? 0) + dayMs) + furthestZoneMs];
}

/**
 * No service is older than this. Programs write an earlier time, such as 0001-01-01 or 1970-01-01, to mean that there is none. Milliseconds
 * since the epoch.
 */
const firstRecordAt = Date.UTC(2000, 0, 1);

/** The first and the last instant at which a record may have been created or changed. A placeholder for a missing time says nothing. */
export function recordedBetween(value: unknown): readonly [earliest: number, latest: number] {
  const [earliest, latest] = instantsBetween(value);
  return latest < firstRecordAt ? [-Infinity, Infinity] : [earliest, latest];
}

/**
 * Whether a record was certainly created or changed before this instant. Some services mark local times as UTC, so the time must be earlier
 * by more than any zone's offset.
 */
export function isCertainlyBefore(time: unknown, instant: number): boolean {
  const [earliest, latest] = recordedBetween(time);
  return (earliest === latest ? latest + furthestZoneMs : latest) < instant;
}

/**
 * The local time of a record's time that has neither an offset nor a zone, in milliseconds, as if it were in UTC; `undefined` for any other
 * value.
 */
export function wallTimeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? readTime(value) : undefined;
  return time?.offset === undefined && certainZone(time?.zone) === undefined ? time?.wall : undefined;
}

/**
 * A time in any form that can be compared with others of the same service, in milliseconds; `undefined` if there is none. A time without an
 * offset counts as UTC, so that the result does not depend on the machine's own zone.
 */
export const comparableTime = (value: unknown): number | undefined =>
  [instantOf(value), wallTimeOf(value), Date.parse(asText(value))].find(Number.isFinite);

/**
 * An instant in the local time of a zone, ISO 8601 with its offset; `undefined` if either cannot be read. A time without an offset is not
 * an instant.
 */
export function inZone(value: unknown, zone: unknown): string | undefined {
  if (typeof zone !== 'string' || !isZone(zone)) return undefined;
  const at = instantOf(value);
  if (Number.isNaN(at)) return undefined;
  const minutes = offsetAt(zone, at);
  const ending = /^(?:utc|gmt)$/i.test(zone) ? 'Z' : offsetText(minutes);
  const local = new Date(at + minutes * 60_000).toISOString();
  return local.slice(0, local.endsWith('.000Z') ? -5 : -1) + ending;
}
