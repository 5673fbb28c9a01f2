import type { Parts } from './context.ts';
import { Refusal, tooManySubscriptions } from './errors.ts';
import { newId } from './ids.ts';
import { lookUp } from './lookup.ts';
import { parseTarget } from './loopback.ts';
import {
  ACTIVE_SUBSCRIPTIONS,
  instant,
  type Account,
  type Booking,
  type Client,
  type Contact,
  type Delivery,
  type EventType,
  type Subscription,
} from './records.ts';
import { ContactInput, HostBookingInput, parse, RescheduleInput, SubscriptionInput } from './schemas.ts';
import type { Table } from './store.ts';
import type * as z from 'zod/v4';

type Options = Pick<Parts, 'store' | 'scheduling' | 'deliveries' | 'clock' | 'forms' | 'anywhere' | 'maxSubscriptions'>;

/** A booking by a host or an invitee. Unknown ids and fields cause a {@link Refusal}. */
export type HostBooking = z.input<typeof HostBookingInput>;
export type HostContact = z.input<typeof ContactInput>;

/**
 * Everything that a host or an invitee does outside the public API, on the service's own pages. Each action fires its events (G22). By
 * default, it is the first account's host who acts.
 */
export class Host {
  /** The address of the page on which everything that was started with the sandbox is found. Only who knows it is shown it. */
  startPage: string | undefined;
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The application that comes with the sandbox. */
  get client(): Client {
    const [client] = this.#options.store.clients.all({ limit: 1 });
    if (client === undefined)
      throw new Refusal('NOT_FOUND', 'The data file of the sandbox contains no client. Delete it to start with fresh data.');
    return client;
  }

  /** Registers one more redirect address of {@link client}, exactly as given. @param name who receives there */
  allowRedirect(uri: string, name?: string): Client {
    const { client } = this;
    if (client.redirectUris.includes(uri)) return client;
    return this.#options.store.clients.update({
      ...client,
      redirectUris: [...client.redirectUris, uri],
      ...(name === undefined ? {} : { names: { ...client.names, [uri]: name } }),
    });
  }

  /**
   * Books as an invitee does on the host's page. Missing values are filled in: the first active type without required questions, and its
   * next free slot.
   */
  book(input: HostBooking = {}, accountId?: string): Booking {
    const { store, scheduling, clock } = this.#options;
    const account = this.#account(accountId);
    const given = parse(HostBookingInput, input);
    const eventType =
      given.event_type_id === undefined
        ? this.#usualType(account)
        : lookUp(this.#options, store.eventTypes, account, given.event_type_id, 'event type');
    return scheduling.book(account, {
      ...given,
      event_type_id: eventType.id,
      start_time: given.start_time ?? instant(scheduling.nextFree(account, eventType.duration_minutes, clock.now())),
      invitee_name: given.invitee_name ?? 'Robin Sample',
      invitee_email: given.invitee_email ?? 'robin.sample@example.com',
    });
  }

  reschedule(id: string, input: z.input<typeof RescheduleInput>): Booking {
    const booking = this.#booking(id);
    return this.#options.scheduling.reschedule(this.#account(booking.account_id), booking, parse(RescheduleInput, input).start_time);
  }

  approve(id: string): Booking {
    return this.#options.scheduling.approve(this.#booking(id));
  }

  deny(id: string, { reason }: { reason?: string | undefined } = {}): Booking {
    return this.#options.scheduling.deny(this.#booking(id), reason ?? null);
  }

  cancel(id: string, { reason }: { reason?: string | undefined } = {}): Booking {
    return this.#options.scheduling.cancel(this.#booking(id), reason ?? null);
  }

  editContact(id: string, change: HostContact): Contact {
    const { store, scheduling } = this.#options;
    const contact = this.#any(store.contacts, id, 'contact');
    const given = parse(ContactInput, change);
    return scheduling.editContact(contact, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
  }

  /** A subscription from before signing existed: it has no secret, and its deliveries are not signed (section 2, section 6). */
  addSecretlessSubscription(input: z.input<typeof SubscriptionInput>, accountId?: string): Omit<Subscription, 'signing_secret'> {
    const { store, clock, anywhere } = this.#options;
    const { url, events } = parse(SubscriptionInput, input);
    const { signing_secret: _none, ...shown } = store.subscriptions.insert({
      id: newId('sub'),
      account_id: this.#account(accountId).id,
      url: parseTarget(url, anywhere),
      events,
      active: true,
      signing_secret: null,
      created_at: instant(clock.now()),
    });
    return shown;
  }

  /** Ends a subscription behind its client's back. */
  deleteSubscription(id: string): void {
    const { store } = this.#options;
    store.subscriptions.delete(this.#any(store.subscriptions, id, 'webhook subscription').id);
  }

  /**
   * Pauses a subscription, as the service itself does after days of failures, or resumes it: it counts as healthy then.
   *
   * @throws {Refusal} SUBSCRIPTION_LIMIT if it cannot be resumed beside the active ones
   */
  setActive(id: string, active: boolean): Omit<Subscription, 'signing_secret'> {
    const { store, maxSubscriptions } = this.#options;
    const subscription = this.#any(store.subscriptions, id, 'webhook subscription');
    const resumes = active && !subscription.active;
    if (resumes && store.subscriptions.count(ACTIVE_SUBSCRIPTIONS, [subscription.account_id]) >= maxSubscriptions)
      throw tooManySubscriptions(maxSubscriptions);
    const { signing_secret: _none, ...shown } = store.subscriptions.update({ ...subscription, active, failing_since: null });
    return shown;
  }

  /** Gives a subscription other events behind its client's back. */
  setEvents(id: string, events: Subscription['events']): void {
    const { store } = this.#options;
    store.subscriptions.update({ ...this.#any(store.subscriptions, id, 'webhook subscription'), events });
  }

  /** Sends a delivery once more, with the same id and body, as a repeated or replayed one arrives. */
  redeliver(id: string): Delivery {
    const { store, deliveries } = this.#options;
    const delivery = this.#any(store.deliveries, id, 'delivery');
    const subscription = store.subscriptions.find(delivery.subscription_id);
    if (subscription === undefined)
      throw new Refusal('NOT_FOUND', `The subscription of delivery ${id} was deleted, so the delivery cannot be sent again.`);
    if (!subscription.active)
      throw new Refusal('VALIDATION_ERROR', `The subscription of delivery ${id} is paused. Resume it, then send the delivery again.`);
    deliveries.again(delivery);
    return delivery;
  }

  setPlan(plan: Account['plan'], accountId?: string): Account {
    return this.#options.store.accounts.update({ ...this.#account(accountId), plan });
  }

  #account(id?: string): Account {
    const { store } = this.#options;
    const account = id === undefined ? store.accounts.all({ limit: 1 })[0] : store.accounts.find(id);
    if (account === undefined) throw new Refusal('NOT_FOUND', `There is no account ${id ?? ''}.`);
    return account;
  }

  #usualType(account: Account): EventType {
    const types = this.#options.store.eventTypes.all({ where: 'account = ?', values: [account.id] });
    const usual = types.find(
      ({ active, requires_approval, questions }) => active && !requires_approval && questions.every(({ required }) => !required),
    );
    if (usual === undefined)
      throw new Refusal('NOT_FOUND', `${account.email} has no active event type without required questions. Set event_type_id.`);
    return usual;
  }

  #booking(id: string): Booking {
    return this.#any(this.#options.store.bookings, id, 'booking');
  }

  #any<R extends { id: string; account_id: string }>(table: Table<R>, id: string, what: string): R {
    return lookUp(this.#options, table, undefined, id, what);
  }
}
