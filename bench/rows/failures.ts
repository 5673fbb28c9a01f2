import type { Fault } from '../../sandbox/faultKinds.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { brand } from '../../shared/brand.ts';
import type { ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { bookable } from '../../tools/start/roundTrip.ts';
import { rounded, type Line, type Row } from '../report.ts';
import { creates, freeStart, inN8n, NODE, runNode } from '../stage.ts';

/** What may go wrong with a new booking, and within how many seconds its words have to be there. */
const cases: readonly { what: string; fault: Omit<Fault, 'route'>; most: number; note?: string }[] = [
  { what: 'refused with 422', fault: { kind: 'status', status: 422, body: { error: 'The notes are too long.' } }, most: 3 },
  { what: 'a server error with a message (500)', fault: { kind: 'status', status: 500 }, most: 3 },
  {
    what: 'no answer at all',
    fault: { kind: 'reset-before' },
    most: 35,
    note: 'The booking is looked for before it is called unknown. The other node says at once that the connection failed, and leaves the rest to the person.',
  },
];

/** How long a node took until it failed, and with which words. */
async function failed(connected: ConnectedN8n, node: Parameters<typeof runNode>[1]): Promise<{ seconds: number; words: string }> {
  const run = await runNode(connected, node);
  const timing = run.timing(NODE);
  if (run.error === undefined || timing === undefined) throw new Error(`${node.type} did not fail.`);
  // The document is no place for a name, which a provider replaces.
  const words = run.error.message.replaceAll(brand.name, 'The service');
  return { seconds: timing.ms / 1000, words: `"${words.length > 90 ? `${words.slice(0, 90)} ...` : words}"` };
}

async function timeOf(
  sandbox: Sandbox,
  connected: ConnectedN8n,
  { what, fault, most, note }: (typeof cases)[number],
  index: number,
): Promise<Line> {
  const [eventTypeId, start] = [bookable(sandbox).id, freeStart(index)];
  const booking = { event_type_id: eventTypeId, start_time: start, invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com' };
  sandbox.faults.add({ route: 'POST /v1/bookings', times: 'always', ...fault });
  const ours = await failed(connected, { type: connected.nodes.action, parameters: creates(eventTypeId, start) });
  const other = await failed(connected, {
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    parameters: {
      method: 'POST',
      url: `${sandbox.baseUrl}/bookings`,
      authentication: 'predefinedCredentialType',
      nodeCredentialType: connected.credential.type,
      sendBody: true,
      specifyBody: 'json',
      jsonBody: JSON.stringify(booking),
      options: {},
    },
  });
  sandbox.faults.clear();
  const against = `HTTP Request node, ${rounded(other.seconds)} s: ${other.words}`;
  return { what, ours: ours.words, against, figure: ours.seconds, unit: 's', most, note };
}

export const failures: Row = {
  name: 'failures',
  title: 'From a failure of Create Booking to its words, in n8n',
  run: () =>
    inN8n(10, async (connected, sandbox) => {
      const lines: Line[] = [];
      for (const [index, each] of cases.entries()) lines.push(await timeOf(sandbox, connected, each, index));
      return lines;
    }),
};
