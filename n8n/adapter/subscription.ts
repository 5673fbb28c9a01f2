import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { isIntact, replaceSubscription, unsubscribe, type Subscribed } from '../../shared/webhooks/subscriptions.ts';
import { nodeError } from './errors.ts';
import { clientFor, connectionOf } from './service.ts';

/**
 * The part of an address that tells test listening from the published workflow: `/webhook-test/<id>/webhook` and
 * `/webhook/<id>/webhook`. Both keep a subscription of their own in the same static data and must not touch each other's.
 */
export function slotOf(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  return path.split('/').at(-3) || 'webhook';
}

/** What a trigger keeps of its subscription at an address, between publishing and unpublishing; an empty object where it keeps nothing. */
export function keptFor(staticData: IDataObject, address: string): Partial<Subscribed> {
  const kept = staticData[slotOf(address)];
  return typeof kept === 'object' && kept !== null ? (kept as Partial<Subscribed>) : {};
}

const addressOf = (hook: IHookFunctions): string => hook.getNodeWebhookUrl('default') ?? '';

const wantedBy = (hook: IHookFunctions) => ({ url: addressOf(hook), events: hook.getNodeParameter('events', []) as string[] });

/**
 * Whether the subscription that this trigger keeps is still there as wanted. One that was deleted or changed at the
 * service, or whose secret is not known any more, is not.
 */
export async function isSubscribed(hook: IHookFunctions): Promise<boolean> {
  const wanted = wantedBy(hook);
  try {
    const { client, subscriptions } = await connectionOf(hook);
    return await isIntact(client, wanted, keptFor(hook.getWorkflowStaticData('node'), wanted.url), subscriptions);
  } catch (error) {
    throw nodeError(hook.getNode(), error);
  }
}

/** Subscribes, and leaves exactly one subscription however often n8n calls it: it does so up to five times in fifteen seconds. */
export async function subscribeNode(hook: IHookFunctions): Promise<boolean> {
  const wanted = wantedBy(hook);
  const staticData = hook.getWorkflowStaticData('node');
  try {
    const { client, subscriptions } = await connectionOf(hook);
    const { id, signing_secret } = await replaceSubscription(client, wanted, keptFor(staticData, wanted.url), subscriptions);
    staticData[slotOf(wanted.url)] = { id, signing_secret };
    return true;
  } catch (error) {
    throw nodeError(hook.getNode(), error);
  }
}

/** Ends the subscription; one that is gone already is fine. What is kept is forgotten only once it is gone. */
export async function unsubscribeNode(hook: IHookFunctions): Promise<boolean> {
  const address = addressOf(hook);
  const staticData = hook.getWorkflowStaticData('node');
  const { id } = keptFor(staticData, address);
  if (id === undefined) return true;
  try {
    await unsubscribe(await clientFor(hook), id);
  } catch (error) {
    throw nodeError(hook.getNode(), error);
  }
  delete staticData[slotOf(address)];
  return true;
}
