import { Hono } from 'hono';
import type { Env, Parts } from '../context.ts';
import { scope } from '../guard.ts';
import { lookUp } from '../lookup.ts';
import { listAnswer } from '../pages.ts';

/** The two event type endpoints of section 4. Inactive event types are listed too; their record says that they are inactive. */
export function eventTypeRoutes(parts: Parts): Hono<Env> {
  const { shown, present, forms } = parts;
  return new Hono<Env>()
    .get('/', scope('event_types:read'), (c) => {
      const where = forms.typesListed === 'all' ? 'account = ?' : "account = ? AND record ->> '$.active' = 1";
      return listAnswer(
        parts,
        c,
        'event_types',
        ({ eventTypes }) => eventTypes,
        { where, values: [c.get('account').id] },
        (type) => present.eventType(type),
      );
    })
    .get('/:id', scope('event_types:read'), (c) => {
      const eventType = lookUp(parts, shown.reads().eventTypes, c.get('account'), c.req.param('id'), 'event type');
      return c.json(present.single('event_type', present.eventType(eventType)));
    });
}
