import { ignoreRefusal, ServiceError } from '../serviceError.ts';
import { isAtAddress, isPaused, normalAddress, recordIn, shapeOf } from '../reading/index.ts';
import type { ServiceRecord, SubscriptionRecord } from '../records/fields.ts';
import { AccountSubscriptions, listSubscriptions } from './accountSubscriptions.ts';
import { subscriptionRecord, subscriptionRequest } from '../assumptions.ts';
import { accountOf, isOtherAccount } from '../client/account.ts';
import type { ApiAnswer } from '../call.ts';
import type { Client } from '../client/client.ts';
import { allOf } from '../client/pages.ts';
import { brand } from '../brand.ts';
import { instantOf, recordedBetween } from '../time/time.ts';
import { showsEvents } from '../events.ts';
import { isObject } from '../values.ts';
import { runWrite, type Write } from '../writes/index.ts';
import { isListedHere, leftBehind, type LeftBehind, type StoredSubscription, type Subscribed } from './storedSubscription.ts';
import { countedByHost } from './subscriptionLimit.ts';
import { checkReceiver } from './reach.ts';

export { AccountSubscriptions, listSubscriptions };

/** The subscription that a trigger wants. */
export interface SubscriptionRequest {
  url: string;
  events: readonly string[];
}

/** A new subscription with its record. */
type Created = Subscribed & { record: ServiceRecord };

const about = { scope: 'webhooks:manage', resourceName: 'webhook subscription' } as const;

/**
 * Subscribes an address that is ours alone, and returns the id and the secret (G8, G9). After a lost response, the secret of any
 * subscription that has appeared at the address is unknown, so it is deleted and another one is created.
 *
 * @throws ServiceError `subscriptionLimit` that counts the subscriptions by host; `unreadable` if the response has no secret;
 * `unknownOutcome` with the address if nobody knows whether one exists; `invalid` if the URL is not a web address
 */
export async function subscribe(client: Client, wanted: SubscriptionRequest): Promise<Created & Pick<StoredSubscription, 'repeated'>> {
  checkReceiver(wanted.url);
  let repeated = false;
  const find = async () => {
    repeated = true;
    await clear(client, wanted.url);
    return { candidates: [], isComplete: true };
  };
  const made = await runWrite(client, {
    ...subscription(client, wanted, true),
    keys: { content: `own subscription ${normalAddress(wanted.url)} ${wanted.events.join()}` },
    isIdempotent: true,
    repeatsOnlyAfterSearch: true,
    find,
  });
  // What a lost request created may be listed only now. Whatever fails here, the new secret must still be kept.
  if (repeated) await clearOthers(client, wanted.url, made.id).catch(() => undefined);
  return repeated ? { ...made, repeated } : made;
}

/** How long to wait after each reading of the list that does not show the new subscription yet. Milliseconds. */
const readAgainMs = [1_000, 2_000];

/** Deletes what lost requests left next to a new subscription. A list that does not show the new one may also lack others (G43). */
async function clearOthers(client: Client, url: string, id: string): Promise<void> {
  for (const pauseMs of readAgainMs) {
    const listed = await clear(client, url);
    if (listed.some((each) => each.id === id) || pauseMs >= (client.retryPolicy.leftMs?.() ?? Infinity)) return;
    await client.clock.sleep(pauseMs);
  }
  await clear(client, url);
}

/**
 * Subscribes any address. After a lost response, a subscription that has appeared there may be someone else's, so it is not deleted but
 * named.
 *
 * @throws ServiceError as {@link subscribe}
 */
export const subscribeAny = (client: Client, wanted: SubscriptionRequest): Promise<Created> =>
  runWrite(client, {
    ...subscription(client, wanted, false),
    isIdempotent: false,
    keys: { content: `subscription ${normalAddress(wanted.url)} ${wanted.events.join()}` },
    async find({ content: { url }, sentAfter, by }) {
      const since = await unassigned(client, ({ created_at: at }) => recordedBetween(at)[1] >= sentAfter, by);
      return { candidates: since.filter((each) => isAtAddress(each, url) !== false).map(({ id }) => id), isComplete: true };
    },
  });

/**
 * A subscription that is older than this, or whose age is unknown, may be someone else's that the response happens to show. Milliseconds.
 */
const recentMs = 15 * 60_000;

/** @param isOurs whether the address is ours alone, so that subscriptions there may be deleted */
function subscription(client: Client, wanted: SubscriptionRequest, isOurs: boolean) {
  return {
    lockKey: `subscription ${wanted.url}`,
    content: wanted,
    call: { ...about, method: 'POST', path: ['hooks'], body: subscriptionRequest.body(wanted.url, wanted.events), id: wanted.url } as const,
    read: ({ body }: ApiAnswer, by: string) => withSecret(client, wanted, body, isOurs, by),
    unseen: (): never => {
      throw withoutSecret(undefined, '');
    },
    rejected: async (refusal: ServiceError): Promise<undefined> => {
      if (refusal.kind === 'subscriptionLimit') throw await countedByHost(client, refusal);
    },
    uncertain: ({ url }: SubscriptionRequest, sentAt: Date) =>
      `The webhook subscription for ${url}, sent at ${sentAt.toISOString()}, may or may not exist. Its signing secret can no longer be read.`,
    ifThere: 'If nobody else uses it, delete it. Then run this again.',
  };
}

/** Reads the new subscription from a response. It needs an id and a secret; the address is the service's version of ours. */
async function withSecret(client: Client, { url }: SubscriptionRequest, body: unknown, isOurs: boolean, by: string): Promise<Created> {
  const record = recordIn('subscription', body);
  const secret = [body, record, ...(isObject(body) ? Object.values(body) : [])]
    .map((holder) => (isObject(holder) ? holder[subscriptionRecord.secretKey] : undefined))
    .find((value) => typeof value === 'string' && value !== '');
  if (record === undefined) {
    // Only the list can show its id, and whether it exists at all.
    const listed = await unassigned(client, (each) => isAtAddress(each, url) === true).catch(ignoreRefusal);
    const [only, ...others] = listed ?? [];
    if (typeof secret === 'string' && only !== undefined && others.length === 0) return withId(client, only, secret, by);
    throw withoutSecret(body, await endOfUnread(client, url, listed ?? [], isOurs));
  }
  if (typeof secret === 'string') return withId(client, record, secret, by);
  if (!isOurs && !(instantOf(record.created_at) >= client.clock.now() - recentMs))
    throw withoutSecret(body, `; ${record.id} may have been there before, so it was left alone`);
  await unsubscribe(client, record.id);
  throw withoutSecret(body, '; it was deleted again');
}

/** What happens to a subscription that the response did not show: it is deleted if the address is ours alone, otherwise named. */
async function endOfUnread(client: Client, url: string, listed: readonly SubscriptionRecord[], isOurs: boolean): Promise<string> {
  const ids = listed.map(({ id }) => id).join(', ');
  if (ids === '') return `; if one is listed for ${url}, delete it`;
  if (!isOurs) return `; it may be ${ids}: if nobody else uses it, delete it`;
  for (const { id } of listed) await unsubscribe(client, id);
  return `; ${ids} was deleted again`;
}

async function withId(client: Client, { id, ...fields }: SubscriptionRecord, secret: string, by: string): Promise<Created> {
  await client.writes.assign(id, by, client.clock);
  const { [subscriptionRecord.secretKey]: _, ...record }: ServiceRecord = { id, ...fields };
  return { id, signing_secret: secret, record };
}

const withoutSecret = (body: unknown, end: string): ServiceError =>
  new ServiceError('unreadable', {
    message: `${brand.name} answered with a webhook subscription without a ${subscriptionRecord.secretKey}, so its deliveries could not be verified${end}. The response had ${shapeOf(body)}.`,
    advice: 'Report this message to the maker of this integration.',
  });

/** The matching subscriptions that are assigned to no other request. */
async function unassigned(client: Client, isKind: (record: SubscriptionRecord) => boolean, by?: string): Promise<SubscriptionRecord[]> {
  const found: SubscriptionRecord[] = [];
  for (const each of await allOf(listSubscriptions(client)))
    if (isKind(each) && !(await client.writes.isAssigned(each.id, by))) found.push(each);
  return found;
}

/**
 * Deletes the subscriptions at an address that is ours alone.
 *
 * @param isAll whether to delete those assigned to a request too, not only those that lost requests left
 * @returns all subscriptions that were listed
 */
async function clear(client: Client, url: string, isAll = false): Promise<SubscriptionRecord[]> {
  const all = await allOf(listSubscriptions(client));
  for (const each of all)
    if (isAtAddress(each, url) === true && (isAll || !(await client.writes.isAssigned(each.id)))) await unsubscribe(client, each.id);
  return all;
}

/**
 * Deletes a subscription. If it is already deleted, that is a success (G10).
 *
 * @returns whether it was already deleted
 * @throws ServiceError `unknownOutcome` with the id if nobody knows
 */
export async function unsubscribe(client: Client, id: string): Promise<boolean> {
  const write = deletion(id);
  let wasGone = false;
  await runWrite(client, {
    ...write,
    isIdempotent: true,
    rejected: (refusal, isRepeated) => {
      wasGone = refusal.kind === 'notFound' && !isRepeated;
      return write.rejected(refusal);
    },
  });
  return wasGone;
}

/**
 * Ends the subscription of an address that is ours alone. Others at the address are also deleted if its id is unknown, if a response was
 * lost during its creation, or if the service does not know it: then the stored one may be older than what exists.
 *
 * @returns the ids of the deleted ones; if the connection has changed its account, `left` is what the previous account still has
 * @throws ServiceError as {@link unsubscribe}
 */
export async function endSubscription(client: Client, known: StoredSubscription, url = ''): Promise<{ ids: string[]; left?: LeftBehind }> {
  const { id, repeated = false } = known;
  if (id === undefined) {
    const listed = url === '' ? [] : await allOf(listSubscriptions(client));
    const ids = listed.filter((each) => isAtAddress(each, url) === true).map((each) => each.id);
    for (const each of ids) await unsubscribe(client, each);
    return { ids };
  }
  const inOther = async () => (known.account === undefined ? undefined : leftBehind(known, await accountOf(client).catch(ignoreRefusal)));
  const wasGone = await unsubscribe(client, id).catch((error: unknown) => {
    if (error instanceof ServiceError && error.kind === 'forbidden') return error;
    throw error;
  });
  const left = wasGone === false ? undefined : await inOther();
  if (left !== undefined) return { ids: [], left };
  if (wasGone instanceof ServiceError) throw wasGone;
  if ((repeated || wasGone) && url !== '') await clear(client, url, true).catch(ignoreRefusal);
  return { ids: [id] };
}

/**
 * The deletion of a subscription as a write. After a lost response it is sent again, and a "not found" then confirms it. Lists are no
 * proof: they may lag behind, or show only the subscriptions of one application (G35).
 */
export function deletion(id: string): Omit<Write<ServiceRecord, string>, 'isIdempotent'> & {
  rejected(refusal: ServiceError): Promise<ServiceRecord | undefined>;
} {
  const deleted = { id, deleted: true };
  return {
    lockKey: `deletion ${id}`,
    keys: { content: `deletion ${id}` },
    content: id,
    call: { ...about, method: 'DELETE', path: ['hooks', { id }], id },
    read: () => deleted,
    unseen: () => deleted,
    rejected: async ({ kind }) => (kind === 'notFound' ? deleted : undefined),
    find: async () => ({ candidates: [], isComplete: true }),
    uncertain: (_, sentAt) =>
      `The webhook subscription "${id}", whose deletion was sent at ${sentAt.toISOString()}, may or may not be deleted.`,
  };
}

/**
 * Whether a record is the known subscription for this address. The address that was sent decides, because services show addresses in their
 * own form, truncated, or not at all; the shown one counts only if the sent one was not stored.
 */
const isKnown = (record: SubscriptionRecord, { id, url: sent }: StoredSubscription, url: string): boolean =>
  record.id === id && (sent === undefined ? isAtAddress(record, url) !== false : sent === url);

/**
 * Whether a stored subscription is still as wanted: in the account of the connection, listed, active, created for this address, with its
 * events as far as the list shows them, and the only active one there. Never without its secret, because that would turn off verification.
 *
 * @param account lets the triggers of one account share a reading of the list
 * @throws ServiceError if the list cannot be read
 */
export async function isIntact(
  client: Client,
  wanted: SubscriptionRequest,
  known: StoredSubscription,
  account = new AccountSubscriptions(),
): Promise<boolean> {
  if (!known.id || !known.signing_secret) return false;
  const { account: now, listed: all } = await account.listOf(client, known.id);
  if (isOtherAccount(known.account, now) && !isListedHere(all, known, wanted.url)) return false;
  const found = all.find((each) => isKnown(each, known, wanted.url));
  if (found === undefined || isPaused(found)) return false;
  // Paused ones do not count, because some services keep deleted subscriptions in the list.
  const isAlone = all.every((each) => each === found || isPaused(each) || isAtAddress(each, wanted.url) !== true);
  return isAlone && showsEvents(found.events, wanted.events);
}

/**
 * Leaves exactly one subscription, with a known secret, for an address that is ours alone: deletes the known one and all others at this
 * address, for example from an interrupted start, and then subscribes. Other addresses are not touched. You can call it again after any
 * interruption. A subscription in another account stays there, and is returned as `left`.
 *
 * @param account lets the triggers of one account share a reading of the list
 * @param known our own subscription before this one
 * @throws ServiceError as {@link subscribe} or {@link unsubscribe}, or if the list cannot be read
 */
export async function replaceSubscription(
  client: Client,
  wanted: SubscriptionRequest,
  account = new AccountSubscriptions(),
  known: StoredSubscription = {},
): Promise<Subscribed & Pick<StoredSubscription, 'repeated' | 'account'> & { left?: LeftBehind }> {
  const { account: now, listed } = await account.listOf(client, wanted.url);
  const left = isListedHere(listed, known, wanted.url) ? undefined : leftBehind(known, now);
  const own = left === undefined ? known : {};
  for (const record of listed)
    if (isAtAddress(record, wanted.url) === true || isKnown(record, own, wanted.url)) await unsubscribe(client, record.id);
  // The list may lag behind (G43). If it does not, ours is already deleted, and this does nothing.
  const { id, url = wanted.url } = own;
  if (id && url === wanted.url && listed.every((record) => record.id !== id)) await unsubscribe(client, id).catch(ignoreRefusal);
  const { record: _, ...subscribed } = await subscribe(client, wanted);
  account.made(client, subscribed.id);
  return { ...subscribed, ...(now && { account: now }), ...(left && { left }) };
}
