import type { Scope } from '../scopes.ts';
import type { Call, Listing } from '../call.ts';
import type { OutputKind, RecordKind } from './fields.ts';

interface Resource {
  label: string;
  plural: string;
  /** The first part of its path, after `/v1`. */
  path: string;
  /** The scope required to read it. */
  scope: Scope | 'any';
  /** The filters of its list. */
  filters: readonly string[];
}

/** The service's resources (section 4). */
export const resources = {
  booking: { label: 'Booking', plural: 'Bookings', path: 'bookings', scope: 'bookings:read', filters: ['status', 'email'] },
  contact: { label: 'Contact', plural: 'Contacts', path: 'contacts', scope: 'contacts:read', filters: ['email'] },
  eventType: { label: 'Event Type', plural: 'Event Types', path: 'event-types', scope: 'event_types:read', filters: [] },
  user: { label: 'User', plural: 'Users', path: 'me', scope: 'any', filters: [] },
  subscription: { label: 'Webhook Subscription', plural: 'Webhook Subscriptions', path: 'hooks', scope: 'webhooks:manage', filters: [] },
} as const satisfies Record<RecordKind, Resource>;

/** The names that people see for everything that operations return. */
export const outputNames: Record<OutputKind, Pick<Resource, 'label' | 'plural'>> = {
  ...resources,
  busyTime: { label: 'Busy Time', plural: 'Busy Times' },
};

/** The kinds that have lists. There is only one user, the owner of the connected account. */
export type ListedKind = Exclude<RecordKind, 'user'>;

type FiltersOf<Kind extends ListedKind> = { readonly [Filter in (typeof resources)[Kind]['filters'][number]]?: string | undefined };

/** The resource's name in a sentence. */
export const wordFor = (kind: RecordKind): string => resources[kind].label.toLowerCase();

/** The kind of record that a call is about, from the first part of its path. */
export const kindAt = ([first]: Call['path']): RecordKind | undefined =>
  (Object.keys(resources) as RecordKind[]).find((kind) => resources[kind].path === first);

/** The list of a resource: everything, or what passes the filters. */
export const listingOf = <Kind extends ListedKind>(kind: Kind, query: FiltersOf<Kind> = {}): Listing<Kind> => {
  const { path, scope, plural } = resources[kind];
  return { path: [path], scope, resourceName: plural.toLowerCase(), record: kind, query };
};

/** The call that gets one record by its id. */
export const one = (kind: ListedKind, id: string) => {
  const { path, scope } = resources[kind];
  return { method: 'GET', path: [path, { id }], scope, resourceName: wordFor(kind), id } as const;
};
