/** The permissions of section 5, as people read them. */
export const scopes = {
  'bookings:read': { words: 'see bookings' },
  'bookings:write': { words: 'create and cancel bookings' },
  'event_types:read': { words: 'see event types' },
  'contacts:read': { words: 'see and search contacts' },
  'webhooks:manage': { words: 'manage webhook subscriptions, which send changes to other services' },
} as const;

/** The name of a permission (section 5). */
export type Scope = keyof typeof scopes;
