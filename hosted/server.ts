import { createAdaptorServer } from '@hono/node-server';
import { html } from 'hono/html';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Accounts } from './accounts.ts';
import { makeApp } from './app.ts';
import { Connections } from './connections.ts';
import { forgetCalls } from './database/calls.ts';
import { openDatabase, type Database } from './database/database.ts';
import { SealedRows } from './database/sealedRows.ts';
import { forgetShares, Shares } from './database/shares.ts';
import { Vault } from './database/vault.ts';
import type { Log } from './log.ts';
import { page } from './pages.ts';
import type { Settings } from './settings.ts';
import { passAnswersOn } from './signIn/answers.ts';
import { makeProvider } from './signIn/provider.ts';
import { ServiceSignIn } from './signIn/service.ts';
import manifest from './package.json' with { type: 'json' };

/** How long calls under way may take once the server is asked to stop: as long as a call may take. Milliseconds. */
const stopMs = 60_000;

/**
 * How long a client may take to send a request, how often that is looked at, and how long a connection may rest: longer than a balancer keeps
 * it, which would otherwise send a request into one that is just being closed. Milliseconds.
 */
const slowest = { keepAliveTimeout: 75_000, headersTimeout: 20_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 } as const;

/** Open connections of this process, each of which may have a body of 32 kB under way. */
const mostSockets = 10_000;

/** How often what is over is cleared up. Milliseconds. */
const clearingMs = 10 * 60_000;

/** A difference to the database's clock that says that one of them is set wrongly. Milliseconds. */
const aheadMostMs = 5_000;

export interface Running {
  /** Where it listens. */
  address: string;
  /** Takes nothing new, lets calls under way end, and closes the database. */
  stop(): Promise<void>;
}

/** Starts the server. @throws an error for operators */
export async function startServer(settings: Settings, log: Log): Promise<Running> {
  const { origin, keys, databaseUrl, folder, insideHosts, isBehindProxy, baseUrl, host, port, proxies, clients } = settings;
  const vault = new Vault(keys);
  const database = await openDatabase({ url: databaseUrl, folder });
  const rows = await SealedRows.open(database, vault);
  const aheadMs = Date.now() - database.now();
  if (Math.abs(aheadMs) > aheadMostMs) log('warn', "this machine's clock is not the database's, which counts", { aheadMs });
  const shared = new Shares(database, rows.hash);
  const signIn = new ServiceSignIn(rows, database.locks, shared, settings, log);
  const connections = new Connections(rows, database, signIn.oauth(), log);
  const provider = makeProvider({
    origin,
    rows,
    shared,
    vault,
    insideHosts,
    clients,
    async showError(ctx, code, description) {
      const shown = await page('Not connected', html`<p>${explained(code, description, ctx.query['client_id'])}</p>`);
      ctx.type = 'html';
      ctx.body = shown.toString();
    },
  });
  passAnswersOn({ provider, rows, locks: database.locks, connections, origin });
  // The library has found a stolen token or code, or the assistant has ended its own connection.
  provider.on('grant.revoked', (_, grant) => void connections.end(grant).catch((error: unknown) => log('error', 'not ended', { error })));
  provider.on('server_error', (_, error) => log('error', 'sign-in failed', { error }));

  let isStopping = false;
  const accounts = new Accounts(baseUrl, connections, database, rows, vault);
  const { app, close } = makeApp({
    origin,
    version: manifest.version,
    provider,
    rows,
    shared,
    proxies,
    database,
    connections,
    accounts,
    signIn,
    log,
    isStopping: () => isStopping,
    hasSecrets: clients.some(({ client_secret: secret }) => secret !== undefined),
    readsDocuments: !isBehindProxy || insideHosts.length > 0,
  });
  const server = createAdaptorServer({
    fetch: app.fetch,
    createServer,
    serverOptions: slowest,
    overrideGlobalObjects: false,
  }) as HttpServer;
  server.maxConnections = mostSockets;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ port, host }, resolve));
  const clearing = clearNowAndThen({ rows, database, connections, log });
  const { port: bound } = server.address() as AddressInfo;
  return {
    address: `http://${host}:${bound}`,
    async stop() {
      isStopping = true;
      clearing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await Promise.race([closed, sleep(stopMs, undefined, { ref: false })]);
      server.closeAllConnections();
      await close();
      await database.close();
    },
  };
}

/** What a person at the browser can do about an error of the authorization server. */
function explained(code: string, description: string | undefined, clientId: unknown): string {
  if (code.startsWith('invalid_client') && typeof clientId === 'string' && URL.canParse(clientId))
    return `The description of your assistant at ${new URL(clientId).host} cannot be read or used now. Connect again in a few minutes.`;
  if (code === 'invalid_client')
    return 'Your assistant is not known here any more. Remove this connector in your assistant and add it again.';
  if (description?.includes('redirect_uri') === true)
    return 'Your assistant asks for an answer at an address that it did not register. Remove this connector in your assistant and add it again.';
  return 'This sign-in has expired or was answered already. If your assistant is connected, nothing is left to do. If it is not, go back to it and connect again.';
}

interface Clearing {
  rows: SealedRows;
  database: Database;
  connections: Connections;
  log: Log;
}

/** Deletes what is over, and moves what an older key has encrypted to the current one. Of all processes, one does it at a time. */
function clearNowAndThen({ rows, database, connections, log }: Clearing): AbortController {
  const over = new AbortController();
  const clear = async (): Promise<void> => {
    const claim = await database.locks.claim('clearing');
    if (claim.state !== 'mine') return;
    try {
      await connections.clearUp();
      await rows.deleteExpired();
      await forgetCalls(database);
      await forgetShares(database);
      const moved = await rows.renewKeys(over.signal);
      if (moved > 0) log('info', 'everything is encrypted with the current key, older ones may be removed', { rows: moved });
    } finally {
      await claim.release();
    }
  };
  const again = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await clear().catch((error: unknown) => log('warn', 'not cleared up', { error }));
      await sleep(clearingMs, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
    }
  };
  void again();
  return over;
}
