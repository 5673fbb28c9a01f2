import { Hono } from 'hono';
import type { Env, Parts } from '../context.ts';
import { scope } from '../guard.ts';
import { lookUp } from '../lookup.ts';
import { emailMatches, listAnswer, listQuery } from '../pages.ts';

/** The two contact endpoints of section 4. */
export function contactRoutes(parts: Parts): Hono<Env> {
  const { shown, present, forms } = parts;
  return new Hono<Env>()
    .get('/', scope('contacts:read'), (c) => {
      const { email } = listQuery(c, forms);
      const account = c.get('account').id;
      const match = email === undefined ? { where: '1' } : emailMatches(email, 'email', forms);
      const filter = { where: `account = ? AND ${match.where}`, values: [account, ...('value' in match ? [match.value] : [])] };
      return listAnswer(
        parts,
        c,
        'contacts',
        ({ contacts }) => contacts,
        filter,
        (contact) => present.contact(contact),
      );
    })
    .get('/:id', scope('contacts:read'), (c) => {
      const contact = lookUp(parts, shown.reads().contacts, c.get('account'), c.req.param('id'), 'contact');
      return c.json(present.single('contact', present.contact(contact)));
    });
}
