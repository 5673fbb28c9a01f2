import type { IHookFunctions } from 'n8n-workflow';
import { doubtAbout, pollingTriggerName, type Doubt } from '../../shared/webhooks/index.ts';
import { baseUrlOf } from './service.ts';

/** What to do if the service cannot reach this n8n. */
const reachAdvice = `Set WEBHOOK_URL to an address at which the service can reach this n8n, then restart n8n. Or use ${pollingTriggerName}, which needs no public address.`;

/**
 * Refuses an address that only this machine can reach if the service is elsewhere, before anything is sent to the service. The same applies
 * to test listeners.
 *
 * @throws ServiceError `invalid`, which is final for n8n
 */
export async function refuseUnreachable(hook: IHookFunctions, address: string): Promise<void> {
  const doubt = await doubtOf(hook, address);
  if (doubt?.reach === 'impossible') throw doubt.error;
}

/**
 * Logs a warning if an address probably cannot be reached; there may be a route that n8n does not know of. The log is the only place where
 * n8n can show a note about a trigger that was set up.
 */
export async function warnOfUnlikelyReach(hook: IHookFunctions, address: string): Promise<void> {
  const doubt = await doubtOf(hook, address);
  if (doubt?.reach === 'unlikely') hook.logger.warn(`${hook.getNode().name}: ${doubt.error.sentence}`);
}

const doubtOf = async (hook: IHookFunctions, address: string): Promise<Doubt | undefined> =>
  doubtAbout(await baseUrlOf(hook), address, reachAdvice);
