import { Hono } from 'hono';
import type { SQLInputValue } from 'node:sqlite';
import type { Env, Parts, Request } from '../context.ts';
import { scope } from '../guard.ts';
import { jsonBody } from '../intake.ts';
import { lookUp, resolveId } from '../lookup.ts';
import { emailMatches, listQuery, page } from '../pages.ts';
import type { Booking } from '../records.ts';
import { BookingInput, CancelInput, parse } from '../schemas.ts';

/** The four booking endpoints of section 4. */
export function bookingRoutes(parts: Parts): Hono<Env> {
  const { store, present, scheduling, forms } = parts;
  const named = (c: Request): Booking => lookUp(parts, store.bookings, c.get('account'), c.req.param('id') ?? '', 'booking');

  return new Hono<Env>()
    .get('/', scope('bookings:read'), (c) => {
      const query = listQuery(c, forms);
      const conditions = ['account = ?'];
      const values: SQLInputValue[] = [c.get('account').id];
      if (query.status !== undefined) {
        conditions.push('status = ?');
        values.push(query.status);
      }
      if (query.email !== undefined) {
        const { where, value } = emailMatches(query.email, forms.emailMatch);
        conditions.push(where);
        values.push(value);
      }
      const { items, next } = page(store.bookings, 'bookings', query, { where: conditions.join(' AND '), values }, forms.cursors);
      return c.json(
        present.list(
          'bookings',
          items.map((booking) => present.booking(booking)),
          next,
        ),
      );
    })
    .get('/:id', scope('bookings:read'), (c) => c.json(present.single('booking', present.booking(named(c)))))
    .post('/', scope('bookings:write'), (c) => {
      const input = parse(BookingInput, jsonBody(c));
      const booking = scheduling.book(c.get('account'), {
        ...input,
        event_type_id: resolveId(parts, store.eventTypes, input.event_type_id),
      });
      c.get('entry').committed = true;
      return c.json(present.single('booking', present.booking(booking)), 201);
    })
    .post('/:id/cancel', scope('bookings:write'), (c) => {
      const { reason } = parse(CancelInput, jsonBody(c, {}));
      const booking = scheduling.cancel(named(c), reason ?? null);
      c.get('entry').committed = true;
      if (forms.cancelled === '204') return c.body(null, 204);
      if (forms.cancelled === 'empty') return c.body(null, 200);
      return c.json(present.single('booking', present.booking(booking)));
    });
}
