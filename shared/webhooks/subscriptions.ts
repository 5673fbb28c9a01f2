import { subscriptionRequest, subscriptionRecord } from '../assumptions.ts';
import { LostAnswer, type Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { limits } from '../limits.ts';
import { readBack } from '../api/readBack.ts';
import { readOne, type ServiceRecord } from '../api/records.ts';
import { isObject } from '../values.ts';
import { brand } from '../brand.ts';
import { AccountSubscriptions, listSubscriptions } from './accountSubscriptions.ts';

export { AccountSubscriptions, listSubscriptions };

/** What a trigger wants to be told, and where. */
export interface Wanted {
  url: string;
  events: readonly string[];
}

/** What a trigger must keep: without the secret no delivery can be verified, and it is shown only once (section 2). */
export interface Subscribed {
  id: string;
  signing_secret: string;
}

const about = { scope: 'webhooks:manage', thing: 'webhook subscription' } as const;

/**
 * Subscribes an address and gives its id and secret (G8, G9). After a lost answer: whatever subscription has exactly this
 * address by then is removed, because its secret is not known, and made again once none can appear any more (G29).
 *
 * @param others subscriptions of the same address that stay: an address that is not ours alone may have some.
 * @throws ServiceError `subscriptionLimit` that counts the subscriptions by host, `unreadable` where no secret came,
 * `unknownOutcome` with the address where it cannot be told whether one exists.
 */
export async function subscribe(client: Client, wanted: Wanted, others: ReadonlySet<string> = new Set()): Promise<Subscribed & { record: ServiceRecord }> {
  for (let again = 0; ; again += 1) {
    let lost: LostAnswer;
    try {
      return await post(client, wanted);
    } catch (error) {
      if (!(error instanceof LostAnswer)) throw await explained(client, error);
      lost = error;
    }
    const { found, isAbsent } = await readBack(client, async () => ({ found: (await remove(client, await idsAt(client, wanted.url), others)) || undefined, complete: true }));
    if (found === undefined && !isAbsent) throw lost;
    // What was found and removed leaves nothing behind, so another try is safe also in haste.
    if (again >= Math.max(1, client.patience.recreate)) {
      throw new ServiceError('server', {
        message: `${brand.name} did not make the webhook subscription for ${wanted.url} (${lost.reason}): it was looked for and is not there.`,
        advice: 'Try again in a few minutes.',
      });
    }
  }
}

async function post(client: Client, { url, events }: Wanted): Promise<Subscribed & { record: ServiceRecord }> {
  const call = { ...about, method: 'POST', path: ['hooks'], body: subscriptionRequest.body(url, events), id: url } as const;
  const body = await client.send(call);
  const record = readMade(body);
  // It exists, and nobody will ever know its secret.
  if (record === undefined) throw new LostAnswer(call, `its answer has the keys ${keysOf(body)}`);
  const id = String(record['id']);
  const secret = [body, record].map((holder) => (isObject(holder) ? holder[subscriptionRecord.secretKey] : undefined)).find((value) => typeof value === 'string' && value !== '');
  const { [subscriptionRecord.secretKey]: _, ...rest } = record;
  if (typeof secret === 'string') return { id, signing_secret: secret, record: rest };

  await unsubscribe(client, id);
  throw new ServiceError('unreadable', {
    message: `${brand.name} created a webhook subscription without a ${subscriptionRecord.secretKey}, so its deliveries could not be verified; it was deleted again. The answer had the keys ${keysOf(body)}.`,
    advice: 'Report this sentence to the maker of this integration.',
  });
}

function readMade(body: unknown): ServiceRecord | undefined {
  try {
    return readOne('subscription', body, 'POST /v1/hooks');
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

const keysOf = (body: unknown) => (isObject(body) ? Object.keys(body).slice(0, 12).map((key) => `"${key.slice(0, 40)}"`).join(', ') : '(none)');

/**
 * Deletes a subscription; one that is gone already is success (G10). After a lost answer the list tells whether it is gone.
 *
 * @throws ServiceError `unknownOutcome` with the id where it cannot be told.
 */
export async function unsubscribe(client: Client, id: string): Promise<void> {
  try {
    await client.send({ ...about, method: 'DELETE', path: ['hooks', { id }], id });
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return;
    if (!(error instanceof LostAnswer)) throw error;
    const { found: isGone, isAbsent: isStillThere } = await readBack(client, async () => ({ found: (await isListed(client, id)) ? undefined : true, complete: true }));
    if (isGone === true) return;
    if (!isStillThere) throw error;
    throw new ServiceError('server', {
      message: `${brand.name} did not delete the webhook subscription "${id}" (${error.reason}): it was looked for and is still there.`,
      advice: 'Try again in a few minutes.',
    });
  }
}

async function isListed(client: Client, wanted: string): Promise<boolean> {
  for await (const { id } of listSubscriptions(client)) if (id === wanted) return true;
  return false;
}

/**
 * Whether a subscription that we keep is still as wanted: there, active, with this address and these events. One that
 * we hold no secret of is never intact, for adopting it would switch verification off.
 *
 * @param account where the triggers of one account share what one of them has read.
 */
export async function isIntact(client: Client, wanted: Wanted, known: Partial<Subscribed>, account = new AccountSubscriptions()): Promise<boolean> {
  if (!known.id || !known.signing_secret) return false;
  const found = await account.find(client, known.id);
  return found !== undefined && found['url'] === wanted.url && found['active'] !== false && sameEvents(found['events'], wanted.events);
}

const sameEvents = (found: unknown, wanted: readonly string[]) =>
  [...new Set(eventsOf(found))].sort().join() === [...new Set(wanted)].sort().join();

const eventsOf = (value: unknown): string[] => [value].flat().map(String);

/**
 * Leaves exactly one subscription for this address, with a known secret: removes the one we kept and every stray with
 * exactly this address (of a start that was cut off), touches nobody else's, then subscribes. May be called again after
 * any interruption.
 *
 * @param account where the triggers of one account share what one of them has read.
 */
export async function replaceSubscription(client: Client, wanted: Wanted, known: Partial<Subscribed> = {}, account = new AccountSubscriptions()): Promise<Subscribed> {
  await remove(client, await idsAt(client, wanted.url, account, known.id));
  const { id, signing_secret } = await subscribe(client, wanted);
  account.made(client, id);
  return { id, signing_secret };
}

/** The subscriptions that have exactly this address, or this id. */
export const idsAt = async (client: Client, url: string, account = new AccountSubscriptions(), knownId?: string): Promise<string[]> =>
  (await account.all(client, url)).filter(({ id, url: at }) => at === url || id === knownId).map(({ id }) => String(id));

/** Removes them but for those that stay, and says whether there was any. */
async function remove(client: Client, ids: readonly string[], others: ReadonlySet<string> = new Set()): Promise<boolean> {
  const doomed = ids.filter((id) => !others.has(id));
  for (const id of doomed) await unsubscribe(client, id);
  return doomed.length > 0;
}

/** At the limit, says who holds the subscriptions: that is what one needs to know to free one. */
async function explained(client: Client, error: unknown): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.kind !== 'subscriptionLimit') return error;
  const all: ServiceRecord[] = [];
  try {
    for await (const found of listSubscriptions(client)) all.push(found);
  } catch (cause) {
    // The list only makes the sentence fuller; without it the limit itself is still what to report.
    if (cause instanceof ServiceError) return error;
    throw cause;
  }
  return new ServiceError('subscriptionLimit', {
    message: `This ${brand.name} account already has ${all.length} webhook subscriptions, and ${limits.subscriptions} are allowed: ${byHost(all)}.${oldest(all)}`,
    advice: 'Every live trigger and every test listening takes one. Switch off what is not needed, or delete a subscription, then try again.',
    status: error.status,
    code: error.code,
  });
}

function byHost(all: readonly ServiceRecord[]): string {
  const counts = new Map<string, number>();
  for (const { url } of all) {
    const host = URL.canParse(String(url)) ? new URL(String(url)).host : 'unknown';
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, 8).map(([host, count]) => `${count} at ${host}`).join(', ');
}

function oldest(all: readonly ServiceRecord[]): string {
  const [first] = all.filter(({ created_at: at }) => typeof at === 'string').sort((a, b) => String(a['created_at']).localeCompare(String(b['created_at'])));
  return first === undefined ? '' : ` The oldest is ${String(first['id'])}, of ${String(first['created_at']).slice(0, 10)}.`;
}
