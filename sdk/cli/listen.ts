import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brand } from '../../shared/brand.ts';
import type { Client } from '../client/api/methods.ts';
import { callOf } from '../client/calls.ts';
import { memoryClaims } from '../stores/claims.ts';
import { eventNames, type WebhookEvent } from '../webhooks/events.ts';
import { createReceiver, type Receiver, type ReceiverOptions } from '../webhooks/receiver.ts';
import { nodeHandler } from '../webhooks/servers.ts';
import type { Subscribed } from '../webhooks/subscriptions.ts';
import { accountOf, type Account } from '../../shared/client/account.ts';
import { isEventName } from '../../shared/events.ts';
import { showTime } from '../../shared/records/index.ts';
import { doubtAbout } from '../../shared/webhooks/reach.ts';
import { endSubscription } from '../../shared/webhooks/subscriptions.ts';
import { asText, copied, errorWords } from '../../shared/values.ts';
import { forward as forwardTo } from './forward.ts';
import { program } from './help.ts';
import { codeOf } from '../node/lock.ts';
import { addressIn, Misuse, portIn, readOptions } from '../node/options.ts';
import { asJson, harmless } from './print.ts';
import { hostZone } from './run.ts';

export const listenHelp = `${program} listen: receives deliveries on this machine, verifies them and prints them

  --port <port>       the port on this machine (4040)
  --url <address>     the public address that leads there, such as a tunnel's; needed if ${brand.name} runs elsewhere
  --events <names>    only these events, separated by commas; default: all
  --forward <address> forwards each verified delivery to your program, with the bytes and headers that came
  --json              prints each event as JSON

It creates a webhook subscription for that address and deletes it when you stop it (Ctrl-C). Other
subscriptions for the same address stay. With --forward, it shows the signing secret of its subscription,
for your program.

Example:
  ${program} listen --url https://example-tunnel.test --events BOOKING_CREATED,BOOKING_CANCELLED`;

export type Listening = ReturnType<typeof readListening>;

/** @throws Misuse */
export function readListening(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = readOptions(args, {
    port: { ...text, default: '4040' },
    url: text,
    events: { ...text, default: eventNames.join() },
    forward: text,
    json: flag,
  });
  if (positionals.length > 0) throw new Misuse('Pass each value with its option. See listen --help.');
  const { port, url, forward, json } = values;
  const events = values.events.split(',').map(copied);
  if (!events.every(isEventName)) throw new Misuse(`--events takes the names of events: ${eventNames.join(', ')}.`);
  return {
    port: portIn(port, 'port'),
    url: url === undefined ? undefined : addressIn(url, 'url'),
    events,
    forward: forward === undefined ? undefined : addressIn(forward, 'forward'),
    json,
  };
}

/**
 * Receives deliveries until the signal aborts.
 *
 * @param print called for each event
 * @param say called for everything else that the person should know
 */
export async function listen(
  client: Client,
  { port, url, events, forward, json }: Listening,
  { signal, print, say }: { signal: AbortSignal; print: (text: string) => void; say: (text: string) => void },
): Promise<void> {
  const { client: core, baseUrl } = callOf(client, 'listen');
  const doubt = doubtAbout(baseUrl, url ?? 'http://127.0.0.1', tunnelAdvice);
  if (doubt?.reach === 'impossible') throw doubt.error;
  if (doubt !== undefined) say(doubt.error.sentence);
  let subscription: Subscribed | undefined;
  let account: Promise<Account | undefined> | undefined;
  const zone = hostZone(client, signal);
  const receiving: ReceiverOptions = {
    subscription: () => subscription,
    claims: memoryClaims(),
    onRefused: ({ status, check, message }) => say(`Refused (${status}): ${message}${check === 'signature' ? notOurs : ''}`),
    onError: (error) => say(errorWords(error)),
  };
  const server = createServer((request, response) => {
    let body: Uint8Array = new Uint8Array();
    const receiver = createReceiver(receiving).on(eventNames, async (event) => {
      print(json ? asJson(event) : lineOf(event, await zone));
      if (forward !== undefined) await forwardTo(forward, event.event, request, body);
    });
    const receive: Receiver['receive'] = (incoming) =>
      receiver.receive({ ...incoming, body: async (bounds) => (body = await incoming.body(bounds)) });
    void nodeHandler({ ...receiver, receive })(request, response);
  });
  // Longer than tunnels keep an idle connection, so that no delivery arrives on a connection that is being closed.
  server.keepAliveTimeout = 75_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    throw codeOf(error) === 'EADDRINUSE' ? new Error(`Port ${port} is taken. Choose another with --port.`) : error;
  });
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    account = accountOf(core).catch(() => undefined);
    subscription = await client.subscriptions.create({ url: url ?? local, events: [...events] });
    say(`Listening at ${local}${url === undefined ? '' : ` for ${url}`}. Ctrl-C stops it and deletes its subscription.`);
    if (forward !== undefined) say(`Your program verifies what it gets with this signing secret: ${subscription.signing_secret}`);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    server.close();
    server.closeAllConnections();
    const { id } = subscription ?? {};
    // Someone may already have deleted the subscription, or have connected another account.
    const { left } = id === undefined ? {} : await endSubscription(core, { id, account: await account });
    if (left !== undefined) throw left.error;
  }
}

const tunnelAdvice = "Pass the public address that leads here, such as a tunnel's, with --url.";

const notOurs = ` It may be signed for another subscription of this address, such as one that a killed \`listen\` left behind: see npx ${program} subscriptions list.`;

/** One line per event: when, what, and whom it is about, with times in the host's zone. */
function lineOf({ event, record, delivered_at: at }: WebhookEvent, zone = 'UTC'): string {
  const { id, invitee_name, name, start_time: start }: Readonly<Record<string, unknown>> = record;
  const about = [invitee_name ?? name, start && `at ${showTime(start, zone) ?? asText(start)}`];
  return harmless(
    [showTime(at, zone) ?? at, event, id, ...about]
      .map(asText)
      .filter((part) => part !== '')
      .join(' '),
  );
}
