/** The sandbox as a process of its own. It tells its parent what a caller needs, and ends with it. */
import { once } from 'node:events';
import { plainEventType, withBookings } from './account.ts';
import type { Service } from './apart.ts';

await withBookings(100, { limits: false }, async (sandbox) => {
  const { access_token: accessToken, refresh_token: refreshToken } = sandbox.issueToken();
  const { client, baseUrl } = sandbox;
  const service: Service = {
    baseUrl,
    client,
    accessToken,
    refreshToken,
    // On a usual day: on one when the clocks change, which comes twice a year, each time is asked of the engine.
    booking: sandbox.host.book({ event_type_id: plainEventType(sandbox), start_time: '2031-07-01T10:00:00Z' }).id,
  };
  process.send?.(service);
  await once(process, 'disconnect');
});
