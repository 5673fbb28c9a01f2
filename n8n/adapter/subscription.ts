import type { IDataObject, IHookFunctions, INode, IWebhookFunctions } from 'n8n-workflow';
import { ServiceError } from '../../shared/client/index.ts';
import { isObject } from '../../shared/values.ts';
import {
  doubtAbout,
  endSubscription,
  isIntact,
  isWebAddress,
  pollingTriggerName,
  replaceSubscription,
  type Doubt,
  type StoredSubscription,
} from '../../shared/webhooks/index.ts';
import { checkEventTypes } from '../../shared/operations/index.ts';
import { activationError, nodeError } from './errors.ts';
import { checkMaximumAge, eventsOf, eventTypesOf, isBegunByPerson } from './filters.ts';
import { baseUrlOf, clientFor, connectionOf } from './connection.ts';
import { laterThan, TriggerMemory, type Kept } from './triggerMemory.ts';

/** A trigger's subscription as n8n stores it. */
export interface TriggerSubscription extends StoredSubscription, Kept {
  /** A subscription that another account still has for the same address. Its deliveries are refused. */
  left?: { id: string; account: string };
}

/** The subscriptions of this process's triggers. */
export const memory = new TriggerMemory<TriggerSubscription>(({ signing_secret: secret }) => secret);

/** Triggers that could not be set up, by {@link placeOf}. n8n also ends those, until they are set up. */
const failed = new Set<string>();

/**
 * The part of an address that distinguishes a test listener from the published workflow: `/webhook-test/<id>/webhook` and
 * `/webhook/<id>/webhook`, to which the service may append a slash. Each has its own subscription in the same static data and must not
 * touch the other's.
 */
export const slotOf = (address: string): string => segmentsOf(address).at(-3) ?? 'webhook';

/** The path segments of an address or of a path. */
const segmentsOf = (address: string): string[] => {
  const [path = ''] = address.replace(/^\w+:\/\/[^/]*/, '').split(/[?#]/, 1);
  return path.split('/').filter(Boolean);
};

/**
 * Identifies one trigger of one workflow at one address, as a published trigger or as a test listener, so that it shares no data with any
 * other, such as a copy of the workflow. Of the address, only the part that n8n itself made counts, because a proxy may prepend to it.
 * Without a webhook id, that part is one segment longer.
 */
export function placeOf(hook: Pick<IWebhookFunctions, 'getWorkflow' | 'getNode'>, address: string): string {
  const { id, webhookId } = hook.getNode();
  return [hook.getWorkflow().id, id, ...segmentsOf(address).slice(webhookId === undefined ? -4 : -3)].join(' ');
}

/** A trigger's stored subscription for an address, kept from publishing to unpublishing; an empty object if there is none. */
export function storedSubscription(staticData: IDataObject, address: string): TriggerSubscription {
  const kept = staticData[slotOf(address)];
  return isObject(kept) ? kept : {};
}

const addressOf = (hook: IHookFunctions): string => hook.getNodeWebhookUrl('default') ?? '';

/** n8n ignores the older setting if the newer one is set, and ignores it for a test listener if the editor has its own address. */
const setAddress = 'Set N8N_WEBHOOK_URL (older n8n: WEBHOOK_URL) to an address';

/** The advice if the service cannot reach this n8n. */
const reachAdvice = `${setAddress} at which the service can reach this n8n, restart n8n, and publish this workflow again. Or use the ${pollingTriggerName}, which needs no public address.`;

/**
 * Why the service may be unable to reach this trigger's address, which may be that of a test listener.
 *
 * @throws ServiceError `invalid`, which n8n treats as final, if only this machine can reach it and the service is elsewhere, or if n8n gave
 *   the trigger no working address
 */
async function doubtOf(hook: IHookFunctions): Promise<Doubt | undefined> {
  checkAddress(hook.getNode(), addressOf(hook));
  const doubt = doubtAbout(await baseUrlOf(hook), addressOf(hook), reachAdvice);
  if (doubt?.reach === 'impossible') throw doubt.error;
  return doubt;
}

/**
 * Checks whether requests to the address that n8n gave a trigger will reach it. A workflow that was imported through n8n's command line may
 * have no webhook id. The address then contains the node's name, and n8n responds with 404 if the name has to be encoded. It also does if
 * the id is empty.
 *
 * @throws ServiceError `invalid`
 */
function checkAddress({ webhookId }: INode, address: string): void {
  if (!isWebAddress(address))
    throw new ServiceError('invalid', {
      message: `n8n gave this trigger ${address === '' ? 'no address' : `the address "${address}"`}, so no events would arrive.`,
      advice: `${setAddress} that begins with https://, restart n8n, and publish this workflow again.`,
    });
  const isEncoded = segmentsOf(address)
    .slice(-4)
    .some((part) => /%[0-9a-f]{2}|^\.+$/i.test(part));
  if (webhookId !== '' && (webhookId !== undefined || !isEncoded)) return;
  throw new ServiceError('invalid', {
    message: `n8n gave this trigger the address ${address}, at which it receives nothing. This happens if a workflow without webhook ids is imported.`,
    advice: 'Rename the trigger to a word of letters and digits, save the workflow, and publish it again.',
  });
}

/** @throws ServiceError `invalid` if an expression yields no event, or a filter is set but empty */
function wantedBy(hook: IHookFunctions): { url: string; events: string[] } {
  eventTypesOf(hook);
  checkMaximumAge(hook);
  return { url: addressOf(hook), events: eventsOf(hook) };
}

/**
 * Whether this trigger's subscription still exists as wanted: not deleted or changed at the service, and with a known secret. n8n asks this
 * first, even for a test listener, so an address that the service cannot reach is refused here.
 */
export async function isSubscribed(hook: IHookFunctions): Promise<boolean> {
  try {
    await doubtOf(hook);
    const wanted = wantedBy(hook);
    const { client, subscriptions } = await connectionOf(hook);
    return await isIntact(client, wanted, storedSubscription(hook.getWorkflowStaticData('node'), wanted.url), subscriptions);
  } catch (error) {
    failed.add(placeOf(hook, addressOf(hook)));
    throw activationError(hook.getNode(), error, isBegunByPerson(hook));
  }
}

/** Subscribes, and leaves exactly one subscription however often n8n calls this: up to five times in fifteen seconds. */
export async function subscribeNode(hook: IHookFunctions): Promise<boolean> {
  const staticData = hook.getWorkflowStaticData('node');
  try {
    const doubt = await doubtOf(hook);
    // There may be a route that n8n does not know. The log is the only place for a note about a trigger that was set up.
    if (doubt !== undefined) hook.logger.warn(`${hook.getNode().name}: ${doubt.error.sentence}`);
    const wanted = wantedBy(hook);
    const place = placeOf(hook, wanted.url);
    const before = storedSubscription(staticData, wanted.url);
    const { client, subscriptions } = await connectionOf(hook);
    if (isBegunByPerson(hook)) await checkEventTypes(client, eventTypesOf(hook));
    const { left, ...subscribed } = await replaceSubscription(client, wanted, subscriptions, before);
    if (left !== undefined) hook.logger.warn(`${hook.getNode().name}: ${left.error.sentence}`);
    else if (before.id !== undefined && before.url !== undefined && before.url !== wanted.url) warnOfOther(hook, before.id, before.url);
    const elsewhere = left === undefined ? before.left : { id: left.id, account: left.account.name };
    const kept: TriggerSubscription = {
      ...subscribed,
      url: wanted.url,
      since: laterThan(before),
      ...(elsewhere !== undefined && elsewhere.account !== subscribed.account?.name && { left: elsewhere }),
    };
    memory.made(place, kept);
    failed.delete(place);
    staticData[slotOf(wanted.url)] = kept;
    return true;
  } catch (error) {
    failed.add(placeOf(hook, addressOf(hook)));
    throw activationError(hook.getNode(), error, isBegunByPerson(hook));
  }
}

/**
 * Deletes the subscription, and then the stored data; a subscription that is already gone counts as success. A subscription for another
 * address is left alone: this workflow is then a copy, and the original still uses it. One in the previously connected account is also
 * left, and remains stored, because that account may be connected again.
 */
export async function unsubscribeNode(hook: IHookFunctions): Promise<boolean> {
  const address = addressOf(hook);
  const place = placeOf(hook, address);
  const staticData = hook.getWorkflowStaticData('node');
  const known = storedSubscription(staticData, address);
  const { id, url } = known;
  // n8n also ends triggers that could not be set up, and test listeners that never started. Any other trigger has a subscription: if none
  // is stored, n8n has lost it.
  if (id === undefined && (failed.has(place) || slotOf(address).endsWith('-test'))) return true;
  try {
    const client = await clientFor(hook);
    if (id === undefined) await endSubscription(client, {}, address);
    else if (url !== undefined && url !== address) warnOfOther(hook, id, url);
    else {
      const { left } = await endSubscription(client, known, address);
      memory.ended(place);
      if (left !== undefined) {
        hook.logger.warn(`${hook.getNode().name}: ${left.error.sentence} In n8n, use Webhook Subscription: Delete.`);
        return true;
      }
    }
  } catch (error) {
    hook.logger.warn(
      `${hook.getNode().name}: the webhook subscription ${id ?? `for ${address}`} may still exist, because it could not be deleted. Publishing this workflow again replaces it; otherwise delete it with Webhook Subscription: Delete.`,
    );
    throw nodeError(hook.getNode(), error);
  }
  memory.ended(place);
  delete staticData[slotOf(address)];
  return true;
}

/** Tells a person who moved n8n to another address that the old subscription still exists. */
const warnOfOther = (hook: IHookFunctions, id: string, url: string): void =>
  hook.logger.warn(
    `${hook.getNode().name}: the webhook subscription ${id} at ${url} belongs to another address and was kept. If no other n8n uses it, delete it.`,
  );
