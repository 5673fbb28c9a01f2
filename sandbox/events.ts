/** The events of section 6 of the public document, in its order, and when each occurs. */
const OCCURS = {
  BOOKING_CREATED: 'A new booking is confirmed.',
  BOOKING_CANCELLED: 'A booking is cancelled.',
  BOOKING_RESCHEDULED: 'A booking is rescheduled.',
  BOOKING_APPROVED: 'A pending booking is approved.',
  BOOKING_DENIED: 'A pending booking is denied.',
  CONTACT_CREATED: 'A new contact is created.',
  CONTACT_UPDATED: 'A contact is updated.',
} as const;

export type EventName = keyof typeof OCCURS;

/** An event's name for people: "Booking Created". */
export const eventLabel = (event: EventName): string =>
  event.toLowerCase().replaceAll(/(^|_)(.)/g, (_all, gap: string, first: string) => `${gap === '' ? '' : ' '}${first.toUpperCase()}`);

/** When an event occurs, in a sentence. */
export const occurs = (event: EventName): string => OCCURS[event];

export const EVENTS = Object.keys(OCCURS) as [EventName, ...EventName[]];
