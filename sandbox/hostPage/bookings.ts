import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env, Request } from '../context.ts';
import { lookUp } from '../lookup.ts';
import { instant, type Account, type Booking } from '../records.ts';
import { bookingBadge, showBooking } from './booking.ts';
import { textOf } from './fields.ts';
import { pageNumber, pageOf, renderPager, renderTable, renderTabs, type Column } from './list.ts';
import { sentFields, type Site } from './site.ts';
import { days, instantOf } from './times.ts';

const SHOWN = {
  upcoming: { label: 'Upcoming', where: "ends >= ? AND status = 'CONFIRMED'", order: 'oldest', empty: 'No upcoming bookings.' },
  waiting: { label: 'Pending', where: "ends >= ? AND status = 'PENDING'", order: 'oldest', empty: 'No requests to approve.' },
  past: { label: 'Past', where: "ends < ? AND status <> 'CANCELLED'", order: 'newest', empty: 'No past bookings.' },
  // Cancelled bookings of any time: the comparison is always true, and only uses the moment that the other views need.
  cancelled: { label: 'Cancelled', where: "? <> '' AND status = 'CANCELLED'", order: 'newest', empty: 'No cancelled bookings.' },
} as const;

type Shown = keyof typeof SHOWN;

/** The overview of upcoming and past bookings, and what a host can do with one. */
export function bookingPages(site: Site): Hono<Env> {
  const { parts } = site;
  const { store, host, clock } = parts;
  const named = (c: Request): Booking => lookUp(parts, store.bookings, c.get('account'), c.req.param('id') ?? '', 'booking');
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
      const now = instant(clock.now());
      const { where, order, empty } = SHOWN[shown];
      const page = pageNumber(c);
      const { records, pages } = pageOf(store.bookings, page, {
        where: `account = ? AND ${where}`,
        values: [account.id, now],
        by: 'starts',
        order,
      });
      return site.show(c, {
        title: 'Bookings',
        section: 'bookings',
        lead: `Times are in ${account.name}'s time zone, ${account.timezone}.`,
        actions: html`<a class="button" href="/host/types">Book as an invitee</a>`,
        content: html`${renderTabs(
          c,
          { id: 'which-bookings', label: 'Filter bookings', current: shown },
          (Object.keys(SHOWN) as Shown[]).map((name) => ({
            name,
            label: SHOWN[name].label,
            path: `/host?show=${name}`,
            count: store.bookings.count(`account = ? AND ${SHOWN[name].where}`, [account.id, now]),
          })),
        )}
        ${renderTable('bookings', `${SHOWN[shown].label} bookings`, columns(site, c, account, shown), records, empty)}
        ${renderPager(c, page, pages)}`,
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

function columns(site: Site, c: Request, { timezone }: Account, shown: Shown): Column<Booking>[] {
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
          ${site.button(c, `/host/bookings/${id}/approve`, 'Approve', { kind: 'plain', name: `Approve the booking of ${invitee_name}` })}
          ${site.button(c, `/host/bookings/${id}/deny`, 'Deny', { kind: 'danger', name: `Deny the booking of ${invitee_name}` })}
        </div>`,
    });
  return columns;
}
