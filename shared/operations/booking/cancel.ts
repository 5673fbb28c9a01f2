import * as z from 'zod/v4';
import { LostAnswer, type Client } from '../../api/client.ts';
import { ServiceError } from '../../api/errors.ts';
import { readOne, type ServiceRecord } from '../../api/records.ts';
import { G11, G21 } from '../../assumptions.ts';
import { defineOne, field, required } from '../../define.ts';
import { present } from '../../outputs.ts';
import { cancelledBooking } from '../../samples/records.ts';
import { fetchBooking } from './get.ts';

export const cancelBooking = defineOne({
  resource: 'booking',
  name: 'cancel',
  action: 'Cancel',
  description: 'Cancels a booking, which cannot be taken back',
  effect: 'destructive',
  scope: 'bookings:write',
  endpoint: 'POST /v1/bookings/:id/cancel',
  input: z.object({
    booking_id: field(z.string().min(1, required), {
      label: 'Booking',
      help: 'The booking to cancel',
      control: 'text',
      lookup: 'bookings',
    }),
    reason: field(z.string().optional(), {
      label: 'Reason',
      help: 'Why it is cancelled, as the invitee is told',
      control: 'multiline',
    }),
  }),
  output: 'booking',
  adds: z.object({ already_cancelled: z.boolean().meta({ title: 'Was Cancelled Before' }) }),
  sample: { ...cancelledBooking, already_cancelled: false },

  /**
   * Cancels once and gives the cancelled booking (G11, G12) with `already_cancelled`: a booking that was cancelled
   * before is the wished-for end, not a refusal. After a lost answer the booking itself tells whether it happened.
   */
  async run(client, { booking_id: id, reason }) {
    const cancelled = await cancel(client, id, reason);
    return present('booking', cancelled);
  },
});

async function cancel(client: Client, id: string, reason: string | undefined): Promise<ServiceRecord> {
  const call = { method: 'POST', path: ['bookings', { id }, 'cancel'], body: G11.body(reason), scope: 'bookings:write', thing: 'booking', id } as const;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await client.send(call);
      const record = answer === undefined || answer === '' ? await fetchBooking(client, id) : readOne('booking', answer, 'POST /v1/bookings/:id/cancel');
      return { ...record, already_cancelled: false };
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'alreadyCancelled') return { ...(await fetchBooking(client, id)), already_cancelled: true };
      if (!(error instanceof LostAnswer)) throw error;
      const record = await fetchBooking(client, id);
      if (record['status'] === G21.cancelled) return { ...record, already_cancelled: false };
      // Cancelling twice ends as cancelling once, so it may be sent again.
      if (attempt >= 2) throw error;
    }
  }
}
