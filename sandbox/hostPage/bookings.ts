import { html } from 'hono/html';
import type { Parts } from '../parts.ts';
import { type Booking, instant } from '../records.ts';
import { type Field, textOf } from './fields.ts';
import type { Section } from './section.ts';
import { badge } from './tables.ts';
import { instantOf, localValue, span } from './times.ts';

const badgeOf = {
  CONFIRMED: badge('good', 'Confirmed'),
  PENDING: badge('warn', 'Pending'),
  CANCELLED: badge('quiet', 'Cancelled'),
  DENIED: badge('quiet', 'Denied'),
};

/** Upcoming and past bookings, and what a host can do with one. */
export function bookings({ store, host, clock }: Parts): Section<Booking> {
  const whose = ({ invitee_name }: Booking): string => `${invitee_name}'s`;
  const reasonIn = (values: URLSearchParams) => ({ reason: textOf(values, 'reason') || undefined });

  return {
    table: store.bookings,
    what: 'booking',
    lead: ({ name, timezone }) => `Times are in ${name}'s time zone, ${timezone}.`,
    links: html`<a class="button" href="/host/types">Book as an invitee</a>`,
    parts: {
      upcoming: {
        label: 'Upcoming',
        where: "account = ? AND ends >= ? AND status <> 'CANCELLED'",
        by: 'starts',
        empty: 'No upcoming bookings.',
      },
      over: {
        label: 'Past and cancelled',
        where: "account = ? AND (ends < ? OR status = 'CANCELLED')",
        by: 'starts',
        order: 'newest',
        empty: 'No past bookings.',
      },
    },
    values: ({ id }) => [id, instant(clock.now())],
    title: ({ invitee_name }) => invitee_name,
    note: ({ invitee_email }) => invitee_email,
    columns: ({ timezone }) => [
      { label: 'When', cell: ({ start_time, end_time }) => span(start_time, end_time, timezone) },
      { label: 'Event type', cell: ({ event_type_name }) => event_type_name },
      { label: 'Status', cell: ({ status, denied }) => badgeOf[denied === true ? 'DENIED' : status] },
    ],
    shown: (booking) => booking,
    actions: {
      approve: {
        label: 'Approve',
        isOffered: ({ status }) => status === 'PENDING',
        does: ({ id }) => ({ says: `${whose(host.approve(id))} booking was approved.` }),
      },
      deny: {
        label: 'Deny',
        danger: true,
        isOffered: ({ status }) => status === 'PENDING',
        fields: () => [REASON],
        does: ({ id }, values) => ({ says: `${whose(host.deny(id, reasonIn(values)))} request was denied.` }),
      },
      reschedule: {
        label: 'Reschedule',
        isOffered: ({ status }) => status === 'CONFIRMED',
        fields: ({ start_time }, { timezone }) => [
          { ...START, label: `New start (${timezone})`, value: localValue(Date.parse(start_time), timezone) },
        ],
        does({ id }, values, { timezone }) {
          const start_time = instantOf(textOf(values, 'start_time'), timezone);
          return { says: `${whose(host.reschedule(id, { start_time }))} booking was rescheduled.` };
        },
      },
      cancel: {
        label: 'Cancel booking',
        danger: true,
        isOffered: ({ status }) => status !== 'CANCELLED',
        fields: () => [REASON],
        does: ({ id }, values) => ({ says: `${whose(host.cancel(id, reasonIn(values)))} booking was cancelled.` }),
      },
    },
  };
}

const START = { name: 'start_time', kind: 'datetime-local', required: true };
const REASON: Field = { name: 'reason', label: 'Reason', kind: 'textarea' };
