import type { BookingRecord, RecordKind, ServiceRecord, UserRecord } from './api/records.ts';
import { inZone } from './wallClock.ts';

/** The zone on whose clocks the host of the account lives; `undefined` where the service does not show it. */
export const zoneOf = ({ timezone }: UserRecord): string | undefined =>
  typeof timezone === 'string' && timezone !== '' ? timezone : undefined;

/**
 * A record with its times on both clocks, the host's and the invitee's: whoever reads a booking aloud must not have to reckon.
 * What cannot be told is left out.
 *
 * @param hostZone see {@link zoneOf}
 */
export function onBothClocks(kind: RecordKind, record: ServiceRecord, hostZone: string | undefined): ServiceRecord {
  if (kind !== 'booking') return record;
  const { start_time: start, end_time: end, invitee_timezone: zone }: Partial<BookingRecord> = record;
  const clocks = {
    host_start_time: inZone(start, hostZone),
    host_end_time: inZone(end, hostZone),
    host_timezone: hostZone,
    invitee_start_time: inZone(start, zone),
    invitee_end_time: inZone(end, zone),
  };
  return { ...record, ...Object.fromEntries(Object.entries(clocks).filter(([, time]) => time !== undefined)) };
}
