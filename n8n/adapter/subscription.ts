import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { ServiceError } from '../../shared/client/index.ts';
import { isObject } from '../../shared/values.ts';
import {
  checkEventTypes,
  chosenEvents,
  doubtAbout,
  endSubscription,
  isElsewhere,
  isIntact,
  pollingTriggerName,
  replaceSubscription,
  type Doubt,
  type Known,
} from '../../shared/webhooks/index.ts';
import { activationError, nodeError } from './errors.ts';
import { checkMaximumAge, eventTypesOf, isBegunByPerson } from './filters.ts';
import { baseUrlOf, clientFor, connectionOf } from './service.ts';

/**
 * The part of an address that distinguishes a test listener from the published workflow: `/webhook-test/<id>/webhook` and
 * `/webhook/<id>/webhook`, to which the service may add a slash. Both keep their own subscription in the same static data and must not
 * touch the other's.
 */
export function slotOf(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  return path.split('/').filter(Boolean).at(-3) ?? 'webhook';
}

/**
 * What a trigger keeps about its subscription for an address, between publishing and unpublishing; an empty object if there is none. The
 * address is missing if version 1.0.0 created it.
 */
export function keptFor(staticData: IDataObject, address: string): Known {
  const kept = staticData[slotOf(address)];
  return isObject(kept) ? kept : {};
}

const addressOf = (hook: IHookFunctions): string => hook.getNodeWebhookUrl('default') ?? '';

/** What to do if the service cannot reach this n8n. */
const reachAdvice = `Set WEBHOOK_URL to an address at which the service can reach this n8n, then restart n8n. Or use ${pollingTriggerName}, which needs no public address.`;

/**
 * Why the service may not reach this trigger's address, which may be that of a test listener.
 *
 * @throws ServiceError `invalid`, which is final for n8n, if only this machine can reach it and the service is elsewhere
 */
async function doubtOf(hook: IHookFunctions): Promise<Doubt | undefined> {
  const doubt = doubtAbout(await baseUrlOf(hook), addressOf(hook), reachAdvice);
  if (doubt?.reach === 'impossible') throw doubt.error;
  return doubt;
}

/** @throws ServiceError `invalid` if an expression chooses no event, or a filter came out empty */
function wantedBy(hook: IHookFunctions): { url: string; events: string[] } {
  eventTypesOf(hook);
  checkMaximumAge(hook);
  const events = chosenEvents(hook.getNodeParameter('events', null));
  if (events.length > 0) return { url: addressOf(hook), events };
  throw new ServiceError('invalid', {
    message: '"Events" names no event, so nothing would ever start this workflow.',
    advice: 'Choose at least one event, then publish the workflow again.',
  });
}

/**
 * Whether this trigger's subscription still exists as wanted. If it was deleted or changed at the service, or its secret is unknown, it
 * does not. n8n asks this first, even for a test listener, so an address that the service cannot reach is refused here.
 */
export async function isSubscribed(hook: IHookFunctions): Promise<boolean> {
  try {
    await doubtOf(hook);
    const wanted = wantedBy(hook);
    const { client, subscriptions } = await connectionOf(hook);
    return await isIntact(client, wanted, keptFor(hook.getWorkflowStaticData('node'), wanted.url), subscriptions);
  } catch (error) {
    throw activationError(hook.getNode(), error);
  }
}

/** Subscribes and leaves exactly one subscription, however often n8n calls this: up to five times in fifteen seconds. */
export async function subscribeNode(hook: IHookFunctions): Promise<boolean> {
  const staticData = hook.getWorkflowStaticData('node');
  try {
    const doubt = await doubtOf(hook);
    // There may be a route that n8n does not know of. Only its log can show a note about a trigger that was set up.
    if (doubt !== undefined) hook.logger.warn(`${hook.getNode().name}: ${doubt.error.sentence}`);
    const wanted = wantedBy(hook);
    const before = keptFor(staticData, wanted.url);
    const { client, subscriptions } = await connectionOf(hook);
    if (isBegunByPerson(hook)) await checkEventTypes(client, eventTypesOf(hook));
    const subscribed = await replaceSubscription(client, wanted, subscriptions, before);
    if (before.id !== undefined && before.url !== undefined && before.url !== wanted.url) warnOfOther(hook, before.id, before.url);
    staticData[slotOf(wanted.url)] = { ...subscribed, url: wanted.url };
    return true;
  } catch (error) {
    throw activationError(hook.getNode(), error);
  }
}

/**
 * Deletes the subscription; if it is already gone, that is a success. The stored data is deleted only after that. A subscription for
 * another address is left alone: this workflow is then a copy, and the original still uses it.
 */
export async function unsubscribeNode(hook: IHookFunctions): Promise<boolean> {
  const address = addressOf(hook);
  const staticData = hook.getWorkflowStaticData('node');
  const known = keptFor(staticData, address);
  const { id, url } = known;
  if (id === undefined) return true;
  try {
    const client = await clientFor(hook);
    const isOther = url === undefined ? await isElsewhere(client, id, address) : url !== address;
    if (isOther) warnOfOther(hook, id, url);
    else await endSubscription(client, known, address);
  } catch (error) {
    hook.logger.warn(
      `${hook.getNode().name}: the webhook subscription ${id} may still exist, because it could not be deleted. Publishing this workflow again replaces it; otherwise delete it with Webhook Subscription: Delete.`,
    );
    throw nodeError(hook.getNode(), error);
  }
  delete staticData[slotOf(address)];
  return true;
}

/** A person who moved n8n to another address should know that the old subscription still exists. */
const warnOfOther = (hook: IHookFunctions, id: string, url: string | undefined): void =>
  hook.logger.warn(
    `${hook.getNode().name}: the webhook subscription ${id}${url === undefined ? '' : ` at ${url}`} belongs to another address and was kept. If no other n8n uses it, delete it.`,
  );
