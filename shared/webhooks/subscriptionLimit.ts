import { ignoreRefusal, ServiceError } from '../serviceError.ts';
import { makeRoomForSubscription } from '../client/errors.ts';
import type { SubscriptionRecord } from '../records/fields.ts';
import { subscriptionAddresses, isPaused } from '../reading/index.ts';
import { listSubscriptions } from './accountSubscriptions.ts';
import type { Client } from '../client/client.ts';
import { allOf } from '../client/pages.ts';
import { brand } from '../brand.ts';
import { limits } from '../limits.ts';

/** At the limit, adds who uses the subscriptions, because that helps to free one. Paused ones do not count (section 8). */
export async function countedByHost(client: Client, refusal: ServiceError): Promise<ServiceError> {
  // The list only adds details. If it cannot be read, the error about the limit itself is still reported.
  const listed = await allOf(listSubscriptions(client)).catch(ignoreRefusal);
  const all = listed?.filter((each) => !isPaused(each)) ?? [];
  if (all.length === 0) return refusal;
  // A plan may allow fewer, or the list may show only those of one application (G35): then the service's own words are more accurate.
  if (all.length < limits.subscriptions) return refusal.adding(`Active ones in the list: ${byHost(all)}.${oldest(all)}`);
  return new ServiceError('subscriptionLimit', {
    message: `This ${brand.name} account already has ${all.length} active webhook subscriptions, and ${limits.subscriptions} are allowed: ${byHost(all)}.${oldest(all)}`,
    advice: makeRoomForSubscription,
    status: refusal.status,
    code: refusal.code,
  });
}

function byHost(all: readonly SubscriptionRecord[]): string {
  const counts = new Map<string, number>();
  for (const record of all) {
    const [url = ''] = subscriptionAddresses(record);
    const host = URL.canParse(url) ? new URL(url).host : 'unknown';
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
