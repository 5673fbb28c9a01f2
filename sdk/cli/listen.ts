import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { brand } from '../../shared/brand.ts';
import type { Client } from '../client/api/methods.ts';
import { memoryStore } from '../memoryStore.ts';
import {
  createReceiver,
  endSubscription,
  eventNames,
  keepSubscription,
  nodeHandler,
  type EventName,
  type WebhookEvent,
} from '../webhooks/index.ts';
import { nearest } from './commands.ts';
import { program } from './help.ts';
import { asJson } from './print.ts';
import { lacksValue, Misuse } from './read.ts';

export const listenHelp = `${program} listen: receives deliveries on this machine, verifies them and prints them

  --port <port>       the port on this machine (4040)
  --url <address>     the public address that leads there, such as a tunnel's; needed if ${brand.name} runs elsewhere
  --events <names>    only these events, separated by commas; default: all
  --forward <address> forwards each verified delivery unchanged to your program
  --json              prints each event as JSON

It creates a webhook subscription for that address and deletes it when you stop it (Ctrl-C).

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
  port: { type: 'string', default: '4040' },
  url: { type: 'string' },
  events: { type: 'string' },
  forward: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** @throws Misuse */
export function readListening(args: readonly string[]): Listening {
  const { values, tokens, positionals } = parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (Object.hasOwn(options, token.name)) {
      if (token.name !== 'json' && lacksValue(token)) throw new Misuse(`--${token.name} needs a value. See listen --help.`);
      continue;
    }
    const near = nearest(token.name, Object.keys(options));
    throw new Misuse(`listen has no option --${token.name}. ${near === undefined ? 'See listen --help.' : `Did you mean --${near}?`}`);
  }
  if (positionals.length > 0) throw new Misuse('Pass each value with its option. See listen --help.');
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Misuse('--port takes a port from 0 to 65535.');
  const events = typeof values.events === 'string' ? values.events.split(',').map((name) => name.trim()) : eventNames;
  const wrong = events.find((name) => !(eventNames as readonly string[]).includes(name));
  if (wrong !== undefined) throw new Misuse(`There is no event "${wrong.slice(0, 40)}". There are ${eventNames.join(', ')}.`);
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  return { port, url: text(values.url), events: events as EventName[], forward: text(values.forward), json: values.json === true };
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
  const store = memoryStore<{ id: string; signing_secret: string }>();
  const receiver = createReceiver({
    subscription: () => store.read(),
    onRefused: ({ status, message }) => say(`Refused (${status}): ${message}`),
    onError: (error) => say(error instanceof Error ? error.message : String(error)),
  });
  receiver.on(eventNames, async (event) => {
    print(json ? asJson(event) : lineOf(event));
    if (forward !== undefined) await handOn(forward, event);
  });
  const handle = nodeHandler(receiver);
  const server = createServer((request, response) => void handle(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await keepSubscription(client, { url: url ?? local, events, store });
    say(`Listening at ${local}${url === undefined ? '' : ` for ${url}`}. Ctrl-C stops it and deletes its subscription.`);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    server.close();
    server.closeAllConnections();
    await endSubscription(client, store);
  }
}

const lineOf = ({ event, record, delivered_at: at }: WebhookEvent): string => `${at ?? ''} ${event} ${record.id}`.trim();

/** @throws an error that makes the service send the delivery again */
async function handOn(address: string, event: WebhookEvent): Promise<void> {
  const body = JSON.stringify(event);
  const { ok, status } = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(8_000),
  });
  if (!ok) throw new Error(`${new URL(address).host} answered ${event.event} with ${status}.`);
}
