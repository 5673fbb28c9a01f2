import type { Findings } from './findings.ts';
import { book, cancel, findAgain, refuseBookings, type Made } from './bookings.ts';
import { type Receiver, awaitDelivery, isEvent, judgeDelivery, judgeRetry } from './deliveries.ts';
import type { Seen } from './reading.ts';
import { subscribe, unsubscribe, type Subscribed } from './subscriptions.ts';
import type { Ports, Wire } from './wire.ts';

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
export async function write(
  findings: Findings,
  wire: Wire,
  ports: Ports,
  { eventTypes }: Seen,
  { url, receiver }: Postbox,
): Promise<string[]> {
  const made: string[] = [];
  let subscribed: Subscribed | undefined;
  const left: string[] = [];
  try {
    subscribed = await subscribe(findings, wire, ports, url);
    const booking = await book(findings, wire, ports, eventTypes, made);
    if (booking !== undefined) {
      if (receiver !== undefined && subscribed?.secret !== undefined)
        await deliveriesOf(findings, ports, receiver, subscribed.secret, 'BOOKING_CREATED');
      await findAgain(findings, wire, ports, booking);
      await refuseBookings(findings, wire, booking, made);
      await cancelAndWatch(
        findings,
        wire,
        ports,
        booking,
        subscribed?.secret === undefined ? undefined : receiver,
        subscribed?.secret ?? '',
      );
    }
    if (subscribed !== undefined) await unsubscribe(findings, wire, subscribed);
  } finally {
    left.push(...(await cleanUp(wire, made, subscribed)));
  }
  return left;
}

async function cancelAndWatch(
  findings: Findings,
  wire: Wire,
  ports: Ports,
  booking: Made,
  receiver: Receiver | undefined,
  secret: string,
): Promise<void> {
  receiver?.failNext();
  await cancel(findings, wire, booking);
  if (receiver === undefined) return;
  const first = await deliveriesOf(findings, ports, receiver, secret, 'BOOKING_CANCELLED');
  if (first?.status === 500) await judgeRetry(findings, receiver, ports, first);
}

async function deliveriesOf(findings: Findings, ports: Ports, receiver: Receiver, secret: string, event: string) {
  const delivery = await awaitDelivery(receiver, ports, isEvent(event));
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
async function cleanUp(wire: Wire, bookings: readonly string[], subscribed: Subscribed | undefined): Promise<string[]> {
  const things = [
    ...bookings.map((id) => ({
      what: `the booking ${id}`,
      remove: () => wire('POST', `/bookings/${encodeURIComponent(id)}/cancel`, { body: {} }),
    })),
    ...(subscribed === undefined
      ? []
      : [
          {
            what: `the webhook subscription ${subscribed.id}`,
            remove: () => wire('DELETE', `/hooks/${encodeURIComponent(subscribed.id)}`),
          },
        ]),
  ];
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
