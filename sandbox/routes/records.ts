import { Hono } from 'hono';
import type { Env, Parts } from '../context.ts';
import { scope } from '../guard.ts';
import { lookUp } from '../lookup.ts';
import { emailMatches, listAnswer, listQuery } from '../pages.ts';

/** What section 4 only lets clients read: the user, event types and contacts. */
export function recordRoutes(parts: Parts): Hono<Env> {
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
