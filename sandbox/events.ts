interface EventWords {
  /** When it occurs: section 6 of the public document. */
  occurs: string;
  /** How a person causes it on the host's pages. HTML. */
  how: string;
}

/** The events of section 6, in order, with all their texts in the sandbox. */
const WORDS = {
  BOOKING_CREATED: {
    occurs: 'A new booking is confirmed.',
    how: `<a href="/host/types">Book an event type</a> that needs no approval, or approve a request.`,
  },
  BOOKING_CANCELLED: { occurs: 'A booking is cancelled.', how: `Cancel a <a href="/host">booking</a>.` },
  BOOKING_RESCHEDULED: { occurs: 'A booking is rescheduled.', how: `Reschedule a confirmed <a href="/host">booking</a>.` },
  BOOKING_APPROVED: { occurs: 'A pending booking is approved.', how: `Approve a <a href="/host?show=waiting">pending booking</a>.` },
  BOOKING_DENIED: { occurs: 'A pending booking is denied.', how: `Deny a <a href="/host?show=waiting">pending booking</a>.` },
  CONTACT_CREATED: {
    occurs: 'A new contact is created.',
    how: `<a href="/host/types">Book</a> with an email address that no contact has.`,
  },
  CONTACT_UPDATED: {
    occurs: 'A contact is updated.',
    how: `Edit a <a href="/host/contacts">contact</a>, or book with a contact's email and a different name.`,
  },
} as const satisfies Record<string, EventWords>;

export type EventName = keyof typeof WORDS;

/** An event as people read it: "Booking Created". */
export const eventLabel = (event: EventName): string =>
  event.toLowerCase().replaceAll(/(^|_)(.)/g, (_all, gap: string, first: string) => `${gap === '' ? '' : ' '}${first.toUpperCase()}`);

export const EVENT_WORDS: Readonly<Record<EventName, EventWords>> = WORDS;

export const EVENTS = Object.keys(WORDS) as [EventName, ...EventName[]];
