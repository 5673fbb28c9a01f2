import { ignoreRefusal } from '../../serviceError.ts';
import { hasStatus, recordIn } from '../../reading/index.ts';
import type { BookingRecord, ServiceRecord } from '../../records/fields.ts';
import { fetchIfThere, fetchOne } from '../../client/fetchOne.ts';
import { cancelRequest, statusTransitions } from '../../assumptions.ts';
import { defineWrite, field, type WriteOf } from '../define.ts';
import { idText, optionalText } from '../commonSchemas.ts';
import { ofBooking } from '../idFields.ts';
import { cancelledBooking } from '../../records/samples.ts';
import { hasValue } from '../../values.ts';

/** Whether a status is from after the cancellation: some services respond with the record as it was before. */
const hasNewStatus = (record: BookingRecord): boolean =>
  hasValue(record.status) && !hasStatus(record, 'pending') && !hasStatus(record, 'confirmed');

export const cancelBooking = defineWrite({
  resource: 'booking',
  name: 'cancel',
  action: 'Cancel',
  description: 'Cancels a booking permanently',
  effect: 'destructive',
  isIdempotent: true,
  scope: 'bookings:write',
  endpoint: 'POST /v1/bookings/:id/cancel',
  input: {
    booking_id: field(idText, { ...ofBooking, help: 'The booking to cancel' }),
    reason: field(optionalText, {
      label: 'Reason',
      help: 'Why the booking is cancelled',
      control: 'multiline',
    }),
  },
  output: 'booking',
  adds: [{ key: 'already_cancelled', label: 'Already Cancelled', type: 'boolean' }],
  sample: { ...cancelledBooking, already_cancelled: false },

  /**
   * Cancels and returns the cancelled booking (G11, G12) with `already_cancelled`. A booking that was already cancelled is a success. After
   * a lost response, the booking itself shows whether it was cancelled. If it is gone, the cancellation is sent again, and the refusal
   * confirms it.
   */
  write(client, { booking_id: id, reason }, { labelOf }): WriteOf<string> {
    const key = `cancellation ${id}`;
    const cancelled = (record: ServiceRecord, already_cancelled = false): ServiceRecord => ({ ...record, already_cancelled });
    return {
      lockKey: key,
      keys: { content: key },
      content: id,
      call: {
        method: 'POST',
        path: ['bookings', { id }, 'cancel'],
        body: cancelRequest.body(reason),
        scope: 'bookings:write',
        resourceName: 'booking',
        id,
        labelOf,
      },
      async read({ body }) {
        const record = recordIn('booking', body, id);
        // Some services respond with a record of the cancellation, which has another id.
        if (record?.id === id) return cancelled({ ...record, status: hasNewStatus(record) ? record.status : statusTransitions.cancelled });
        // The service has confirmed the cancellation, even if the booking shows it only a little later.
        const read = await fetchOne(client, 'booking', id).catch(ignoreRefusal);
        return cancelled({ id, ...read, status: statusTransitions.cancelled });
      },
      unseen: () => cancelled({ id, status: statusTransitions.cancelled }),
      async rejected({ kind }, isRepeat) {
        if (['conflict', 'forbidden', 'invalid', 'notFound'].includes(kind)) {
          // A refusal without a known code may also mean that it was already cancelled: the booking shows that.
          const read = await fetchIfThere(client, 'booking', id).then((record) => record ?? 'gone', ignoreRefusal);
          if (read !== undefined && read !== 'gone') return hasStatus(read, 'cancelled') ? cancelled(read, !isRepeat) : undefined;
          // Some services delete cancelled bookings. If a repeated write no longer finds the booking, its earlier attempt has cancelled it.
          const isGone = kind === 'notFound' || (read === 'gone' && kind !== 'forbidden');
          return isRepeat && isGone ? cancelled({ id, status: statusTransitions.cancelled }) : undefined;
        }
        if (kind !== 'alreadyCancelled') return undefined;
        // If an earlier attempt of this call cancelled it, it does not count as already cancelled.
        return cancelled(
          (await fetchOne(client, 'booking', id).catch(ignoreRefusal)) ?? { id, status: statusTransitions.cancelled },
          !isRepeat,
        );
      },
      async find({ content }) {
        const record = await fetchIfThere(client, 'booking', content);
        return { ...(record && hasStatus(record, 'cancelled') && { found: cancelled(record) }), candidates: [], isComplete: true };
      },
      uncertain: (content, sentAt) =>
        `The booking "${content}", whose cancellation was sent at ${sentAt.toISOString()}, may or may not be cancelled.`,
    };
  },
});
