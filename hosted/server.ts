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

/** How long running calls may take once the server is asked to stop: as long as any call may. Milliseconds. */
const stopMs = 60_000;

/** How often to check then whether the last call has ended. Milliseconds. */
const lookMs = 100;

/** How long a client may take to send a request, how often to check that (milliseconds), and how large its headers may be (bytes). */
const most = { headersTimeout: 20_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000, maxHeaderSize: 32_000 } as const;

/** The most open connections of this process. Each may have 32 kB of a body in transit. */
const mostSockets = 10_000;

/** How often expired data is deleted. Milliseconds. */
const clearingMs = 10 * 60_000;

/** A larger difference from the database's clock means that one of the two is wrong. Milliseconds. */
const aheadMostMs = 5_000;

/** Starts the server. @returns its address, and how to stop it. @throws an error for operators */
export async function startServer(settings: ServerSettings, log: Log) {
  const base = await openBasis(settings, log);
  const aheadMs = Date.now() - base.database.now();
  if (Math.abs(aheadMs) > aheadMostMs) log('warn', "this machine's clock differs from the database's, which counts", { aheadMs });
  const parts = makeParts(base);
  passAnswersOn(parts);
  const { provider, connections, database } = parts;
  // The library has detected a stolen token or code, or the assistant has ended its own connection.
  provider.on('grant.revoked', (_, grant) => void connections.end(grant).catch((error: unknown) => log('error', 'not ended', { error })));

  let isStopping = false;
  const { app, close } = makeApp(parts, () => isStopping);
  const { server, address } = await listenAt({ host: settings.host, port: settings.port, chosenBy: 'PORT' }, app.fetch, most);
  server.maxConnections = mostSockets;
  const underWay = new Set<object>();
  server.on('request', (_, outgoing) => underWay.add(outgoing.once('close', () => underWay.delete(outgoing))));
  const clearing = clearNowAndThen(parts);
  return {
    address,
    /** Accepts nothing new, lets running calls end, and closes the database. */
    async stop(): Promise<void> {
      isStopping = true;
      clearing.abort();
      server.close();
      // Idle connections are not waited for.
      for (let ms = 0; ms === 0 || (underWay.size > 0 && ms < stopMs); ms += lookMs) await sleep(lookMs);
      server.closeAllConnections();
      await close();
      await database.close();
    },
  };
}

/** Deletes expired data and encrypts older rows with the current key. Only one process does this at a time. */
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
