import { createClient, type Client } from 'acme-scheduling';
import { createOAuth, type OAuth, type Tokens } from 'acme-scheduling/oauth';
import { sqlStores, type Sql } from 'acme-scheduling/stores';
import { createReceiver, endSubscription, keepSubscription, type Receiver } from 'acme-scheduling/webhooks';
import { Events } from './events.ts';
import type { Settings } from './settings.ts';

/** What every page and every process of this application works with. One account is connected at a time. */
export interface Application {
  settings: Settings;
  client: Client;
  oauth: OAuth;
  receiver: Receiver;
  events: Events;
  isConnected(): Promise<boolean>;
  /** Keeps the tokens, and subscribes the public address. */
  connect(tokens: Tokens): Promise<void>;
  /** Sees to it that the service delivers here; does nothing where no account is connected. */
  subscribe(): Promise<void>;
  /** Ends the subscription and the tokens, at the service and here. */
  disconnect(): Promise<void>;
}

/**
 * @param sql where everything is kept that must outlive the process: tokens, the signing secret, which deliveries were acted on
 * @param log for one line about each delivery; it is given no secrets and no personal data
 */
export function createApplication(settings: Settings, sql: Sql, log: (line: string) => void): Application {
  const { clientId, clientSecret, baseUrl, publicUrl, timeZone } = settings;
  const stores = sqlStores(sql);
  const [tokens, subscription] = [stores.tokens(), stores.subscription()];
  const oauth = createOAuth({ clientId, clientSecret, baseUrl, redirectUri: `${publicUrl}/callback` });
  const connection = oauth.connection(tokens);
  const client = createClient({ auth: connection, baseUrl, timeZone });
  const events = new Events(sql);

  const receiver = createReceiver({
    subscription: () => subscription.read(),
    claims: stores.claims,
    onRefused: ({ status, message }) => log(`not acted on (${status}): ${message}`),
  }).on(['BOOKING_CREATED', 'BOOKING_CANCELLED', 'BOOKING_RESCHEDULED', 'BOOKING_APPROVED', 'BOOKING_DENIED'], async (event) => {
    await events.keep(event);
    // Here is the place for what your application does with a booking.
    log(`${event.event} ${event.record.id} verified`);
  });
  receiver.on(['CONTACT_CREATED', 'CONTACT_UPDATED'], async (event) => {
    await events.keep(event);
    log(`${event.event} ${event.record.id} verified`);
  });

  const isConnected = async (): Promise<boolean> => (await tokens.read()) !== undefined;
  const subscribe = async (): Promise<void> => {
    if (await isConnected()) await keepSubscription(client, { url: `${publicUrl}/deliveries`, store: subscription });
  };
  return {
    settings,
    client,
    oauth,
    receiver,
    events,
    isConnected,
    subscribe,
    async connect(given) {
      await tokens.write(given);
      await subscribe();
    },
    async disconnect() {
      if (!(await isConnected())) return;
      await endSubscription(client, subscription);
      await connection.disconnect();
    },
  };
}
