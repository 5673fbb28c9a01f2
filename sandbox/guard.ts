import type { MiddlewareHandler } from 'hono';
import type { SandboxBasis, SandboxEnv, Request } from './context.ts';
import { invalid, ApiRefusal } from './errors.ts';
import type { Grants } from './grants.ts';
import type { RateLimits } from './limits.ts';

/** The scopes of section 5. */
export const SCOPES = ['bookings:read', 'bookings:write', 'event_types:read', 'contacts:read', 'webhooks:manage'] as const;

export type Permission = (typeof SCOPES)[number];

export const isScope = (text: string): text is Permission => SCOPES.some((scope) => scope === text);

/** The checks for every endpoint (sections 5, 7 and 8): a valid token, the rate limit, and the plan. */
export function guard(parts: SandboxBasis & { grants: Grants; limits: RateLimits }): MiddlewareHandler<SandboxEnv> {
  const { grants, limits, clock, store } = parts;
  return async (c, next) => {
    const [, bearer] = /^Bearer +([^\s]+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    const token = bearer === undefined ? undefined : grants.accessToken(bearer);
    const account = token === undefined ? undefined : store.accounts.find(token.account_id);
    if (token === undefined || account === undefined) {
      const challenge = bearer === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
      throw new ApiRefusal('INVALID_TOKEN', 'The access token is missing, expired, revoked or unknown.', {
        headers: { 'www-authenticate': challenge },
      });
    }
    limits.take('api', account.id, clock.now());
    const { plan, email } = account;
    if (plan === 'FREE')
      throw new ApiRefusal('PLAN_REQUIRED', `The API needs a Pro plan or higher; the account ${email} has the plan ${plan}.`);
    c.set('account', account);
    c.set('token', token);
    await next();
  };
}

/** @throws {ApiRefusal} INSUFFICIENT_SCOPE unless the token has the endpoint's scope (section 4) */
export function mustHave(c: Request, needed: Permission | 'any'): void {
  if (needed === 'any' || c.get('token').scopes.includes(needed)) return;
  throw new ApiRefusal('INSUFFICIENT_SCOPE', `This endpoint needs the scope ${needed}, which the access token does not have.`, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed}"` },
  });
}

/** Whether a host name, as `URL.hostname` returns it, always means this machine. No name is looked up. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Whether a request comes from this machine and uses a loopback name. Any other name that leads here is a DNS rebinding attack. */
export function isFromHere(c: Request): boolean {
  const remote = c.env.incoming.socket.remoteAddress ?? '';
  return /^(::ffff:)?127\.|^::1$/.test(remote) && isLoopback(new URL(c.req.url).hostname);
}

/**
 * The address of a subscription for storage: unchanged, so that clients recognise their own.
 *
 * @param anywhere whether other machines are allowed
 * @throws {ApiRefusal} VALIDATION_ERROR
 */
export function parseTarget(url: string, anywhere: boolean): string {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined || !['http:', 'https:'].includes(target.protocol)) throw invalid('url', 'must be an http or https address');
  if (target.username !== '' || target.password !== '') throw invalid('url', 'must not contain a user name or password');
  if (!anywhere && !isLoopback(target.hostname)) {
    throw invalid(
      'url',
      `the sandbox delivers to this machine only (localhost, 127.0.0.1, [::1]), not to ${target.hostname}; start it with --allow-non-loopback to deliver elsewhere`,
    );
  }
  return url;
}
