import { zoneOf } from '../../shared/time/index.ts';
import type { Client } from '../client/api/methods.ts';

/** How long a result waits for the host's zone. Milliseconds. */
const patienceMs = 2_000;

/**
 * The zone in which the host sees their bookings; `undefined` if it cannot be read soon. Then times are shown as the service wrote them: the
 * result is there, and must not be lost for it.
 */
export async function hostZone(client: Client, signal: AbortSignal): Promise<string | undefined> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  return client.users.current({}, { signal: soon }).then(zoneOf, () => undefined);
}
