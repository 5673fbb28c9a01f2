import type { MiddlewareHandler } from 'hono';
import type { Env, Parts } from './context.ts';
import { Refusal } from './errors.ts';

/** The scopes of section 5, each in the words that the consent page shows. */
export const SCOPES = {
  'bookings:read': 'See your bookings',
  'bookings:write': 'Create and cancel bookings for you',
  'event_types:read': 'See your event types',
  'contacts:read': 'See and search your contacts',
  'webhooks:manage': 'Get notified when bookings and contacts change, and manage these subscriptions',
} as const;

export type Scope = keyof typeof SCOPES;

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}

/** Sections 5, 7 and 8, for every endpoint: a valid token, requests left, and the plan. */
export function guard({ grants, limits, clock, store }: Parts): MiddlewareHandler<Env> {
  return async (c, next) => {
    const [, bearer] = /^Bearer +([^\s]+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    const token = bearer === undefined ? undefined : grants.accessToken(bearer);
    const account = token === undefined ? undefined : store.accounts.find(token.account_id);
    if (token === undefined || account === undefined) {
      const challenge = bearer === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
      throw new Refusal('INVALID_TOKEN', 'The access token is missing, expired, revoked or unknown.', {
        headers: { 'www-authenticate': challenge },
      });
    }
    limits.take('api', account.id, clock.now());
    if (account.plan === 'FREE')
      throw new Refusal('PLAN_REQUIRED', `The API needs a Pro plan or higher; the account ${account.email} has the plan ${account.plan}.`);
    c.set('account', account);
    c.set('token', token);
    await next();
  };
}

/** The scope of one endpoint (section 4). */
export function scope(needed: Scope): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!c.get('token').scopes.includes(needed)) {
      throw new Refusal('INSUFFICIENT_SCOPE', `This endpoint needs the scope ${needed}, which the access token does not have.`, {
        headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed}"` },
      });
    }
    await next();
  };
}
