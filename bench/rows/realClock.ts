import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { ours } from '../bulk/ways.ts';
import { Connections, pooledTransport, realTime } from '../clients.ts';
import { atMost, line, rounded, within, type Line } from '../harness/lines.ts';
import { connectedTo, insideN8n } from '../n8n/inside.ts';
import type { Kept } from '../n8n/restart.ts';
import { freeStart, plainEventType } from '../service/account.ts';
import { simulate } from './bulk.ts';
import type { Row } from './index.ts';

/** Just over two windows of the limit. */
const items = 2_050;
const latencyMs = 120;
const triggers = 25;

/** The same way, on the real clock and over HTTP to the sandbox: shows that the model of virtual time is true. */
async function bulkForTwoMinutes(): Promise<Line> {
  const sandbox = await startSandbox();
  const connections = new Connections(sandbox.origin, 12);
  try {
    const eventType = plainEventType(sandbox);
    const direct = pooledTransport(connections, sandbox.issueToken().access_token);
    const inputOf = (index: number) => ({
      event_type_id: eventType,
      start_time: freeStart(index),
      invitee_name: 'Ada Lovelace',
      invitee_email: `ada.${index}@example.com`,
    });
    const before = sandbox.bookings().length;
    const started = performance.now();
    await ours(sandbox.baseUrl, inputOf)('create', items, async (request) => (await sleep(latencyMs), direct(request)), realTime);
    const seconds = (performance.now() - started) / 1000;

    const made = sandbox.bookings().length - before;
    const refused = sandbox.requests().filter(({ status }) => status === 429).length;
    const model = await simulate(ours(), 'fixed', 'create', items);
    const near = within(0.95, 1.05);
    return line({
      what: `${items} creates on the real clock`,
      ours: `${rounded(seconds)} s, ${items - made} lost, ${refused} x 429`,
      against: `the model: ${rounded(model.seconds)} s, ${model.failed} lost, ${model.refused} x 429`,
      figure: seconds / model.seconds,
      target: { says: `${near.says}x, 0 lost, 0 x 429`, holds: (figure) => near.holds(figure) && made === items && refused === 0 },
    });
  } finally {
    connections.close();
    await sandbox.stop();
  }
}

const whyRefusals =
  'Two are refusals. Requests are only spread out after the first refusal, so that someone who publishes one or two triggers does not wait. The third is the list of existing subscriptions.';

const hookCalls = (sandbox: Sandbox) => sandbox.requests().filter(({ path }) => path.startsWith('/v1/hooks')).length;

/** n8n with 25 published triggers starts again, with the service's limit of ten subscription requests a minute on. */
async function restarts(): Promise<Line[]> {
  const sandbox = await startSandbox();
  try {
    const credential = connectedTo(sandbox.baseUrl, sandbox.issueToken().access_token);
    const start = async (kept: Kept) => {
      sandbox.forgetRequests();
      const started = performance.now();
      const ended = await insideN8n<{ kept: Kept; made: number }>('restart.ts', credential, { kept });
      return { ...ended, calls: hookCalls(sandbox), seconds: (performance.now() - started) / 1000 };
    };
    const afterStop = await start(Object.fromEntries(Array.from({ length: triggers }, (_, index) => [`trigger-${index}`, {}])));
    if (afterStop.made !== triggers || sandbox.subscriptions().length !== triggers)
      throw new Error(`${triggers} triggers were to be live, and ${sandbox.subscriptions().length} are.`);
    const afterCrash = await start(afterStop.kept);
    if (afterCrash.made !== 0) throw new Error(`${afterCrash.made} triggers subscribed again although all was well.`);
    const most = atMost(2, 'calls more');
    return [
      line({
        what: '25 triggers after a clean stop',
        ours: `${afterStop.calls} calls, ${rounded(afterStop.seconds)} s`,
        against: `n8n forces ${triggers}: it deleted them all`,
        figure: afterStop.calls - triggers,
        unit: 'calls more',
        target: most,
        limit: whyRefusals,
      }),
      line({
        what: '25 triggers after a crash',
        ours: `${afterCrash.calls} calls, ${rounded(afterCrash.seconds)} s`,
        against: 'n8n forces 0',
        figure: afterCrash.calls,
        unit: 'calls more',
        target: most,
      }),
    ];
  } finally {
    await sandbox.stop();
  }
}

export const realClock: Row = {
  name: 'real-clock',
  title: 'On the real clock, at the limits',
  // Both only wait: side by side they take as long as the longer one.
  async run() {
    const [bulk, restart] = await Promise.all([bulkForTwoMinutes(), restarts()]);
    return [bulk, ...restart];
  },
};
