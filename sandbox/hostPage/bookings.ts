import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env, Request } from '../context.ts';
import { eventLabel } from '../events.ts';
import { type Answer, type Booking, type EventName, type EventType, instant } from '../records.ts';
import { deliveriesOf } from './deliveries.ts';
import { errorSummary, type Field, type Filled, filledWith, renderForm, renderField, sentFields, textOf } from './fields.ts';
import type { Html } from './layout.ts';
import type { Site } from './site.ts';
import { badge, type Column, liveSwitch, renderFacts, renderPage, renderTabs } from './tables.ts';
import { days, instantOf, localValue, moment, span } from './times.ts';

const SHOWN = {
  upcoming: { label: 'Upcoming', where: "account = ? AND ends >= ? AND status = 'CONFIRMED'", empty: 'No upcoming bookings.' },
  waiting: { label: 'Pending', where: "account = ? AND ends >= ? AND status = 'PENDING'", empty: 'No requests to approve.' },
  past: { label: 'Past', where: "account = ? AND ends < ? AND status <> 'CANCELLED'", empty: 'No past bookings.' },
  // Cancelled bookings of any time: the comparison is always true, and only uses the moment that the other views need.
  cancelled: { label: 'Cancelled', where: "account = ? AND ? <> '' AND status = 'CANCELLED'", empty: 'No cancelled bookings.' },
} as const;

type Shown = keyof typeof SHOWN;

/** The overview of upcoming and past bookings, and what a host can do with one. */
export function bookingPages(site: Site): Hono<Env> {
  const { store, host, clock } = site.parts;
  const named = (c: Request): Booking => site.named(c, store.bookings, 'booking');
  /** @param work does it, and returns whose booking it was */
  const act =
    (what: string, work: (id: string, values: URLSearchParams, c: Request) => Booking, isForm = false) =>
    (c: Request): Response | Promise<Response> => {
      const booking = named(c);
      const values = sentFields(c);
      return site.act(c, {
        fires: true,
        to: () => `/host/bookings/${booking.id}`,
        work: () => `${work(booking.id, values, c).invitee_name}'s ${what}.`,
        ...(isForm && { again: (errors) => showBooking(site, c, booking, { values, errors }) }),
      });
    };
  const reasonIn = (values: URLSearchParams): { reason?: string | undefined } => ({ reason: textOf(values, 'reason') || undefined });

  return new Hono<Env>()
    .get('/', (c) => {
      const account = c.get('account');
      const asked = c.req.query('show') ?? '';
      const shown = Object.hasOwn(SHOWN, asked) ? (asked as Shown) : 'upcoming';
      const values = [account.id, instant(clock.now())];
      const { label, where, empty } = SHOWN[shown];
      const order = shown === 'upcoming' || shown === 'waiting' ? 'oldest' : 'newest';
      const tabs = { id: 'which-bookings', label: 'Filter bookings', path: '/host', current: shown };
      return site.show(c, {
        title: 'Bookings',
        section: 'bookings',
        lead: `Times are in ${account.name}'s time zone, ${account.timezone}.`,
        actions: html`<a class="button" href="/host/types">Book as an invitee</a>`,
        content: html`${renderTabs(tabs, SHOWN, (of) => store.bookings.count(of, values))}
        ${renderPage(
          c,
          store.bookings,
          { where, values, by: 'starts', order },
          {
            id: 'bookings',
            caption: `${label} bookings`,
            columns: [...bookingColumns(account.timezone), ...(shown === 'waiting' ? [decision] : [])],
            empty,
          },
        )}`,
      });
    })
    .get('/bookings/:id', (c) => showBooking(site, c, named(c)))
    .post(
      '/bookings/:id/approve',
      act('booking was approved', (id) => host.approve(id)),
    )
    .post(
      '/bookings/:id/deny',
      act('request was denied', (id, values) => host.deny(id, reasonIn(values))),
    )
    .post(
      '/bookings/:id/cancel',
      act('booking was cancelled', (id, values) => host.cancel(id, reasonIn(values))),
    )
    .post(
      '/bookings/:id/reschedule',
      act(
        'booking was rescheduled',
        (id, values, c) => host.reschedule(id, { start_time: instantOf(textOf(values, 'start_time'), c.get('account').timezone) }),
        true,
      ),
    );
}

/** @param zone the host's */
export const bookingColumns = (zone: string): Column<Booking>[] => [
  { label: 'When', cell: ({ start_time, end_time }) => days(start_time, end_time, zone) },
  {
    label: 'Invitee',
    cell: ({ id, invitee_name, invitee_email }) =>
      html`<a href="/host/bookings/${id}">${invitee_name}</a><br /><small>${invitee_email}</small>`,
  },
  { label: 'Event type', cell: ({ event_type_name }) => event_type_name },
  { label: 'Status', cell: bookingBadge },
];

const decision: Column<Booking> = {
  label: 'Action',
  cell: ({ id, invitee_name }) =>
    html`<div class="row">
      ${renderForm(`/host/bookings/${id}/approve`, 'Approve', { kind: 'quiet', name: `Approve the booking of ${invitee_name}` })}
      ${renderForm(`/host/bookings/${id}/deny`, 'Deny', { kind: 'danger', name: `Deny the booking of ${invitee_name}` })}
    </div>`,
};

const STATUS = {
  CONFIRMED: ['good', 'Confirmed'],
  PENDING: ['warn', 'Pending'],
  CANCELLED: ['quiet', 'Cancelled'],
  DENIED: ['quiet', 'Denied'],
} as const;

function bookingBadge({ status, denied }: Booking): Html {
  const [kind, text] = STATUS[denied === true ? 'DENIED' : status];
  return badge(kind, text);
}

/**
 * One booking, with every action that its status allows.
 *
 * @param moved the form to reschedule it, if that form was refused
 */
function showBooking(site: Site, c: Request, booking: Booking, moved?: Filled): Response | Promise<Response> {
  const { timezone } = c.get('account');
  const type = site.parts.store.eventTypes.find(booking.event_type_id);
  return site.show(c, {
    title: `${booking.event_type_name} with ${booking.invitee_name}`,
    section: 'bookings',
    lead: html`${bookingBadge(booking)} ${span(booking.start_time, booking.end_time, timezone)}`,
    actions: liveSwitch,
    ...(moved && { status: 400 }),
    content: html`<div class="columns">
        <article aria-labelledby="about">
          <h2 id="about">Details</h2>
          ${facts(booking, type, timezone)}
        </article>
        <section aria-labelledby="do">
          <h2 id="do">Actions</h2>
          ${actions(booking, timezone, moved)}
        </section>
      </div>
      <section aria-labelledby="sent">
        <h2 id="sent">Deliveries</h2>
        ${deliveriesOf(site, c, booking)}
      </section>`,
  });
}

function facts(booking: Booking, type: EventType | undefined, hostZone: string): Html {
  const { previous_start_time: previous, meeting_url: meeting } = booking;
  const rows: [string, Html | string | null][] = [
    ['Invitee', html`${booking.invitee_name}<br />${booking.invitee_email}`],
    ["Invitee's time", span(booking.start_time, booking.end_time, booking.invitee_timezone)],
    ['Location', meeting === null ? booking.location : html`${booking.location}<br /><code>${meeting}</code>`],
    ...Object.entries(booking.question_responses).map(([key, answer]): [string, string] => [
      type?.questions.find((each) => each.key === key)?.label ?? key,
      inWords(answer),
    ]),
    ['Notes', booking.notes],
    ['Reason', booking.cancellation_reason],
    ['Rescheduled from', previous === null ? null : html`${moment(previous, hostZone)}, ${hostZone}`],
    ['ID', html`<code>${booking.id}</code>`],
  ];
  return renderFacts(rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])));
}

function inWords(answer: Answer): string {
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  return Array.isArray(answer) ? answer.join(', ') : String(answer);
}

function actions({ id, status, denied, event_type_id, event_type_name, start_time }: Booking, timezone: string, moved?: Filled): Html {
  const action = (name: 'Approve' | 'Deny' | 'Cancel' | 'Reschedule', event: EventName, fields?: Html): Html =>
    html`<article class="action">
      <h3>${name} <small>sends ${eventLabel(event)}</small></h3>
      ${renderForm(`/host/bookings/${id}/${name.toLowerCase()}`, `${name} booking`, {
        ...(fields && { fields }),
        kind: name === 'Deny' || name === 'Cancel' ? 'danger' : 'main',
      })}
    </article>`;
  const withReason = (name: 'Deny' | 'Cancel', event: EventName): Html =>
    action(name, event, renderField({ ...REASON, id: name.toLowerCase() }, filledWith()));
  switch (status) {
    case 'CANCELLED':
      return html`<p>
        This ${denied === true ? 'request was denied' : 'booking is cancelled'}.
        <a href="/host/types/${event_type_id}/book">Book ${event_type_name} again</a>
      </p>`;
    case 'PENDING':
      return html`${action('Approve', 'BOOKING_APPROVED')} ${withReason('Deny', 'BOOKING_DENIED')}
      ${withReason('Cancel', 'BOOKING_CANCELLED')}`;
    case 'CONFIRMED': {
      const start = { ...START, hint: `In ${timezone}. The duration stays the same.` };
      const filled = moved ?? filledWith({ start_time: localValue(Date.parse(start_time), timezone) });
      return html`${action('Reschedule', 'BOOKING_RESCHEDULED', html`${errorSummary([start], filled)}${renderField(start, filled)}`)}
      ${withReason('Cancel', 'BOOKING_CANCELLED')}`;
    }
  }
}

const START: Field = { name: 'start_time', label: 'New start', kind: 'datetime-local', required: true };
const REASON: Field = {
  name: 'reason',
  label: 'Reason',
  kind: 'textarea',
  maxlength: 2000,
  hint: 'Shown to the invitee and sent to subscriptions.',
};
