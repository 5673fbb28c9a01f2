import { booking } from '../shared/samples/records.ts';

/** A delivery body of about this many bytes: a booking with a note as filler. */
export function bodyOf(bytes: number): string {
  const bare = JSON.stringify({ event: 'BOOKING_CREATED', data: { id: booking['id'], notes: '' } });
  return JSON.stringify({
    event: 'BOOKING_CREATED',
    data: { id: booking['id'], notes: 'See you there. '.repeat(Math.ceil(bytes / 15)).slice(0, Math.max(0, bytes - bare.length)) },
  });
}
