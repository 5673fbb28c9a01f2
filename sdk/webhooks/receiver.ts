import type { Check, RawDelivery } from '../../shared/webhooks/delivery.ts';
import { actUnder, type Outcome } from '../stores/acting.ts';
import { memoryClaims, type ChangeClaims, type Claim, type Claims } from '../stores/claims.ts';
import { UnreadableBody, type BodyFault, type Bounds } from './body.ts';
import { thingOf, type EventName, type EventOf, type WebhookEvent } from './events.ts';
import { handlersBy, type Handlers } from './handlers.ts';
import { open, type OpenOptions, type Subscriptions } from './open.ts';

/** A request as a handler of any kind passes it. */
export interface Incoming {
  method: string;
  /** The path with the query, or the whole address: as the server gives it. */
  url: string;
  headers: RawDelivery['headers'];
  /**
   * The bytes of the body as they were sent.
   *
   * @throws UnreadableBody
   */
  body(bounds: Bounds): Promise<Uint8Array>;
}

/** What to answer the service: a status, a sentence, and whether the connection must end because the body was not read to its end. */
export interface Answer {
  status: number;
  text: string;
  headers: Readonly<Record<string, string>>;
}

/** Why a delivery was not acted on. */
export interface Refusal {
  status: number;
  /** The check that was not passed. */
  check: Check | BodyFault | 'method' | 'encoding';
  /** One sentence, without secrets and without anything of the body. */
  message: string;
}

/** What a receiver is made with. */
export interface ReceiverOptions extends OpenOptions {
  /**
   * The subscription of this address with its secret, as `keepSubscription` gives it. A function is asked for each delivery: so
   * another process may renew the secret, and one address may serve many accounts.
   */
  subscription: Subscriptions | ((incoming: Pick<Incoming, 'url' | 'headers'>) => Subscriptions | Promise<Subscriptions>);
  /** Where it is remembered what was acted on; in this process alone where it is absent. */
  claims?: Claims;
  /**
   * Set it where a poller of `./changes` has the same claims: then each change is acted on once, whichever of the two is first to tell
   * it.
   */
  alsoPolled?: boolean;
  /** The longest body that is read. Bytes; 1 MiB where it is absent. */
  bodyBytes?: number;
  /** How long a body may take to come in. Milliseconds; 10 seconds where it is absent, after which the service gives up (G20). */
  bodyMs?: number;
  /** Told of each request that was not acted on because of what it was. */
  onRefused?: (refusal: Refusal) => void;
  /** Told of each failure on this side: of a handler, a store or the place of the handler. `console.error` where it is absent. */
  onError?: (error: unknown, event?: WebhookEvent) => void;
}

/** What is done with an event. The service is answered once it has ended; where it fails, the service is asked to send again. */
export type Handler<Name extends EventName> = (event: EventOf<Name>) => unknown;

/** Takes deliveries, and has each handled once. */
export interface Receiver {
  /**
   * Says what is done with an event, or with several.
   *
   * @throws Error where one of them has a handler already: of two, one could fail after the other has acted
   */
  on<Name extends EventName>(names: Name | readonly Name[], handler: Handler<Name>): Receiver;
  /** The same for every event there is: one that is left out, or added to the service later, does not compile. */
  onEvery(handlers: { readonly [Name in EventName]: Handler<Name> }): Receiver;
  /** Answers one request. Never throws. Handlers for servers are made of this: see `./fetch`, `./node` and `./express`. */
  receive(incoming: Incoming): Promise<Answer>;
}

const MEBIBYTE = 1024 * 1024;
const usualBodyMs = 10_000;

/**
 * Receives deliveries: verifies each over its raw body, claims it so that it is acted on once, and hands it to the handler of its
 * event.
 *
 * Answers 2xx for what was acted on, or need not be; 401 and 400 for what is not of the service or cannot be read; 405, 408, 413 and
 * 415 for what is not a delivery; 500 where a handler or a store failed, with the claim given back; and 503 while the same delivery is
 * being acted on. The service sends again everything that was not answered with a 2xx (G20).
 *
 * @throws Error where `alsoPolled` is set and the claims cannot tell changes apart
 *
 * @example
 * ```ts
 * const receiver = createReceiver({ subscription }).on('BOOKING_CREATED', ({ record }) => welcome(record.invitee_email));
 * ```
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const asked = askedWith(options);
  return handlersBy<WebhookEvent, Receiver>((handlers) => ({ receive: (incoming) => answered(incoming, asked, handlers) }));
}

type Asked = ReturnType<typeof askedWith>;

const askedWith = ({ bodyBytes = MEBIBYTE, bodyMs = usualBodyMs, claims = memoryClaims(), ...rest }: ReceiverOptions) => ({
  bounds: { bodyBytes, bodyMs },
  claimsFor: claimsWith(claims, rest.alsoPolled ?? false),
  subscriptions: async (incoming: Incoming): Promise<Subscriptions> =>
    typeof rest.subscription === 'function' ? rest.subscription(incoming) : rest.subscription,
  age: { maximumAgeSeconds: rest.maximumAgeSeconds },
  refused: (refusal: Refusal) => guarded(() => rest.onRefused?.(refusal)),
  failed: (error: unknown, event?: WebhookEvent) =>
    guarded(() => (rest.onError === undefined ? console.error(error) : rest.onError(error, event))),
});

/** What has to be claimed of a delivery before it is acted on. */
function claimsWith(claims: Claims, alsoPolled: boolean): (event: WebhookEvent, key: string | undefined) => (() => Promise<Claim>)[] {
  const isTelling = (given: Claims): given is ChangeClaims => given.claimLast !== undefined;
  if (alsoPolled && !isTelling(claims))
    throw new Error('With alsoPolled the claims need a claimLast, by which changes are told apart. Those of the package have it.');
  return (event, key) => [
    ...(key === undefined ? [] : [() => claims.claim(key)]),
    ...(alsoPolled && isTelling(claims)
      ? [() => claims.claimLast(thingOf({ event: event.event, id: event.record.id }), event.change_key)]
      : []),
  ];
}

/** Who listens cannot keep the service from its answer. */
function guarded(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    console.error(error);
  }
}

const answer = (status: number, text: string, headers: Record<string, string> = {}): Answer => ({ status, text, headers });

/** A connection whose body was not read to its end cannot be used for another request. */
const closing = { connection: 'close' };

async function answered(incoming: Incoming, asked: Asked, handlers: Handlers<WebhookEvent>): Promise<Answer> {
  const refuse = (status: number, check: Refusal['check'], message: string, headers: Record<string, string> = {}): Answer => {
    asked.refused({ status, check, message });
    return answer(status, message, headers);
  };
  try {
    if (incoming.method !== 'POST') return refuse(405, 'method', 'Send deliveries with POST.', { allow: 'POST' });
    const encoding = encodingOf(incoming.headers);
    if (encoding !== undefined)
      return refuse(415, 'encoding', `The body is compressed (${encoding}), but signatures cover the plain body.`, {
        'accept-encoding': 'identity',
        ...closing,
      });
    const rawBody = await incoming.body(asked.bounds);
    const opened = await open({ rawBody, headers: incoming.headers }, await asked.subscriptions(incoming), asked.age);
    if (opened.outcome === 'refused') return refuse(opened.status, opened.check, opened.message);
    if (opened.outcome === 'ignored') return answer(200, opened.message);
    const handler = handlers.get(opened.event.event);
    if (handler === undefined) return answer(200, 'There is no handler for this event.');
    const { event, claim } = opened;
    return answers[
      await actUnder(
        asked.claimsFor(event, claim),
        () => handler(event),
        (error) => asked.failed(error, event),
      )
    ];
  } catch (error) {
    if (error instanceof UnreadableBody && error.fault !== 'readBefore')
      return refuse(statuses[error.fault], error.fault, error.message, closing);
    asked.failed(error);
    return answer(500, 'The delivery could not be received here. Send it again.');
  }
}

const statuses = { tooLong: 413, tooSlow: 408, brokenOff: 400 } as const;

const answers: Readonly<Record<Outcome, Answer>> = {
  taken: answer(200, 'Thank you.'),
  kept: answer(200, 'This delivery was received before.'),
  busy: answer(503, 'This delivery is still being handled. Send it again.', { 'retry-after': '10' }),
  failed: answer(500, 'The delivery was not handled. Send it again.'),
};

/** The encoding of a packed body, fit for a sentence; `undefined` where the body is as it is. */
function encodingOf(headers: RawDelivery['headers']): string | undefined {
  const name = Object.keys(headers).find((key) => key.length === packed.length && key.toLowerCase() === packed);
  if (name === undefined) return undefined;
  const given = headers[name];
  const encodings = [given ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '' && value !== 'identity');
  return encodings.length === 0
    ? undefined
    : encodings
        .join(', ')
        .replaceAll(/[^a-z0-9, _-]/g, '')
        .slice(0, 40);
}

const packed = 'content-encoding';
