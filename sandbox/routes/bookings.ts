import { Hono } from 'hono';
import type { SQLInputValue } from 'node:sqlite';
import type { Env, Parts, Request } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Forms } from '../forms.ts';
import { scope } from '../guard.ts';
import { terse, trouble } from '../habits.ts';
import { jsonBody } from '../intake.ts';
import { lookUp, resolveId } from '../lookup.ts';
import { emailMatches, listAnswer, listQuery } from '../pages.ts';
import { instant, type Account, type Booking } from '../records.ts';
import { BookingInput, CancelInput, parse, withoutNulls } from '../schemas.ts';
import type { Store } from '../store.ts';

/** The four booking endpoints of section 4. */
export function bookingRoutes(parts: Parts): Hono<Env> {
  const { store, shown, present, scheduling, forms } = parts;
  const named = (c: Request, from: Store): Booking =>
    lookUp(parts, from.bookings, forms.bookingsSeen === 'team' ? undefined : c.get('account'), c.req.param('id') ?? '', 'booking');

  return new Hono<Env>()
    .get('/', scope('bookings:read'), (c) =>
      listAnswer(parts, c, 'bookings', shown.lists().bookings, filterOf(c, parts), (booking) => present.booking(booking)),
    )
    .get('/:id', scope('bookings:read'), (c) => c.json(present.single('booking', present.booking(named(c, shown.reads())))))
    .post('/', scope('bookings:write'), (c) => {
      if (forms.trouble !== 'none') return trouble(c, forms.trouble);
      const input = parse(BookingInput, withoutNulls(jsonBody(c)));
      const account = c.get('account');
      const booking = scheduling.book(account, { ...input, event_type_id: typeIdOf(account, input.event_type_id) });
      c.get('entry').committed = true;
      const record = present.booking(booking);
      switch (forms.created) {
        case 'record':
          return c.json(present.single('booking', record), 201);
        case '200':
          return c.json(present.single('booking', record), 200);
        case 'id':
          return c.json(present.single('booking', { id: record['id'] }), 201);
        case 'location':
          return c.body(null, 201, { location: `${new URL(c.req.url).pathname}/${String(record['id'])}` });
        default:
          return terse(c, forms.created);
      }
    })
    .post('/:id/cancel', scope('bookings:write'), (c) => {
      const { reason } = parse(CancelInput, withoutNulls(jsonBody(c, {})));
      const booking = scheduling.cancel(named(c, store), reason ?? null);
      c.get('entry').committed = true;
      return forms.cancelled === 'record' ? c.json(present.single('booking', present.booking(booking))) : terse(c, forms.cancelled);
    });

  /** The id of an event type by one of its ids, or by its slug where that is accepted. */
  function typeIdOf({ id: account }: Account, given: string): string {
    if (forms.typeId !== 'slug') return resolveId(parts, store.eventTypes, given);
    const where = "account = ? AND record ->> '$.slug' = ?";
    return store.eventTypes.all({ where, values: [account, given], limit: 1 })[0]?.id ?? given;
  }
}

/** Which bookings a list holds. */
function filterOf(c: Request, { forms, clock }: Parts): { where: string; values: SQLInputValue[] } {
  const { status, email } = listQuery(c, forms);
  const conditions: [where: string, value: SQLInputValue][] = [];
  const add = (where: string, value: SQLInputValue): void => void conditions.push([where, value]);
  if (forms.bookingsSeen === 'own') add('account = ?', c.get('account').id);
  if (status !== undefined) add('status = ?', status);
  else if (forms.unfiltered === 'confirmed') add('status = ?', 'CONFIRMED');
  else if (forms.unfiltered === 'upcoming') add('starts >= ?', instant(clock.now()));
  if (email !== undefined) {
    const { where, value } = emailMatches(email, 'invitee_email', forms);
    add(where, value);
  }
  for (const [name, where] of dateFilters(forms)) {
    const given = c.req.query(name);
    if (given === undefined) continue;
    if (Number.isNaN(Date.parse(given))) throw invalid(name, 'must be an ISO 8601 date or datetime');
    add(where, instant(Date.parse(given)));
  }
  return { where: conditions.map(([where]) => where).join(' AND ') || '1', values: conditions.map(([, value]) => value) };
}

/** The filters by start, if there are any (G46). */
function dateFilters({ dateFilters: names }: Forms): [name: string, where: string][] {
  if (names === 'none') return [];
  const [first = '', second = ''] = names.split('-');
  return [
    [first, 'starts >= ?'],
    [second, 'starts < ?'],
  ];
}
