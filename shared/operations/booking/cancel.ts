import { LostAnswer, type Client } from '../../api/client.ts';
import { ServiceError } from '../../api/errors.ts';
import { readBack, type Look } from '../../api/readBack.ts';
import { readOne, type ServiceRecord } from '../../api/records.ts';
import type { Lost } from '../../api/unsettled.ts';
import { cancelRequest, statusTransitions } from '../../assumptions.ts';
import { brand } from '../../brand.ts';
import { defineOne, field } from '../../define.ts';
import { filledText, optionalText } from '../../inputs.ts';
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
  input: {
    booking_id: field(filledText, {
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
  adds: [{ key: 'already_cancelled', label: 'Was Cancelled Before', type: 'boolean' }],
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

/**
 * Where the step had to end before it could be told, its next run cancels again, or finds it cancelled: twice ends as once.
 */
async function cancel(client: Client, id: string, reason: string | undefined): Promise<ServiceRecord> {
  const { clock, unsettled } = client;
  const key = `cancel ${id}`;
  const earlier = await unsettled?.recall(key, clock);
  try {
    const cancelled = await cancelOnce(client, id, reason, earlier);
    if (earlier !== undefined) await unsettled?.forget(key);
    return cancelled;
  } catch (error) {
    if (!(error instanceof LostAnswer)) throw error;
    const kept = await unsettled?.keep(key, { reason: error.reason, waitedMs: 0, recreated: 0, holds: earlier?.holds ?? 0 }, clock);
    if (kept?.isKept !== true) throw error;
    throw new ServiceError('unknownOutcome', { message: error.message, advice: 'The next run of this step cancels the booking, or finds it cancelled.', retryAfterSeconds: kept.retryAfterSeconds });
  }
}

async function cancelOnce(client: Client, id: string, reason: string | undefined, earlier: Lost | undefined): Promise<ServiceRecord> {
  const call = { method: 'POST', path: ['bookings', { id }, 'cancel'], body: cancelRequest.body(reason), scope: 'bookings:write', thing: 'booking', id } as const;
  let open = earlier && new LostAnswer(call, earlier.reason);
  for (let again = 0; ; again += 1) {
    let refused: ServiceError;
    try {
      const record = await recordIn(client, await client.send(call), id);
      if (record !== undefined) return { ...record, already_cancelled: false };
      refused = new LostAnswer(call, 'its answer could not be read');
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      refused = error;
    }
    const isCancelled = refused.kind === 'alreadyCancelled';
    if (!isCancelled && !(refused instanceof LostAnswer)) throw open ?? refused;

    const { found, isAbsent, isAnswered } = await readBack(client, () => look(client, id));
    // Who asked twice finds it cancelled by the first time.
    if (found !== undefined) return { ...found, already_cancelled: isCancelled && again === 0 && earlier === undefined };
    if (isCancelled) throw refused;
    open = isAbsent ? undefined : (refused as LostAnswer);
    // Cancelling twice ends as cancelling once, so it may be sent again to a service that answers.
    if (!isAnswered || again >= Math.max(1, client.patience.recreate)) throw open ?? notCancelled(id, refused as LostAnswer);
  }
}

/** The cancelled booking of a 2xx answer; from the service where the answer holds none (G12). A page of a proxy cancels nothing. */
async function recordIn(client: Client, answer: unknown, id: string): Promise<ServiceRecord | undefined> {
  try {
    return readOne('booking', answer, 'POST /v1/bookings/:id/cancel');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  try {
    return (await look(client, id)).found;
  } catch (error) {
    // That it could not be read now does not mean that it was not cancelled: it is looked for again.
    if (!(error instanceof ServiceError)) throw error;
    return undefined;
  }
}

async function look(client: Client, id: string): Promise<Look<ServiceRecord>> {
  const record = await fetchBooking(client, id);
  return { found: record['status'] === statusTransitions.cancelled ? record : undefined, complete: true };
}

const notCancelled = (id: string, { reason }: LostAnswer) =>
  new ServiceError('server', {
    message: `${brand.name} did not cancel the booking "${id}" (${reason}): it was looked at and is not cancelled.`,
    advice: 'Try again in a few minutes.',
  });
