import { DateTime, IANAZone } from 'luxon';

/** Names that the engine was asked about and knows: asking takes it a hundred microseconds. Full, it forgets all. */
const zones = new Set<string>();
const mostZones = 1_000;

/** Whether the engine knows a zone by this name. Its own list lacks valid names (`UTC`, `Asia/Kolkata`), so it is asked, not searched. */
export function isZone(name: string): boolean {
  if (zones.has(name)) return true;
  const isKnown = /^[A-Za-z]/.test(name) && name.length <= 64 && IANAZone.isValidZone(name);
  if (zones.size >= mostZones) zones.clear();
  if (isKnown) zones.add(name);
  return isKnown;
}

/** ISO 8601 to the minute or finer, with `Z` or an offset (as section 2 asks of `start_time`) or without. */
const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?$/;

/** No zone is further from UTC than this. Minutes. */
const furthestOffset = 14 * 60;

/** An ISO 8601 time in one spelling, however it was written (`+0100`, `t`, a space, a comma), or nothing where it is none. */
function parsed(text: string): { iso: string; offset: string | undefined } | undefined {
  const iso = text.trim().replace(' ', 'T').toUpperCase();
  const parts = iso.length <= 64 ? dateTime.exec(iso) : null;
  if (parts === null || !DateTime.fromISO(iso, { zone: 'utc' }).isValid) return undefined;
  const offset = parts.groups?.['offset'];
  return isOffset(offset) ? { iso, offset } : undefined;
}

function isOffset(offset: string | undefined): boolean {
  if (offset === undefined || offset === 'Z') return true;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(3).replace(':', ''))];
  return minutes < 60 && hours * 60 + minutes <= furthestOffset;
}

/** The form in which every start is sent: the instant in UTC, to the second where it has no finer part. */
const written = (at: number): string => DateTime.fromMillis(at, { zone: 'utc' }).toISO({ suppressMilliseconds: true }) ?? '';

/**
 * The start of a booking as it is sent: one instant in one form, such as `2030-01-31T08:00:00Z`. A time without an offset is read
 * on the clocks of a zone; one that a clock change skips is none, one that it repeats means the first.
 *
 * @param zone in which a time without an offset is read; none where nobody named any
 * @returns the instant, or what is wrong with the text: the end of a sentence that begins with the field's name
 */
export function readStart(text: string, zone: string | undefined): { instant: string } | { complaint: string } {
  const time = parsed(text);
  if (time === undefined) return { complaint: 'is not a date and time such as 2030-01-31T09:00:00+01:00' };
  if (time.offset !== undefined) return { instant: written(DateTime.fromISO(time.iso).toMillis()) };
  if (zone === undefined || !isZone(zone)) return { complaint: 'has no UTC offset, and no time zone is set' };
  const [first] = instantsOf(DateTime.fromISO(time.iso, { zone: 'utc' }).toMillis(), IANAZone.create(zone));
  return first === undefined ? { complaint: `does not exist in ${zone}, where the clocks skip that time` } : { instant: written(first) };
}

const day = 86_400_000;

/** The instants at which a clock on the wall shows this time, earliest first: none where it is skipped, two where it is repeated. */
function instantsOf(wall: number, zone: IANAZone): number[] {
  const offsets = new Set([wall - day, wall, wall + day].map((at) => zone.offset(at) * 60_000));
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((at) => at + zone.offset(at) * 60_000 === wall)
    .sort((a, b) => a - b);
}

/** Milliseconds since the epoch of an ISO 8601 time with an offset; `NaN` where it is none. */
export function instantOf(text: unknown): number {
  const time = typeof text === 'string' ? parsed(text) : undefined;
  return time?.offset === undefined ? Number.NaN : DateTime.fromISO(time.iso).toMillis();
}
