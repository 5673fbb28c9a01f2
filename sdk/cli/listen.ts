import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { brand } from '../../shared/brand.ts';
import type { Client } from '../client/api/methods.ts';
import {
  createReceiver,
  eventNames,
  nodeHandler,
  type EventName,
  type Receiver,
  type Subscribed,
  type WebhookEvent,
} from '../webhooks/index.ts';
import { asText } from '../../shared/values.ts';
import { isServiceError } from '../errors.ts';
import { program } from './help.ts';
import { Misuse, readOptions } from '../node/options.ts';
import { asJson, harmless } from './print.ts';

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

/** The options of `listen`. */
export interface Listening {
  port: number;
  url: string | undefined;
  events: readonly EventName[];
  forward: string | undefined;
  json: boolean;
}

const options = {
  port: { value: '4040' },
  url: { value: 'https://example-tunnel.test' },
  events: { value: 'BOOKING_CREATED' },
  forward: { value: 'http://localhost:3000/hooks' },
  json: {},
} as const;

/** @throws Misuse */
export function readListening(args: readonly string[]): Listening {
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
  return { port, url: address('url'), events: events as EventName[], forward: address('forward'), json: values.has('json') };
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
  let subscription: Subscribed | undefined;
  const receiver = createReceiver({
    subscription: () => subscription,
    onRefused: ({ status, message }) => say(`Refused (${status}): ${message}`),
    onError: (error) => say(error instanceof Error ? error.message : String(error)),
  });
  /** The request to which the running handler belongs, with its body. */
  const current = new AsyncLocalStorage<{ request: IncomingMessage; body: Uint8Array }>();
  receiver.on(eventNames, async (event) => {
    print(json ? asJson(event) : lineOf(event));
    const delivery = current.getStore();
    if (forward !== undefined && delivery !== undefined) await handOn(forward, event.event, delivery);
  });
  const handle = nodeHandler(keepingBody(receiver, (body) => void Object.assign(current.getStore() ?? {}, { body })));
  const server = createServer(
    (request, response) => void current.run({ request, body: new Uint8Array() }, () => handle(request, response)),
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    subscription = await client.subscriptions.create({ url: url ?? local, events: [...events] });
    say(`Listening at ${local}${url === undefined ? '' : ` for ${url}`}. Ctrl-C stops it and deletes its subscription.`);
    if (forward !== undefined) say(`Your program verifies what it gets with this signing secret: ${subscription.signing_secret}`);
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

/** The same receiver, which also tells the bytes of each body. */
const keepingBody = (receiver: Receiver, keep: (body: Uint8Array) => void): Receiver => ({
  ...receiver,
  receive: (incoming) =>
    receiver.receive({
      method: incoming.method,
      url: incoming.url,
      headers: incoming.headers,
      async body(bounds) {
        const bytes = await incoming.body(bounds);
        keep(bytes);
        return bytes;
      },
    }),
});

/** When, what, and whom it is about. */
function lineOf({ event, record, delivered_at: at }: WebhookEvent): string {
  const { id, invitee_name, name, start_time: start }: Readonly<Record<string, unknown>> = record;
  const about = [invitee_name ?? name, start && `at ${asText(start)}`];
  return harmless(
    [at, event, id, ...about]
      .map(asText)
      .filter((part) => part !== '')
      .join(' '),
  );
}

/** Headers that belong to the connection, or that the new request has of its own. */
const notForwarded = /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

/**
 * Sends a delivery on as it came: its bytes, and its headers with their spelling, order and repetitions. `fetch` would change them.
 *
 * @throws an error that makes the service send the delivery again
 */
async function handOn(address: string, event: string, { request, body }: { request: IncomingMessage; body: Uint8Array }): Promise<void> {
  const { host, protocol } = new URL(address);
  const { rawHeaders } = request;
  const own = ['Host', host, 'Content-Length', String(body.length)];
  const headers = rawHeaders.filter((_, at) => !notForwarded.test(rawHeaders[at - (at % 2)] ?? '')).concat(own);
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  const status = await new Promise<number>((resolve, reject) => {
    send(address, { method: 'POST', headers, agent: false, signal: AbortSignal.timeout(8_000) }, (answer) => {
      // Only its status counts.
      answer.on('error', () => undefined).resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', ({ name, code }: NodeJS.ErrnoException) => {
        const why = name === 'AbortError' ? 'did not answer within 8 seconds' : `cannot be reached (${code ?? name})`;
        reject(new Error(`${host} ${why}, so it may not have handled ${event}. The service may send it again.`));
      })
      .end(body);
  });
  if (status < 200 || status > 299) throw new Error(`${host} answered ${event} with ${status}.`);
}
