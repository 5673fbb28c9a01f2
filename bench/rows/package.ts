import { createClient } from '../../sdk/index.ts';
import { atMost, line, type Line } from '../harness/lines.ts';
import { quantile } from '../harness/statistics.ts';
import { inTurns } from '../harness/turns.ts';
import { withServiceApart, type Service } from '../service/apart.ts';
import type { Row } from './index.ts';

async function compared({ baseUrl, accessToken: token, booking }: Service, width: number): Promise<Line> {
  const client = createClient({ auth: token, baseUrl });
  const all = await inTurns(
    {
      ours: () => client.bookings.get({ booking_id: booking }),
      bare: async () => (await fetch(`${baseUrl}/bookings/${booking}`, { headers: { authorization: `Bearer ${token}` } })).json(),
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
  run: () => withServiceApart(async (service) => [await compared(service, 1), await compared(service, 32)]),
};
