import type { Booking, Delivery, Sandbox } from '../../sandbox/service.ts';
import { awaitExecution, runWorkflow, type Execution } from '../rigs/n8n/executions.ts';
import { enterNextStart, type N8nSide } from './n8nSide.ts';
import { about, labelOf, isItemOf } from './shown.ts';
import type { Sides, ZapierSide } from './sides.ts';

/** How each side books once. Each returns what its platform reports. */
const ways = {
  async n8n({ sandbox, n8n }: Sides): Promise<unknown[]> {
    const { booking, session } = n8n;
    await enterNextStart(n8n, sandbox);
    const run = await runWorkflow(session, booking.id, booking.from);
    // The next person who runs it finds a free start.
    await enterNextStart(n8n, sandbox);
    const { status, error } = run;
    if (status !== 'success')
      throw new Error(`The workflow '${booking.name}' did not succeed: ${error?.message ?? status} ${error?.description ?? ''}`.trimEnd());
    return run.items(booking.node);
  },
  async Zapier({ sandbox, zapier }: Sides): Promise<unknown[]> {
    const inputData = wanted(sandbox, 'Grace Hopper', 'grace@example.com');
    return [await zapier.runtime.invoke('creates.create_booking.operation.perform', { inputData })];
  },
  async 'an agent'({ sandbox, agent }: Sides): Promise<unknown[]> {
    const input = wanted(sandbox, 'Annie Easley', 'annie@example.com');
    const { structuredContent, isError, content } = await agent.client.callTool({ name: 'create_booking', arguments: input });
    if (isError === true) throw new Error(`The tool did not book: ${JSON.stringify(content)}`);
    return [structuredContent];
  },
};

export const makers = Object.keys(ways) as (keyof typeof ways)[];

function wanted({ host }: Sandbox, invitee_name: string, invitee_email: string) {
  const { id, duration_minutes: minutes } = host.usualType();
  return { event_type_id: id, start_time: host.nextFree(minutes), invitee_name, invitee_email };
}

/**
 * Books once and follows every delivery of the booking to the execution that it starts.
 *
 * @returns a line for each delivery
 * @throws if a delivery starts nothing, or if one of the two sides does not receive the booking
 */
export async function roundTrip(sides: Sides, bookedBy: keyof typeof ways): Promise<string[]> {
  const { sandbox, n8n, zapier } = sides;
  const { timezone: zone } = sandbox.account;
  const before = new Set(sandbox.deliveries().map(({ id }) => id));
  const booking = theOne(sandbox, await ways[bookedBy](sides));
  await sandbox.settled();
  const missing = new Set(['n8n', 'Zapier']);
  const lines: string[] = [];
  for (const delivery of sandbox.deliveries().filter(({ id }) => !before.has(id))) {
    const receivedBy = delivery.url === zapier.zap.targetUrl ? 'Zapier' : delivery.url.startsWith(n8n.session.origin) ? 'n8n' : undefined;
    // A Zap of an interrupted earlier start is still subscribed, but nothing responds there any more.
    if (receivedBy === undefined) continue;
    const { item, startedAt } = receivedBy === 'n8n' ? await startedInN8n(n8n, delivery) : await startedInZapier(zapier, delivery);
    if (delivery.event === 'BOOKING_CREATED') missing.delete(receivedBy);
    const after = Math.round(startedAt - Date.parse(booking.created_at));
    // Both sides refuse deliveries that they cannot verify, so a delivery that started something was verified.
    lines.push(
      `  ${receivedBy} got what ${bookedBy} booked, verified, after ${after} ms:\n    ${labelOf(delivery.event)}, ${about(item, zone)}`,
    );
  }
  if (missing.size > 0) throw new Error(`${[...missing].join(' and ')} received nothing about booking ${booking.id}.`);
  return lines;
}

/** The item that a delivery started, and when: milliseconds since the epoch. */
async function startedInN8n({ session, listening }: N8nSide, delivery: Delivery) {
  const itemOf = (execution: Execution) => execution.items(listening.node).find(isItemOf(delivery));
  const execution = await awaitExecution(session, listening.id, (each) => itemOf(each) !== undefined);
  if (execution.status !== 'success')
    throw new Error(
      `The workflow '${listening.name}' did not succeed with delivery ${delivery.id} (${delivery.event}): ${execution.error?.message ?? execution.status}`,
    );
  return { item: itemOf(execution) ?? {}, startedAt: execution.timing(listening.node)?.startedAt ?? Number.NaN };
}

async function startedInZapier({ zap }: ZapierSide, delivery: Delivery) {
  for (const { items, doneAt } of await zap.settled(1)) {
    const item = items.find(isItemOf(delivery));
    if (item) return { item, startedAt: doneAt };
  }
  throw new Error(`The Zap did not react to delivery ${delivery.id} (${delivery.event}).`);
}

/** The one booking that a side reports, as stored by the service. */
function theOne(sandbox: Sandbox, items: unknown[]): Booking {
  const [{ id } = {}] = items as { id?: unknown }[];
  const booking = sandbox.bookings().find((each) => each.id === id);
  if (items.length !== 1 || booking === undefined)
    throw new Error(`One booking was expected, and ${items.length} came back: ${JSON.stringify(items)}`);
  return booking;
}
