import { html } from 'hono/html';
import type { Parts } from '../context.ts';
import { type Answer, type Booking, instant } from '../records.ts';
import { deliveries } from './deliveries.ts';
import { type Field, textOf } from './fields.ts';
import { recordColumn, type Section } from './section.ts';
import { badge, PAGE_SIZE, renderTable } from './tables.ts';
import { days, instantOf, localValue, moment, span } from './times.ts';

const badgeOf = {
  CONFIRMED: badge('good', 'Confirmed'),
  PENDING: badge('warn', 'Pending'),
  CANCELLED: badge('quiet', 'Cancelled'),
  DENIED: badge('quiet', 'Denied'),
};

/** Upcoming and past bookings, and what a host can do with one. */
export function bookings(parts: Parts): Section<Booking> {
  const { store, host, clock } = parts;
  const sent = deliveries(parts);
  const whose = ({ invitee_name }: Booking): string => `${invitee_name}'s`;
  const withReason = () => ({ fields: [REASON] });
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
      { label: 'When', cell: ({ start_time, end_time }) => days(start_time, end_time, timezone) },
      { label: 'Event type', cell: ({ event_type_name }) => event_type_name },
      { label: 'Status', cell: ({ status, denied }) => badgeOf[denied === true ? 'DENIED' : status] },
    ],
    facts: (booking, { timezone }) => {
      const { start_time, end_time, invitee_timezone, location, meeting_url: meeting, previous_start_time: previous } = booking;
      const questions = store.eventTypes.find(booking.event_type_id)?.questions ?? [];
      return [
        ["Invitee's time", span(start_time, end_time, invitee_timezone)],
        ['Location', meeting === null ? location : html`${location}<br /><code>${meeting}</code>`],
        ...Object.entries(booking.question_responses).map(
          ([key, answer]) => [questions.find((each) => each.key === key)?.label ?? key, inWords(answer)] as const,
        ),
        ['Notes', booking.notes],
        ['Reason', booking.cancellation_reason],
        ['Rescheduled from', previous === null ? null : html`${moment(previous, timezone)}, ${timezone}`],
        ['ID', html`<code>${booking.id}</code>`],
      ];
    },
    more({ id, account_id }, account) {
      const about = { where: "account = ? AND record ->> '$.record_id' = ?", values: [account_id, id] };
      const records = store.deliveries.all({ ...about, order: 'newest', limit: PAGE_SIZE });
      const columns = [recordColumn('deliveries', sent, account), ...sent.columns(account)];
      return html`<h2>Deliveries</h2>
        ${renderTable('deliveries', 'Deliveries', columns, records, 'Nothing has been sent about this booking.')}`;
    },
    actions: {
      approve: {
        label: 'Approve',
        isListed: true,
        isOffered: ({ status }) => status === 'PENDING',
        does: ({ id }) => ({ says: `${whose(host.approve(id))} booking was approved.` }),
      },
      deny: {
        label: 'Deny',
        danger: true,
        isListed: true,
        isOffered: ({ status }) => status === 'PENDING',
        form: withReason,
        does: ({ id }, values) => ({ says: `${whose(host.deny(id, reasonIn(values)))} request was denied.` }),
      },
      reschedule: {
        label: 'Reschedule',
        isOffered: ({ status }) => status === 'CONFIRMED',
        form: ({ start_time }, { timezone }) => ({
          fields: [{ ...START, hint: `In ${timezone}. The duration stays the same.` }],
          values: { start_time: localValue(Date.parse(start_time), timezone) },
        }),
        does({ id }, values, { timezone }) {
          const start_time = instantOf(textOf(values, 'start_time'), timezone);
          return { says: `${whose(host.reschedule(id, { start_time }))} booking was rescheduled.` };
        },
      },
      cancel: {
        label: 'Cancel booking',
        danger: true,
        isOffered: ({ status }) => status !== 'CANCELLED',
        form: withReason,
        does: ({ id }, values) => ({ says: `${whose(host.cancel(id, reasonIn(values)))} booking was cancelled.` }),
      },
    },
  };
}

const START: Field = { name: 'start_time', label: 'New start', kind: 'datetime-local', required: true };
const REASON: Field = {
  name: 'reason',
  label: 'Reason',
  kind: 'textarea',
  maxlength: 2000,
  hint: 'Shown to the invitee and sent to subscriptions.',
};

function inWords(answer: Answer): string {
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  return Array.isArray(answer) ? answer.join(', ') : String(answer);
}
