import { Hono, type MiddlewareHandler } from 'hono';
import * as z from 'zod/v4';
import type { Env, Parts } from '../context.ts';
import { Refusal } from '../errors.ts';
import { FAULTS, type Fault, type FaultKind } from '../faultKinds.ts';
import type { HostBooking } from '../host.ts';
import { jsonBody } from '../intake.ts';
import { isFromHere } from '../loopback.ts';
import { parse } from '../schemas.ts';

/** A page of another site cannot send this header without a preflight request, and the sandbox refuses that. */
export const HOST_HEADER = 'x-sandbox-host';

const Redirect = z.strictObject({ uri: z.string() });
const Forward = z.strictObject({ ms: z.int().min(0) });
const FaultInput: z.ZodType<Fault> = z.strictObject({
  route: z.string(),
  kind: z.enum(Object.keys(FAULTS) as [FaultKind, ...FaultKind[]]),
  times: z.union([z.int().min(1), z.literal('always')]).optional(),
  after: z.int().min(0).optional(),
  status: z.int().min(200).max(599).optional(),
  delayMs: z.int().min(0).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown(),
  commits: z.boolean().optional(),
});

/**
 * The host interface over HTTP, under /host/api: what scripts and other programs on this machine ask of a running sandbox. It shares no
 * path with the public API, and answers only this machine and its own pages.
 */
export function hostApiRoutes({ host, faults, clock, deliveries }: Parts): Hono<Env> {
  return (
    new Hono<Env>()
      .use('*', ownPagesOnly)
      .get('/client', (c) => c.json(host.client))
      .post('/client/redirects', (c) => c.json(host.allowRedirect(parse(Redirect, jsonBody(c)).uri), 201))
      .post('/bookings', (c) => c.json(host.book(jsonBody(c, {}) as HostBooking), 201))
      .post('/subscriptions', (c) =>
        c.json(host.addSecretlessSubscription(jsonBody(c) as Parameters<typeof host.addSecretlessSubscription>[0]), 201),
      )
      .post('/subscriptions/:id/pause', (c) => c.json(host.setActive(c.req.param('id'), false)))
      .post('/subscriptions/:id/resume', (c) => c.json(host.setActive(c.req.param('id'), true)))
      .get('/faults', (c) => c.json({ kinds: FAULTS, waiting: faults.waiting() }))
      .post('/faults', (c) => {
        faults.add(parse(FaultInput, jsonBody(c)));
        return c.body(null, 204);
      })
      .delete('/faults', (c) => {
        faults.clear();
        return c.body(null, 204);
      })
      .post('/clock/forward', async (c) => {
        await deliveries.forward(parse(Forward, jsonBody(c)).ms);
        return c.json({ now: new Date(clock.now()).toISOString() });
      })
      // The host pages begin with the same path, and would answer with a web page.
      .all('*', (c) => {
        throw new Refusal('NOT_FOUND', `There is no ${c.req.method} ${c.req.path}.`);
      })
  );
}

/** Accepts only requests that come from this machine, have the interface's header, and were not sent by a page of another origin. */
const ownPagesOnly: MiddlewareHandler<Env> = async (c, next) => {
  const fromOrigin = c.req.header('origin');
  const foreign = !isFromHere(c) || (fromOrigin !== undefined && fromOrigin !== new URL(c.req.url).origin);
  if (foreign || c.req.header(HOST_HEADER) === undefined) {
    throw new Refusal(
      'INSUFFICIENT_SCOPE',
      `The host interface only answers requests from this machine that have the header ${HOST_HEADER} and do not come from another site.`,
    );
  }
  await next();
};
