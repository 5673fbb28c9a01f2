import { judge, keyed, signatureIn, type Check, type RawDelivery } from '../../shared/webhooks/delivery.ts';
import { keyText, type Secret, type Verdict } from '../../shared/webhooks/signed.ts';
import { present } from '../../shared/outputs.ts';
import type { Subscribed } from '../../shared/webhooks/subscriptions.ts';
import { typed } from '../client/typed.ts';
import { eventNames, type WebhookEvent } from './events.ts';
import { hashing, verdictOn } from './hashing.ts';

export type { Check, RawDelivery, Secret, Verdict };

/** The subscriptions that may have sent a delivery: one, or several while a secret is being renewed. */
export type Subscriptions = Subscribed | readonly Subscribed[] | undefined;

/** How strictly a delivery is opened. */
export interface OpenOptions {
  /** Refuse what says that it is older. Off by default: the time is not signed, and what comes late may be real. Seconds. */
  maximumAgeSeconds?: number | undefined;
}

/** What became of a delivery. */
export type Opened =
  | {
      outcome: 'accepted';
      event: WebhookEvent;
      /** What it is known again by; none where nothing tells it from another event of the same content. */
      claim: string | undefined;
    }
  | { outcome: 'ignored'; message: string }
  | {
      outcome: 'refused';
      /** What to answer: 401 where the signature is at fault, 400 where the content is. */
      status: 400 | 401;
      check: Check;
      /** One sentence without secrets and without anything of the body. */
      message: string;
    };

/**
 * Checks a signature over a body as it came in, before any parsing (section 6). Anything but `valid` means: do not act on it.
 *
 * @example
 * ```ts
 * if ((await verify(rawBody, request.headers.get(signatureHeader), secret)) !== 'valid') return new Response('', { status: 401 });
 * ```
 */
export const verify = (rawBody: Uint8Array | string, header: string | null | undefined, secret: Secret | undefined): Promise<Verdict> =>
  verdictOn(rawBody, header ?? undefined, secret);

/**
 * Opens a delivery: checks its signature over the raw body first, then reads it (G13). Fails closed and never throws: what is not
 * surely of the service is refused, with the name of the check.
 *
 * @param subscriptions each has its id and its secret; none means refused
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
  // The table of events says which kind of record each has, and the record was read as one of that kind.
  const event = {
    ...told,
    record: typed(kind, present(kind, record)),
    subscription_id: expected.subscriptionId,
  } as unknown as WebhookEvent;
  return { outcome: 'accepted', event, claim: claims[0] };
}

/** A list that cannot be written to is one for the compiler as well. */
const isMany = (subscriptions: Subscribed | readonly Subscribed[]): subscriptions is readonly Subscribed[] => Array.isArray(subscriptions);

const noSecret =
  'No signing secret is known here for this address, so the delivery cannot be verified. Subscribe the address with keepSubscription and pass its result to the receiver.';
