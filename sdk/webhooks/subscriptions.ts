import type { Subscribed } from '../../shared/webhooks/storedSubscription.ts';
import type { AnyClient } from '../client/picked.ts';
import type { Store } from '../stores/store.ts';
import type { EventName } from './events.ts';

export type { Subscribed };

/** The subscription that an application wants: its address, its events, and where to keep it. */
export interface WantedSubscription {
  /**
   * The address of the receiver, public and with https. Only this application may use it: other subscriptions for exactly this address are
   * deleted.
   */
  url: string;
  /** The events to receive. Default: all. */
  events?: readonly EventName[] | undefined;
  /** Stores the subscription's id and its secret, which the service shows only once. */
  store: Store<Subscribed>;
  /**
   * Called with a sentence if another account still has the stored subscription, because the client now belongs to a new one. It names that
   * account and says how to remove the subscription. Default: `console.warn`.
   */
  onWarning?: ((message: string) => void) | undefined;
}

/** Loaded only when needed, because it is as much code as the rest of this entry point, and a receiver starts without it. */
const work = () => import('./keep.ts');

/**
 * Makes sure that the service has exactly one subscription for an address, with these events and a secret that is stored here. You can call
 * it at every start, from any number of processes. If nothing has to change, it only reads the list of subscriptions and the account. If
 * the client now belongs to another account, that account gets its own subscription.
 *
 * @returns the subscription, for the receiver
 * @throws ServiceError `invalid` if there is no event; `subscriptionLimit` with a list of who uses the subscriptions; `unknownOutcome` if
 * nobody knows whether one was created
 */
export const keepSubscription = async (client: AnyClient, wanted: WantedSubscription): Promise<Subscribed> =>
  (await work()).keep(client, wanted);

/**
 * Deletes the stored subscription at the service and here. If it is already deleted, or was never created, the call succeeds.
 *
 * @throws ServiceError if the service did not confirm the deletion, or if the subscription is in an account to which the client no longer
 * belongs: it stays stored, so that you can try again
 */
export const endSubscription = async (client: AnyClient, store: Store<Subscribed>): Promise<void> => (await work()).end(client, store);
