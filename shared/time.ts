import { DateTime, IANAZone } from 'luxon';
import { ServiceError } from './api/errors.ts';

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
const dateTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * The start of a booking as it is sent. One with an offset stays as it is. A wall-clock one is read in `zone`, else in
 * `platformZone`; a time that a clock change skips is refused, one that it repeats means the first.
 *
 * @throws ServiceError `invalid` naming the start.
 */
export function resolveStart(text: string, { zone, platformZone, label }: { zone?: string | undefined; platformZone?: string | undefined; label: string }): string {
  const complain = (why: string, advice: string) =>
    new ServiceError('invalid', { message: `"${label}" ${why}.`, advice, fields: [{ field: 'start_time', message: why }] });
  const given = text.trim().slice(0, 64);
  const trimmed = given.replace(' ', 'T');
  const parts = dateTime.exec(trimmed);
  const wall = DateTime.fromISO(trimmed, { zone: 'utc' });
  if (parts === null || !wall.isValid) {
    throw complain(`is not a date and time: "${given}"`, 'Enter one such as 2030-01-31T09:00:00+01:00.');
  }
  if (parts.groups?.['offset'] !== undefined) return trimmed;
  const name = zone ?? platformZone;
  if (name === undefined || !isZone(name)) {
    throw complain(`has no offset, and no time zone says where it is: "${trimmed}"`, 'Choose a time zone, or enter the start with an offset such as 2030-01-31T09:00:00+01:00.');
  }
  const instants = instantsOf(wall.toMillis(), IANAZone.create(name));
  const [first] = instants;
  if (first === undefined) {
    throw complain(`does not exist in ${name}: the clocks skip ${trimmed}`, 'Choose another time.');
  }
  return DateTime.fromMillis(first, { zone: name }).toISO({ suppressMilliseconds: true, includeOffset: true }) ?? trimmed;
}

const day = 86_400_000;

/** The instants at which a clock on the wall shows this time, earliest first: none where it is skipped, two where it is repeated. */
function instantsOf(wall: number, zone: IANAZone): number[] {
  const offsets = new Set([wall - day, wall, wall + day].map((at) => zone.offset(at) * 60_000));
  return [...offsets].map((offset) => wall - offset).filter((at) => at + zone.offset(at) * 60_000 === wall).sort((a, b) => a - b);
}

/** Milliseconds since the epoch of an ISO 8601 time with an offset; `NaN` where it is none. */
export function instantOf(text: unknown): number {
  const offset = typeof text === 'string' ? dateTime.exec(text)?.groups?.['offset'] : undefined;
  return typeof text === 'string' && offset !== undefined ? DateTime.fromISO(text.replace(' ', 'T')).toMillis() : Number.NaN;
}
