import { Hono } from 'hono';
import type { SandboxEnv, Request } from '../context.ts';
import type { SandboxParts } from '../parts.ts';
import { invalid } from '../errors.ts';
import { guard, mustHave, parseTarget } from '../guard.ts';
import { type Condition, emailMatches, listAnswer, listQuery, lookUp, resolveId } from '../lookup.ts';
import { CancelInput, ENDPOINTS } from '../openapi/endpoints.ts';
import { type Account, type Booking, instant, newSecret } from '../records.ts';
import { jsonBody } from '../requestLog.ts';
import { BookingInput, parse, SubscriptionInput, withoutNulls } from '../schemas.ts';
import type { SandboxStore } from '../store.ts';
import type { Forms } from '../variants.ts';

type EndpointHandlers = Record<string, (c: Request) => Response | Promise<Response>>;

/** Every endpoint of section 4, as `openapi/endpoints.ts` describes it, handled by the function of its name. */
export function apiRoutes(parts: SandboxParts): Hono<SandboxEnv> {
  const api = new Hono<SandboxEnv>().use('*', guard(parts)).use('/hooks/*', async (c, next) => {
    parts.limits.take('hooks', c.get('account').id, parts.clock.now());
    await next();
  });
  api.use('*', parts.idempotencyKeys.once);
  const handlers = { ...reads(parts), ...bookings(parts), ...subscriptions(parts) };
  for (const { method, path, name, scope } of ENDPOINTS)
    api.on(method, path.replace('{id}', ':id'), (c) => {
      mustHave(c, scope);
      return handlers[name]?.(c) ?? c.notFound();
    });
  return api;
}

const own = (c: Request): Condition => ['account = ?', c.get('account').id];
const idIn = (c: Request): string => c.req.param('id') ?? '';

/** The kinds that section 4 only lets clients read: the user, event types and contacts. */
function reads(parts: SandboxParts): EndpointHandlers {
  const { shown, present, forms } = parts;
  return {
    getCurrentUser: (c) => c.json(present.single('user', present.user(c.get('account')))),
    listEventTypes(c) {
      const listed: Condition[] = forms.typesListed === 'all' ? [] : [["record ->> '$.active' = ?", 1]];
      return listAnswer(parts, c, 'event_types', shown.lists().eventTypes, [own(c), ...listed], (type) => present.eventType(type));
    },
    getEventType(c) {
      const type = lookUp(forms, shown.reads().eventTypes, c.get('account'), idIn(c), 'event type');
      return c.json(present.single('event_type', present.eventType(type)));
    },
    listContacts(c) {
      const { email } = listQuery(c, forms);
      const found = email === undefined ? [] : [emailMatches(email, 'email', forms)];
      return listAnswer(parts, c, 'contacts', shown.lists().contacts, [own(c), ...found], (contact) => present.contact(contact));
    },
    getContact(c) {
      const contact = lookUp(forms, shown.reads().contacts, c.get('account'), idIn(c), 'contact');
      return c.json(present.single('contact', present.contact(contact)));
    },
  };
}

function bookings(parts: SandboxParts): EndpointHandlers {
  const { store, shown, present, scheduling, forms } = parts;
  const named = (c: Request, from: SandboxStore): Booking =>
    lookUp(forms, from.bookings, forms.bookingsSeen === 'team' ? undefined : c.get('account'), idIn(c), 'booking');

  /** The id of an event type, from one of its ids or, if the form accepts it, its slug. */
  function typeIdOf({ id: account }: Account, given: string): string {
    if (forms.typeId !== 'slug') return resolveId(forms, store.eventTypes, given);
    const where = "account = ? AND record ->> '$.slug' = ?";
    return store.eventTypes.all({ where, values: [account, given], limit: 1 })[0]?.id ?? given;
  }

  return {
    listBookings: (c) =>
      listAnswer(parts, c, 'bookings', shown.lists().bookings, filterOf(c, parts), (booking) => present.booking(booking)),
    getBooking: (c) => c.json(present.single('booking', present.booking(named(c, shown.reads())))),
    createBooking(c) {
      if (forms.trouble !== 'none') return TROUBLE[forms.trouble](c);
      const input = parse(BookingInput, withoutNulls(jsonBody(c)));
      const account = c.get('account');
      const booking = scheduling.book(account, { ...input, event_type_id: typeIdOf(account, input.event_type_id) });
      c.get('entry').committed = true;
      const record = present.booking(booking);
      const { created } = forms;
      if (created === 'location') return c.body(null, 201, { location: `${c.req.path}/${String(record['id'])}` });
      if (created === 'id') return c.json(present.single('booking', { id: record['id'] }), 201);
      return created === 'record' || created === '200'
        ? c.json(present.single('booking', record), created === '200' ? 200 : 201)
        : terse(c, created);
    },
    cancelBooking(c) {
      const { reason } = parse(CancelInput, withoutNulls(jsonBody(c, {})));
      const booking = scheduling.cancel(named(c, store), reason ?? null);
      c.get('entry').committed = true;
      return forms.cancelled === 'record' ? c.json(present.single('booking', present.booking(booking))) : terse(c, forms.cancelled);
    },
  };
}

/** The conditions for the bookings in a list. */
function filterOf(c: Request, { forms, clock }: SandboxParts): Condition[] {
  const { status, email } = listQuery(c, forms);
  const conditions: Condition[] = [];
  if (forms.bookingsSeen === 'own') conditions.push(own(c));
  if (status !== undefined) conditions.push(['status = ?', status]);
  else if (forms.unfiltered === 'confirmed') conditions.push(['status = ?', 'CONFIRMED']);
  else if (forms.unfiltered === 'upcoming') conditions.push(['starts >= ?', instant(clock.now())]);
  if (email !== undefined) conditions.push(emailMatches(email, 'invitee_email', forms));
  // The filters by start, if the form has any (G46).
  const names = forms.dateFilters === 'none' ? [] : forms.dateFilters.split('-');
  for (const [index, name] of names.entries()) {
    const given = c.req.query(name);
    if (given === undefined) continue;
    if (Number.isNaN(Date.parse(given))) throw invalid(name, 'must be an ISO 8601 date or datetime');
    conditions.push([index === 0 ? 'starts >= ?' : 'starts < ?', instant(Date.parse(given))]);
  }
  return conditions;
}

function subscriptions(parts: SandboxParts): EndpointHandlers {
  const { store, shown, present, host, forms, anywhere } = parts;
  return {
    listSubscriptions(c) {
      // All subscriptions of the account, or only those that the calling application created (G35).
      const theirs: Condition[] = forms.hooksListed === 'account' ? [] : [["record ->> '$.client_id' = ?", c.get('token').client_id]];
      return listAnswer(parts, c, 'hooks', shown.lists().subscriptions, [own(c), ...theirs], (each) => present.subscription(each));
    },
    createSubscription(c) {
      const { url, events } = parse(SubscriptionInput, jsonBody(c));
      const given = parseTarget(url, anywhere);
      const target = forms.hookAddress === 'normal' ? new URL(given).href : given;
      const account = c.get('account').id;
      const known = "account = ? AND record ->> '$.url' = ?";
      if (forms.targets === 'unique' && store.subscriptions.count(known, [account, target]) > 0)
        throw invalid('url', 'already has a subscription');
      host.mustHaveRoom(account);
      const { client_id } = c.get('token');
      const signing_secret = forms.secret === 'absent' ? null : newSecret('whsec');
      const subscription = host.subscribe({ account_id: account, client_id, url: target, events, signing_secret });
      c.get('entry').committed = true;
      return c.json(present.created(subscription), forms.created === '200' ? 200 : 201);
    },
    deleteSubscription(c) {
      store.subscriptions.delete(lookUp(forms, store.subscriptions, c.get('account'), idIn(c), 'webhook subscription').id);
      c.get('entry').committed = true;
      return forms.deleted === '200' ? c.json({ deleted: true }) : terse(c, forms.deleted);
    },
  };
}

/** A response to a write that says only that it was done. */
function terse(c: Request, form: 'empty' | '204' | '202' | '{}' | 'success'): Response {
  if (form === '{}') return c.json({});
  if (form === 'success') return c.json({ success: true });
  return c.body(null, form === 'empty' ? 200 : form === '202' ? 202 : 204);
}

/** The responses to a POST that always fails and changes nothing. */
const TROUBLE: Record<Exclude<Forms['trouble'], 'none'>, (c: Request) => Response | Promise<Response>> = {
  '500': (c) => {
    const message = "The host's calendar is disconnected. The host must connect it again.";
    return c.json({ error: 'Internal server error', code: 'CALENDAR_DISCONNECTED', message }, 500);
  },
  '503': (c) => {
    const said = { error: 'Service unavailable', code: 'MAINTENANCE', message: 'Maintenance until 14:00 UTC.' };
    return c.json(said, 503, { 'retry-after': '120' });
  },
  page: (c) => c.html('<html><body><h1>500</h1>Something went wrong.</body></html>', 500),
  'page-200': (c) => c.html('<html><body><h1>Welcome</h1>Book with us.</body></html>'),
};
