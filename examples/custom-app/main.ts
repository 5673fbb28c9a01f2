/**
 * A custom application: connects an account, lists and books over the core, and verifies deliveries in an HTTP server. See
 * docs/quickstart-custom-app.md.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../shared/api/client.ts';
import { ServiceError } from '../../shared/api/errors.ts';
import { rollingLimiter } from '../../shared/api/limiter.ts';
import { patient } from '../../shared/api/retry.ts';
import { carryOut } from '../../shared/carryOut.ts';
import { createBooking, getManyBookings } from '../../shared/operations/index.ts';
import { replaceSubscription, unsubscribe } from '../../shared/webhooks/subscriptions.ts';
import { Connection } from './connection.ts';
import { receive, wantedEvents } from './deliveries.ts';
import { readSettings, type Settings } from './settings.ts';

interface Reply {
  status: number;
  body?: unknown;
  location?: string;
}

function start(settings: Settings): void {
  const connection = new Connection(settings);
  const client = createClient({
    baseUrl: settings.baseUrl,
    transport: connection.transport,
    clock: { now: Date.now, sleep: (ms) => sleep(ms), random: Math.random },
    patience: patient,
    limiter: rollingLimiter(),
  });

  const routes: Record<string, (request: IncomingMessage, url: URL) => Promise<Reply>> = {
    'GET /connect': async () => ({ status: 302, location: connection.authorizeUrl() }),

    'GET /callback': async (_, url) => {
      await connection.finish(url.searchParams);
      // Exactly one subscription for this address, with a secret that we hold, also after a start that was cut off.
      connection.keep({ subscription: await replaceSubscription(client, { url: `${settings.publicUrl}/deliveries`, events: wantedEvents }) });
      return { status: 200, body: 'Connected. Deliveries are printed where this application runs.' };
    },

    'GET /bookings': async () => {
      const bookings: unknown[] = [];
      for await (const booking of getManyBookings.run(client, {}, { limit: 10 })) bookings.push(booking);
      return { status: 200, body: bookings };
    },

    'POST /bookings': async (request) => ({ status: 201, body: (await carryOut(client, createBooking, { fields: await jsonOf(request) }, { shape: 'presented', timeZone: 'UTC' }))[0] }),

    'POST /deliveries': async (request) => {
      const { status, message, record } = await receive(request, connection.state);
      console.log(record === undefined ? `not acted on (${status}): ${message}` : `${String(record['event'])} ${String(record['id'])} verified`);
      return { status, body: message };
    },

    'POST /disconnect': async () => {
      const { subscription } = connection.state;
      if (subscription !== undefined) await unsubscribe(client, subscription.id);
      await connection.disconnect();
      return { status: 200, body: 'Disconnected: the subscription is deleted and the tokens are revoked.' };
    },
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', settings.publicUrl);
    const route = routes[`${request.method ?? 'GET'} ${url.pathname}`];
    const answer = route === undefined ? Promise.resolve<Reply>({ status: 404, body: `There is ${Object.keys(routes).join(', ')}.` }) : route(request, url).catch(refusal);
    void answer.then(({ status, body, location }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...(location !== undefined && { location }) }).end(body === undefined ? '' : JSON.stringify(body));
    });
  });
  server.listen(settings.port, '127.0.0.1', () => console.log(`Open ${settings.publicUrl}/connect to connect an account. The redirect address to register is ${connection.redirectUri}`));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close().closeAllConnections());
}

/** What went wrong, in the sentence that the core has for it. */
function refusal(error: unknown): Reply {
  if (error instanceof ServiceError) return { status: error.status ?? 400, body: error.sentence };
  return { status: 500, body: error instanceof Error ? error.message : String(error) };
}

async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

try {
  start(readSettings(process.env));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
