import type { Fault } from '../../sandbox/faultKinds.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { brand } from '../../shared/brand.ts';
import { atMost, line, rounded, type Line } from '../harness/lines.ts';
import type { Failed } from '../n8n/failing.ts';
import { connectedTo, insideN8n } from '../n8n/inside.ts';
import { freeStart, plainEventType, withBookings } from '../service/account.ts';
import type { Row } from './index.ts';

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

/** The document is no place for a name, which a provider replaces. */
const quoted = (words: string): string => {
  const shown = words.replaceAll(brand.name, 'The service');
  return `"${shown.length > 90 ? `${shown.slice(0, 90)} ...` : shown}"`;
};

async function timeOf(sandbox: Sandbox, { what, fault, most, note }: (typeof cases)[number], index: number): Promise<Line> {
  const credential = connectedTo(sandbox.baseUrl, sandbox.issueToken().access_token);
  const argument = { baseUrl: sandbox.baseUrl, eventTypeId: plainEventType(sandbox), start: freeStart(index) };
  sandbox.faults.add({ route: 'POST /v1/bookings', times: 'always', ...fault });
  const { ours, 'HTTP Request node': other } = await insideN8n<Failed>('failing.ts', credential, argument);
  sandbox.faults.clear();
  return line({
    what,
    ours: quoted(ours.words),
    against: `HTTP Request node, ${rounded(other.seconds)} s: ${quoted(other.words)}`,
    figure: ours.seconds,
    unit: 's',
    target: atMost(most, 's'),
    note,
  });
}

export const failures: Row = {
  name: 'failures',
  title: 'From a failure of Create Booking to its words, in n8n',
  run: () =>
    withBookings(10, {}, async (sandbox) => {
      const lines: Line[] = [];
      for (const [index, each] of cases.entries()) lines.push(await timeOf(sandbox, each, index));
      return lines;
    }),
};
