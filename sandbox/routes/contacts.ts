import { Hono } from 'hono';
import type { Env, Parts } from '../context.ts';
import { scope } from '../guard.ts';
import { lookUp } from '../lookup.ts';
import { emailMatches, listQuery, page } from '../pages.ts';

/** The two contact endpoints of section 4. */
export function contactRoutes(parts: Parts): Hono<Env> {
  const { store, present, forms } = parts;
  return new Hono<Env>()
    .get('/', scope('contacts:read'), (c) => {
      const query = listQuery(c, forms);
      const account = c.get('account').id;
      const match = query.email === undefined ? undefined : emailMatches(query.email, forms.emailMatch);
      const filter =
        match === undefined
          ? { where: 'account = ?', values: [account] }
          : { where: `account = ? AND ${match.where}`, values: [account, match.value] };
      const { items, next } = page(store.contacts, 'contacts', query, filter, forms.cursors);
      return c.json(
        present.list(
          'contacts',
          items.map((contact) => present.contact(contact)),
          next,
        ),
      );
    })
    .get('/:id', scope('contacts:read'), (c) => {
      const contact = lookUp(parts, store.contacts, c.get('account'), c.req.param('id'), 'contact');
      return c.json(present.single('contact', present.contact(contact)));
    });
}
