import { brand } from '../../shared/brand.ts';
import { inWorkingHours } from '../../sandbox/hostPage/times.ts';
import type { Booking, Delivery, Sandbox } from '../../sandbox/service.ts';
import { awaitExecution, listExecutions, runWorkflow, type Execution } from '../rigs/n8n/executions.ts';
import type { Outcome } from '../rigs/zapier/zap.ts';
import type { N8nSide } from './n8nSide.ts';
import { about, moment } from './shown.ts';
import type { Sides, ZapierSide } from './sides.ts';

const HOUR_MS = 60 * 60_000;

/** One delivery as one side received it. */
export interface Receipt {
  bookedBy: 'n8n' | 'Zapier' | 'an agent';
  receivedBy: 'n8n' | 'Zapier';
  event: string;
  /** The booking's invitee and start, or the contact. */
  about: string;
  signature: string;
  /** The time from the booking at the service to the execution that its delivery started. */
  ms: number;
}

/** A forged delivery and its result. */
export interface Forgery {
  what: string;
  receivedBy: 'n8n' | 'Zapier';
  verdict: string;
}

interface Started {
  item: Record<string, unknown>;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/** Books once through n8n. @returns the booking as the service has it */
export async function bookThroughN8n({ sandbox, n8n }: Sides): Promise<Booking> {
  const { booking, session } = n8n;
  const run = await runWorkflow(session, booking.id, booking.from);
  if (run.status !== 'success')
    throw new Error(
      `The workflow '${booking.name}' did not succeed: ${run.error?.message ?? run.status} ${run.error?.description ?? ''}`.trimEnd(),
    );
  return theOne(sandbox, run.items(booking.node));
}

/** Books once through the Zapier app's Create Booking. @returns the booking as the service has it */
export async function bookThroughZapier({ sandbox, zapier }: Sides): Promise<Booking> {
  const booked = await zapier.runtime.step('creates.create_booking', wanted(sandbox, 'Grace Hopper', 'grace@example.com'));
  return theOne(sandbox, [booked]);
}

/** Books once through the MCP server's tool. @returns the booking as the service has it */
export async function bookThroughAgent({ sandbox, agent }: Sides): Promise<Booking> {
  const { structuredContent, isError, content } = await agent.client.callTool({
    name: 'create_booking',
    arguments: wanted(sandbox, 'Annie Easley', 'annie@example.com'),
  });
  if (isError === true) throw new Error(`The tool did not book: ${JSON.stringify(content)}`);
  return theOne(sandbox, [structuredContent]);
}

/** The first event type that can be booked without approval and without answers. */
export function bookable(sandbox: Sandbox) {
  const eventType = sandbox
    .eventTypes()
    .find(({ active, requires_approval, questions }) => active && !requires_approval && !questions.some(({ required }) => required));
  if (eventType === undefined) throw new Error('The service has no event type that can be booked without approval and without answers.');
  return eventType;
}

/** A booking without questions, at a free time. */
function wanted(sandbox: Sandbox, name: string, email: string) {
  const eventType = bookable(sandbox);
  return {
    event_type_id: eventType.id,
    start_time: freeSlot(sandbox, eventType.duration_minutes),
    invitee_name: name,
    invitee_email: email,
  };
}

/**
 * Books once and follows every delivery of the booking to the execution that it starts.
 *
 * @throws if a delivery starts nothing, or if one of the two sides does not receive the booking
 */
export async function roundTrip(sides: Sides, bookedBy: Receipt['bookedBy'], book: (sides: Sides) => Promise<Booking>): Promise<Receipt[]> {
  const { sandbox, n8n, zapier } = sides;
  const { timezone: zone } = sandbox.account;
  const before = new Set(sandbox.deliveries().map(({ id }) => id));
  const booking = await book(sides);
  await sandbox.settled();
  const receipts: Receipt[] = [];
  for (const delivery of sandbox.deliveries().filter(({ id }) => !before.has(id))) {
    const receivedBy = delivery.url === zapier.zap.targetUrl ? 'Zapier' : delivery.url.startsWith(n8n.session.origin) ? 'n8n' : undefined;
    // A Zap of an interrupted earlier start is still subscribed, but nobody answers there any more.
    if (receivedBy === undefined) continue;
    const { item, startedAt } = receivedBy === 'n8n' ? await startedInN8n(n8n, delivery) : await startedInZapier(zapier, delivery);
    // Both sides refuse what they cannot verify, so everything that a delivery started was verified.
    const signature = delivery.signed ? 'verified' : 'UNSIGNED';
    receipts.push({
      bookedBy,
      receivedBy,
      event: delivery.event,
      about: item['id'] === booking.id ? `${booking.invitee_name}, ${moment(Date.parse(booking.start_time), zone)}` : about(item, zone),
      signature,
      ms: Math.round(startedAt - Date.parse(booking.created_at)),
    });
  }
  for (const side of ['n8n', 'Zapier'] as const) {
    if (!receipts.some(({ receivedBy, event }) => receivedBy === side && event === 'BOOKING_CREATED'))
      throw new Error(`${side} received nothing about booking ${booking.id}.`);
  }
  return receipts;
}

async function startedInN8n({ session, listening }: N8nSide, delivery: Delivery): Promise<Started> {
  const itemOf = (execution: Execution) => execution.items(listening.node).find((each) => each['delivery_id'] === delivery.id);
  const execution = await awaitExecution(session, listening.id, (each) => itemOf(each) !== undefined);
  if (execution.status !== 'success')
    throw new Error(
      `The workflow '${listening.name}' did not succeed with delivery ${delivery.id} (${delivery.event}): ${execution.error?.message ?? execution.status}`,
    );
  return { item: itemOf(execution) ?? {}, startedAt: execution.timing(listening.node)?.startedAt ?? Number.NaN };
}

async function startedInZapier({ zap }: ZapierSide, delivery: Delivery): Promise<Started> {
  for (const { items, doneAt } of await zap.settled(1)) {
    const item = items.find((each) => each['delivery_id'] === delivery.id);
    if (item) return { item, startedAt: doneAt };
  }
  throw new Error(`The Zap did not react to delivery ${delivery.id} (${delivery.event}).`);
}

/** Sends each side a delivery without a signature and one with a forged signature, and checks what they start. */
export async function tryForgeries(sides: Sides): Promise<Forgery[]> {
  const { sandbox, n8n, zapier } = sides;
  const last = (url: (delivery: Delivery) => boolean): Delivery => {
    const found = sandbox.deliveries().findLast((delivery) => delivery.status === 'delivered' && url(delivery));
    if (found === undefined) throw new Error('No delivery has arrived to forge.');
    return found;
  };
  const forgeries: Forgery[] = [];
  for (const [what, signature] of [
    ['no signature', undefined],
    ['a made-up signature', `sha256=${'5'.repeat(64)}`],
  ] as const) {
    const before = (await listExecutions(n8n.session, n8n.listening.id)).length;
    const status = await forge(
      last(({ url }) => url.startsWith(n8n.session.origin)),
      signature,
    );
    const started = (await listExecutions(n8n.session, n8n.listening.id)).length - before;
    if (status !== 401 || started !== 0)
      throw new Error(`n8n answered ${status} to a delivery with ${what} and started ${started} executions.`);
    forgeries.push({ what, receivedBy: 'n8n', verdict: 'refused: 401, nothing started' });

    const { zap } = zapier;
    const dealtWith = zap.outcomes.length;
    await forge(
      last(({ url }) => url === zap.targetUrl),
      signature,
    );
    const outcome: Outcome | undefined = (await zap.settled(dealtWith + 1)).at(-1);
    if (outcome === undefined || outcome.items.length > 0 || outcome.error)
      throw new Error(`The Zap did not drop a delivery with ${what}: ${outcome?.error?.message ?? 'it started'}`);
    forgeries.push({ what, receivedBy: 'Zapier', verdict: 'dropped, nothing started' });
  }
  return forgeries;
}

async function forge({ url, body, event, id, created_at }: Delivery, signature: string | undefined): Promise<number> {
  const prefix = brand.headerPrefix;
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      connection: 'close',
      'content-type': 'application/json',
      [`${prefix}-Event`]: event,
      // Another id, so that the signature decides and not the memory of earlier deliveries.
      [`${prefix}-Delivery-ID`]: `${id}-forged`,
      [`${prefix}-Timestamp`]: created_at,
      ...(signature === undefined ? {} : { [`${prefix}-Signature`]: signature }),
    },
  });
  await response.body?.cancel();
  return response.status;
}

/** The one booking that a side reports, compared with what the service has. */
function theOne(sandbox: Sandbox, items: unknown[]): Booking {
  const [item] = items;
  const id = typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
  const kept = sandbox.bookings().filter((booking) => booking.id === id);
  const [booking] = kept;
  if (items.length !== 1 || booking === undefined)
    throw new Error(`One booking was expected; ${items.length} came back, and the service keeps ${kept.length} of them.`);
  return booking;
}

/** The next free whole hour in the host's working hours, as an ISO instant: people find the booking at the top of the host's page. */
function freeSlot(sandbox: Sandbox, minutes: number): string {
  const taken = sandbox
    .bookings()
    .filter(({ status }) => status !== 'CANCELLED')
    .map(({ start_time, end_time }) => [Date.parse(start_time), Date.parse(end_time)] as const);
  let start = Math.ceil((Date.now() + HOUR_MS) / HOUR_MS) * HOUR_MS;
  const isTaken = ([from, to]: readonly [number, number]): boolean => from < start + minutes * 60_000 && to > start;
  const isOpen = inWorkingHours(sandbox.account.timezone);
  while (!isOpen(start, start + minutes * 60_000) || taken.some(isTaken)) start += HOUR_MS;
  return new Date(start).toISOString();
}
