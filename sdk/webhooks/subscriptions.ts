import { isIntact, replaceSubscription, unsubscribe, type Subscribed } from '../../shared/webhooks/subscriptions.ts';
import type { Client } from '../client/api/methods.ts';
import { coreOf } from '../client/core.ts';
import type { Store } from '../stores/store.ts';
import { eventNames, type EventName } from './events.ts';

export type { Subscribed };

/** What this application wants to be told, and where. */
export interface WantedSubscription {
  /** The address of the receiver, public and https. It must be this application's alone: other subscriptions of exactly this address are deleted. */
  url: string;
  /** All where it is absent. */
  events?: readonly EventName[];
  /** Keeps the subscription's id and its secret, which the service shows only once. */
  store: Store<Subscribed>;
}

/**
 * Sees to it that the service has exactly one subscription for an address, with these events and a secret that is kept here. May be
 * called at every start, by any number of processes: where all is well, it reads the list of subscriptions and changes nothing.
 *
 * @returns the subscription, for the receiver
 * @throws ServiceError `subscriptionLimit` with who holds the subscriptions, `unknownOutcome` where nobody knows whether one was made
 */
export const keepSubscription = (client: Client, { url, events = eventNames, store }: WantedSubscription): Promise<Subscribed> =>
  store.alone(async () => {
    const core = coreOf(client);
    const wanted = { url, events };
    const known = await store.read();
    if (known !== undefined && (await isIntact(core, wanted, known))) return known;
    const made = await replaceSubscription(core, wanted);
    await store.write(made);
    return made;
  });

/**
 * Ends the subscription that is kept, at the service and here. One that is already gone, or was never made, is success.
 *
 * @throws ServiceError where the service did not say that it is gone: then it stays known, so that it can be tried again
 */
export const endSubscription = (client: Client, store: Store<Subscribed>): Promise<void> =>
  store.alone(async () => {
    const known = await store.read();
    if (known !== undefined) await unsubscribe(coreOf(client), known.id);
    await store.delete();
  });
