import { subscriptionRecord, subscriptionRequest } from '../assumptions.ts';
import type { Client, Sent } from '../api/client.ts';
import { makeRoomForSubscription, ServiceError } from '../api/errors.ts';
import { reconcile, type Look, type Sending, type Write } from '../api/reconcile.ts';
import { recordIn, shapeOf, type ServiceRecord, type SubscriptionRecord } from '../api/records.ts';
import { brand } from '../brand.ts';
import { limits } from '../limits.ts';
import { instantOf } from '../time.ts';
import { asText, isObject } from '../values.ts';
import { AccountSubscriptions, listSubscriptions } from './accountSubscriptions.ts';

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

/** Who uses an address. If it is `ours` alone, a subscription whose secret nobody knows may be deleted. */
export type Owner = 'ours' | 'anybodys';

/**
 * Subscribes an address and returns its id and secret (G8, G9). After a lost answer, the secret of a subscription that has appeared at the
 * address is unknown, so the subscription is useless. At an address that is ours alone, it is deleted and created again. At any other
 * address, someone else may have created it, so it is left alone and reported.
 *
 * @throws ServiceError `subscriptionLimit` that counts the subscriptions by host; `unreadable` if no secret came; `unknownOutcome` with the
 *   address if nobody knows whether one exists
 */
export async function subscribe(client: Client, wanted: Wanted, owner: Owner): Promise<Made> {
  // Existing subscriptions could not be distinguished later from the new one.
  const before = owner === 'ours' ? [] : await idsAt(client, wanted.url);
  try {
    return await reconcile(client, subscription(client, wanted, owner, before));
  } catch (error) {
    throw await explained(client, error);
  }
}

function subscription(client: Client, wanted: Wanted, owner: Owner, before: readonly string[]): Write<Made, Wanted> {
  const { url, events } = wanted;
  return {
    turn: `subscription ${url}`,
    content: wanted,
    isHarmless: false,

    async send() {
      const call = { ...about, method: 'POST', path: ['hooks'], body: subscriptionRequest.body(url, events), id: url } as const;
      const sent = await client.write(call, ({ body }) => ({ body, record: recordIn('subscription', body) }));
      return sent.end === 'done' ? withSecret(client, wanted, sent.result) : sent;
    },

    look: (sending) => lookAt(client, sending, { owner, before }),

    notDone: (reason) =>
      new ServiceError('server', {
        message: `The webhook subscription for ${url} was not created (${reason}): ${brand.name} has no such subscription.`,
        advice: 'Try again in a few minutes.',
      }),

    unknown: ({ reason, since, candidates }) => ({
      message:
        `${brand.name} did not confirm the webhook subscription for ${url} that was sent at ${since.toISOString()} (${reason}): it may or may not exist.` +
        (candidates.length > 0 ? ` It may be ${candidates.slice(0, 5).join(' or ')}, which appeared since.` : ''),
      advice: 'Its signing secret can no longer be read. If nobody else created it, delete it, then try again.',
    }),
  };
}

/** The new subscription in an answer, with its secret. A subscription without a secret is deleted again. */
async function withSecret(
  client: Client,
  { url }: Wanted,
  { body, record }: { body: unknown; record: SubscriptionRecord | undefined },
): Promise<Sent<Made>> {
  const secret = [body, record]
    .map((holder) => (isObject(holder) ? holder[subscriptionRecord.secretKey] : undefined))
    .find((value) => typeof value === 'string' && value !== '');
  const at = record?.url;
  // A secret, or exactly this address, shows that the record is the requested subscription.
  if (record === undefined || (at === undefined ? secret === undefined : at !== url))
    return { end: 'unconfirmed', reason: `it answered with ${shapeOf(body)}` };
  const id = asText(record.id);
  client.writes.take(id, client.clock);
  const { [subscriptionRecord.secretKey]: _, ...rest }: ServiceRecord = record;
  if (typeof secret === 'string') return { end: 'done', result: { id, signing_secret: secret, record: rest } };

  await unsubscribe(client, id);
  return {
    end: 'refused',
    error: new ServiceError('unreadable', {
      message: `${brand.name} created a webhook subscription without a ${subscriptionRecord.secretKey}, so its deliveries could not be verified; it was deleted again. The answer had ${shapeOf(body)}.`,
      advice: 'Report this sentence to the maker of this integration.',
    }),
  };
}

/**
 * Looks for subscriptions that have appeared at the address since the request, and deletes them if the address is ours alone. Those made by
 * this connection are known and stay.
 */
async function lookAt(
  client: Client,
  sending: () => Sending<Wanted>,
  { owner, before }: { owner: Owner; before: readonly string[] },
): Promise<Look<Made>> {
  const there = await recordsAt(client, sending().content.url);
  const appeared = there.filter(
    ({ id, created_at: created }) =>
      !before.includes(asText(id)) && !client.writes.isTaken(asText(id)) && !(instantOf(created) < sending().before),
  );
  const ids = appeared.map(({ id }) => asText(id));
  if (owner === 'anybodys') return { isComplete: ids.length === 0, candidates: ids };
  for (const id of ids) await unsubscribe(client, id);
  return { isComplete: true, isUndone: ids.length > 0 };
}

/**
 * Deletes a subscription. One that is already gone is a success (G10). After a lost answer, the list shows whether it is gone.
 *
 * @throws ServiceError `unknownOutcome` with the id if nobody knows
 */
export const unsubscribe = (client: Client, id: string): Promise<void> => reconcile(client, deletion(client, id)).then(() => undefined);

/** Deleting a subscription, as one write. */
export function deletion(client: Client, id: string): Write<ServiceRecord, string> {
  const deleted = { id, deleted: true };
  return {
    turn: `deletion ${id}`,
    content: id,
    isHarmless: true,

    async send() {
      const call = { ...about, method: 'DELETE', path: ['hooks', { id }], id } as const;
      const sent = await client.write(call, ({ status, body }) =>
        status === 204 || recordIn('subscription', body)?.id === id ? deleted : undefined,
      );
      return sent.end === 'refused' && sent.error.kind === 'notFound' ? { end: 'done', result: deleted } : sent;
    },

    look: async () => ({ found: (await isListed(client, id)) ? undefined : deleted, isComplete: true }),

    notDone: (reason) =>
      new ServiceError('server', {
        message: `The webhook subscription "${id}" was not deleted (${reason}): ${brand.name} still has it.`,
        advice: 'Try again in a few minutes.',
      }),

    unknown: ({ reason, since }) => ({
      message: `${brand.name} did not confirm the deletion of the webhook subscription "${id}" that was sent at ${since.toISOString()} (${reason}): it may or may not be deleted.`,
      advice: 'Check the list of subscriptions before you try again.',
    }),
  };
}

async function isListed(client: Client, wanted: string): Promise<boolean> {
  for await (const { id } of listSubscriptions(client)) if (id === wanted) return true;
  return false;
}

/** The address of a subscription; `undefined` if the account has none with this id. */
export async function addressOfSubscription(client: Client, wanted: string): Promise<string | undefined> {
  for await (const { id, url } of listSubscriptions(client)) if (id === wanted) return asText(url);
  return undefined;
}

/**
 * Whether a stored subscription is still as wanted: it exists, is active, and has this address and these events. Without its secret it
 * never is, because using it would turn off verification.
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
  const found = await account.find(client, known.id);
  return found !== undefined && found.url === wanted.url && found.active !== false && sameEvents(found.events, wanted.events);
}

const sameEvents = (found: unknown, wanted: readonly string[]) =>
  [...new Set(eventsOf(found))].sort().join() === [...new Set(wanted)].sort().join();

const eventsOf = (value: unknown): string[] => [value].flat().map(String);

/**
 * Leaves exactly one subscription, with a known secret, for an address that is ours alone: deletes all others with exactly this address,
 * for example from an interrupted start, and then subscribes. Other addresses are not touched. You can call it again after any
 * interruption.
 *
 * @param account lets the triggers of one account share a reading of the list
 */
export async function replaceSubscription(client: Client, wanted: Wanted, account = new AccountSubscriptions()): Promise<Subscribed> {
  for (const { id, url } of await account.all(client, wanted.url)) if (url === wanted.url) await unsubscribe(client, asText(id));
  const { id, signing_secret } = await subscribe(client, wanted, 'ours');
  account.made(client, id);
  return { id, signing_secret };
}

async function recordsAt(client: Client, url: string): Promise<SubscriptionRecord[]> {
  const there: SubscriptionRecord[] = [];
  for await (const record of listSubscriptions(client)) if (record.url === url) there.push(record);
  return there;
}

const idsAt = async (client: Client, url: string): Promise<string[]> => (await recordsAt(client, url)).map(({ id }) => asText(id));

/** At the limit, adds who uses the subscriptions, because that helps to free one. */
async function explained(client: Client, error: unknown): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.kind !== 'subscriptionLimit') return error;
  const all: SubscriptionRecord[] = [];
  try {
    for await (const found of listSubscriptions(client)) all.push(found);
  } catch (cause) {
    // The list only adds details. Without it, the error about the limit itself is still reported.
    if (cause instanceof ServiceError) return error;
    throw cause;
  }
  return new ServiceError('subscriptionLimit', {
    message: `This ${brand.name} account already has ${all.length} webhook subscriptions, and ${limits.subscriptions} are allowed: ${byHost(all)}.${oldest(all)}`,
    advice: makeRoomForSubscription,
    status: error.status,
    code: error.code,
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
