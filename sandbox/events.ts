import { html } from 'hono/html';
import type { Html } from './page.ts';

interface EventWords {
  /** When it occurs: section 6 of the public document. */
  occurs: string;
  /** How somebody makes it happen by hand, on the host's pages. */
  how: Html;
}

/** The events of section 6, in its order, each with all the words that the sandbox has for it. */
const WORDS = {
  BOOKING_CREATED: {
    occurs: 'A new booking is confirmed.',
    how: html`<a href="/host/types">Book a type</a> that needs no approval, or approve a request.`,
  },
  BOOKING_CANCELLED: {
    occurs: 'A booking is cancelled.',
    how: html`Open one of the <a href="/host">bookings</a> and cancel it.`,
  },
  BOOKING_RESCHEDULED: {
    occurs: 'A booking is rescheduled.',
    how: html`Open a confirmed <a href="/host">booking</a> and move it.`,
  },
  BOOKING_APPROVED: {
    occurs: 'A pending booking is approved.',
    how: html`Approve a request that <a href="/host?show=waiting">waits</a>.`,
  },
  BOOKING_DENIED: {
    occurs: 'A pending booking is denied.',
    how: html`Open a request that <a href="/host?show=waiting">waits</a> and deny it.`,
  },
  CONTACT_CREATED: {
    occurs: 'A new contact is created.',
    how: html`<a href="/host/types">Book</a> with an e-mail address that is not among the contacts.`,
  },
  CONTACT_UPDATED: {
    occurs: 'A contact is updated.',
    how: html`Edit one of the <a href="/host/contacts">contacts</a>, or book with a known address and another name.`,
  },
} as const satisfies Record<string, EventWords>;

export type EventName = keyof typeof WORDS;

export const EVENT_WORDS: Readonly<Record<EventName, EventWords>> = WORDS;

export const EVENTS = Object.keys(WORDS) as [EventName, ...EventName[]];
