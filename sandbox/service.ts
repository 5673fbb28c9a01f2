import { createAdaptorServer } from '@hono/node-server';
import { createServer, type Server } from 'node:http';
import { createApp } from './app.ts';
import { realClock, type Clock } from './clock.ts';
import type { Parts } from './context.ts';
import { Deliveries } from './deliveries.ts';
import { createFaults } from './faults.ts';
import { chooseForms, type Forms } from './forms.ts';
import { createGrants } from './grants.ts';
import { SCOPES } from './guard.ts';
import { serviceClock } from './habits.ts';
import { createHost } from './host.ts';
import { whatIsShown } from './lateCopy.ts';
import { createLedger } from './ledger.ts';
import { DEFAULT_LIMITS, RateLimits, type Limits } from './limits.ts';
import { ownFile } from './ownFile.ts';
import { Presenter } from './present.ts';
import type { Account, Delivery } from './records.ts';
import { Scheduling } from './scheduling.ts';
import { addAccount, newClient, seed } from './seed.ts';
import { openStore, type Store } from './store.ts';

export { realClock, virtualClock, type Clock } from './clock.ts';
export { FAULTS, type Fault, type FaultKind } from './faultKinds.ts';
export { FORMS, FORM_NAMES, HABITS, HABIT_NAMES, parseForm, type FormName, type Forms, type HabitName } from './forms.ts';
export type { RequestEntry } from './ledger.ts';
export type { Limits } from './limits.ts';
export type { Account, Booking, Client, Contact, Delivery, EventType, Subscription } from './records.ts';

export interface SandboxOptions {
  /** 0, the default, uses any free port. */
  port?: number;
  /** The address to listen on; this machine alone by default. */
  listen?: string;
  /** The SQLite file. With `:memory:`, the default, the data is lost when the sandbox stops. */
  file?: string;
  clock?: Clock;
  forms?: Partial<Forms>;
  /** false turns the rate limits off; the limit of 25 active subscriptions stays. */
  limits?: Partial<Limits> | false;
  /** Deliver to other machines too. */
  allowNonLoopback?: boolean;
  /** One line for each delivery, and internal errors. Never contains a token or a signing secret. */
  log?: (line: string) => void;
  /** Called after each attempt to deliver, with the delivery as it is now stored. */
  onAttempt?: (delivery: Delivery) => void;
  /** One hour by default (G23). */
  tokenLifetimeSeconds?: number;
  revokeFamilyOnReuse?: boolean;
}

/** A running scheduling service. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/**
 * Starts the scheduling service of the public document on this machine.
 *
 * @throws a readable error if the port is taken or the data file cannot be used
 */
export async function startSandbox(options: SandboxOptions = {}) {
  const file = options.file ?? ':memory:';
  if (file !== ':memory:') ownFile(file);
  const stopping = new AbortController();
  const parts = assemble(options, openStore(file), stopping.signal);
  const { store, clock, grants, deliveries, host, faults, ledger } = parts;

  const app = createApp(parts);
  const server = createAdaptorServer({ fetch: app.fetch, createServer, overrideGlobalObjects: false }) as Server;
  // Longer than clients keep an idle connection, so that no client sends a request on one that is just being closed.
  server.keepAliveTimeout = 65_000;
  const port = await listen(server, options.port ?? 0, options.listen ?? '127.0.0.1').catch((error: unknown) => {
    store.close();
    throw error;
  });
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

  const origin = `http://127.0.0.1:${port}`;
  const firstAccount = (): Account => first(store.accounts.all({ limit: 1 }));
  return {
    origin,
    /** The base URL for clients: ends in /api/v1. */
    baseUrl: `${origin}/api/v1`,
    clock,
    forms: parts.forms,
    host,
    faults,
    get client() {
      return host.client;
    },
    get account() {
      return firstAccount();
    },
    addClient: ({ name = 'Another application', redirectUris }: { name?: string; redirectUris: string[] }) =>
      store.clients.insert(newClient(name, redirectUris)),
    addAccount: (given: Partial<Omit<Account, 'id'>> = {}) => addAccount(store, clock.now(), given),
    /** Registers one more redirect address, exactly as given, for the first client. @param name who receives there */
    allowRedirect: (uri: string, name?: string): void => void host.allowRedirect(uri, name),
    /** Tokens without the browser: by default for the first account and client, with every scope. */
    issueToken: ({
      accountId = firstAccount().id,
      clientId = host.client.id,
      scopes = Object.keys(SCOPES),
      expiresInSeconds,
    }: { accountId?: string; clientId?: string; scopes?: string[]; expiresInSeconds?: number } = {}) =>
      grants.shortCut(clientId, accountId, scopes, expiresInSeconds),
    // The lists are copies of what is stored, oldest first, in the canonical form.
    bookings: () => store.bookings.all(),
    eventTypes: () => store.eventTypes.all(),
    contacts: () => store.contacts.all(),
    /** Without their secrets; `signed` says whether there is one. */
    subscriptions: () => store.subscriptions.all().map(({ signing_secret, ...shown }) => ({ ...shown, signed: signing_secret !== null })),
    deliveries: () => store.deliveries.all(),
    requests: () => ledger.all(),
    forgetRequests: () => ledger.clear(),
    /** Resolves when no delivery is being sent or due. Deliveries that wait for a retry keep waiting. */
    settled: () => deliveries.settled(),
    /** Moves the clock forward as if the time had passed: what becomes due is sent in order. Milliseconds. */
    forward: (ms: number) => deliveries.forward(ms),
    /**
     * Answers a request to `origin` in this process, without a socket, for callers that send millions of them. Faults and the host interface need the
     * socket.
     */
    fetch: async (request: Request) => app.fetch(request),
    /**
     * Puts the data back as it was at the start, and forgets faults, deliveries and requests. Clients and their tokens stay valid, and the
     * clock goes on. Resolves when nothing from before is being sent any more.
     */
    async reset(): Promise<void> {
      faults.clear();
      putBack();
      await deliveries.settled();
      ledger.clear();
    },
    /** Interrupts the deliveries that are being sent. A data file keeps them, and the next start sends them. May be called twice. */
    stop: () => (stopped ??= stop()),
  };
}

function assemble(options: SandboxOptions, store: Store, stopped: AbortSignal): Parts {
  const log = options.log ?? ((): void => undefined);
  const forms = chooseForms(options.forms);
  const clock = serviceClock(options.clock ?? realClock(), forms);
  if (store.accounts.all({ limit: 1 }).length === 0) seed(store, clock.now());
  const limits = { ...DEFAULT_LIMITS, ...(options.limits === false ? {} : options.limits) };
  const anywhere = options.allowNonLoopback ?? false;
  const present = new Presenter(store, forms);
  const { onAttempt = (): void => undefined } = options;
  const deliveries = new Deliveries({ store, present, clock, forms, log, onAttempt });
  const scheduling = new Scheduling({ store, present, deliveries, clock, forms });
  return {
    store,
    shown: whatIsShown(store, clock, forms),
    clock,
    forms,
    log,
    anywhere,
    present,
    deliveries,
    scheduling,
    maxSubscriptions: limits.subscriptions,
    limits: new RateLimits(options.limits === false ? null : limits, forms.rateLimit),
    grants: createGrants({
      store,
      clock,
      forms,
      tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? 3600,
      revokeFamilyOnReuse: options.revokeFamilyOnReuse ?? false,
    }),
    host: createHost({ store, scheduling, deliveries, clock, forms, anywhere, maxSubscriptions: limits.subscriptions }),
    faults: createFaults(clock, forms, stopped),
    ledger: createLedger(clock),
  };
}

function listen(server: Server, port: number, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is taken. Stop what uses it, or choose another with --port (0 takes any free one).`;
      reject(error.code === 'EADDRINUSE' ? new Error(taken) : error);
    });
    server.listen(port, address, () => {
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}

function first<T>(list: T[]): T {
  const [one] = list;
  if (one === undefined) throw new Error('The data file of the sandbox contains no account. Delete it to start with fresh data.');
  return one;
}
