import { DateTime } from 'luxon';
import type { ServiceRecord } from '../../shared/records/records.ts';

/** The times of a booking on its invitee's and its host's clocks, computed by a library other than the core. */
export function zonedTimes(record: ServiceRecord, hostZone: string): ServiceRecord {
  const at = (key: 'start_time' | 'end_time', zone: unknown) => DateTime.fromISO(String(record[key]), { zone: String(zone) });
  const on = (key: 'start_time' | 'end_time', zone: unknown) => at(key, zone).toISO({ suppressMilliseconds: true });
  return {
    host_timezone: hostZone,
    host_weekday: at('start_time', hostZone).weekdayLong,
    invitee_weekday: at('start_time', record['invitee_timezone']).weekdayLong,
    host_start_time: on('start_time', hostZone),
    host_end_time: on('end_time', hostZone),
    invitee_start_time: on('start_time', record['invitee_timezone']),
    invitee_end_time: on('end_time', record['invitee_timezone']),
  };
}
