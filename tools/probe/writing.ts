import { book, cancel, findAgain, refuseBookings } from './bookings.ts';
import { type Receiver, awaitDelivery, isEvent, judgeDelivery, judgeRetry } from './deliveries.ts';
import type { Seen } from './reading.ts';
import { subscribe, unsubscribe, type Subscribed } from './subscriptions.ts';
import type { Probing } from './wire.ts';

/** Where deliveries are sent, and where they arrive. Without it, deliveries are not checked. */
interface Postbox {
  url: string;
  receiver: Receiver | undefined;
}

/**
 * Books, cancels, subscribes and unsubscribes, and removes everything that it made, whatever happens.
 *
 * @returns a description of what could not be removed
 */
export async function write(probing: Probing, { eventTypes }: Seen, { url, receiver }: Postbox): Promise<string[]> {
  const made: string[] = [];
  let subscribed: Subscribed | undefined;
  const left: string[] = [];
  try {
    subscribed = await subscribe(probing, url);
    const booking = await book(probing, eventTypes, made);
    // Without the secret, deliveries cannot be verified.
    const watched = subscribed?.secret === undefined ? undefined : receiver;
    const watch = (event: string) => watched && deliveriesOf(probing, watched, subscribed?.secret ?? '', event);
    if (booking !== undefined) {
      await watch('BOOKING_CREATED');
      await findAgain(probing, booking);
      await refuseBookings(probing, booking, made);
      watched?.failNext();
      await cancel(probing, booking);
      const first = await watch('BOOKING_CANCELLED');
      if (watched !== undefined && first?.status === 500) await judgeRetry(probing, watched, first);
    }
    if (subscribed !== undefined) await unsubscribe(probing, subscribed);
  } finally {
    left.push(...(await cleanUp(probing, made, subscribed)));
  }
  return left;
}

async function deliveriesOf(probing: Probing, receiver: Receiver, secret: string, event: string) {
  const { findings } = probing;
  const delivery = await awaitDelivery(receiver, probing, isEvent(event));
  if (delivery === undefined) findings.note('eventsThatFire', 'differs', `${event} did not arrive within twenty seconds`);
  else {
    findings.note(
      'eventsThatFire',
      'as assumed',
      `${event} arrived; what a host does (approve, deny, reschedule, edit a contact) must be tested by hand`,
    );
    judgeDelivery(findings, delivery, secret);
  }
  return delivery;
}

/** The probe may have removed these already. A second removal does no harm: its answer also means that the thing is gone. */
async function cleanUp({ wire }: Probing, bookings: readonly string[], subscribed: Subscribed | undefined): Promise<string[]> {
  const things = bookings.map((id) => ({
    what: `the booking ${id}`,
    remove: () => wire('POST', `/bookings/${encodeURIComponent(id)}/cancel`, { body: {} }),
  }));
  if (subscribed !== undefined)
    things.push({
      what: `the webhook subscription ${subscribed.id}`,
      remove: () => wire('DELETE', `/hooks/${encodeURIComponent(subscribed.id)}`),
    });
  const left: string[] = [];
  for (const { what, remove } of things) {
    try {
      const { status } = await remove();
      if ([401, 403, 429].includes(status) || status >= 500) left.push(`${what} (${status})`);
    } catch (error) {
      left.push(`${what} (${error instanceof Error ? error.message : String(error)})`);
    }
  }
  return left;
}
