import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brand } from '../../shared/brand.ts';
import type { Client } from '../client/api/methods.ts';
import {
  createReceiver,
  eventNames,
  nodeHandler,
  type EventName,
  memoryClaims,
  type Receiver,
  type ReceiverOptions,
  type Subscribed,
  type WebhookEvent,
} from '../webhooks/index.ts';
import { isAtAddress } from '../../shared/webhooks/address.ts';
import { showTime } from '../../shared/time/index.ts';
import { asText } from '../../shared/values.ts';
import { isServiceError } from '../errors.ts';
import { forward as forwardTo, Replay } from './forward.ts';
import { program } from './help.ts';
import { Misuse, readOptions } from '../node/options.ts';
import { asJson, harmless } from './print.ts';
import { hostZone } from './run.ts';

export const listenHelp = `${program} listen: receives deliveries on this machine, verifies them and prints them

  --port <port>       the port on this machine (4040)
  --url <address>     the public address that leads there, such as a tunnel's; needed if ${brand.name} runs elsewhere
  --events <names>    only these events, separated by commas; default: all
  --forward <address> forwards each verified delivery to your program, with the bytes and headers that came
  --replay            with --forward: Enter sends this run's deliveries to your program again, as new ones
                      with a new signature; part of a printed line, such as an id, sends only those
  --json              prints each event as JSON

It creates a webhook subscription for that address and deletes it when you stop it (Ctrl-C). Other
subscriptions for the same address stay. With --forward, it shows the signing secret of its subscription,
for your program.

Example:
  ${program} listen --url https://example-tunnel.test --events BOOKING_CREATED,BOOKING_CANCELLED`;

export type Listening = ReturnType<typeof readListening>;

const options = {
  port: { value: '4040' },
  url: { value: 'https://example-tunnel.test' },
  events: { value: 'BOOKING_CREATED' },
  forward: { value: 'http://localhost:3000/hooks' },
  replay: {},
  json: {},
} as const;

/** @throws Misuse */
export function readListening(args: readonly string[]) {
  const { values, words } = readOptions(
    args,
    options,
    (name, near) => `listen has no option --${name}. ${near === undefined ? 'See listen --help.' : `Did you mean --${near}?`}`,
  );
  if (words.length > 0) throw new Misuse('Pass each value with its option. See listen --help.');
  const typed = values.get('port')?.[0] ?? options.port.value;
  const port = Number(typed);
  if (!/^\d{1,5}$/.test(typed) || port > 65_535) throw new Misuse('--port takes a port from 0 to 65535.');
  const events =
    values
      .get('events')?.[0]
      ?.split(',')
      .map((name) => name.trim()) ?? eventNames;
  const wrong = events.find((name) => !(eventNames as readonly string[]).includes(name));
  if (wrong !== undefined) throw new Misuse(`There is no event "${wrong.slice(0, 40)}". The events are ${eventNames.join(', ')}.`);
  const address = (name: string): string | undefined => {
    const typed = values.get(name)?.[0] || undefined;
    if (typed !== undefined && !/^https?:\/\//i.test(typed)) throw new Misuse(`--${name} takes an address with http:// or https://.`);
    return typed;
  };
  const [forward, replay] = [address('forward'), values.has('replay')];
  if (replay && forward === undefined) throw new Misuse(`--replay needs --forward, such as --forward ${options.forward.value}.`);
  return { port, url: address('url'), events: events as EventName[], forward, replay, json: values.has('json') };
}

/**
 * Receives deliveries until the signal aborts.
 *
 * @param print called for each event
 * @param say called for everything else that the person should know
 */
export async function listen(
  client: Client,
  { port, url, events, forward, replay, json }: Listening,
  { signal, print, say }: { signal: AbortSignal; print: (text: string) => void; say: (text: string) => void },
): Promise<void> {
  let subscription: Subscribed | undefined;
  let local = '';
  /** Other subscriptions for this address, as soon as one of them may have sent something. */
  let left: Promise<string[]> | undefined;
  const zone = hostZone(client, signal);
  const receiving: ReceiverOptions = {
    subscription: () => subscription,
    claims: memoryClaims(),
    onRefused: ({ status, check, message }) => {
      const others = check === 'signature' ? (left ??= othersAt(client, url ?? local, subscription?.id)) : Promise.resolve([]);
      void others.then((ids) => say(`Refused (${status}): ${ids.length === 0 ? message : notOurs(ids)}`));
    },
    onError: (error) => say(error instanceof Error ? error.message : String(error)),
  };
  const kept = new Replay();
  const server = createServer((request, response) => {
    let body: Uint8Array = new Uint8Array();
    const receiver = createReceiver(receiving).on(eventNames, async (event) => {
      const line = lineOf(event, await zone);
      print(json ? asJson(event) : line);
      if (forward === undefined) return;
      if (replay) kept.keep(event, line, body);
      await forwardTo(forward, event.event, request, body);
    });
    const receive: Receiver['receive'] = (incoming) =>
      receiver.receive({ ...incoming, body: async (bounds) => (body = await incoming.body(bounds)) });
    void nodeHandler({ ...receiver, receive })(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  local = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    subscription = await client.subscriptions.create({ url: url ?? local, events: [...events] });
    say(`Listening at ${local}${url === undefined ? '' : ` for ${url}`}. Ctrl-C stops it and deletes its subscription.`);
    if (forward !== undefined) say(`Your program verifies what it gets with this signing secret: ${subscription.signing_secret}`);
    if (forward !== undefined && replay) {
      say('Enter sends the deliveries of this run again. Part of a line, such as an id, sends only those.');
      void kept.run(forward, subscription, signal, say);
    }
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    server.close();
    server.closeAllConnections();
    if (subscription !== undefined) await end(client, subscription.id);
  }
}

/** Deletes the subscription of this run. Someone may have done it already. */
async function end(client: Client, subscription_id: string): Promise<void> {
  try {
    await client.subscriptions.delete({ subscription_id });
  } catch (error) {
    if (!isServiceError(error) || error.kind !== 'notFound') throw error;
  }
}

/** The ids of the account's other subscriptions for an address; none if they cannot be read. */
const othersAt = (client: Client, url: string, own: string | undefined): Promise<string[]> =>
  client.subscriptions
    .list()
    .all()
    .then(
      (all) => all.filter((each) => each.id !== own && isAtAddress(each, url) === true).map(({ id }) => id),
      () => [],
    );

const notOurs = (ids: readonly string[]): string =>
  `It is signed for another subscription of this address, perhaps one that a killed \`listen\` left behind. If nothing uses it, delete it:
${ids.map((id) => `  npx ${program} subscriptions delete --subscription-id ${harmless(id)}`).join('\n')}`;

/** When, what, and whom it is about, with times in the host's zone. */
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
