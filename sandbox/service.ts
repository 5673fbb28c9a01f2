import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { dateHeader, realClock, serviceClock, type SandboxClock } from './clock.ts';
import { ConsentProblem, consentProblemPage, consentRoutes } from './consent.ts';
import type { SandboxEnv } from './context.ts';
import type { SandboxParts } from './parts.ts';
import { createDeliveries } from './deliveries.ts';
import { errorResponse, ApiRefusal } from './errors.ts';
import { createFaults } from './faults.ts';
import { chooseForms, type Forms } from './variants.ts';
import { createGrants, OAuthError } from './grants.ts';
import { SCOPES } from './guard.ts';
import { createHost, hostApiRoutes } from './hostActions.ts';
import { hostSections } from './hostPage/sections.ts';
import { hostPageRoutes, type MorePages } from './hostPage/site.ts';
import { createIdempotencyKeys } from './idempotencyKeys.ts';
import { createRateLimits, DEFAULT_LIMITS, type Limits } from './limits.ts';
import { oauthErrorResponse, oauthRoutes } from './oauth.ts';
import { openApiDocument } from './openapi/document.ts';
import { ownFile } from './ownFile.ts';
import type { Account, RegisteredClient } from './records.ts';
import { whatIsShown } from './replica.ts';
import { createRequestLog, readRequest } from './requestLog.ts';
import { apiRoutes } from './routes/api.ts';
import { createScheduling } from './scheduling.ts';
import { addAccount, newClient, seed } from './seed.ts';
import { createPresenter } from './services.ts';
import { openStore, type SandboxStore } from './store.ts';

export { realClock, virtualClock, type SandboxClock } from './clock.ts';
export { FAULTS, type Fault, type FaultKind } from './faultKinds.ts';
export { FORMS, FORM_NAMES, HABITS, parseForm, SERVICES, type FormName, type Forms, type HabitName } from './variants.ts';
export type { RequestEntry } from './context.ts';
export type { Limits } from './limits.ts';
export type { Account, Booking, RegisteredClient, Contact, Delivery, EventType, Subscription } from './records.ts';

export interface SandboxOptions {
  /** 0, the default, uses any free port. */
  port?: number;
  /** The address to listen on; by default, only reachable from this machine. */
  listen?: string;
  /** The SQLite file. With `:memory:`, the default, the data is lost when the sandbox stops. */
  file?: string;
  clock?: SandboxClock;
  forms?: Partial<Forms>;
  /** false turns the rate limits off; the limit of 25 active subscriptions stays. */
  limits?: Partial<Limits> | false;
  /** Whether to deliver to other machines, too. */
  allowNonLoopback?: boolean;
  /** Called with a line for each delivery and for internal errors. It never contains a token or a signing secret. */
  log?: (line: string) => void;
  /** One hour by default (G23). */
  tokenLifetimeSeconds?: number;
  revokeFamilyOnReuse?: boolean;
  /** Additional pages below /host. */
  pages?: MorePages;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/**
 * Starts a stand-in for the service of the public document on this machine.
 *
 * @throws a readable error if the port is taken or the data file cannot be used
 */
export async function startSandbox(options: SandboxOptions = {}) {
  const file = options.file ?? ':memory:';
  if (file !== ':memory:') ownFile(file);
  const stopping = new AbortController();
  const parts = assemble(options, openStore(file), stopping.signal);
  const { store, clock, grants, deliveries, host, faults, requests } = parts;

  const app = createApp(parts, options.pages);
  const server = createAdaptorServer({ fetch: app.fetch, createServer, overrideGlobalObjects: false }) as Server;
  // Longer than clients keep an idle connection, so that none sends a request on a connection that is being closed.
  server.keepAliveTimeout = 65_000;
  try {
    await once(server.listen(options.port ?? 0, options.listen ?? '127.0.0.1'), 'listening');
  } catch (error) {
    store.close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${options.port} is taken. Stop what uses it, or choose another with --port (0 takes any free one).`);
  }
  deliveries.wake();
  const putBack = store.remember();

  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    stopping.abort();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await Promise.all([closed, deliveries.stop()]);
    parts.shown.close();
    store.close();
  }

  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    /** The base URL for clients: ends in /api/v1. */
    baseUrl: `${origin}/api/v1`,
    clock,
    forms: parts.forms,
    host,
    faults,
    get client() {
      return store.clients.first();
    },
    get account() {
      return store.accounts.first();
    },
    addClient: ({ name = 'Another application', redirectUris = [], ...more }: Partial<RegisteredClient>): RegisteredClient =>
      store.clients.insert({ ...newClient(name, redirectUris), ...more }),
    addAccount: (given: Partial<Omit<Account, 'id'>> = {}) => addAccount(store, clock.now(), given),
    /** Registers one more redirect address, exactly as given, for the first client. */
    allowRedirect: (uri: string): void => void host.allowRedirect(uri),
    /** Tokens without the browser: by default for the first account and client, with every scope. */
    issueToken: ({
      accountId = store.accounts.first().id,
      clientId = store.clients.first().id,
      scopes = [...SCOPES],
      expiresInSeconds,
    }: { accountId?: string; clientId?: string; scopes?: string[]; expiresInSeconds?: number } = {}) =>
      grants.shortCut(clientId, accountId, scopes, expiresInSeconds),
    /** Revokes all authorizations of an account, as its host can on the service's page. */
    revokeAccess(accountId: string): void {
      for (const { id } of store.grants.all({ where: 'account = ?', values: [accountId] })) grants.revoke(id);
    },
    // The lists are copies of the stored records, oldest first, in the canonical form.
    bookings: () => store.bookings.all(),
    eventTypes: () => store.eventTypes.all(),
    contacts: () => store.contacts.all(),
    /** Without their secrets; `signed` says whether there is one. */
    subscriptions: () => store.subscriptions.all().map(({ signing_secret, ...shown }) => ({ ...shown, signed: signing_secret !== null })),
    deliveries: () => store.deliveries.all(),
    requests: () => requests.all(),
    forgetRequests: () => requests.clear(),
    /** Resolves when no delivery is being sent or due. Deliveries that wait for a retry stay. */
    settled: () => deliveries.settled(),
    /** Moves the clock forward as if time had passed: deliveries that become due are sent in order. Milliseconds. */
    forward: (ms: number) => deliveries.forward(ms),
    /**
     * Handles a request to `origin` in this process, without a socket, for callers that send millions. Faults and the host interface need
     * the socket.
     */
    fetch: async (request: Request) => app.fetch(request),
    /**
     * Restores the data of the start, and deletes faults, deliveries and requests. Clients and their tokens stay valid, and the clock
     * continues. Resolves when nothing from before is being sent any more.
     */
    async reset(): Promise<void> {
      faults.clear();
      parts.idempotencyKeys.clear();
      putBack();
      await deliveries.settled();
      requests.clear();
    },
    /** Interrupts the deliveries being sent. A data file keeps them, and the next start sends them. May be called twice. */
    stop: () => (stopped ??= stop()),
  };
}

function assemble(options: SandboxOptions, store: SandboxStore, stopped: AbortSignal): SandboxParts {
  const { log = () => undefined, allowNonLoopback: anywhere = false } = options;
  const { tokenLifetimeSeconds = 3600, revokeFamilyOnReuse = false } = options;
  const forms = chooseForms(options.forms);
  const clock = serviceClock(options.clock ?? realClock(), forms);
  if (store.accounts.all({ limit: 1 }).length === 0) seed(store, clock.now());
  const limits = { ...DEFAULT_LIMITS, ...(options.limits === false ? {} : options.limits) };
  const maxSubscriptions = limits.subscriptions;
  const present = createPresenter(store, forms);
  const deliveries = createDeliveries({ store, present, clock, forms, log });
  const scheduling = createScheduling({ store, present, deliveries, clock, forms });
  return {
    ...{ store, clock, forms, log, anywhere, present, deliveries, scheduling, maxSubscriptions },
    shown: whatIsShown(store, clock, forms),
    limits: createRateLimits(options.limits === false ? null : limits, forms.rateLimit),
    grants: createGrants({ store, clock, forms, tokenLifetimeSeconds, revokeFamilyOnReuse }),
    host: createHost({ store, scheduling, deliveries, clock, forms, anywhere, maxSubscriptions }),
    faults: createFaults(clock, forms, stopped),
    idempotencyKeys: createIdempotencyKeys(clock, forms),
    requests: createRequestLog(clock),
  };
}

/** Every path of the service: section 4 of the public document, and the host interface. */
function createApp(parts: SandboxParts, more?: MorePages): Hono<SandboxEnv> {
  const { forms, log, faults, idempotencyKeys, clock } = parts;
  const sections = hostSections(parts);
  return new Hono<SandboxEnv>()
    .use('*', async (c, next) => {
      await next();
      // Already set if a fault has sent its own response.
      if (c.res.headers.get('x-hono-already-sent') !== null) return;
      c.get('entry').status = c.res.status;
      // The service's own time: a client compares the service's dates with this header rather than with its own clock.
      c.res.headers.set('date', dateHeader(clock.now(), forms));
    })
    .use('*', readRequest(parts))
    .use('*', idempotencyKeys.arrival)
    .use('*', faults.middleware)
    .route('/api/v1', apiRoutes(parts))
    .route('/api/oauth', oauthRoutes(parts))
    .route('/oauth', consentRoutes(parts))
    .route('/host/api', hostApiRoutes(parts, sections))
    .route('/host', hostPageRoutes(parts, sections, more))
    .get('/openapi.json', (c) => c.json(openApiDocument(`${new URL(c.req.url).origin}/api/v1`)))
    .get('/', (c) => c.redirect('/host'))
    .notFound((c) => errorResponse(new ApiRefusal('NOT_FOUND', `There is no ${c.req.method} ${c.req.path}.`), forms))
    .onError((error, c) => {
      if (error instanceof ApiRefusal) return errorResponse(error, forms);
      if (error instanceof OAuthError) return oauthErrorResponse(error);
      if (error instanceof ConsentProblem) return consentProblemPage(c, error);
      log(`${c.req.method} ${c.req.path} failed: ${error.stack ?? error.message}`);
      return errorResponse(new ApiRefusal('INTERNAL_ERROR', 'The sandbox had an internal error. Its log shows the details.'), forms);
    });
}
