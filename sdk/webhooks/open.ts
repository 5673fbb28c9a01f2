import { judge, keyed, signatureIn, type Check, type RawDelivery } from '../../shared/webhooks/delivery.ts';
import { keyText, type Secret, type Verdict } from '../../shared/webhooks/signed.ts';
import { present } from '../../shared/outputs.ts';
import type { Subscribed } from '../../shared/webhooks/subscriptions.ts';
import { typed } from '../client/typed.ts';
import { eventNames, type WebhookEvent } from './events.ts';
import { hashing, verdictOn } from './hashing.ts';

export type { Check, RawDelivery, Secret, Verdict };

/** The subscriptions that may have sent a delivery: one, or several while a secret is being replaced. */
export type Subscriptions = Subscribed | readonly Subscribed[] | undefined;

/** How strictly a delivery is checked. */
export interface OpenOptions {
  /**
   * Refuses deliveries whose timestamp is older. Seconds. Off by default, because the timestamp is not signed and late deliveries may be
   * real.
   */
  maximumAgeSeconds?: number | undefined;
}

/** The result of opening a delivery. */
export type Opened =
  | {
      outcome: 'accepted';
      event: WebhookEvent;
      /**
       * The key that repeats of this delivery also have; `undefined` if nothing distinguishes it from another event with the same content.
       */
      claim: string | undefined;
    }
  | { outcome: 'ignored'; message: string }
  | {
      outcome: 'refused';
      /** The status to answer: 401 if the signature is wrong, 400 if the content is. */
      status: 400 | 401;
      check: Check;
      /** One sentence, without secrets and without any part of the body. */
      message: string;
    };

/**
 * Checks the signature of a raw body, before it is parsed (section 6). Act on the delivery only if the result is `valid`.
 *
 * @example
 * ```ts
 * if ((await verify(rawBody, request.headers.get(signatureHeader), secret)) !== 'valid') return new Response('', { status: 401 });
 * ```
 */
export const verify = (rawBody: Uint8Array | string, header: string | null | undefined, secret: Secret | undefined): Promise<Verdict> =>
  verdictOn(rawBody, header ?? undefined, secret);

/**
 * Opens a delivery: checks its signature over the raw body, then reads it (G13). Never throws. A delivery that is not certainly from the
 * service is refused, with the name of the failed check.
 *
 * @param subscriptions each with its id and secret; without any, the delivery is refused
 */
export async function open(delivery: RawDelivery, subscriptions: Subscriptions, { maximumAgeSeconds }: OpenOptions = {}): Promise<Opened> {
  const known = subscriptions === undefined ? [] : isMany(subscriptions) ? subscriptions : [subscriptions];
  const signature = signatureIn(delivery.headers);
  let verdict: Verdict = 'secretless';
  let by: Subscribed | undefined;
  for (const each of known) {
    if (verdict === 'valid' || delivery.rawBody === undefined) break;
    by = each;
    verdict = await verdictOn(delivery.rawBody, signature, each.signing_secret);
  }
  const expected = { events: eventNames, subscriptionId: by?.id ?? '', now: Date.now(), maximumAgeSeconds };
  const judged = judge(delivery, expected, verdict);
  if (judged.outcome === 'refused' && judged.check === 'secret') return { ...judged, message: noSecret };
  if (judged.outcome !== 'accepted') return judged;
  const {
    kind,
    delivery: told,
    record,
    claims,
  } = keyed(judged, await hashing.hash(keyText(...judged.keyParts)), await hashing.hash(keyText(...judged.changeParts)));
  // The table of events says which kind of record each event has, and the record was read as that kind.
  const event = {
    ...told,
    record: typed(kind, present(kind, record)),
    subscription_id: expected.subscriptionId,
  } as unknown as WebhookEvent;
  return { outcome: 'accepted', event, claim: claims[0] };
}

/** The compiler's own check does not recognise a readonly list. */
const isMany = (subscriptions: Subscribed | readonly Subscribed[]): subscriptions is readonly Subscribed[] => Array.isArray(subscriptions);

const noSecret =
  'No signing secret is known here for this address, so the delivery cannot be verified. Subscribe the address with keepSubscription and pass its result to the receiver.';
