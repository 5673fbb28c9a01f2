import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { ServiceError } from '../../shared/api/errors.ts';
import { chosenTexts } from '../../shared/webhooks/filter.ts';
import { addressOfSubscription, isIntact, replaceSubscription, unsubscribe, type Subscribed } from '../../shared/webhooks/subscriptions.ts';
import { activationError, nodeError } from './errors.ts';
import { refuseUnreachable, warnOfUnlikelyReach } from './reach.ts';
import { clientFor, connectionOf } from './service.ts';

/**
 * The part of an address that tells test listening from the published workflow: `/webhook-test/<id>/webhook` and
 * `/webhook/<id>/webhook`. Both keep a subscription of their own in the same static data and must not touch each other's.
 */
export function slotOf(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  return path.split('/').at(-3) || 'webhook';
}

/** What a trigger keeps of its subscription. `url` is missing where 1.0.0 made it. */
interface Kept extends Partial<Subscribed> {
  /** The address that it was made for. */
  url?: string;
}

/** What a trigger keeps of its subscription at an address, between publishing and unpublishing; an empty object where it keeps nothing. */
export function keptFor(staticData: IDataObject, address: string): Kept {
  const kept = staticData[slotOf(address)];
  return typeof kept === 'object' && kept !== null ? (kept as Kept) : {};
}

const addressOf = (hook: IHookFunctions): string => hook.getNodeWebhookUrl('default') ?? '';

/** @throws ServiceError `invalid` where an expression chooses no event */
function wantedBy(hook: IHookFunctions): { url: string; events: string[] } {
  const events = chosenTexts(hook.getNodeParameter('events', []));
  if (events.length > 0) return { url: addressOf(hook), events };
  throw new ServiceError('invalid', {
    message: '"Events" names no event, so nothing would ever start this workflow.',
    advice: 'Choose at least one event, then publish the workflow again.',
  });
}

/**
 * Whether the subscription that this trigger keeps is still there as wanted. One that was deleted or changed at the
 * service, or whose secret is not known any more, is not. n8n asks this first, also where it then only listens for a test:
 * an address that the service cannot reach ends here.
 */
export async function isSubscribed(hook: IHookFunctions): Promise<boolean> {
  await refuseUnreachable(hook, addressOf(hook));
  try {
    const wanted = wantedBy(hook);
    const { client, subscriptions } = await connectionOf(hook);
    return await isIntact(client, wanted, keptFor(hook.getWorkflowStaticData('node'), wanted.url), subscriptions);
  } catch (error) {
    throw activationError(hook.getNode(), error);
  }
}

/** Subscribes, and leaves exactly one subscription however often n8n calls it: it does so up to five times in fifteen seconds. */
export async function subscribeNode(hook: IHookFunctions): Promise<boolean> {
  const staticData = hook.getWorkflowStaticData('node');
  await refuseUnreachable(hook, addressOf(hook));
  await warnOfUnlikelyReach(hook, addressOf(hook));
  try {
    const wanted = wantedBy(hook);
    const before = keptFor(staticData, wanted.url);
    const { client, subscriptions } = await connectionOf(hook);
    const { id, signing_secret } = await replaceSubscription(client, wanted, subscriptions);
    if (before.id !== undefined && before.url !== undefined && before.url !== wanted.url) warnOfOther(hook, before.id, before.url);
    staticData[slotOf(wanted.url)] = { id, signing_secret, url: wanted.url };
    return true;
  } catch (error) {
    throw activationError(hook.getNode(), error);
  }
}

/**
 * Ends the subscription; one that is gone already is fine. What is kept is forgotten only once it is gone. One at another
 * address is left alone: this workflow is then a copy, and the original still lives by it.
 */
export async function unsubscribeNode(hook: IHookFunctions): Promise<boolean> {
  const address = addressOf(hook);
  const staticData = hook.getWorkflowStaticData('node');
  const { id, url } = keptFor(staticData, address);
  if (id === undefined) return true;
  try {
    const client = await clientFor(hook);
    const at = url ?? (await addressOfSubscription(client, id));
    if (at === address) await unsubscribe(client, id);
    else if (at !== undefined) warnOfOther(hook, id, at);
  } catch (error) {
    throw nodeError(hook.getNode(), error);
  }
  delete staticData[slotOf(address)];
  return true;
}

/** Whoever moved n8n to another address has to know that the old subscription is still there. */
const warnOfOther = (hook: IHookFunctions, id: string, url: string): void =>
  hook.logger.warn(
    `${hook.getNode().name}: the webhook subscription ${id} at ${url} belongs to another address and was kept. If no other n8n uses it, delete it.`,
  );
