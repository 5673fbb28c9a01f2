import { Hono } from 'hono';
import type { Env, Parts } from '../context.ts';
import { invalid, tooManySubscriptions } from '../errors.ts';
import { scope } from '../guard.ts';
import { storedAddress, terse } from '../habits.ts';
import { newId, newSecret } from '../ids.ts';
import { jsonBody } from '../intake.ts';
import { lookUp } from '../lookup.ts';
import { parseTarget } from '../loopback.ts';
import { listAnswer } from '../pages.ts';
import { ACTIVE_SUBSCRIPTIONS, instant } from '../records.ts';
import { parse, SubscriptionInput } from '../schemas.ts';

/** The three subscription endpoints of section 4, with both limits of section 8. */
export function hookRoutes(parts: Parts): Hono<Env> {
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
      const target = storedAddress(parseTarget(url, anywhere), forms);
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
