import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { SandboxClock } from './clock.ts';
import type { SandboxEnv } from './context.ts';
import type { Forms } from './variants.ts';

const KEPT_MS = 24 * 3_600_000;

interface KnownKey {
  fingerprint: string;
  at: number;
  /** Absent until the first request is finished. */
  answer?: Response;
}

const refused = (status: 409 | 422, code: string, error: string): Response => Response.json({ error, code }, { status });

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>;

/** A write that is repeated with its `Idempotency-Key` is not done again (G48). Keys are kept in memory only. */
export function createIdempotencyKeys(clock: SandboxClock, forms: Forms) {
  const known = new Map<string, KnownKey>();
  const keyOf = (method: string, key: string | undefined): string | undefined =>
    forms.idempotencyKey === 'ignored' || method === 'GET' ? undefined : key;
  /** How many requests with a key have arrived but are not finished. */
  const underWay = new Map<string, number>();

  /** Runs before the faults, so that a request that they delay counts as unfinished. */
  const arrival: MiddlewareHandler<SandboxEnv> = async (c, next) => {
    const key = keyOf(c.req.method, c.req.header('idempotency-key'));
    if (key === undefined) return next();
    underWay.set(key, (underWay.get(key) ?? 0) + 1);
    try {
      await next();
    } finally {
      underWay.set(key, (underWay.get(key) ?? 1) - 1);
    }
  };

  /** Runs after the token and rate limit checks, so that their refusals are not remembered. */
  const once: MiddlewareHandler<SandboxEnv> = async (c, next) => {
    const sent = keyOf(c.req.method, c.req.header('idempotency-key'));
    if (sent === undefined) return next();
    const key = `${c.get('account').id} ${sent}`;
    const fingerprint = createHash('sha256').update(`${c.req.method} ${c.req.url} `).update(c.get('body')).digest('hex');
    for (const [each, { at }] of known) if (clock.now() - at > KEPT_MS) known.delete(each);
    const first = known.get(key);
    if (first !== undefined && first.fingerprint !== fingerprint)
      return refused(422, 'IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request');
    if (first?.answer !== undefined) {
      const again = first.answer.clone();
      again.headers.set('idempotent-replayed', 'true');
      c.res = again;
      return undefined;
    }
    if ((underWay.get(sent) ?? 0) > 1) return refused(409, 'IDEMPOTENCY_KEY_IN_USE', 'A request with this Idempotency-Key is in progress');
    known.set(key, { fingerprint, at: clock.now() });
    await next();
    const isKept = c.res.status < 500 ? c.res.status !== 403 : forms.idempotencyKey === 'all';
    if (isKept) known.set(key, { fingerprint, at: clock.now(), answer: c.res.clone() });
    else known.delete(key);
    return undefined;
  };

  return { arrival, once, clear: () => known.clear() };
}
