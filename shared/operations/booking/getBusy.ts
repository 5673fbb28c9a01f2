import * as z from 'zod/v4';
import { ignoreRefusal, ServiceError } from '../../serviceError.ts';
import type { BookingRecord, ServiceRecord } from '../../records/fields.ts';
import { hasEnded } from '../../reading/index.ts';
import { bookingLists } from '../../client/bookingLists.ts';
import type { Client } from '../../client/client.ts';
import { fetchOne } from '../../client/fetchOne.ts';
import { busyTime } from '../../records/samples.ts';
import { weekdayOf } from '../../records/localTimes.ts';
import { instantOf, instantsBetween, instantsOf, wallTimeOf, inZone } from '../../time/time.ts';
import { asText } from '../../values.ts';
import { defineMany, field, type RunContext } from '../define.ts';
import { hostZone } from '../user.ts';
import { getManyBookings } from './getMany.ts';
import { boundsOf, firstOf, onlyRead, tellRead, type Window } from './inWindow.ts';
import { readBookings, type BookingReading } from './reading.ts';

export const getBusyTimes = defineMany({
  resource: 'booking',
  name: 'getBusy',
  action: 'Get',
  description: 'Gets the times that are already booked. Other calendars and opening hours are not included',
  effect: 'read',
  scope: 'bookings:read',
  endpoint: 'GET /v1/bookings',
  input: {
    from: field(z.string(), { ...getManyBookings.input.from, help: 'When the period begins' }),
    to: field(z.string(), { ...getManyBookings.input.to, help: 'When the period ends' }),
  },
  output: 'busyTime',
  sample: busyTime,

  /**
   * The times that are certainly not free, sorted and merged, in the host's time zone: those of bookings that are not cancelled or denied,
   * even if they begin before the window. The API has no free times, so this is the closest approximation.
   *
   * @throws ServiceError `invalid` if the bookings were not all read, because the times of the others would look free
   */
  run: (client, window, context) => firstOf(() => busyIn(client, window, context), context.limit),
});

/** A booking with the time that it takes up. If its end is unknown, `end` equals `start`. Milliseconds since the epoch. */
interface BusyBooking {
  record: BookingRecord;
  start: number;
  end: number;
}

/** No meeting is longer, so one that begins earlier has ended when the window begins. Milliseconds. */
const longest = 31 * 86_400_000;

async function busyIn(client: Client, window: Window, context: RunContext): Promise<ServiceRecord[]> {
  const { note, aside = note } = context;
  const [begin, end] = boundsOf(window);
  const zone = (await hostZone(client)) ?? 'UTC';
  const fits = (record: BookingRecord): boolean => {
    const start = instantIn(record.start_time, zone);
    const [earliest, latest] = Number.isNaN(start) ? instantsBetween(record.start_time) : [start, start];
    return !hasEnded(record) && earliest < end && latest >= begin - longest;
  };
  const wanted = { lists: (statuses: readonly (string | undefined)[]) => bookingLists({ statuses }), upcoming: true, fits };
  const key = JSON.stringify(['busy', window, zone]);
  const reading = await readBookings(client, { ...wanted, begin: begin - longest, end, key }, context);
  if (reading.isPart) throw unknownTimes(reading, context);
  const held = (await heldBy(client, reading.records, zone)).filter((each) => !(each.end <= begin && !(each.start >= begin)));
  tellRead(reading, held.length, held.filter(({ start }) => Number.isNaN(start)).length, context);
  if (held.some(({ record }) => wallTimeOf(record.start_time) !== undefined)) note?.(`Times without a time zone are read in ${zone}.`);
  const endless = held.filter((each) => each.end === each.start).map(({ record }) => record.id);
  if (endless.length > 0) note?.(`It is not known how long these last, so their end is shown as their start: ${endless.join(', ')}.`);
  aside?.("The host's calendar and opening hours are not known, so a time that is not listed may still be taken.");
  return merged(held).map(({ start, end: last, count }) => {
    const [localStart, localEnd] = [start, last].map((at) => inZone(new Date(at).toISOString(), zone));
    return { weekday: weekdayOf(localStart), start_time: localStart, end_time: localEnd, timezone: zone, booking_count: count };
  });
}

const unknownTimes = ({ count }: BookingReading, { bound }: RunContext): ServiceError =>
  new ServiceError('invalid', {
    message: `Nobody can tell yet which times are taken: ${onlyRead(count)}`,
    advice: bound?.advice ?? 'Ask for all of them.',
  });

/** A time in a record as an instant; `NaN` if it cannot be read. A time without an offset is read in the given zone. */
function instantIn(value: unknown, zone: string): number {
  const wall = wallTimeOf(value);
  return wall === undefined ? instantOf(value) : (instantsOf(wall, zone)[0] ?? Number.NaN);
}

/** The times that bookings take up. A booking without an end lasts as long as its event type says. */
async function heldBy(client: Client, records: readonly BookingRecord[], zone: string): Promise<BusyBooking[]> {
  const lengths = new Map<string, Promise<number>>();
  const lengthOf = (type: string): Promise<number> => {
    const known = lengths.get(type) ?? readLength(client, type);
    lengths.set(type, known);
    return known;
  };
  return Promise.all(
    records.map(async (record) => {
      const [start, end] = [instantIn(record.start_time, zone), instantIn(record.end_time, zone)];
      return { record, start, end: end > start ? end : start + (await lengthOf(asText(record.event_type_id))) };
    }),
  );
}

/** How long the meetings of an event type last, in milliseconds; 0 if unknown. */
async function readLength(client: Client, type: string): Promise<number> {
  const record = type === '' ? undefined : await fetchOne(client, 'eventType', type).catch(ignoreRefusal);
  const minutes = Number(record?.duration_minutes ?? 0);
  return minutes > 0 ? minutes * 60_000 : 0;
}

/** The times in order, without overlaps. A booking whose start cannot be read is left out. */
function merged(held: readonly BusyBooking[]) {
  const busy: { start: number; end: number; count: number }[] = [];
  const known = held.filter(({ start }) => !Number.isNaN(start)).sort((a, b) => a.start - b.start);
  for (const { start, end } of known) {
    const last = busy.at(-1);
    if (last === undefined || start > last.end) busy.push({ start, end, count: 1 });
    else Object.assign(last, { end: Math.max(last.end, end), count: last.count + 1 });
  }
  return busy;
}
