import {
  type BookingRecord,
  type OutputField,
  type OutputKind,
  outputTables,
  recordFields,
  type ServiceRecord,
  type UserRecord,
} from './fields.ts';
import { asText, hasValue } from '../values.ts';
import { pick } from './outputs.ts';
import { zoneText } from '../time/readable.ts';
import { inZone, instantsBetween } from '../time/time.ts';
import { certainZone } from '../time/zones.ts';

/** The host's time zone; `undefined` if the service does not show it. */
export const zoneOf = ({ timezone }: UserRecord): string | undefined =>
  typeof timezone === 'string' && timezone !== '' ? timezone : undefined;

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The name of a local time's weekday, in English. */
export const weekdayOf = (localTime: string | undefined): string | undefined =>
  localTime && weekdays[new Date(`${localTime.slice(0, 10)}T00:00:00Z`).getUTCDay()];

const ownTimes: OutputField[] = [
  { key: 'host_weekday', label: "Weekday of the Start (in the Host's Time Zone)", type: 'string' },
  { key: 'host_start_time', label: "Start (in the Host's Time Zone)", type: 'datetime' },
  { key: 'host_end_time', label: "End (in the Host's Time Zone)", type: 'datetime' },
  { key: 'host_timezone', label: 'Host Time Zone', type: 'string' },
];

/** A presented booking already contains these. */
const inviteeTimes = ['invitee_start_time', 'invitee_end_time'];

/** The fields that {@link localTimes} adds. */
export const localTimeFields = (kind: OutputKind): readonly OutputField[] =>
  kind === 'booking' ? [...ownTimes, ...recordFields.booking.filter(({ key }) => inviteeTimes.includes(key))] : [];

/**
 * A booking's times in the host's time zone, and those in the invitee's, so that nobody has to convert them. Times that cannot be computed
 * are left out.
 *
 * @param record as presented to people
 * @param hostZone see {@link zoneOf}
 */
export function localTimes(kind: OutputKind, record: ServiceRecord, hostZone: string | undefined): ServiceRecord {
  if (kind !== 'booking') return {};
  const { start_time: start, end_time: end }: Partial<BookingRecord> = record;
  const zone = certainZone(hostZone);
  const forHost = inZone(start, zone);
  const times: ServiceRecord = {
    host_weekday: weekdayOf(forHost),
    host_start_time: forHost,
    host_end_time: inZone(end, zone),
    host_timezone: hostZone,
  };
  for (const key of inviteeTimes) times[key] = record[key];
  return pick(times, Object.keys(times));
}

/** How many main fields suffice to tell the records of a long list apart. */
const columns = 6;

/**
 * A long list as a table, whose columns are the first main fields. A booking's times are the host's, if all records have them. `undefined`
 * for records without a short form.
 *
 * @param records with their {@link localTimes}
 */
export function tableOf(
  kind: OutputKind,
  records: readonly ServiceRecord[],
): { columns: readonly string[]; rows: readonly unknown[][] } | undefined {
  const { main }: { main?: readonly string[] } = outputTables[kind];
  if (main === undefined) return undefined;
  const ownKeys = ownTimes.slice(0, 3).map(({ key }) => key);
  const isLocal = kind === 'booking' && records.every((record) => hasValue(record[ownKeys[1] ?? '']));
  const times = recordFields.booking.filter(({ type }) => type === 'datetime').map(({ key }) => key);
  const first = main.slice(0, columns).filter((key) => key !== 'id' && !(isLocal && times.includes(key)));
  const keys = ['id', ...first, ...(isLocal ? ownKeys : [])];
  return { columns: keys, rows: records.map((record) => keys.map((key) => record[key] ?? null)) };
}

/** Whether a booking ended before `now`, in milliseconds since the epoch. */
export const isOver = ({ start_time: start, end_time: end = start }: Partial<BookingRecord>, now: number): boolean =>
  instantsBetween(end)[1] < now;

/**
 * Describes a booking in a sentence: its event type, its invitee, and its start for host and invitee; `undefined` if it shows no start.
 *
 * @param record with its {@link localTimes}
 */
export function describeBooking(record: ServiceRecord): string | undefined {
  const text = (key: string): string => JSON.stringify(asText(record[key]).slice(0, 100));
  const when = ['host', 'invitee'].flatMap((who) => {
    const local = asText(record[`${who}_start_time`]);
    const [, day, time] = /^(.+)T(\d\d:\d\d)/.exec(local) ?? [];
    const zone = zoneText(asText(record[`${who}_timezone`]), local);
    return day === undefined ? [] : [`${asText(weekdayOf(day))} ${day} ${time} (${who}, ${zone})`];
  });
  if (when.length === 0) return undefined;
  const what = hasValue(record['event_type_name']) ? `${text('event_type_name')} ` : '';
  return `${what}of ${text('invitee_name')} (${text('invitee_email').slice(1, -1)}), ${when.join(', ')}`;
}

/**
 * A booking with its times as people write them, in one zone: `2026-12-01 09:00 (Europe/Madrid, UTC+1)`. A time that cannot be read stays
 * as it is, and so does any other kind of record.
 */
export function showTimes(kind: OutputKind, record: ServiceRecord, zone: string): ServiceRecord {
  if (kind !== 'booking') return record;
  const times = recordFields.booking.filter(({ key, type }) => type === 'datetime' && record[key] !== undefined);
  return { ...record, ...Object.fromEntries(times.map(({ key }) => [key, showTime(record[key], zone) ?? record[key]])) };
}

/** An instant as people write it, in a zone; `undefined` if either is unreadable. */
export function showTime(instant: unknown, zone: string): string | undefined {
  const local = inZone(instant, zone) ?? '';
  const [, day, time, seconds = ''] = /^(.+)T(\d\d:\d\d)(:\d\d)?/.exec(local) ?? [];
  return day && `${day} ${time}${seconds === ':00' ? '' : seconds} (${zoneText(zone, local)})`;
}
