import {
  isVerified,
  verifyDelivery,
  type Accepted,
  type Check,
  type DeliveryResult,
  type RawDelivery,
} from '../../shared/webhooks/delivery.ts';
import { headerName } from '../../shared/webhooks/headers.ts';
import { checkSignature, keyOf, type DeliveryCrypto, type Secret, type Verdict } from '../../shared/webhooks/signature.ts';
import { present } from '../../shared/records/outputs.ts';
import type { Subscribed } from '../../shared/webhooks/storedSubscription.ts';
import { bytesOf, hmacSha256, sha256 } from '../crypto.ts';
import { typed } from '../client/typed.ts';
import { isSame, randomText } from '../oauth/random.ts';
import { eventNames, type WebhookEvent } from './events.ts';
import { bytesIn, headersIn } from './request.ts';

export type { Check, RawDelivery, Secret, Verdict };

/** The subscriptions that may have sent a delivery: one, or several while a secret is being replaced. */
export type Subscriptions = Subscribed | readonly Subscribed[] | undefined;

/** How strictly a delivery is checked. */
export interface OpenOptions {
  /**
   * Refuses deliveries whose timestamp is older than this. Seconds. Off by default, because the timestamp is not signed and late deliveries
   * may be genuine.
   */
  maximumAgeSeconds?: number | undefined;
}

/** A delivery that is certainly from the service. */
export interface Opened {
  event: WebhookEvent;
  /**
   * The key that this delivery shares with its repeats; `undefined` if nothing distinguishes it from another event with the same content.
   */
  claim: string | undefined;
}

/** Thrown if the delivery is not certainly from the service, or cannot be read. The message contains no secrets and no part of the body. */
export class DeliveryRefused extends Error {
  override readonly name = 'DeliveryRefused';
  /** The status of the response: 401 if the signature is wrong, 400 if the content is, 503 if no secret is known here. */
  readonly status: 400 | 401 | 503;
  /** The check that failed. */
  readonly check: Check;

  constructor({ status, check, message }: Pick<DeliveryRefused, 'status' | 'check' | 'message'>) {
    super(message);
    this.status = status;
    this.check = check;
  }
}

/**
 * Whether the signature of a raw body, before it is parsed, is right (section 6). False if the signature or the secret is missing.
 *
 * @example
 * ```ts
 * if (!(await verify(rawBody, request.headers.get(signatureHeader), secret))) return new Response('', { status: 401 });
 * ```
 */
export const verify = async (
  rawBody: Uint8Array | string,
  header: string | null | undefined,
  secret: Secret | undefined,
): Promise<boolean> => (await explainSignature(rawBody, header, secret)) === 'valid';

/** The result of {@link verify} in one word, for a log. To decide whether to accept a delivery, use `verify`. */
export async function explainSignature(
  rawBody: Uint8Array | string,
  header: string | null | undefined,
  secret: Secret | undefined,
): Promise<Verdict> {
  return checkSignature(rawBody, header ?? undefined, secret, ownCrypto);
}

/**
 * Opens a delivery: checks its signature over the raw body, then reads it (G13).
 *
 * @param subscriptions each with its id and secret; if there is none, the delivery is refused
 * @returns `undefined` if this package does not know its event
 * @throws DeliveryRefused if it is not certainly from the service, or cannot be read
 */
export async function open(delivery: RawDelivery, subscriptions: Subscriptions, options: OpenOptions = {}): Promise<Opened | undefined> {
  const result = await openResult(delivery, subscriptions, options);
  if (result.state === 'refused') throw new DeliveryRefused(result);
  return result.state === 'accepted' ? result : undefined;
}

/** Like {@link open}, but returns what is wrong with a delivery instead of throwing an error. */
export async function openResult(
  delivery: RawDelivery,
  subscriptions: Subscriptions,
  { maximumAgeSeconds }: OpenOptions,
): Promise<Exclude<DeliveryResult, Accepted> | (Opened & { state: 'accepted' })> {
  // A body that a parser has turned into an object does not count.
  const sent = { rawBody: bytesIn(delivery.rawBody), headers: headersIn(delivery.headers) };
  const verified = (id: string, secret: string | undefined) =>
    verifyDelivery(sent, { secret, events: eventNames, subscriptionId: id, now: Date.now(), maximumAgeSeconds }, ownCrypto);
  let used = '';
  let result = verified(used, undefined);
  for (const { id, signing_secret: secret } of [subscriptions ?? []].flat()) {
    used = id;
    result = verified(id, secret);
    if (isVerified(result)) break;
  }
  if (result.state === 'accepted') return { state: 'accepted', event: eventOf(result, used), claim: result.repeatKeys[0] };
  return result.state === 'refused' && result.check === 'secret' ? { ...result, message: noSecret } : result;
}

/** The cast is safe: the table of events gives each event's kind of record, and the record was read as that kind. */
const eventOf = ({ kind, record, delivery }: Accepted, subscriptionId: string): WebhookEvent =>
  ({ ...delivery, record: typed(kind, present(kind, record)), subscription_id: subscriptionId }) as WebhookEvent;

const noSecret =
  'No signing secret is known here for this address, so the delivery cannot be verified. Subscribe the address with keepSubscription and pass its result to the receiver.';

/** Bytes as an instance of this realm's own `Uint8Array`. */
const dataOf = (data: Uint8Array | string): Uint8Array => (typeof data === 'string' ? bytesOf(data) : new Uint8Array(data));

/** The signature of a raw body (section 6): `sha256=` and the HMAC-SHA256 of its bytes in lowercase hexadecimal digits. */
export const sign = (rawBody: Uint8Array | string, secret: Secret): string =>
  `sha256=${hmacSha256(dataOf(keyOf(secret)), dataOf(rawBody))}`;

const ownCrypto: DeliveryCrypto = { sha256, isGenuine: (rawBody, header, secret) => isSame(sign(rawBody, secret), header) };

/** A delivery as the service sends it: a POST with these headers and exactly this body. */
export interface TestDelivery {
  headers: Record<string, string>;
  body: string;
}

export const newDeliveryId = (): string => `dlv_${randomText(12)}`;

/** A new delivery of a body that is not signed yet. Its id becomes part of the signed body, so that it differs from every earlier event. */
export function signedBody(
  event: string,
  content: object,
  secret: Secret,
  { deliveryId = newDeliveryId(), at = new Date().toISOString() } = {},
): TestDelivery {
  const body = JSON.stringify({ ...content, event_id: deliveryId });
  return {
    headers: {
      'content-type': 'application/json',
      [headerName('Event')]: event,
      [headerName('Delivery-ID')]: deliveryId,
      [headerName('Timestamp')]: at,
      [headerName('Signature')]: sign(body, secret),
    },
    body,
  };
}
