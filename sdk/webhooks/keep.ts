import { refusedForm } from '../../shared/operations/refusedForm.ts';
import type { StoredSubscription } from '../../shared/webhooks/storedSubscription.ts';
import { endSubscription, isIntact, replaceSubscription } from '../../shared/webhooks/subscriptions.ts';
import type { AnyClient } from '../client/picked.ts';
import { callOf } from '../client/calls.ts';
import type { Store } from '../stores/store.ts';
import { guarded } from '../errors.ts';
import { eventNames } from './events.ts';
import type { Subscribed, WantedSubscription } from './subscriptions.ts';

/** Implements `keepSubscription`. */
export const keep = (
  client: AnyClient,
  { url, events = eventNames, store, onWarning = (message) => console.warn(message) }: WantedSubscription,
): Promise<Subscribed> =>
  store.withLock(async () => {
    const core = callOf(client, 'keepSubscription').client;
    const wanted = { url, events };
    // The service might take an empty list to mean all events.
    if (events.length === 0) throw refusedForm([{ field: 'events', label: 'events', message: 'must contain at least one event' }]);
    const known = await store.read();
    if (known !== undefined && (await isIntact(core, wanted, known))) return known;
    const { left, ...subscribed } = await replaceSubscription(core, wanted, undefined, known);
    const made = { ...subscribed, url };
    await store.write(made);
    if (left !== undefined) guarded(() => onWarning(left.error.sentence));
    return made;
  });

/** Implements `endSubscription`. */
export const end = (client: AnyClient, store: Store<Subscribed>): Promise<void> =>
  store.withLock(async () => {
    const known: StoredSubscription | undefined = await store.read();
    const ended = known && (await endSubscription(callOf(client, 'endSubscription').client, known, known.url));
    if (ended?.left !== undefined) throw ended.left.error;
    await store.delete();
  });
