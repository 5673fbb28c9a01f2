import { booking } from '../shared/samples/records.ts';
import { bookingOf } from './service/bookings.ts';

/** A delivery's body of about this many bytes: a booking with a note that fills it up. */
export function bodyOf(bytes: number): string {
  const bare = JSON.stringify({ event: 'BOOKING_CREATED', data: { id: booking['id'], notes: '' } });
  return JSON.stringify({ event: 'BOOKING_CREATED', data: { id: booking['id'], notes: 'See you there. '.repeat(Math.ceil(bytes / 15)).slice(0, Math.max(0, bytes - bare.length)) } });
}

/** A whole delivery of about this many bytes, as G13 assumes it; no two are alike. */
export function deliveryOf(bytes: number, index: number): string {
  const data = bookingOf(index, `bkg_${String(index).padStart(16, '0')}`);
  const bare = JSON.stringify({ event: 'BOOKING_CREATED', created_at: '2030-01-02T08:00:00.000Z', data: { ...data, notes: '' } });
  return JSON.stringify({ event: 'BOOKING_CREATED', created_at: '2030-01-02T08:00:00.000Z', data: { ...data, notes: 'See you there. '.repeat(Math.ceil(bytes / 15)).slice(0, Math.max(0, bytes - bare.length)) } });
}
