import { setTimeout as sleep } from 'node:timers/promises';
import { listenAt } from '../mcp/adapter/serving.ts';
import { makeApp } from './app.ts';
import { openBasis } from './basis.ts';
import { forgetCalls } from './database/calls.ts';
import { forgetShares } from './database/shares.ts';
import type { Log } from './log.ts';
import { makeParts, type ServerParts } from './parts.ts';
import type { ServerSettings } from './settings.ts';
import { passAnswersOn } from './signIn/answers.ts';

/** How long calls under way may take once the server is asked to stop: as long as a call may take. Milliseconds. */
const stopMs = 60_000;

/** How often it is then looked whether the last of them has ended. Milliseconds. */
const lookMs = 100;

/** How long a client may take to send a request, and how often that is looked at. Milliseconds. */
const slowest = { headersTimeout: 20_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 } as const;

/** Open connections of this process, each of which may have a body of 32 kB under way. */
const mostSockets = 10_000;

/** How often what is over is cleared up. Milliseconds. */
const clearingMs = 10 * 60_000;

/** A difference to the database's clock that says that one of them is set wrongly. Milliseconds. */
const aheadMostMs = 5_000;

/** Starts the server. @returns where it listens, and how to stop it. @throws an error for operators */
export async function startServer(settings: ServerSettings, log: Log) {
  const base = await openBasis(settings, log);
  const aheadMs = Date.now() - base.database.now();
  if (Math.abs(aheadMs) > aheadMostMs) log('warn', "this machine's clock differs from the database's, which counts", { aheadMs });
  const parts = makeParts(base);
  passAnswersOn(parts);
  const { provider, connections, database } = parts;
  // The library has found a stolen token or code, or the assistant has ended its own connection.
  provider.on('grant.revoked', (_, grant) => void connections.end(grant).catch((error: unknown) => log('error', 'not ended', { error })));
  provider.on('server_error', (_, error) => log('error', 'sign-in failed', { error }));

  let isStopping = false;
  const { app, close } = makeApp(parts, () => isStopping);
  const { server, address } = await listenAt({ host: settings.host, port: settings.port, chosenBy: 'PORT' }, app.fetch, slowest);
  server.maxConnections = mostSockets;
  const underWay = new Set<object>();
  server.on('request', (_, outgoing) => underWay.add(outgoing.once('close', () => underWay.delete(outgoing))));
  const clearing = clearNowAndThen(parts);
  return {
    address,
    /** Takes nothing new, lets calls under way end, and closes the database. */
    async stop(): Promise<void> {
      isStopping = true;
      clearing.abort();
      server.close();
      // Whoever is connected and asks nothing is not waited for.
      for (let ms = 0; ms === 0 || (underWay.size > 0 && ms < stopMs); ms += lookMs) await sleep(lookMs);
      server.closeAllConnections();
      await close();
      await database.close();
    },
  };
}

/** Deletes what is over, and moves what an older key has encrypted to the current one. Of all processes, one does it at a time. */
function clearNowAndThen({ rows, database, connections, log }: ServerParts): AbortController {
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
  const again = (): Promise<void> => clear().catch((error: unknown) => log('warn', 'not cleared up', { error }));
  const clearing = setInterval(() => void again(), clearingMs).unref();
  over.signal.addEventListener('abort', () => clearInterval(clearing));
  void again();
  return over;
}
