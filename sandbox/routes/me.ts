import { Hono } from 'hono';
import type { Env, Parts } from '../context.ts';

/** GET /v1/me: any valid scope (section 4). */
export function meRoutes({ present }: Parts): Hono<Env> {
  return new Hono<Env>().get('/', (c) => c.json(present.single('user', present.user(c.get('account')))));
}
