import { zapierZip } from '../../tools/build/products.ts';
import type { ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { createWorkflow, onEvents, publish } from '../../tools/rigs/n8n/workflows.ts';
import { startArchive } from '../../tools/rigs/zapier/lambda.ts';
import { bookable } from '../../tools/start/roundTrip.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { type Line, type Row } from '../report.ts';
import { creates, freeStart, inN8n, NODE, runNode } from '../stage.ts';

const bookings = 10_000;
const unit = 'calls';
const one = { unit, least: 1, most: 1 };

/** What the service was asked while the work went on, token requests aside. */
async function callsOf(sandbox: Sandbox, work: () => Promise<unknown>): Promise<number> {
  sandbox.forgetRequests();
  await work();
  return sandbox.requests().filter(({ path }) => path.startsWith('/v1/')).length;
}

async function n8nSteps(sandbox: Sandbox, connected: ConnectedN8n): Promise<Line[]> {
  const newest = sandbox.bookings().findLast(({ status }) => status === 'CONFIRMED')?.id;
  const booking = { resource: 'booking', bookingId: { __rl: true, mode: 'id', value: newest } };
  const calls = (parameters: Record<string, unknown>, wanted = 1): Promise<number> =>
    callsOf(sandbox, async () => {
      const run = await runNode(connected, { type: connected.nodes.action, parameters });
      const given = run.items(NODE).length;
      if (given !== wanted) throw new Error(`n8n was to give ${wanted} items, and gave ${given}: ${run.error?.message}`);
    });
  const publishing = async (): Promise<void> => {
    const { id } = await createWorkflow(connected.session, onEvents(connected, { events: ['BOOKING_CREATED'] }));
    await publish(connected.session, id);
  };
  const onlyOne = async (what: string, ours: string, parameters: Record<string, unknown>): Promise<Line> => ({
    what,
    ours,
    against: '1',
    figure: await calls(parameters),
    ...one,
  });
  return [
    {
      what: '10,000 bookings, n8n Return All',
      ours: '100 a page',
      against: 'at the default page size: 400 calls',
      figure: await calls({ resource: 'booking', operation: 'getMany', returnAll: true }, bookings),
      unit,
      least: 100,
      most: 100,
    },
    await onlyOne('n8n Get Booking', 'one GET', { ...booking, operation: 'get' }),
    await onlyOne('n8n Create Booking', 'one POST', creates(bookable(sandbox).id, freeStart(0))),
    await onlyOne('n8n Cancel Booking', 'one POST', { ...booking, operation: 'cancel' }),
    {
      what: 'n8n publishes a trigger',
      ours: 'one list, one POST',
      against: '1, and old subscriptions stay',
      figure: await callsOf(sandbox, publishing),
      unit,
      most: 2,
    },
  ];
}

async function zapierSubscribe(sandbox: Sandbox): Promise<Line> {
  const { id: CLIENT_ID, secret: CLIENT_SECRET } = sandbox.client;
  const runtime = await startArchive({
    zip: await zapierZip(),
    environment: { CLIENT_ID, CLIENT_SECRET, BASE_URL: sandbox.baseUrl },
  });
  try {
    sandbox.allowRedirect(runtime.redirectUri);
    await runtime.connect();
    const figure = await callsOf(sandbox, () => runtime.turnOn('booking_created'));
    return { what: 'Zapier turns a Zap on', ours: 'one POST', against: '1', figure, ...one };
  } finally {
    await runtime.stop();
  }
}

export const calls: Row = {
  name: 'calls',
  title: 'Calls for each operation, counted by the service',
  run: () => inN8n(bookings, async (connected, sandbox) => [...(await n8nSteps(sandbox, connected)), await zapierSubscribe(sandbox)]),
};
