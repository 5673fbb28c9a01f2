import { createClient } from '../../sdk/index.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { atMost, line, type Line } from '../harness/lines.ts';
import { quantile } from '../harness/statistics.ts';
import { inTurns } from '../harness/turns.ts';
import { plainEventType, withBookings } from '../service/account.ts';
import type { Row } from './index.ts';

async function compared(sandbox: Sandbox, width: number): Promise<Line> {
  const { baseUrl } = sandbox;
  const { access_token: token } = sandbox.issueToken();
  const { id } = sandbox.host.book({ event_type_id: plainEventType(sandbox), start_time: `2031-07-0${1 + (width % 9)}T10:00:00Z` });
  const client = createClient({ auth: token, baseUrl });
  const all = await inTurns(
    {
      ours: () => client.bookings.get({ booking_id: id }),
      bare: async () => (await fetch(`${baseUrl}/bookings/${id}`, { headers: { authorization: `Bearer ${token}` } })).json(),
    },
    width,
  );
  const [ours, bare] = [quantile(all.ours, 0.5), quantile(all.bare, 0.5)];
  return line({
    what: `a call of the client, ${width} at a time, p50`,
    ours: `${ours.toFixed(2)} ms`,
    against: `bare fetch: ${bare.toFixed(2)} ms`,
    figure: ours / bare,
    target: atMost(1.1),
    limit:
      'The sandbox on this machine answers within one or two milliseconds, so the target leaves a tenth of that for the form, the limit, the timeout and the record. With a remote service, they take the same fraction of a millisecond.',
  });
}

export const ofPackage: Row = {
  name: 'package',
  title: 'A call of the package for developers, compared with bare fetch',
  run: () => withBookings(100, { limits: false }, async (sandbox) => [await compared(sandbox, 1), await compared(sandbox, 32)]),
};
