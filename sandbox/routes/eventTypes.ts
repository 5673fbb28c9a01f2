import { Hono } from 'hono';
import type { Env, Parts } from '../context.ts';
import { scope } from '../guard.ts';
import { lookUp } from '../lookup.ts';
import { listQuery, page } from '../pages.ts';

/** The two event type endpoints of section 4. Inactive event types are listed too; their record says that they are inactive. */
export function eventTypeRoutes(parts: Parts): Hono<Env> {
  const { store, present, forms } = parts;
  return new Hono<Env>()
    .get('/', scope('event_types:read'), (c) => {
      const { items, next } = page(
        store.eventTypes,
        'event_types',
        listQuery(c, forms),
        { where: 'account = ?', values: [c.get('account').id] },
        forms.cursors,
      );
      return c.json(
        present.list(
          'event_types',
          items.map((eventType) => present.eventType(eventType)),
          next,
        ),
      );
    })
    .get('/:id', scope('event_types:read'), (c) => {
      const eventType = lookUp(parts, store.eventTypes, c.get('account'), c.req.param('id'), 'event type');
      return c.json(present.single('event_type', present.eventType(eventType)));
    });
}
