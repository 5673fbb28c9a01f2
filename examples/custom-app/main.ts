/**
 * An application of one's own on Node.js: two listeners, one SQLite file; with --poll also where no public address is. See docs/quickstart-custom-app.md.
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
import { readSettings } from './settings.ts';

/** A database that its user alone can read: it holds tokens and a signing secret. */
function openDatabase(file: string): Sql {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Made before SQLite makes it, and closed also where it was there before with wider rights; what SQLite puts beside it takes the same.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  return async (statement, values) => database.prepare(statement).all(...values);
}

function start({ PORT = '4030', PUBLIC_PORT = '4031', PUBLIC_URL, DATA = '.local/custom-app.sqlite', ...env }: NodeJS.ProcessEnv): void {
  const { poll } = parseArgs({ options: { poll: { type: 'boolean', default: false } } }).values;
  const siteUrl = `http://127.0.0.1:${PORT}`;
  const publicUrl = PUBLIC_URL ?? `http://127.0.0.1:${PUBLIC_PORT}`;
  // Whoever polls and names no public address has none.
  const settings = readSettings(env, { siteUrl, publicUrl, isReachable: !poll || PUBLIC_URL !== undefined, polls: poll });
  const application = createApplication(settings, openDatabase(DATA), (line) => console.log(line));
  const hostname = '127.0.0.1';
  const serverOptions = { headersTimeout: 10_000, requestTimeout: 30_000 };
  const own = ownSite(application, [siteUrl, `http://localhost:${PORT}`]);
  const servers = [
    serve({ fetch: own.fetch, port: Number(PORT), hostname, serverOptions }),
    serve({ fetch: publicSite(application).fetch, port: Number(PUBLIC_PORT), hostname, serverOptions }, () => {
      console.log(`Open ${siteUrl}/ to connect an account. Register the redirect address ${settings.publicUrl}/callback`);
      // Somebody may have deleted the subscription while this was not running.
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
  start(process.env);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
