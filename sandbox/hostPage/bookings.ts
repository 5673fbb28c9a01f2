import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env, Request } from '../context.ts';
import { type Account, type Answer, type Booking, type EventName, type EventType, instant } from '../records.ts';
import { eventLabel } from '../events.ts';
import type { Html } from '../page.ts';
import { errorSummary, type Field, type Filled, filledWith, renderButton, renderField, textOf } from './fields.ts';
import { badge, type Column, liveSwitch, renderFacts, renderPage, renderTabs } from './list.ts';
import { sentFields, type Site } from './site.ts';
import { days, instantOf, localValue, moment, span } from './times.ts';
import { deliveriesOf } from './deliveries.ts';

const SHOWN = {
  upcoming: {
    label: 'Upcoming',
    where: "account = ? AND ends >= ? AND status = 'CONFIRMED'",
    order: 'oldest',
    empty: 'No upcoming bookings.',
  },
  waiting: {
    label: 'Pending',
    where: "account = ? AND ends >= ? AND status = 'PENDING'",
    order: 'oldest',
    empty: 'No requests to approve.',
  },
  past: { label: 'Past', where: "account = ? AND ends < ? AND status <> 'CANCELLED'", order: 'newest', empty: 'No past bookings.' },
  // Cancelled bookings of any time: the comparison is always true, and only uses the moment that the other views need.
  cancelled: {
    label: 'Cancelled',
    where: "account = ? AND ? <> '' AND status = 'CANCELLED'",
    order: 'newest',
    empty: 'No cancelled bookings.',
  },
} as const;

type Shown = keyof typeof SHOWN;

/** The overview of upcoming and past bookings, and what a host can do with one. */
export function bookingPages(site: Site): Hono<Env> {
  const { store, host, clock } = site.parts;
  const named = (c: Request): Booking => site.named(c, store.bookings, 'booking');
  const pathOf = ({ id }: Booking): string => `/host/bookings/${id}`;
  const act =
    (work: (booking: Booking, c: Request) => string) =>
    (c: Request): Response | Promise<Response> => {
      const booking = named(c);
      return site.act(c, { fires: true, to: () => pathOf(booking), work: () => work(booking, c) });
    };

  return new Hono<Env>()
    .get('/', (c) => {
      const account = c.get('account');
      const shown = shownIn(c);
      const values = [account.id, instant(clock.now())];
      const { label, where, order, empty } = SHOWN[shown];
      return site.show(c, {
        title: 'Bookings',
        section: 'bookings',
        lead: `Times are in ${account.name}'s time zone, ${account.timezone}.`,
        actions: html`<a class="button" href="/host/types">Book as an invitee</a>`,
        content: html`${renderTabs(c, { id: 'which-bookings', label: 'Filter bookings', path: '/host', current: shown }, SHOWN, (of) =>
          store.bookings.count(of, values),
        )}
        ${renderPage(
          c,
          store.bookings,
          { where, values, by: 'starts', order },
          { id: 'bookings', caption: `${label} bookings`, columns: columns(account, shown), empty },
        )}`,
      });
    })
    .get('/bookings/:id', (c) => showBooking(site, c, named(c)))
    .post(
      '/bookings/:id/approve',
      act(({ id }) => `${host.approve(id).invitee_name}'s booking was approved.`),
    )
    .post(
      '/bookings/:id/deny',
      act(({ id }, c) => `${host.deny(id, reasonIn(c)).invitee_name}'s request was denied.`),
    )
    .post(
      '/bookings/:id/cancel',
      act(({ id }, c) => `${host.cancel(id, reasonIn(c)).invitee_name}'s booking was cancelled.`),
    )
    .post('/bookings/:id/reschedule', (c) => {
      const booking = named(c);
      const values = sentFields(c);
      return site.act(c, {
        fires: true,
        to: () => pathOf(booking),
        work: () =>
          `${host.reschedule(booking.id, { start_time: instantOf(textOf(values, 'start_time'), c.get('account').timezone) }).invitee_name}'s booking was rescheduled.`,
        again: (errors) => showBooking(site, c, booking, { values, errors }),
      });
    });
}

function shownIn(c: Request): Shown {
  const asked = c.req.query('show') ?? '';
  return Object.hasOwn(SHOWN, asked) ? (asked as Shown) : 'upcoming';
}

function reasonIn(c: Request): { reason?: string } {
  const reason = textOf(sentFields(c), 'reason');
  return reason === '' ? {} : { reason };
}

function columns({ timezone }: Account, shown: Shown): Column<Booking>[] {
  const columns: Column<Booking>[] = [
    { label: 'When', cell: ({ start_time, end_time }) => days(start_time, end_time, timezone) },
    {
      label: 'Invitee',
      cell: ({ id, invitee_name, invitee_email }) =>
        html`<a href="/host/bookings/${id}">${invitee_name}</a><br /><small>${invitee_email}</small>`,
    },
    { label: 'Event type', cell: ({ event_type_name }) => event_type_name },
    { label: 'Status', cell: bookingBadge },
  ];
  if (shown === 'waiting')
    columns.push({
      label: 'Action',
      cell: ({ id, invitee_name }) =>
        html`<div class="actions">
          ${renderButton(`/host/bookings/${id}/approve`, 'Approve', { kind: 'plain', name: `Approve the booking of ${invitee_name}` })}
          ${renderButton(`/host/bookings/${id}/deny`, 'Deny', { kind: 'danger', name: `Deny the booking of ${invitee_name}` })}
        </div>`,
    });
  return columns;
}

const reason = (id: string): Html =>
  renderField(
    { name: 'reason', id, label: 'Reason', kind: 'textarea', maxlength: 2000, hint: 'Shown to the invitee and sent to subscriptions.' },
    filledWith(),
  );

const STATUS = {
  CONFIRMED: ['good', 'Confirmed'],
  PENDING: ['warn', 'Pending'],
  CANCELLED: ['quiet', 'Cancelled'],
  DENIED: ['quiet', 'Denied'],
} as const;

export function bookingBadge({ status, denied }: Booking): Html {
  const [kind, text] = STATUS[denied === true ? 'DENIED' : status];
  return badge(kind, text);
}

/**
 * One booking, with every action that its status allows.
 *
 * @param moved the form to reschedule it, if that form was refused
 */
export function showBooking(site: Site, c: Request, booking: Booking, moved?: Filled): Response | Promise<Response> {
  const { store } = site.parts;
  const { timezone } = c.get('account');
  const type = store.eventTypes.find(booking.event_type_id);
  return site.show(c, {
    title: `${booking.event_type_name} with ${booking.invitee_name}`,
    section: 'bookings',
    lead: html`${bookingBadge(booking)} ${span(booking.start_time, booking.end_time, timezone)}`,
    actions: liveSwitch(c),
    ...(moved && { status: 400 }),
    content: html`<div class="columns">
        <section class="card" aria-labelledby="about">
          <h2 id="about">Details</h2>
          ${facts(booking, type, timezone)}
        </section>
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
  const { invitee_timezone: zone } = booking;
  const { cancellation_reason: why, previous_start_time: previous, meeting_url: meeting } = booking;
  const rows: [string, Html | string | null][] = [
    ['Invitee', html`${booking.invitee_name}<br />${booking.invitee_email}`],
    ["Invitee's time", span(booking.start_time, booking.end_time, zone)],
    ['Location', meeting === null ? booking.location : html`${booking.location}<br /><code>${meeting}</code>`],
    ...Object.entries(booking.question_responses).map(([key, answer]): [string, string] => [
      type?.questions.find((each) => each.key === key)?.label ?? key,
      inWords(answer),
    ]),
    ['Notes', booking.notes],
    ['Reason', why],
    ['Rescheduled from', previous === null ? null : html`${moment(previous, hostZone)}, ${hostZone}`],
    ['ID', html`<code>${booking.id}</code>`],
  ];
  return renderFacts(rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])));
}

function inWords(answer: Answer): string {
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  return Array.isArray(answer) ? answer.join(', ') : String(answer);
}

function actions(booking: Booking, timezone: string, moved: Filled | undefined): Html {
  const path = `/host/bookings/${booking.id}`;
  const cancel = action(
    'Cancel',
    'BOOKING_CANCELLED',
    renderButton(`${path}/cancel`, 'Cancel booking', { kind: 'danger', fields: reason('cancel') }),
  );
  switch (booking.status) {
    case 'CANCELLED':
      return html`<p class="card">
        This ${booking.denied === true ? 'request was denied' : 'booking is cancelled'}.
        <a href="/host/types/${booking.event_type_id}/book">Book ${booking.event_type_name} again</a>
      </p>`;
    case 'PENDING':
      return html`${action('Approve', 'BOOKING_APPROVED', renderButton(`${path}/approve`, 'Approve booking'))}
      ${action('Deny', 'BOOKING_DENIED', renderButton(`${path}/deny`, 'Deny booking', { kind: 'danger', fields: reason('deny') }))}
      ${cancel}`;
    case 'CONFIRMED': {
      const start: Field = {
        name: 'start_time',
        label: 'New start',
        kind: 'datetime-local',
        required: true,
        hint: `In ${timezone}. The duration stays the same.`,
      };
      const filled = moved ?? filledWith({ start_time: localValue(Date.parse(booking.start_time), timezone) });
      const fields = html`${errorSummary([start], filled)}${renderField(start, filled)}`;
      return html`${action('Reschedule', 'BOOKING_RESCHEDULED', renderButton(`${path}/reschedule`, 'Reschedule booking', { fields }))}
      ${cancel}`;
    }
  }
}

function action(title: string, event: EventName, form: Html): Html {
  return html`<div class="card action">
    <h3>${title} <small>sends ${eventLabel(event)}</small></h3>
    ${form}
  </div>`;
}
