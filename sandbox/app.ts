import { Hono } from 'hono';
import { ConsentProblem, consentProblemPage, consentRoutes } from './consent.ts';
import type { Env, Parts } from './context.ts';
import { errorResponse, Refusal } from './errors.ts';
import { OAuthError } from './grants.ts';
import { dateHeader } from './habits.ts';
import { hostPageRoutes } from './hostPage/routes.ts';
import { intake } from './intake.ts';
import { oauthErrorResponse, oauthRoutes } from './oauth.ts';
import { openApiDocument } from './openapi/document.ts';
import { apiRoutes } from './routes/api.ts';
import { hostApiRoutes } from './routes/host.ts';

/** Every path of the service: section 4 of the public document, and the host interface. */
export function createApp(parts: Parts): Hono<Env> {
  const { forms, log, faults, clock } = parts;

  return new Hono<Env>()
    .use('*', async (c, next) => {
      await next();
      // Already set if a fault has taken over the answer.
      if (c.res.headers.get('x-hono-already-sent') !== null) return;
      c.get('entry').status = c.res.status;
      // The service's own time: a client compares the service's dates with this header and not with its own clock.
      c.res.headers.set('date', dateHeader(clock.now(), forms));
    })
    .use('*', intake(parts))
    .use('*', faults.middleware)
    .route('/api/v1', apiRoutes(parts))
    .route('/api/oauth', oauthRoutes(parts))
    .route('/oauth', consentRoutes(parts))
    .route('/host/api', hostApiRoutes(parts))
    .route('/host', hostPageRoutes(parts))
    .get('/openapi.json', (c) => c.json(openApiDocument(`${new URL(c.req.url).origin}/api/v1`)))
    .get('/', (c) => c.redirect('/host'))
    .notFound((c) => errorResponse(new Refusal('NOT_FOUND', `There is no ${c.req.method} ${c.req.path}.`), forms))
    .onError((error, c) => {
      if (error instanceof Refusal) return errorResponse(error, forms);
      if (error instanceof OAuthError) return oauthErrorResponse(error);
      if (error instanceof ConsentProblem) return consentProblemPage(c, error);
      log(`${c.req.method} ${c.req.path} failed: ${error.stack ?? error.message}`);
      return errorResponse(new Refusal('INTERNAL_ERROR', 'The sandbox had an internal error. Its log shows the details.'), forms);
    });
}
