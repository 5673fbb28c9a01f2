import { html } from 'hono/html';
import type { Request } from '../context.ts';
import { eventLabel } from '../events.ts';
import type { Html } from '../page.ts';
import type { Answer, Booking, EventName, EventType } from '../records.ts';
import { errorSummary, renderField, type Field, type Filled } from './fields.ts';
import { deliveriesOf } from './deliveryTable.ts';
import { badge, liveSwitch, renderFacts } from './list.ts';
import type { Site } from './site.ts';
import { localValue, moment, span } from './times.ts';

const NOT_FILLED: Filled = { values: new URLSearchParams(), errors: [] };
const reason = (id: string): Html =>
  renderField(
    { name: 'reason', id, label: 'Reason', kind: 'textarea', maxlength: 2000, hint: 'Shown to the invitee and sent to subscriptions.' },
    NOT_FILLED,
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
    ...(moved === undefined ? {} : { status: 400 }),
    content: html`<div class="columns">
        <section class="card" aria-labelledby="about">
          <h2 id="about">Details</h2>
          ${facts(booking, type, timezone)}
        </section>
        <section aria-labelledby="do">
          <h2 id="do">Actions</h2>
          ${actions(site, c, booking, moved)}
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
  const rows: [string, Html | string][] = [
    ['Invitee', html`${booking.invitee_name}<br />${booking.invitee_email}`],
    ["Invitee's time", html`${span(booking.start_time, booking.end_time, zone)}`],
    ['Location', booking.meeting_url === null ? booking.location : html`${booking.location}<br /><code>${booking.meeting_url}</code>`],
    ...Object.entries(booking.question_responses).map(([key, answer]): [string, string] => [
      type?.questions.find((each) => each.key === key)?.label ?? key,
      inWords(answer),
    ]),
    ...(booking.notes === null ? [] : [['Notes', booking.notes] as [string, string]]),
    ...(booking.cancellation_reason === null ? [] : [['Reason', booking.cancellation_reason] as [string, string]]),
    ...(booking.previous_start_time === null
      ? []
      : [['Rescheduled from', html`${moment(booking.previous_start_time, hostZone)}, ${hostZone}`] as [string, Html]]),
    ['ID', html`<code>${booking.id}</code>`],
  ];
  return renderFacts(rows);
}

function inWords(answer: Answer): string {
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  return Array.isArray(answer) ? answer.join(', ') : String(answer);
}

function actions(site: Site, c: Request, booking: Booking, moved: Filled | undefined): Html {
  const path = `/host/bookings/${booking.id}`;
  const { timezone } = c.get('account');
  const cancel = action(
    'Cancel',
    'BOOKING_CANCELLED',
    site.button(c, `${path}/cancel`, 'Cancel booking', { kind: 'danger', fields: reason('cancel') }),
  );
  switch (booking.status) {
    case 'CANCELLED':
      return html`<p class="card">
        This ${booking.denied === true ? 'request was denied' : 'booking is cancelled'}.
        <a href="/host/types/${booking.event_type_id}/book">Book ${booking.event_type_name} again</a>
      </p>`;
    case 'PENDING':
      return html`${action('Approve', 'BOOKING_APPROVED', site.button(c, `${path}/approve`, 'Approve booking'))}
      ${action('Deny', 'BOOKING_DENIED', site.button(c, `${path}/deny`, 'Deny booking', { kind: 'danger', fields: reason('deny') }))}
      ${cancel}`;
    case 'CONFIRMED': {
      const start: Field = {
        name: 'start_time',
        label: 'New start',
        kind: 'datetime-local',
        required: true,
        hint: `In ${timezone}. The duration stays the same.`,
      };
      const filled = moved ?? {
        values: new URLSearchParams({ start_time: localValue(Date.parse(booking.start_time), timezone) }),
        errors: [],
      };
      const fields = html`${errorSummary([start], filled)}${renderField(start, filled)}`;
      return html`${action('Reschedule', 'BOOKING_RESCHEDULED', site.button(c, `${path}/reschedule`, 'Reschedule booking', { fields }))}
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
