import { recordEnvelope, subscriptionRecord, subscriptionRequest } from '../assumptions.ts';
import type { Answer, Client } from '../api/client.ts';
import { makeRoomForSubscription, ServiceError } from '../api/errors.ts';
import { recordIn, shapeOf, type ServiceRecord, type SubscriptionRecord } from '../api/records.ts';
import { brand } from '../brand.ts';
import { limits } from '../limits.ts';
import { instantOf } from '../time.ts';
import { isObject } from '../values.ts';
import { runWrite, type Lookup, type SearchFor, type Write } from '../writes/index.ts';
import { AccountSubscriptions, listSubscriptions } from './accountSubscriptions.ts';
import { isAtAddress, normalAddress } from './address.ts';

export { AccountSubscriptions, listSubscriptions };

/** The subscription that a trigger wants: its events and its address. */
export interface Wanted {
  url: string;
  events: readonly string[];
}

/** What must be kept of a subscription. Without the secret no delivery can be verified, and the service shows it only once (section 2). */
export interface Subscribed {
  id: string;
  signing_secret: string;
}

/** A new subscription with its record. */
type Made = Subscribed & { record: ServiceRecord };

const about = { scope: 'webhooks:manage', thing: 'webhook subscription' } as const;

/**
 * Subscribes an address that is ours alone, and returns the id and the secret (G8, G9). After a lost answer, the secret of what has
 * appeared at the address is unknown, so that subscription is deleted and another one is created.
 *
 * @throws ServiceError `subscriptionLimit` that counts the subscriptions by host; `unreadable` if no secret came; `unknownOutcome` with the
 *   address if nobody knows whether one exists
 */
export const subscribe = (client: Client, wanted: Wanted): Promise<Made> =>
  runWrite(client, { ...subscription(client, wanted), isIdempotent: true, find: (search) => withdraw(client, search) });

/**
 * Subscribes any address. After a lost answer, someone else may have created what has appeared there, so it is left alone and named.
 *
 * @throws ServiceError as {@link subscribe}
 */
export const subscribeAny = (client: Client, wanted: Wanted): Promise<Made> =>
  runWrite(client, {
    ...subscription(client, wanted),
    isIdempotent: false,
    keys: { content: `subscription ${normalAddress(wanted.url)} ${wanted.events.join()}` },
    find: async (search) => ({ candidates: (await appeared(client, search)).map(({ id }) => id), isComplete: true }),
  });

const subscription = (client: Client, wanted: Wanted) => ({
  lockKey: `subscription ${wanted.url}`,
  content: wanted,
  call: { ...about, method: 'POST', path: ['hooks'], body: subscriptionRequest.body(wanted.url, wanted.events), id: wanted.url } as const,
  read: ({ body }: Answer) => withSecret(client, wanted, body),
  unseen: (): never => {
    throw withoutSecret(undefined);
  },
  rejected: async (refusal: ServiceError): Promise<undefined> => {
    if (refusal.kind === 'subscriptionLimit') throw await countedByHost(client, refusal);
  },
  uncertain: ({ url }: Wanted, sentAt: Date) =>
    `The webhook subscription for ${url}, sent at ${sentAt.toISOString()}, may or may not exist. Its signing secret can no longer be read, so if nobody else created it, delete it.`,
});

/** The new subscription in an answer. It needs an id and a secret; the address is what the service made of ours. */
async function withSecret(client: Client, { url }: Wanted, body: unknown): Promise<Made | undefined> {
  const record = recordIn('subscription', body);
  const secret = [body, isObject(body) ? body[recordEnvelope.recordKey] : undefined, record]
    .map((holder) => (isObject(holder) ? holder[subscriptionRecord.secretKey] : undefined))
    .find((value) => typeof value === 'string' && value !== '');
  if (record === undefined) {
    if (typeof secret !== 'string') return undefined;
    // Only the list can say which id it has.
    const [made, ...others] = await appeared(client, { content: { url }, sentAfter: -Infinity });
    return made === undefined || others.length > 0 ? undefined : withId(client, made, secret);
  }
  if (typeof secret === 'string') return withId(client, record, secret);
  await unsubscribe(client, record.id);
  throw withoutSecret(body);
}

function withId(client: Client, { id, ...fields }: SubscriptionRecord, secret: string): Made {
  client.writes.claim(id, client.clock);
  const { [subscriptionRecord.secretKey]: _, ...record }: ServiceRecord = { id, ...fields };
  return { id, signing_secret: secret, record };
}

const withoutSecret = (body: unknown): ServiceError =>
  new ServiceError('unreadable', {
    message: `${brand.name} created a webhook subscription without a ${subscriptionRecord.secretKey}, so its deliveries could not be verified${body === undefined ? '' : '; it was deleted again'}. The answer had ${shapeOf(body)}.`,
    advice: 'Report this sentence to the maker of this integration.',
  });

/** The subscriptions at an address that were made since a request and belong to no other request of this process. */
async function appeared(
  client: Client,
  { content: { url }, sentAfter }: { content: { url: string }; sentAfter: number },
): Promise<SubscriptionRecord[]> {
  const there: SubscriptionRecord[] = [];
  for await (const record of listSubscriptions(client)) {
    if (isAtAddress(record, url) !== true || client.writes.isClaimed(record.id) || instantOf(record.created_at) < sentAfter) continue;
    there.push(record);
  }
  return there;
}

/** Deletes what a lost request left at an address that is ours alone. */
async function withdraw(client: Client, search: SearchFor<Wanted>): Promise<Lookup<Made>> {
  for (const { id } of await appeared(client, search)) await unsubscribe(client, id);
  return { candidates: [], isComplete: true };
}

/**
 * Deletes a subscription. One that is already gone is a success (G10). After a lost answer, the list shows whether it is gone.
 *
 * @throws ServiceError `unknownOutcome` with the id if nobody knows
 */
export const unsubscribe = (client: Client, id: string): Promise<void> =>
  runWrite(client, { ...deletion(client, id), isIdempotent: true }).then(() => undefined);

/** Deleting a subscription, as one write. */
export function deletion(client: Client, id: string): Omit<Write<ServiceRecord, string>, 'isIdempotent'> {
  const deleted = { id, deleted: true };
  return {
    lockKey: `deletion ${id}`,
    content: id,
    call: { ...about, method: 'DELETE', path: ['hooks', { id }], id },
    read: () => deleted,
    unseen: () => deleted,
    rejected: async ({ kind }) => (kind === 'notFound' ? deleted : undefined),
    find: async () => ({ ...(!(await isListed(client, id)) && { found: deleted }), candidates: [], isComplete: true }),
    uncertain: (_, sentAt) =>
      `The webhook subscription "${id}", whose deletion was sent at ${sentAt.toISOString()}, may or may not be deleted.`,
  };
}

async function isListed(client: Client, wanted: string): Promise<boolean> {
  for await (const { id } of listSubscriptions(client)) if (id === wanted) return true;
  return false;
}

/** Whether a subscription is listed at this address; false if at another one, `undefined` if it is not listed or the list shows no addresses. */
export async function isListedAt(client: Client, wanted: string, url: string): Promise<boolean | undefined> {
  for await (const record of listSubscriptions(client)) if (record.id === wanted) return isAtAddress(record, url);
  return undefined;
}

/**
 * Whether a stored subscription is still as wanted: it is listed and active, its address and its events are as wanted as far as the list
 * shows them, and no other one has its address. Without its secret it never is, because using it would turn off verification.
 *
 * @param account lets the triggers of one account share a reading of the list
 */
export async function isIntact(
  client: Client,
  wanted: Wanted,
  known: Partial<Subscribed>,
  account = new AccountSubscriptions(),
): Promise<boolean> {
  if (!known.id || !known.signing_secret) return false;
  const all = await account.list(client, known.id);
  const found = all.find(({ id }) => id === known.id);
  if (found === undefined || found.active === false || isAtAddress(found, wanted.url) === false) return false;
  const isAlone = all.every((each) => each === found || isAtAddress(each, wanted.url) !== true);
  return isAlone && (found.events === undefined || sameEvents(found.events, wanted.events));
}

const sameEvents = (found: unknown, wanted: readonly string[]) =>
  [...new Set([found].flat().map(String))].sort().join() === [...new Set(wanted)].sort().join();

/**
 * Leaves exactly one subscription, with a known secret, for an address that is ours alone: deletes the one that was known before and all
 * others at this address, for example from an interrupted start, and then subscribes. Other addresses are not touched. You can call it
 * again after any interruption.
 *
 * @param account lets the triggers of one account share a reading of the list
 * @param known the id of our own subscription for this address, if there was one
 */
export async function replaceSubscription(
  client: Client,
  wanted: Wanted,
  account = new AccountSubscriptions(),
  known?: string,
): Promise<Subscribed> {
  for (const record of await account.list(client, wanted.url)) {
    const isAt = isAtAddress(record, wanted.url);
    if (isAt === true || (isAt === undefined && record.id === known)) await unsubscribe(client, record.id);
  }
  const { id, signing_secret } = await subscribe(client, wanted);
  account.made(client, id);
  return { id, signing_secret };
}

/** At the limit, says who uses the subscriptions, because that helps to free one. Paused ones do not count (section 8). */
async function countedByHost(client: Client, refusal: ServiceError): Promise<ServiceError> {
  const all: SubscriptionRecord[] = [];
  try {
    for await (const found of listSubscriptions(client)) if (found.active !== false) all.push(found);
  } catch (error) {
    // The list only adds details. Without it, the error about the limit itself is still reported.
    if (error instanceof ServiceError) return refusal;
    throw error;
  }
  return new ServiceError('subscriptionLimit', {
    message: `This ${brand.name} account already has ${all.length} active webhook subscriptions, and ${limits.subscriptions} are allowed: ${byHost(all)}.${oldest(all)}`,
    advice: makeRoomForSubscription,
    status: refusal.status,
    code: refusal.code,
  });
}

function byHost(all: readonly SubscriptionRecord[]): string {
  const counts = new Map<string, number>();
  for (const { url } of all) {
    const host = URL.canParse(String(url)) ? new URL(String(url)).host : 'unknown';
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([host, count]) => `${count} at ${host}`)
    .join(', ');
}

function oldest(all: readonly SubscriptionRecord[]): string {
  const [first] = all
    .filter(({ created_at: at }) => typeof at === 'string')
    .sort((a, b) => String(a.created_at).localeCompare(String(b.created_at)));
  return first === undefined ? '' : ` The oldest is ${first.id}, of ${String(first.created_at).slice(0, 10)}.`;
}
