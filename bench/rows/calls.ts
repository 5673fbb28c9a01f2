import { zapierZip } from '../../tools/build/products.ts';
import { startArchive } from '../../tools/rigs/zapier/lambda.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { atMost, exactly, line, type Line } from '../harness/lines.ts';
import { connectedTo, insideN8n } from '../n8n/inside.ts';
import type { CallsArgument, Step } from '../n8n/calls.ts';
import { freeStart, plainEventType, withBookings } from '../service/account.ts';
import type { Row } from './index.ts';

const bookings = 10_000;

/** What the service was asked while the work went on, token requests aside. */
async function callsOf(sandbox: Sandbox, work: () => Promise<unknown>): Promise<number> {
  sandbox.forgetRequests();
  await work();
  return sandbox.requests().filter(({ path }) => path.startsWith('/v1/')).length;
}

async function n8nSteps(sandbox: Sandbox): Promise<Line[]> {
  const [newest] = sandbox
    .bookings()
    .filter(({ status }) => status === 'CONFIRMED')
    .slice(-1);
  const argument: CallsArgument = { bookingId: newest?.id ?? '', eventTypeId: plainEventType(sandbox), start: freeStart(0) };
  const credential = connectedTo(sandbox.baseUrl, sandbox.issueToken().access_token);
  const calls = async (step: Step, wanted: number): Promise<number> => {
    let items = 0;
    const count = await callsOf(
      sandbox,
      async () => ({ items } = await insideN8n<{ items: number }>('calls.ts', credential, { ...argument, step })),
    );
    if (items !== wanted) throw new Error(`The step ${step} was to give ${wanted} items, and gave ${items}.`);
    return count;
  };
  const one = exactly(1, 'calls');
  return [
    line({
      what: '10,000 bookings, n8n Return All',
      ours: '100 a page',
      against: 'at the default page size: 400 calls',
      figure: await calls('list', bookings),
      unit: 'calls',
      target: exactly(100, 'calls'),
    }),
    line({ what: 'n8n Get Booking', ours: 'one GET', against: '1', figure: await calls('get', 1), unit: 'calls', target: one }),
    line({ what: 'n8n Create Booking', ours: 'one POST', against: '1', figure: await calls('create', 1), unit: 'calls', target: one }),
    line({ what: 'n8n Cancel Booking', ours: 'one POST', against: '1', figure: await calls('cancel', 1), unit: 'calls', target: one }),
    line({
      what: 'n8n publishes a trigger',
      ours: 'one list, one POST',
      against: '1, and old subscriptions stay',
      figure: await calls('publish', 1),
      unit: 'calls',
      target: atMost(2, 'calls'),
    }),
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
    return line({ what: 'Zapier turns a Zap on', ours: 'one POST', against: '1', figure, unit: 'calls', target: exactly(1, 'calls') });
  } finally {
    await runtime.stop();
  }
}

export const calls: Row = {
  name: 'calls',
  title: 'Calls for each operation, counted by the service',
  run: () => withBookings(bookings, {}, async (sandbox) => [...(await n8nSteps(sandbox)), await zapierSubscribe(sandbox)]),
};
