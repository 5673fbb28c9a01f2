import { Hono } from 'hono';
import type { Env, Parts, Request } from '../context.ts';
import { guard, parseTarget, scope } from '../guard.ts';
import { emailMatches, listAnswer, listQuery, lookUp, resolveId } from '../lookup.ts';
import type { SQLInputValue } from 'node:sqlite';
import { invalid, tooManySubscriptions } from '../errors.ts';
import type { Forms } from '../variants.ts';
import { jsonBody } from '../requestLog.ts';
import { type Account, ACTIVE_SUBSCRIPTIONS, type Booking, instant, newId, newSecret } from '../records.ts';
import { BookingInput, CancelInput, parse, SubscriptionInput, withoutNulls } from '../schemas.ts';
import type { Store } from '../store.ts';

/** Every endpoint of section 4. */
export function apiRoutes(parts: Parts): Hono<Env> {
  return new Hono<Env>()
    .use('*', guard(parts))
    .route('/', recordRoutes(parts))
    .route('/bookings', bookingRoutes(parts))
    .route('/hooks', hookRoutes(parts));
}

/** What section 4 only lets clients read: the user, event types and contacts. */
function recordRoutes(parts: Parts): Hono<Env> {
  const { shown, present, forms } = parts;
  return (
    new Hono<Env>()
      // Any valid scope.
      .get('/me', (c) => c.json(present.single('user', present.user(c.get('account')))))
      // Inactive event types are listed too; their record says that they are inactive.
      .get('/event-types', scope('event_types:read'), (c) => {
        const where = forms.typesListed === 'all' ? 'account = ?' : "account = ? AND record ->> '$.active' = 1";
        const filter = { where, values: [c.get('account').id] };
        return listAnswer(parts, c, 'event_types', shown.lists().eventTypes, filter, (type) => present.eventType(type));
      })
      .get('/event-types/:id', scope('event_types:read'), (c) => {
        const eventType = lookUp(parts, shown.reads().eventTypes, c.get('account'), c.req.param('id'), 'event type');
        return c.json(present.single('event_type', present.eventType(eventType)));
      })
      .get('/contacts', scope('contacts:read'), (c) => {
        const { email } = listQuery(c, forms);
        const account = c.get('account').id;
        const match = email === undefined ? undefined : emailMatches(email, 'email', forms);
        const filter = {
          where: `account = ? AND ${match?.where ?? '1'}`,
          values: match === undefined ? [account] : [account, match.value],
        };
        return listAnswer(parts, c, 'contacts', shown.lists().contacts, filter, (contact) => present.contact(contact));
      })
      .get('/contacts/:id', scope('contacts:read'), (c) => {
        const contact = lookUp(parts, shown.reads().contacts, c.get('account'), c.req.param('id'), 'contact');
        return c.json(present.single('contact', present.contact(contact)));
      })
  );
}

/** The four booking endpoints of section 4. */
function bookingRoutes(parts: Parts): Hono<Env> {
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

/** The three subscription endpoints of section 4, with both limits of section 8. */
function hookRoutes(parts: Parts): Hono<Env> {
  const { store, shown, present, clock, forms, limits, maxSubscriptions, anywhere } = parts;
  /** G35: all subscriptions of the account, or only those that the calling application created. */
  const shownTo = (account: string, client: string) =>
    forms.hooksListed === 'account'
      ? { where: 'account = ?', values: [account] }
      : { where: "account = ? AND record ->> '$.client_id' = ?", values: [account, client] };
  return new Hono<Env>()
    .use('*', async (c, next) => {
      limits.take('hooks', c.get('account').id, clock.now());
      await next();
    })
    .get('/', scope('webhooks:manage'), (c) =>
      listAnswer(parts, c, 'hooks', shown.lists().subscriptions, shownTo(c.get('account').id, c.get('token').client_id), (subscription) =>
        present.subscription(subscription),
      ),
    )
    .post('/', scope('webhooks:manage'), (c) => {
      const { url, events } = parse(SubscriptionInput, jsonBody(c));
      const given = parseTarget(url, anywhere);
      const target = forms.hookAddress === 'normal' ? new URL(given).href : given;
      const account = c.get('account').id;
      if (
        forms.targets === 'unique' &&
        store.subscriptions.all({ where: 'account = ?', values: [account] }).some((each) => each.url === target)
      )
        throw invalid('url', 'already has a subscription');
      if (store.subscriptions.count(ACTIVE_SUBSCRIPTIONS, [account]) >= maxSubscriptions) throw tooManySubscriptions(maxSubscriptions);
      const subscription = store.subscriptions.insert({
        id: newId('sub'),
        account_id: account,
        client_id: c.get('token').client_id,
        url: target,
        events,
        active: true,
        signing_secret: forms.secret === 'absent' ? null : newSecret('whsec'),
        created_at: instant(clock.now()),
      });
      c.get('entry').committed = true;
      return c.json(present.created(subscription), forms.created === '200' ? 200 : 201);
    })
    .delete('/:id', scope('webhooks:manage'), (c) => {
      const { id } = lookUp(parts, store.subscriptions, c.get('account'), c.req.param('id'), 'webhook subscription');
      store.subscriptions.delete(id);
      c.get('entry').committed = true;
      return forms.deleted === '200' ? c.json({ deleted: true }) : terse(c, forms.deleted);
    });
}

/** An answer that says of a write only that it was carried out. */
function terse(c: Request, form: 'empty' | '204' | '202' | '{}' | 'success'): Response {
  switch (form) {
    case '{}':
      return c.json({});
    case 'success':
      return c.json({ success: true });
    case 'empty':
      return c.body(null, 200);
    case '202':
      return c.body(null, 202);
    case '204':
      return c.body(null, 204);
  }
}

/** The answer to a POST that always fails; nothing was done. */
function trouble(c: Request, form: Exclude<Forms['trouble'], 'none'>): Response | Promise<Response> {
  switch (form) {
    case '500':
      return c.json(
        {
          error: 'Internal server error',
          code: 'CALENDAR_DISCONNECTED',
          message: "The host's calendar is disconnected. The host must connect it again.",
        },
        500,
      );
    case '503':
      return c.json({ error: 'Service unavailable', code: 'MAINTENANCE', message: 'Maintenance until 14:00 UTC.' }, 503, {
        'retry-after': '120',
      });
    case 'page':
      return c.html('<html><body><h1>500</h1>Something went wrong.</body></html>', 500);
    case 'page-200':
      return c.html('<html><body><h1>Welcome</h1>Book with us.</body></html>');
  }
}
