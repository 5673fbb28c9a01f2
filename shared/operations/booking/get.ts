import { fetchOne } from '../../client/fetchOne.ts';
import { defineOne, field } from '../define.ts';
import { idText } from '../commonSchemas.ts';
import { ofBooking } from '../idFields.ts';
import { booking } from '../../records/samples.ts';

export const getBooking = defineOne({
  resource: 'booking',
  name: 'get',
  action: 'Get',
  description: 'Gets a booking',
  effect: 'read',
  scope: 'bookings:read',
  endpoint: 'GET /v1/bookings/:id',
  input: {
    booking_id: field(idText, { ...ofBooking, help: 'The booking to get' }),
  },
  output: 'booking',
  sample: booking,

  run: (client, { booking_id: id }) => fetchOne(client, 'booking', id),
});
