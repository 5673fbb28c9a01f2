import type { Client } from '../../api/client.ts';
import { readOne, type BookingRecord } from '../../api/records.ts';
import { defineOne, field } from '../../define.ts';
import { filledText } from '../../inputs.ts';
import { present } from '../../outputs.ts';
import { booking } from '../../samples/records.ts';

export const getBooking = defineOne({
  resource: 'booking',
  name: 'get',
  action: 'Get',
  description: 'Gets one booking',
  effect: 'read',
  scope: 'bookings:read',
  endpoint: 'GET /v1/bookings/:id',
  input: {
    booking_id: field(filledText, {
      label: 'Booking',
      help: 'The booking to get',
      control: 'text',
      lookup: 'bookings',
    }),
  },
  output: 'booking',
  sample: booking,

  run: async (client, { booking_id: id }) => present('booking', await fetchBooking(client, id)),
});

/** One booking as the service has it now. */
export const fetchBooking = async (client: Client, id: string): Promise<BookingRecord> =>
  readOne('booking', await client.send({ method: 'GET', path: ['bookings', { id }], scope: 'bookings:read', thing: 'booking', id }), 'GET /v1/bookings/:id');
