/** The permissions of section 5, as people read them. */
export const scopes = {
  'bookings:read': { words: 'list and get bookings' },
  'bookings:write': { words: 'create and cancel bookings' },
  'event_types:read': { words: 'list and get event types' },
  'contacts:read': { words: 'list and search contacts' },
  'webhooks:manage': { words: 'manage webhook subscriptions' },
} as const;

/** The name of a permission (section 5). */
export type Scope = keyof typeof scopes;
