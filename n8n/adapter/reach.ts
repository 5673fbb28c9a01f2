import { WebhookPathTakenError, type IHookFunctions, type INode } from 'n8n-workflow';
import type { ServiceError } from '../../shared/api/errors.ts';
import { doubtAbout, type Doubt } from '../../shared/webhooks/reach.ts';
import { nodeError } from './errors.ts';
import { reachAdvice } from './reachAdvice.ts';
import { baseUrlOf } from './service.ts';

/**
 * An error that trying again cannot mend. n8n sets a trigger up five times over fifteen seconds whatever it ends in, and goes
 * by this class of its own alone to know one that is final. It shows the message and no description.
 */
class FinalError extends WebhookPathTakenError {
  constructor({ name }: INode, { sentence }: ServiceError) {
    super(name);
    this.message = sentence;
  }
}

/**
 * Refuses an address that only this machine knows for a service that is elsewhere, before anything is asked of that service.
 * Test listening is refused the same way.
 *
 * @throws FinalError
 */
export async function refuseUnreachable(hook: IHookFunctions, address: string): Promise<void> {
  const doubt = await doubtOf(hook, address);
  if (doubt?.reach === 'impossible') throw new FinalError(hook.getNode(), doubt.error);
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
    throw nodeError(hook.getNode(), error);
  }
}
