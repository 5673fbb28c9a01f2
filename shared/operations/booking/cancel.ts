import type { Client } from '../../api/client.ts';
import { ServiceError } from '../../api/errors.ts';
import type { Write } from '../../api/reconcile.ts';
import { recordIn, type BookingRecord, type ServiceRecord } from '../../api/records.ts';
import { fetchOne } from '../../api/resources.ts';
import { cancelRequest, statusTransitions } from '../../assumptions.ts';
import { brand } from '../../brand.ts';
import { defineWrite, field } from '../../define.ts';
import { idText, optionalText } from '../../inputs.ts';
import { cancelledBooking } from '../../samples/records.ts';

export const cancelBooking = defineWrite({
  resource: 'booking',
  name: 'cancel',
  action: 'Cancel',
  description: 'Cancels a booking permanently',
  effect: 'destructive',
  scope: 'bookings:write',
  endpoint: 'POST /v1/bookings/:id/cancel',
  input: {
    booking_id: field(idText, {
      label: 'Booking',
      help: 'The booking to cancel',
      control: 'text',
      lookup: 'bookings',
    }),
    reason: field(optionalText, {
      label: 'Reason',
      help: 'Reason for the cancellation',
      control: 'multiline',
    }),
  },
  output: 'booking',
  adds: [{ key: 'already_cancelled', label: 'Already Cancelled', type: 'boolean' }],
  sample: { ...cancelledBooking, already_cancelled: false },

  /**
   * Cancels once and returns the cancelled booking (G11, G12) with `already_cancelled`. A booking that was already cancelled is a success.
   * After a lost answer, the booking itself shows whether it was cancelled. Cancelling twice has the same result as once.
   */
  write: (client, { booking_id: id, reason }, { item }) => cancellation(client, id, reason, item),
});

function cancellation(
  client: Client,
  id: string,
  reason: string | undefined,
  item: { run: string; name: string } | undefined,
): Write<ServiceRecord, string> {
  const key = `cancellation ${id}`;
  return {
    turn: key,
    keys: { content: key, item },
    content: id,
    isHarmless: true,

    async send(isAgain) {
      const call = {
        method: 'POST',
        path: ['bookings', { id }, 'cancel'],
        body: cancelRequest.body(reason),
        scope: 'bookings:write',
        thing: 'booking',
        id,
      } as const;
      const sent = await client.write(call, ({ body }) => cancelledIn(body, id));
      if (sent.end === 'done') return { end: 'done', result: { ...sent.result, already_cancelled: false } };
      if (sent.end === 'refused' && sent.error.kind === 'alreadyCancelled') {
        const found = await cancelledNow(client, id);
        // If the same caller asked twice, the first request cancelled it.
        return found === undefined ? sent : { end: 'done', result: { ...found, already_cancelled: !isAgain } };
      }
      return sent;
    },

    async look(sending) {
      const { content } = sending();
      const record = await fetchOne(client, 'booking', content);
      return {
        found: isCancelled(record) ? { ...record, already_cancelled: false } : undefined,
        isComplete: typeof record.status === 'string',
      };
    },

    notDone: (why) =>
      new ServiceError('server', {
        message: `The booking "${id}" was not cancelled (${why}): ${brand.name} still has it.`,
        advice: 'Try again in a few minutes.',
      }),

    unknown: ({ reason: why, since, content }) => ({
      message: `${brand.name} did not confirm the cancellation of the booking "${content}" that was sent at ${since.toISOString()} (${why}): the booking may or may not be cancelled.`,
      advice: 'Check the booking in the service before you try again.',
    }),
  };
}

const isCancelled = (record: BookingRecord): boolean => record.status === statusTransitions.cancelled;

/** The cancelled booking in an answer; `undefined` if it contains another booking, or one that is known not to be cancelled. */
function cancelledIn(body: unknown, id: string): BookingRecord | undefined {
  const record = recordIn('booking', body);
  return record?.id === id && (isCancelled(record) || typeof record.status !== 'string') ? record : undefined;
}

/** The booking in its current state, if it can be read and is cancelled. */
async function cancelledNow(client: Client, id: string): Promise<BookingRecord | undefined> {
  try {
    const record = await fetchOne(client, 'booking', id);
    return isCancelled(record) ? record : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
