import type { IHookFunctions } from 'n8n-workflow';
import { doubtAbout, type Doubt } from '../../shared/webhooks/reach.ts';
import { activationError } from './errors.ts';
import { reachAdvice } from './reachAdvice.ts';
import { baseUrlOf } from './service.ts';

/**
 * Refuses an address that only this machine knows for a service that is elsewhere, before anything is asked of that service.
 * Test listening is refused the same way.
 *
 * @throws the error that n8n takes as final
 */
export async function refuseUnreachable(hook: IHookFunctions, address: string): Promise<void> {
  const doubt = await doubtOf(hook, address);
  if (doubt?.reach === 'impossible') throw activationError(hook.getNode(), doubt.error);
}

/**
 * Says where an address is probably not reached: a route to it may exist that n8n knows nothing of. The log is the one
 * place that n8n has for a remark of a trigger that is set up.
 */
export async function warnOfUnlikelyReach(hook: IHookFunctions, address: string): Promise<void> {
  const doubt = await doubtOf(hook, address);
  if (doubt?.reach === 'unlikely') hook.logger.warn(`${hook.getNode().name}: ${doubt.error.sentence}`);
}

async function doubtOf(hook: IHookFunctions, address: string): Promise<Doubt | undefined> {
  try {
    return doubtAbout(await baseUrlOf(hook), address, reachAdvice);
  } catch (error) {
    throw activationError(hook.getNode(), error);
  }
}
