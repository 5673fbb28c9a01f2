import { sleep } from 'n8n-workflow';
import { createClient, type Client } from '../../shared/api/client.ts';
import { rollingLimiter, type Limiter } from '../../shared/api/limiter.ts';
import { patient } from '../../shared/api/retry.ts';
import type { Clock } from '../../shared/api/transport.ts';
import { credentialType } from './identity.ts';
import { hostTransport, type Host } from './transport.ts';

/** One limiter for each connection in this process: all runs of an account share the service's limit. */
const limiters = new Map<string, Limiter>();
const mostLimiters = 500;

function limiterOf(connection: string): Limiter {
  const known = limiters.get(connection);
  if (known !== undefined) return known;
  const [oldest] = limiters.keys();
  if (limiters.size >= mostLimiters && oldest !== undefined) limiters.delete(oldest);
  const limiter = rollingLimiter();
  limiters.set(connection, limiter);
  return limiter;
}

/** Real time; a wait ends early when the execution is cancelled. */
const hostClock = (cancelled: AbortSignal | undefined): Clock => ({
  now: () => Date.now(),
  sleep: (milliseconds) => sleep(milliseconds, cancelled),
  random: () => Math.random(),
});

/**
 * The core's client for the credential that the node uses. It waits as long as the service asks it to, because an n8n
 * execution may.
 *
 * @throws ServiceError `invalid` where the base address cannot be used; what n8n throws where no credential is set.
 */
export async function clientFor(host: Host): Promise<Client> {
  const { baseUrl } = await host.getCredentials(credentialType);
  const address = typeof baseUrl === 'string' ? baseUrl : '';
  return createClient({
    baseUrl: address,
    transport: hostTransport(host),
    // Only a run can be cancelled.
    clock: hostClock('getExecutionCancelSignal' in host ? host.getExecutionCancelSignal() : undefined),
    patience: patient,
    limiter: limiterOf(`${address} ${host.getNode().credentials?.[credentialType]?.id ?? ''}`),
  });
}
