import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { cors } from 'hono/cors';
import { csrf } from 'hono/csrf';
import { contextStorage } from 'hono/context-storage';
import { createMiddleware } from 'hono/factory';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import { brand } from '../shared/brand.ts';
import { parsed } from '../shared/values.ts';
import { textOf, unreadAnswer } from '../mcp/adapter/serving.ts';
import { UnreadableBody } from '../sdk/webhooks/body.ts';
import { shares } from './database/shares.ts';
import { askerOf, refuseFor, TooMany, type ServerEnv } from './askers.ts';
import { answerWith, askAgainIn, goOnTo, pageHeaders, startPage } from './pages.ts';
import type { ServerParts } from './parts.ts';
import { makeProtocol, metadataAddress } from './protocol.ts';
import { readClient, RefusedClient } from './signIn/clients.ts';
import { browsersOf, knownBrowser } from './signIn/cookies.ts';
import { connectionsRoutes } from './signIn/connectionsPage.ts';
import { interactionRoutes } from './signIn/interactions.ts';
import {
  authorizationOf,
  formBounds,
  offlineAccess,
  resourceOf,
  scopeNames,
  tokenRequestOf,
  toLibrary,
  type ToLibrary,
} from './signIn/requests.ts';
import type { ServerSettings } from './settings.ts';
import registered from './server.json' with { type: 'json' };

/** Longer than any registration, and than any sign-in request, which is stored completely. Bytes. */
const most = { registration: { ...formBounds, bodyBytes: 8_000 }, signIn: 8_000 } as const;

/**
 * The whole server, with every address to which it responds.
 *
 * @param isStopping whether this process is about to end, so that nothing new should be sent to it
 */
export function makeApp(parts: ServerParts, isStopping: () => boolean) {
  const { provider, rows, shared, database, log, settings } = parts;
  const { origin, proxies } = settings;
  const protocol = makeProtocol(parts);
  const library = provider.callback();
  const toProvider = async (c: Context<ServerEnv>, path: string, body?: unknown): Promise<Response> => {
    const incoming: ToLibrary = c.env.incoming;
    incoming.browsers = browsersOf(c, origin, rows.hash);
    toLibrary(incoming, origin, path, body);
    // Includes the headers of the middleware, such as CORS, which the library's own response would lose.
    for (const [name, value] of [...Object.entries(pageHeaders), ...c.res.headers]) c.env.outgoing.setHeader(name, value);
    await library(incoming, c.env.outgoing);
    if (incoming.failed !== undefined) throw incoming.failed;
    return RESPONSE_ALREADY_SENT;
  };
  const toPages = cors({ origin: '*', exposeHeaders: ['WWW-Authenticate', 'Mcp-Session-Id', 'Mcp-Protocol-Version'] });
  // Only browsers read these headers, which take a tenth of a call's time.
  const open = createMiddleware<ServerEnv>((c, next) =>
    c.req.method === 'POST' && c.req.header('origin') === undefined ? next() : toPages(c, next),
  );

  const app = new Hono<ServerEnv>({ strict: false });
  app.use(contextStorage());
  app.use(async (c, next) => {
    c.set('asker', askerOf(c, proxies, log));
    await next();
    // Clients with open connections then turn to another process.
    if (isStopping()) c.env.outgoing.shouldKeepAlive = false;
  });
  /** Limits sign-ins, which anybody can start. */
  const begins = createMiddleware<ServerEnv>(async (c, next) => {
    if (c.req.url.length > most.signIn) return answerWith(c, 'Too long', html`<p>This request is too long to be kept.</p>`, 414);
    refuseFor(await shared.take(shares.signIns, c.get('asker')), 'sign-ins');
    return next();
  });
  app.onError((error, c) => failed(error, c, parts));
  app.notFound((c) => say(c, 404, 'Nothing is here', 'not_found', `The MCP server is at ${origin}/mcp.`));

  app.get('/healthz', (c) => c.text('ok'));
  app.get('/readyz', async (c) => {
    if (isStopping()) return c.text('stopping', 503);
    await database.sql('SELECT 1 AS ready', []);
    return c.text('ready');
  });

  // Some people type the address without its path.
  for (const path of ['/mcp', '/', '/.well-known/*', '/mcp/.well-known/*']) app.use(path, open);
  const start = (c: Context, status?: 401) => answerWith(c, 'Connect an AI assistant', startPage(origin), status);
  app.get('/', (c, next) => (c.req.header('accept')?.includes('text/event-stream') === true ? next() : start(c)));
  app.get('/mcp', async (c, next) => {
    await next();
    if (c.res.status === 401 && wantsPage(c)) c.res = await start(c, 401);
  });
  for (const path of ['/mcp', '/']) app.all(path, (c) => protocol.fetch(c.req.raw, c.env));

  // Some networks keep what says nothing about it for a day.
  const fresh = { 'cache-control': 'no-store' };
  for (const path of ['', '/mcp']) {
    app.get(`/.well-known/oauth-protected-resource${path}`, (c) => c.json(resourceMetadata(origin, path), 200, fresh));
    app.get(`/.well-known/oauth-authorization-server${path}`, (c) => c.json(serverMetadata(settings), 200, fresh));
  }
  app.get('/mcp/.well-known/:name{[a-z-]+}', (c) => c.redirect(`/.well-known/${c.req.param('name')}/mcp`, 308));
  app.get('/.well-known/mcp/server-card.json', (c) => c.json(serverCard(origin)));

  // Each also at the address that clients use which do not read the metadata.
  for (const path of ['/auth', '/authorize'])
    app.get(path, begins, (c) => {
      const asked = authorizationOf(new URL(c.req.url).searchParams, origin, knownBrowser(c, origin, rows.hash));
      return toProvider(c, `/auth?${asked.toString()}`);
    });
  app.get('/auth/:uid', (c) => toProvider(c, `/auth/${encodeURIComponent(c.req.param('uid'))}`));
  for (const path of ['/token', '/token/revocation', '/revoke']) {
    const own = path === '/revoke' ? '/token/revocation' : path;
    app.options(path, (c) => toProvider(c, own));
    app.post(path, async (c) => {
      const incoming: ToLibrary = c.env.incoming;
      incoming.cameAt = rows.now();
      return toProvider(c, own, await tokenRequestOf(await textOf(incoming, formBounds), incoming.headers, parts));
    });
  }
  const register = async (c: Context<ServerEnv>): Promise<Response> => {
    const said = readClient(parsed(await textOf(c.env.incoming, most.registration)));
    if (!(await rows.has('Client', rows.hash('client', JSON.stringify(said)))))
      refuseFor(await shared.take(shares.clients, c.get('asker')), 'new assistants');
    return toProvider(c, '/reg', said);
  };
  for (const path of ['/reg', '/register']) app.use(path, open).post(path, register);

  app.get('/callback', async (c) => {
    const query = new URL(c.req.url).searchParams;
    const path = await parts.signIn.placeOf(query);
    if (path !== undefined) return goOnTo(c, `${path}?${query.toString()}`);
    const text = html`<p>This sign-in is already complete or took too long. If nothing is connected, start again where you began.</p>`;
    return answerWith(c, 'This page has expired', text, 400);
  });
  for (const path of ['/interaction/*', '/connections/*']) app.use(path, csrf({ origin }));
  for (const path of ['/interaction/:uid', '/connections']) app.post(path, begins);
  app.route('/interaction', interactionRoutes(parts));
  app.route('/connections', connectionsRoutes(parts));
  return { app, close: () => protocol.close() };
}

function failed(error: Error, c: Context<ServerEnv>, { settings, log }: ServerParts) {
  if (error instanceof HTTPException && error.status === 403) {
    const text = html`<p>This form was not sent from <code>${settings.origin}</code>. Open that address, and start again there.</p>`;
    return answerWith(c, 'Sent from another address', text, 403);
  }
  if (error instanceof RefusedClient) return c.json({ error: 'invalid_client_metadata', error_description: error.message }, 400);
  if (error instanceof UnreadableBody) return unreadAnswer(error);
  if (error instanceof HTTPException) return error.getResponse();
  const isAway = !(error instanceof TooMany);
  if (isAway) log('error', 'request failed', { error, path: c.req.routePath });
  const sentence = isAway ? 'This server cannot answer now, and nothing was changed. Try again in a minute.' : error.error_description;
  askAgainIn(c, isAway ? 10 : error.seconds);
  return say(c, isAway ? 503 : 429, isAway ? 'Not now' : 'One moment', 'temporarily_unavailable', sentence);
}

const wantsPage = (c: Context): boolean => c.req.header('accept')?.includes('text/html') === true;

/** Reports an error: to people as a page, to programs in OAuth's form. */
const say = (c: Context, status: 404 | 429 | 503, title: string, error: string, sentence = '') =>
  wantsPage(c) ? answerWith(c, title, html`<p>${sentence}</p>`, status) : c.json({ error, error_description: sentence }, status);

/** Metadata of the protected resource (RFC 9728). */
const resourceMetadata = (origin: string, path: string): object => ({
  // Clients compare it with the address that they were given.
  resource: origin + path,
  authorization_servers: [origin],
  scopes_supported: scopeNames,
  bearer_methods_supported: ['header'],
  resource_name: brand.name,
  resource_documentation: brand.docsUrl,
});

const authMethods = (clients: ServerSettings['clients']): string[] => [
  'none',
  ...(clients.some((client) => 'client_secret' in client) ? ['client_secret_basic', 'client_secret_post'] : []),
];

/** Metadata of the authorization server (RFC 8414): the library's abilities that this server uses, without OpenID. */
const serverMetadata = ({ origin, readsDocuments, clients }: ServerSettings): object => ({
  issuer: origin,
  authorization_endpoint: `${origin}/auth`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/reg`,
  revocation_endpoint: `${origin}/token/revocation`,
  scopes_supported: [...scopeNames, offlineAccess],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: authMethods(clients),
  revocation_endpoint_auth_methods_supported: authMethods(clients),
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: readsDocuments,
  protected_resources: [resourceOf(origin)],
  service_documentation: brand.docsUrl,
});

/** The server card that registries and assistants read before they connect. */
const serverCard = (origin: string): object => ({
  ...registered,
  remotes: [{ type: 'streamable-http', url: resourceOf(origin), authentication: { type: 'oauth2', metadata: metadataAddress(origin) } }],
});
