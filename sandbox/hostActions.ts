import { Hono, type MiddlewareHandler } from 'hono';
import * as z from 'zod/v4';
import type { SandboxBasis, SandboxEnv } from './context.ts';
import type { Deliveries } from './deliveries.ts';
import { ApiRefusal } from './errors.ts';
import { FAULTS, type Fault, type FaultKind } from './faultKinds.ts';
import type { Faults } from './faults.ts';
import { isFromHere, parseTarget } from './guard.ts';
import type { RecordSection } from './hostPage/section.ts';
import { lookUp } from './lookup.ts';
import { ACTIVE_SUBSCRIPTIONS, instant, newId } from './records.ts';
import type { Account, Booking, Contact, Delivery, EventType, Owned, RegisteredClient, Subscription } from './records.ts';
import { ContactInput, HostBookingInput, parse, RescheduleInput, SubscriptionInput } from './schemas.ts';
import { jsonBody } from './requestLog.ts';
import type { Scheduling } from './scheduling.ts';
import type { SandboxStore, Table } from './store.ts';
import { inWorkingHours } from './zones.ts';

interface HostActionsOptions extends Omit<SandboxBasis, 'present' | 'log'> {
  scheduling: Scheduling;
  deliveries: Deliveries;
}

type Reason = { reason?: string | undefined };

export type HostActions = ReturnType<typeof createHost>;

/**
 * Everything that a host or an invitee does on the service's own pages, outside the public API. Each action fires its events (G22). By
 * default, the first account's host acts.
 */
export function createHost(options: HostActionsOptions) {
  const { store, scheduling, deliveries, clock, forms, anywhere, maxSubscriptions } = options;

  const accountOf = (id: string | undefined): Account => store.accounts.find(id ?? '') ?? store.accounts.first();
  const any = <R extends Owned>(table: Table<R>, id: string, what: string): R => lookUp(forms, table, undefined, id, what);
  const booking = (id: string): Booking => any(store.bookings, id, 'booking');
  const subscription = (id: string): Subscription => any(store.subscriptions, id, 'webhook subscription');
  const withoutSecret = ({ signing_secret: _secret, ...shown }: Subscription): Omit<Subscription, 'signing_secret'> => shown;
  const subscribe = (given: Omit<Subscription, 'id' | 'active' | 'created_at'>): Subscription =>
    store.subscriptions.insert({ id: newId('sub'), active: true, created_at: instant(clock.now()), ...given });

  /** @throws {ApiRefusal} SUBSCRIPTION_LIMIT if an account has the maximum number of active subscriptions (section 8) */
  function mustHaveRoom(accountId: string): void {
    if (store.subscriptions.count(ACTIVE_SUBSCRIPTIONS, [accountId]) < maxSubscriptions) return;
    const message = `The account already has the maximum of ${maxSubscriptions} active webhook subscriptions. Delete one first.`;
    throw new ApiRefusal('SUBSCRIPTION_LIMIT', message);
  }

  return {
    /** Registers one more redirect address of the client, exactly as given. */
    allowRedirect(uri: string): RegisteredClient {
      const known = store.clients.first();
      return store.clients.update({ ...known, redirectUris: [...new Set([...known.redirectUris, uri])] });
    },
    /**
     * Books as an invitee does on the host's page. Missing values are filled in: the first active type without required questions, and its
     * next free slot. Unknown ids and fields cause an {@link ApiRefusal}.
     */
    book(input: z.input<typeof HostBookingInput> = {}, accountId?: string): Booking {
      const account = accountOf(accountId);
      const given = parse(HostBookingInput, input);
      const { event_type_id: typeId } = given;
      const eventType = typeId === undefined ? usualType(store, account) : lookUp(forms, store.eventTypes, account, typeId, 'event type');
      return scheduling.book(account, {
        ...given,
        event_type_id: eventType.id,
        start_time: given.start_time ?? instant(scheduling.nextFree(account, eventType.duration_minutes)),
        invitee_name: given.invitee_name ?? 'Robin Sample',
        invitee_email: given.invitee_email ?? 'robin.sample@example.com',
      });
    },
    usualType: (): EventType => usualType(store, store.accounts.first()),
    /** The first free start within the host's working hours from tomorrow on. */
    nextFree(minutes: number): string {
      const account = store.accounts.first();
      return instant(scheduling.nextFree(account, minutes, inWorkingHours(account.timezone)));
    },
    reschedule(id: string, input: z.input<typeof RescheduleInput>): Booking {
      const moved = booking(id);
      return scheduling.reschedule(accountOf(moved.account_id), moved, parse(RescheduleInput, input).start_time);
    },
    approve: (id: string): Booking => scheduling.approve(booking(id)),
    deny: (id: string, { reason }: Reason = {}): Booking => scheduling.deny(booking(id), reason ?? null),
    cancel: (id: string, { reason }: Reason = {}): Booking => scheduling.cancel(booking(id), reason ?? null),
    editContact(id: string, change: z.input<typeof ContactInput>): Contact {
      const given = Object.entries(parse(ContactInput, change)).filter(([, value]) => value !== undefined);
      return scheduling.editContact(any(store.contacts, id, 'contact'), Object.fromEntries(given));
    },
    /** A subscription older than signing: it has no secret, and its deliveries are unsigned (section 2, section 6). */
    addSecretlessSubscription(input: z.input<typeof SubscriptionInput>, accountId?: string) {
      const { url, events } = parse(SubscriptionInput, input);
      const account_id = accountOf(accountId).id;
      return withoutSecret(subscribe({ account_id, url: parseTarget(url, anywhere), events, signing_secret: null }));
    },
    subscribe,
    mustHaveRoom,
    /** Deletes a subscription without its client's knowledge. */
    deleteSubscription: (id: string): void => store.subscriptions.delete(subscription(id).id),
    /**
     * Pauses a subscription, as the service itself does after days of failures, or resumes it, which makes it healthy again.
     *
     * @throws {ApiRefusal} SUBSCRIPTION_LIMIT if too many others are active to resume it
     */
    setActive(id: string, active: boolean) {
      const before = subscription(id);
      if (active && !before.active) mustHaveRoom(before.account_id);
      return withoutSecret(store.subscriptions.update({ ...before, active, failing_since: null }));
    },
    /** Changes a subscription's events without its client's knowledge. */
    setEvents: (id: string, events: Subscription['events']): void => void store.subscriptions.update({ ...subscription(id), events }),
    /** Sends a delivery once more, with the same id and body, as in a retry or a replay. */
    redeliver(id: string): Delivery {
      const delivery = any(store.deliveries, id, 'delivery');
      const receiver = store.subscriptions.find(delivery.subscription_id);
      if (receiver === undefined)
        throw new ApiRefusal('NOT_FOUND', `The subscription of delivery ${id} was deleted, so the delivery cannot be sent again.`);
      if (!receiver.active)
        throw new ApiRefusal('VALIDATION_ERROR', `The subscription of delivery ${id} is paused. Resume it, then send the delivery again.`);
      deliveries.again(delivery);
      return delivery;
    },
    setPlan: (plan: Account['plan'], accountId?: string): Account => store.accounts.update({ ...accountOf(accountId), plan }),
  };
}

/** The first event type that can be booked without approval and without answers. */
function usualType(store: SandboxStore, account: Account): EventType {
  const types = store.eventTypes.all({ where: 'account = ?', values: [account.id] });
  const usual = types.find(
    ({ active, requires_approval, questions }) => active && !requires_approval && questions.every(({ required }) => !required),
  );
  if (usual === undefined)
    throw new ApiRefusal('NOT_FOUND', `${account.email} has no active event type without required questions. Set event_type_id.`);
  return usual;
}

/** Pages of other sites cannot send this header without a preflight request, which the sandbox refuses. */
export const HOST_HEADER = 'x-sandbox-host';

const Redirect = z.strictObject({ uri: z.string() });
const Forward = z.strictObject({ ms: z.int().min(0) });
const FaultInput: z.ZodType<Fault> = z.strictObject({
  route: z.string(),
  kind: z.enum(Object.keys(FAULTS) as [FaultKind, ...FaultKind[]]),
  times: z.union([z.int().min(1), z.literal('always')]).optional(),
  after: z.int().min(0).optional(),
  status: z.int().min(200).max(599).optional(),
  delayMs: z.int().min(0).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown(),
  commits: z.boolean().optional(),
});

/**
 * The host interface over HTTP, under /host/api, for scripts and other programs on this machine. It shares no path with the public API, and
 * serves only this machine and its own pages.
 */
export function hostApiRoutes(
  { store, host, faults, clock, deliveries }: HostActionsOptions & { host: HostActions; faults: Faults },
  sections: Record<string, RecordSection>,
): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>()
    .use('*', ownPagesOnly)
    .get('/client', (c) => c.json(store.clients.first()))
    .post('/client/redirects', (c) => c.json(host.allowRedirect(parse(Redirect, jsonBody(c)).uri), 201))
    .post('/bookings', (c) => c.json(host.book(jsonBody(c, {}) as object), 201))
    .post('/subscriptions', (c) => c.json(host.addSecretlessSubscription(jsonBody(c) as z.input<typeof SubscriptionInput>), 201))
    .post('/:section/:id/:action', (c) => {
      const { section: name, ...done } = c.req.param();
      const section = Object.hasOwn(sections, name) ? sections[name] : undefined;
      if (section === undefined) throw new ApiRefusal('NOT_FOUND', `There is no ${name.slice(0, 80)}.`);
      return c.json({ done: section.act(done, jsonBody(c, {})) });
    })
    .get('/faults', (c) => c.json({ kinds: FAULTS, waiting: faults.waiting() }))
    .post('/faults', (c) => {
      faults.add(parse(FaultInput, jsonBody(c)));
      return c.body(null, 204);
    })
    .delete('/faults', (c) => {
      faults.clear();
      return c.body(null, 204);
    })
    .post('/clock/forward', async (c) => {
      await deliveries.forward(parse(Forward, jsonBody(c)).ms);
      return c.json({ now: new Date(clock.now()).toISOString() });
    })
    .all('*', (c) => {
      // Otherwise the host pages, whose path begins in the same way, would respond with a web page.
      throw new ApiRefusal('NOT_FOUND', `There is no ${c.req.method} ${c.req.path}.`);
    });
}

/** Accepts only requests that come from this machine, have the interface's header, and were not sent by a page of another origin. */
const ownPagesOnly: MiddlewareHandler<SandboxEnv> = async (c, next) => {
  const fromOrigin = c.req.header('origin');
  const foreign = !isFromHere(c) || (fromOrigin !== undefined && fromOrigin !== new URL(c.req.url).origin);
  if (foreign || c.req.header(HOST_HEADER) === undefined) {
    throw new ApiRefusal(
      'INSUFFICIENT_SCOPE',
      `The host interface only answers requests from this machine that have the header ${HOST_HEADER} and do not come from another site.`,
    );
  }
  await next();
};
