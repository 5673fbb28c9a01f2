import { createWorkflow, onEvents, publish } from '../../tools/rigs/n8n/workflows.ts';
import { bookable } from '../../tools/start/roundTrip.ts';
import type { Line, Row } from '../report.ts';
import { creates, freeStart, inN8n, NODE, runNode } from '../stage.ts';

const bookings = 10_000;

export const calls: Row = {
  name: 'calls',
  title: 'Calls for each operation, counted by the service',
  run: () =>
    inN8n(bookings, async (connected, sandbox) => {
      const { session, nodes } = connected;
      const newest = sandbox.bookings().findLast(({ status }) => status === 'CONFIRMED')?.id;
      const booking = { resource: 'booking', bookingId: { __rl: true, mode: 'id', value: newest } };
      const running =
        (parameters: Record<string, unknown>, wanted = 1) =>
        async (): Promise<void> => {
          const run = await runNode(connected, { type: nodes.action, parameters });
          const given = run.items(NODE).length;
          if (given !== wanted) throw new Error(`n8n was to give ${wanted} items, and gave ${given}: ${run.error?.message}`);
        };
      const publishing = async (): Promise<void> =>
        publish(session, (await createWorkflow(session, onEvents(connected, { events: ['BOOKING_CREATED'] }))).id);
      const all = running({ resource: 'booking', operation: 'getMany', returnAll: true }, bookings);

      const lines: Line[] = [];
      for (const [what, ours, against, most, work] of [
        ['10,000 bookings, n8n Return All', '100 a page', 'at the default page size: 400 calls', 100, all],
        ['n8n Get Booking', 'one GET', '1', 1, running({ ...booking, operation: 'get' })],
        ['n8n Create Booking', 'one POST', '1', 1, running(creates(bookable(sandbox).id, freeStart(0)))],
        ['n8n Cancel Booking', 'one POST', '1', 1, running({ ...booking, operation: 'cancel' })],
        ['n8n publishes a trigger', 'one list, one POST', '1, and old subscriptions stay', 2, publishing],
      ] as const) {
        sandbox.forgetRequests();
        await work();
        // Token requests aside.
        const figure = sandbox.requests().filter(({ path }) => path.startsWith('/v1/')).length;
        lines.push({ what, ours, against, figure, unit: 'calls', most });
      }
      return lines;
    }),
};
