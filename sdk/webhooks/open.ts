import { judge, type Check, type MarkedDelivery, type RawDelivery, type Unkeyed } from '../../shared/webhooks/delivery.ts';
import { marksIn } from '../../shared/webhooks/marks.ts';
import { keyText, type Secret, type Verdict } from '../../shared/webhooks/signed.ts';
import { present } from '../../shared/outputs.ts';
import type { Subscribed } from '../../shared/webhooks/subscriptions.ts';
import { typed } from '../client/typed.ts';
import { after, isLate } from '../soon.ts';
import type { Soon } from '../stores/store.ts';
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
export const verify = async (
  rawBody: Uint8Array | string,
  header: string | null | undefined,
  secret: Secret | undefined,
): Promise<Verdict> => verdictOn(rawBody, header ?? undefined, secret);

/**
 * Opens a delivery: checks its signature over the raw body, then reads it (G13). Never throws. A delivery that is not certainly from the
 * service is refused, with the name of the failed check.
 *
 * @param subscriptions each with its id and secret; without any, the delivery is refused
 */
export async function open(delivery: RawDelivery, subscriptions: Subscriptions, options: OpenOptions = {}): Promise<Opened> {
  const { rawBody, headers } = delivery;
  return openMarked({ rawBody, marks: marksIn(headers), headers: () => headers }, subscriptions, options);
}

/** The same for a delivery whose headers were already read. The result is immediate if the runtime computes hashes synchronously. */
export function openMarked(delivery: MarkedDelivery, subscriptions: Subscriptions, { maximumAgeSeconds }: OpenOptions): Soon<Opened> {
  const known = subscriptions === undefined ? [] : isMany(subscriptions) ? subscriptions : [subscriptions];
  return after(checked(delivery, known), ({ verdict, by }) => {
    const subscriptionId = by?.id ?? '';
    const judged = judge(delivery, { events: eventNames, subscriptionId, now: Date.now(), maximumAgeSeconds }, verdict);
    if (judged.outcome === 'accepted') return accepted(judged, subscriptionId);
    return judged.outcome === 'refused' && judged.check === 'secret' ? { ...judged, message: noSecret } : judged;
  });
}

/** The verdict on the signature, and the subscription that it was last checked with. */
interface Checked {
  verdict: Verdict;
  by: Subscribed | undefined;
}

/** Tries one subscription after the other until the signature matches. */
function checked(delivery: MarkedDelivery, known: readonly Subscribed[], from = 0): Soon<Checked> {
  const { rawBody, marks } = delivery;
  let found: Checked = { verdict: 'secretless', by: undefined };
  if (rawBody === undefined) return found;
  for (let at = from; at < known.length && found.verdict !== 'valid'; at += 1) {
    const by = known[at];
    const verdict = verdictOn(rawBody, marks.signature, by?.signing_secret);
    if (verdict instanceof Promise)
      return verdict.then((is) => (is === 'valid' || at + 1 === known.length ? { verdict: is, by } : checked(delivery, known, at + 1)));
    found = { verdict, by };
  }
  return found;
}

function accepted(judged: Unkeyed, subscriptionId: string): Soon<Opened> {
  const key = hashing.hash(keyText(...judged.keyParts));
  const change = hashing.hash(keyText(...judged.changeParts));
  if (isLate(key) || isLate(change)) return Promise.all([key, change]).then((keys) => told(judged, ...keys, subscriptionId));
  return told(judged, key, change, subscriptionId);
}

function told({ kind, record, delivery, isKnownAgain }: Unkeyed, key: string, change: string, subscriptionId: string): Opened {
  const event = {
    ...delivery,
    delivery_key: key,
    change_key: change,
    // The table of events says which kind of record each event has, and the record was read as that kind.
    record: typed(kind, present(kind, record)),
    subscription_id: subscriptionId,
  } as unknown as WebhookEvent;
  return { outcome: 'accepted', event, claim: isKnownAgain ? key : undefined };
}

/** The compiler's own check does not recognise a readonly list. */
const isMany = (subscriptions: Subscribed | readonly Subscribed[]): subscriptions is readonly Subscribed[] => Array.isArray(subscriptions);

const noSecret =
  'No signing secret is known here for this address, so the delivery cannot be verified. Subscribe the address with keepSubscription and pass its result to the receiver.';
