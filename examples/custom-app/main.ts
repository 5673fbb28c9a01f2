/**
 * A custom application: connects an account, lists and books over the core, and verifies deliveries in an HTTP server. See
 * docs/quickstart-custom-app.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../shared/api/client.ts';
import { rollingLimiter } from '../../shared/api/limiter.ts';
import { allOf } from '../../shared/api/pages.ts';
import { patient } from '../../shared/api/retry.ts';
import { carryOut } from '../../shared/carryOut.ts';
import { createBooking, getManyBookings, getManyEventTypes } from '../../shared/operations/index.ts';
import { replaceSubscription, unsubscribe } from '../../shared/webhooks/subscriptions.ts';
import { Connection } from './connection.ts';
import { receive, wantedEvents } from './deliveries.ts';
import { Polling } from './polling.ts';
import { isOfThisMachine, jsonOf, serve, type Routes } from './server.ts';
import { readSettings, type Settings } from './settings.ts';

function start(settings: Settings): void {
  const connection = new Connection(settings);
  const client = createClient({
    baseUrl: settings.baseUrl,
    transport: connection.transport,
    clock: { now: Date.now, sleep: (ms) => sleep(ms), random: Math.random },
    patience: patient,
    limiter: rollingLimiter(),
  });

  const polling = new Polling(client, connection);

  const own: Routes = {
    'GET /connect': async () => ({ status: 302, location: connection.authorizeUrl() }),

    'GET /event-types': async () => ({ status: 200, body: await allOf(getManyEventTypes.run(client, {}, {})) }),

    'GET /bookings': async () => ({ status: 200, body: await allOf(getManyBookings.run(client, {}, { limit: 10 })) }),

    'POST /bookings': async (request) => ({
      status: 201,
      body: (await carryOut(client, createBooking, { fields: await jsonOf(request) }, { shape: 'presented', timeZone: 'UTC' }))[0],
    }),

    'POST /poll': async () => ({ status: 200, body: (await polling.once()).records }),

    'POST /disconnect': async () => {
      const { subscription } = connection.state;
      if (subscription !== undefined) await unsubscribe(client, subscription.id);
      await connection.disconnect();
      return { status: 200, body: 'Disconnected: the subscription is deleted and the tokens are revoked.' };
    },
  };

  const open: Routes = {
    'GET /callback': async (_, url) => {
      await connection.finish(url.searchParams);
      // Exactly one subscription for this address, with a secret that we hold, also after a start that was cut off.
      connection.keep({
        subscription: await replaceSubscription(client, { url: `${settings.publicUrl}/deliveries`, events: wantedEvents }),
      });
      return { status: 200, body: 'Connected. Deliveries are printed where this application runs.' };
    },

    'POST /deliveries': async (request) => {
      const { status, message, record } = await receive(request, connection.state);
      console.log(
        record === undefined ? `not acted on (${status}): ${message}` : `${String(record['event'])} ${String(record['id'])} verified`,
      );
      return { status, body: message };
    },
  };

  const servers = [
    serve(own, settings.port, (request) => isOfThisMachine(request, settings.port)),
    serve(
      open,
      settings.publicPort,
      () => true,
      () =>
        console.log(
          `Open http://127.0.0.1:${settings.port}/connect to connect an account. The redirect address to register is ${connection.redirectUri}`,
        ),
    ),
  ];
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stopping.abort();
      servers.forEach((server) => server.close().closeAllConnections());
    });
  if (process.argv.includes('--poll')) void polling.forEver((ms) => sleep(ms, true, { signal: stopping.signal }).catch(() => false));
}

try {
  start(readSettings(process.env));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
