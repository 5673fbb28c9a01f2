/**
 * Your own application on Node.js: two listeners and one SQLite file. With --poll, it also works without a public address. See
 * docs/guides/example.md.
 */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import type { Sql } from 'acme-scheduling/stores';
import { createApplication } from './application.ts';
import { ownSite } from './ownSite.ts';
import { publicSite } from './publicSite.ts';
import { filled, readSettings } from './settings.ts';

/** A database that only its user can read, because it contains tokens and a signing secret. */
function openDatabase(file: string): Sql {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // The file is created before SQLite does that, and closed even if it had wider permissions. SQLite's other files get the same
  // permissions.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  return async (statement, values) => database.prepare(statement).all(...values);
}

function start({
  PORT = '4030',
  PUBLIC_PORT = '4031',
  PUBLIC_URL,
  DATA = '.local/custom-app.sqlite',
  ...env
}: ReturnType<typeof filled>): void {
  const { poll } = parseArgs({ options: { poll: { type: 'boolean', default: false } } }).values;
  const siteUrl = `http://127.0.0.1:${PORT}`;
  const publicUrl = PUBLIC_URL ?? `http://127.0.0.1:${PUBLIC_PORT}`;
  // An application that polls and has no PUBLIC_URL has no public address.
  const settings = readSettings(env, { siteUrl, publicUrl, isReachable: !poll || PUBLIC_URL !== undefined, polls: poll });
  const application = createApplication(settings, openDatabase(DATA), (line) => console.log(line));
  const hostname = '127.0.0.1';
  // Idle connections are kept longer than by tunnels and load balancers, so that no delivery arrives on a connection that is being closed.
  const serverOptions = { keepAliveTimeout: 75_000, headersTimeout: 10_000, requestTimeout: 30_000 };
  const own = ownSite(application, [siteUrl, `http://localhost:${PORT}`]);
  const servers = [
    serve({ fetch: own.fetch, port: Number(PORT), hostname, serverOptions }),
    serve({ fetch: publicSite(application).fetch, port: Number(PUBLIC_PORT), hostname, serverOptions }, () => {
      console.log(`Open ${siteUrl}/ to connect an account. Register the redirect address ${settings.publicUrl}/callback`);
      // The subscription may have been deleted while the application was not running.
      application.begin().catch((error: unknown) => console.error(error instanceof Error ? error.message : error));
    }),
  ];
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void application.end();
      for (const server of servers) {
        server.close();
        if ('closeAllConnections' in server) server.closeAllConnections();
      }
    });
}

try {
  start(filled(process.env));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
