import type { Check, RawDelivery } from '../../shared/webhooks/delivery.ts';
import { memoryClaims, type ChangeClaims, type Claim, type Claims, processOnce, type Outcome } from '../stores/claims.ts';
import { UnreadableBody, type BodyFault } from './body.ts';
import { thingOf, type EventName, type EventOf, type WebhookEvent, handlersBy, type Handlers } from './events.ts';
import { guarded } from '../errors.ts';
import type { Soon } from '../stores/store.ts';
import { openResult, type OpenOptions, type Subscriptions } from './open.ts';
import type { Incoming } from './request.ts';

/** The response to a delivery. Its headers close the connection if the body was not read completely. */
export interface Answer {
  status: number;
  text: string;
  headers: Readonly<Record<string, string>>;
}

/** Why a delivery was not handled. */
export interface Refusal {
  status: number;
  /** The check that failed. */
  check: Check | BodyFault | 'method' | 'encoding';
  /** One sentence, without secrets and without any part of the body. */
  message: string;
}

/** Settings of a receiver. */
export interface ReceiverOptions extends OpenOptions {
  /**
   * The subscription of this address with its secret, as returned by `keepSubscription`. A function is called for each delivery, so that
   * another process can replace the secret, or one address can serve many accounts.
   */
  subscription: Subscriptions | ((incoming: Pick<Incoming, 'url' | 'headers'>) => Subscriptions | Promise<Subscriptions>);
  /** Remembers which deliveries were handled. Default: in the memory of this process. */
  claims?: Claims | undefined;
  /** Set it if a poller of `./changes` uses the same claims. Each change is then handled once, whichever of the two reports it first. */
  alsoPolled?: boolean | undefined;
  /** The maximum length of a body. Bytes. Default: 1,048,576 (1 MiB). */
  bodyBytes?: number | undefined;
  /** How long a body may take to arrive. Milliseconds. Default: 10 seconds, after which the service gives up (G20). */
  bodyMs?: number | undefined;
  /** Called for each request that was refused. */
  onRefused?: ((refusal: Refusal) => void) | undefined;
  /**
   * Called for each failure on your side: in a handler or a store, because something read the body too early, or because the application
   * responded first. Default: `console.error`.
   */
  onError?: ((error: unknown, event?: WebhookEvent) => void) | undefined;
}

/**
 * Handles an event. The service gets its response once the handler has finished. If the handler fails, the service sends the delivery
 * again.
 */
export type Handler<Name extends EventName> = (event: EventOf<Name>) => unknown;

/** Receives deliveries and handles each one once. */
export interface Receiver {
  /**
   * Sets the handler for one or more events.
   *
   * @throws Error if one of them already has a handler: of two handlers, one could fail after the other has finished
   */
  on<Name extends EventName>(names: Name | readonly Name[], handler: Handler<Name>): Receiver;
  /**
   * Sets a handler for every event. If a handler is missing, or a new version adds an event, the code does not compile.
   *
   * @throws Error if one of the events already has a handler
   */
  onEvery(handlers: { readonly [Name in EventName]: Handler<Name> }): Receiver;
  /** Processes one request and returns the response. Never throws. The server handlers in `./fetch` and `./node` use it. */
  receive(incoming: Incoming): Promise<Answer>;
  /** Passes an error to `onError`. Server handlers call it if they could not send a response. Never throws. */
  report(error: unknown): void;
}

const MEBIBYTE = 1024 * 1024;
const usualBodyMs = 10_000;

/**
 * Receives deliveries: verifies each over its raw body, claims it so that it is handled once, and passes it to the handler of its event.
 *
 * The response is 2xx if the delivery was handled or needs no handling. It is 401 or 400 if the delivery is not from the service or cannot
 * be read, and 405, 408, 413 or 415 if the request is not a delivery. It is 500 if a handler or a store failed; the claim is then released.
 * It is 503 while the same delivery is being handled, and if no secret is known here. The service sends a delivery again after every
 * response except a 2xx (G20).
 *
 * @throws Error if `alsoPolled` is set but the claims have no `claimLast`
 *
 * @example
 * ```ts
 * const receiver = createReceiver({ subscription }).on('BOOKING_CREATED', ({ record }) => welcome(record.invitee_email));
 * ```
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { subscription, claims = memoryClaims(), alsoPolled = false, bodyBytes = MEBIBYTE, bodyMs = usualBodyMs, ...rest } = options;
  const { maximumAgeSeconds, onRefused, onError = (error: unknown) => console.error(error) } = rest;
  if (alsoPolled && claims.claimLast === undefined)
    throw new Error('With alsoPolled, the claims need claimLast, which tells changes apart. All of this package have it.');
  const failed = (error: unknown, event?: WebhookEvent): void => guarded(() => onError(error, event));
  const refuse = (status: number, check: Refusal['check'], message: string, headers: Answer['headers'] = {}): Answer => {
    guarded(() => onRefused?.({ status, check, message }));
    return answer(status, message, headers);
  };
  /** The claims that a delivery needs before it is handled. */
  const claimsFor = ({ event, record, change_key }: WebhookEvent, key: string | undefined): (() => Soon<Claim>)[] => [
    ...(key === undefined ? [] : [() => claims.claim(key)]),
    ...(alsoPolled ? [() => (claims as ChangeClaims).claimLast(thingOf({ event, id: record.id }), change_key)] : []),
  ];
  async function handle(incoming: Incoming, handlers: Handlers<WebhookEvent>): Promise<Answer> {
    const { method, headers } = incoming;
    if (method !== 'POST') return refuse(405, 'method', 'Send deliveries with POST.', { allow: 'POST' });
    if (isCompressed(headers)) {
      const asPlain = { 'accept-encoding': 'identity', ...closing };
      return refuse(415, 'encoding', 'The body is compressed, but signatures cover the plain body.', asPlain);
    }
    const rawBody = await incoming.body({ bodyBytes, bodyMs });
    const subscriptions = typeof subscription === 'function' ? await subscription(incoming) : subscription;
    const opened = await openResult({ rawBody, headers }, subscriptions, { maximumAgeSeconds });
    if (opened.state === 'refused') return refuse(opened.status, opened.check, opened.message);
    if (opened.state === 'ignored') return answer(200, opened.message);
    const { event, claim } = opened;
    const handler = handlers.get(event.event);
    if (handler === undefined) return answer(200, 'There is no handler for this event.');
    const outcome = await processOnce(
      claimsFor(event, claim),
      () => handler(event),
      (error) => failed(error, event),
    );
    return answers[outcome];
  }
  return handlersBy<WebhookEvent, Receiver>((handlers) => ({
    receive: (incoming) =>
      handle(incoming, handlers).catch((error: unknown) => {
        if (error instanceof UnreadableBody && error.fault !== 'readBefore')
          return refuse(statuses[error.fault], error.fault, error.message, closing);
        failed(error);
        return answer(500, 'The delivery could not be received here. Send it again.');
      }),
    report: (error) => failed(error),
  }));
}

const answer = (status: number, text: string, headers: Answer['headers'] = {}): Answer => ({ status, text, headers });

/** If the body was not read completely, the connection cannot be reused. */
const closing = { connection: 'close' };

const statuses = { tooLong: 413, tooSlow: 408, brokenOff: 400 } as const;

const answers: Readonly<Record<Outcome, Answer>> = {
  processed: answer(200, 'Thank you.'),
  duplicate: answer(200, 'This delivery was received before.'),
  inProgress: answer(503, 'This delivery is still being handled. Send it again.', { 'retry-after': '10' }),
  failed: answer(500, 'The delivery was not handled. Send it again.'),
};

const isCompressed = (headers: RawDelivery['headers']): boolean =>
  Object.entries(headers).some(
    ([name, values = '']) => name.toLowerCase() === 'content-encoding' && /[^\s,]/.test(String(values).replaceAll(/identity/gi, '')),
  );
