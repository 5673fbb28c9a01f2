import { createClient, isServiceError, type Client } from 'acme-scheduling';
import { createPoller, type ChangeEvent } from 'acme-scheduling/changes';
import { createOAuth, type OAuth, type Tokens } from 'acme-scheduling/oauth';
import { sqlStores, type Sql } from 'acme-scheduling/stores';
import { createReceiver, endSubscription, keepSubscription, type Receiver } from 'acme-scheduling/webhooks';
import { Events } from './events.ts';
import type { Settings } from './settings.ts';

interface Host {
  name: string;
  timeZone: string;
  client: Client;
}

/** What all pages and processes of this application share. One account is connected at a time. */
export interface Application {
  settings: Settings;
  client: Client;
  /** Reads the host's name, the time zone of the pages, and a client that reads a start without an offset in that zone. */
  host(): Promise<Host>;
  oauth: OAuth;
  receiver: Receiver;
  events: Events;
  isConnected(): Promise<boolean>;
  /** Saves the tokens and starts receiving events. */
  connect(tokens: Tokens): Promise<void>;
  /**
   * Starts receiving events: subscribes the public address, polls, or both. Does nothing if no account is connected. The subscription is
   * checked again every few minutes, even if this call fails.
   */
  begin(): Promise<void>;
  /** Stops polling and checking the subscription, once the running handler has finished. */
  end(): Promise<void>;
  /** Deletes the subscription and revokes the tokens, at the service and here. */
  disconnect(): Promise<void>;
}

/**
 * @param sql stores everything that must outlive the process: tokens, the signing secret, the handled deliveries
 * @param log called with one line for each event, without secrets and personal data
 */
export function createApplication(settings: Settings, sql: Sql, log: (line: string) => void): Application {
  const { clientId, clientSecret, baseUrl, publicUrl, isReachable, polls, pollSeconds, checkSeconds, timeZone } = settings;
  const stores = sqlStores(sql);
  const [tokens, subscription, known] = [stores.tokens(), stores.subscription(), stores.changes()];
  const oauth = createOAuth({ clientId, clientSecret, baseUrl, redirectUri: `${publicUrl}/callback` });
  const connection = oauth.connection(tokens);
  const client = createClient({ auth: connection, baseUrl });
  let inZone: Pick<Host, 'timeZone' | 'client'> | undefined;
  const host = async (): Promise<Host> => {
    const { name, email, timezone } = await client.users.current();
    const zone = timeZone ?? (isZone(timezone) ? timezone : 'UTC');
    if (inZone?.timeZone !== zone) inZone = { timeZone: zone, client: createClient({ auth: connection, baseUrl, timeZone: zone }) };
    return { name: name ?? email ?? '', ...inZone };
  };
  const events = new Events(sql);

  /** Handles an event, from a delivery or from a poll. */
  const handle = (how: string) => async (event: ChangeEvent) => {
    await events.keep(event);
    // Add what your application does with a booking or a contact here.
    log(`${event.event} ${event.record.id} ${how}`);
  };
  const bookings = ['BOOKING_CREATED', 'BOOKING_CANCELLED', 'BOOKING_RESCHEDULED', 'BOOKING_APPROVED', 'BOOKING_DENIED'] as const;
  const contacts = ['CONTACT_CREATED', 'CONTACT_UPDATED'] as const;

  const isConnected = async (): Promise<boolean> => (await tokens.read()) !== undefined;
  const failed = (error: unknown): void => log(isServiceError(error) ? error.sentence : String(error));

  /**
   * The last check of the subscription, and the timer that repeats it, because anyone with access to the account can delete the
   * subscription.
   */
  let checked = Promise.resolve();
  let checking: ReturnType<typeof setInterval> | undefined;
  /** Subscribes the public address. If it is already subscribed, this only reads the account and its list of subscriptions. */
  const subscribe = async (): Promise<void> => {
    if (isReachable && (await isConnected()))
      await keepSubscription(client, { url: `${publicUrl}/deliveries`, store: subscription, onWarning: log });
  };

  const receiver = createReceiver({
    subscription: () => subscription.read(),
    claims: stores.claims,
    alsoPolled: polls,
    onRefused: ({ status, message }) => log(`refused (${status}): ${message}`),
  }).on([...bookings, ...contacts], handle('verified'));
  const poller = createPoller({
    client,
    store: known,
    claims: stores.claims,
    onError: failed,
  }).on([...bookings, ...contacts], handle('found'));

  let polling: { over: AbortController; ended: Promise<void> } | undefined;
  const end = async (): Promise<void> => {
    polling?.over.abort();
    clearInterval(checking);
    checking = undefined;
    await Promise.allSettled([polling?.ended, checked]);
    polling = undefined;
  };
  const begin = async (): Promise<void> => {
    if (!(await isConnected())) return;
    if (polls && polling === undefined) {
      const over = new AbortController();
      polling = { over, ended: poller.run({ signal: over.signal, everyMs: pollSeconds * 1000 }) };
    }
    checking ??= setInterval(() => void (checked = subscribe().catch(failed)), checkSeconds * 1000);
    await (checked = subscribe());
  };
  return {
    settings,
    client,
    host,
    oauth,
    receiver,
    events,
    isConnected,
    begin,
    end,
    async connect(given) {
      await connection.connect(given);
      await begin();
      log(`connected; events come ${isReachable ? `to ${publicUrl}/deliveries` : 'from polls'}`);
    },
    async disconnect() {
      if (!(await isConnected())) return;
      await end();
      try {
        await endSubscription(client, subscription);
        await connection.disconnect();
      } catch (error) {
        // The account is still connected, so it must keep receiving events. If that fails too, only the first error is reported.
        await begin().catch(() => undefined);
        throw error;
      }
      // The next account has other bookings.
      await known.delete();
    },
  };
}

function isZone(name: string | null | undefined): name is string {
  try {
    return Boolean(name && new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
