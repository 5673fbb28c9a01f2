import { ServiceError } from '../client/serviceError.ts';
import { readOne } from '../reading/index.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { Call, Client } from '../client/client.ts';
import type { OutputKind, RecordKind, RecordOf } from './fields.ts';
import type { Listing } from '../client/pages.ts';

interface Resource {
  label: string;
  plural: string;
  /** The first part of its path, after `/v1`. */
  path: string;
  /** The scope that reading it needs. */
  scope: Scope | 'any';
  /** The filters that its list has. */
  filters: readonly string[];
}

/** Everything that the service contains, as section 4 offers it. */
export const resources = {
  booking: { label: 'Booking', plural: 'Bookings', path: 'bookings', scope: 'bookings:read', filters: ['status', 'email'] },
  contact: { label: 'Contact', plural: 'Contacts', path: 'contacts', scope: 'contacts:read', filters: ['email'] },
  eventType: { label: 'Event Type', plural: 'Event Types', path: 'event-types', scope: 'event_types:read', filters: [] },
  user: { label: 'User', plural: 'Users', path: 'me', scope: 'any', filters: [] },
  subscription: { label: 'Webhook Subscription', plural: 'Webhook Subscriptions', path: 'hooks', scope: 'webhooks:manage', filters: [] },
} as const satisfies Record<RecordKind, Resource>;

/** What operations return, as people read it. */
export const outputNames: Record<OutputKind, Pick<Resource, 'label' | 'plural'>> = {
  ...resources,
  busyTime: { label: 'Busy Time', plural: 'Busy Times' },
};

/** There is one user, the owner of the connected account. Of everything else, there are many. */
type Listed = Exclude<RecordKind, 'user'>;

type Filters<Kind extends Listed> = { readonly [Filter in (typeof resources)[Kind]['filters'][number]]?: string | undefined };

/** The resource's name in a sentence. */
export const wordFor = (kind: RecordKind): string => resources[kind].label.toLowerCase();

/** The kind of record that a call is about, by the first part of its path. */
export const kindAt = ([first]: Call['path']): RecordKind | undefined =>
  (Object.keys(resources) as RecordKind[]).find((kind) => resources[kind].path === first);

/** The list of a resource: all of it, or what the filters leave. */
export const listingOf = <Kind extends Listed>(kind: Kind, query: Filters<Kind> = {}): Listing<Kind> => {
  const { path, scope, plural } = resources[kind];
  return { path: [path], scope, resourceName: plural.toLowerCase(), record: kind, query };
};

/** The call that gets one record by its id. */
export const one = (kind: Listed, id: string) => {
  const { path, scope } = resources[kind];
  return { method: 'GET', path: [path, { id }], scope, resourceName: wordFor(kind), id } as const;
};

/**
 * One record in its current state.
 *
 * @throws ServiceError `notFound` if it does not exist, `unreadable` if the answer does not contain it
 */
export const fetchOne = async <Kind extends Listed>(client: Client, kind: Kind, id: string): Promise<RecordOf[Kind]> =>
  readOne(kind, (await client.read(one(kind, id))).body, `GET /v1/${resources[kind].path}/:id`);

/** One record in its current state; `undefined` if it does not exist. */
export const fetchIfThere = <Kind extends Listed>(client: Client, kind: Kind, id: string): Promise<RecordOf[Kind] | undefined> =>
  fetchOne(client, kind, id).catch((error: unknown) => {
    if (error instanceof ServiceError && error.kind === 'notFound') return undefined;
    throw error;
  });
