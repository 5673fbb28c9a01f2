import { deliveryBody } from '../assumptions.ts';
import { brand } from '../brand.ts';
import { changeParts } from '../changes/key.ts';
import { eventRow, events, isEventName, type EventName } from '../events.ts';
import { showWith, type Shape } from '../outputs.ts';
import { isObject } from '../values.ts';
import { holdersIn, inexactId, inexactWords, readRecord, type RecordKind, type ServiceRecord } from '../api/records.ts';
import { deliveryKey } from './key.ts';
import { verify } from './signature.ts';
import type { Verdict } from './signed.ts';

/** A delivery as it came in over HTTP. */
export interface RawDelivery {
  /** The bytes of the body, unparsed. `undefined` where the platform could not give them: then nothing can be verified. */
  rawBody: Uint8Array | string | undefined;
  /** In any letter case; a repeated header may come as a list. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Expected {
  /** The signing secret of the subscription; every one of ours has one, so none means refused. */
  secret: string | undefined;
  /** The events that were subscribed to. */
  events: readonly string[];
  /** Tells deliveries of one subscription from those of another. */
  subscriptionId: string;
  /** Milliseconds since the epoch; only for `maximumAgeSeconds`. */
  now: number;
  /** Refuse what says that it is older. Off by default: the timestamp is not signed, and late retries are real. */
  maximumAgeSeconds?: number | undefined;
}

/** The check that a refused delivery did not pass. */
export type Check =
  | 'secret'
  | 'raw-body'
  | 'signature-missing'
  | 'signature-prefix'
  | 'signature-format'
  | 'signature'
  | 'body'
  | 'event'
  | 'age';

/** What a delivery adds to the record that it carries. */
export interface Delivered {
  event: EventName;
  /** The id in the unsigned header: a label, which whoever relays a delivery can change. */
  delivery_id: string | null;
  delivered_at: string | null;
  /**
   * A hash of the subscription and of the bytes that were signed: the same for every repeat and replay, another one for other
   * bytes, on every platform. Bytes that cannot tell themselves (neither a time nor an id of the event) are hashed with the
   * delivery id.
   */
  delivery_key: string;
  /** A hash of what changed, as far as the record tells it: a polling trigger gives the same one for the same change. */
  change_key: string;
}

/** A delivery that is surely of the service. */
export interface Accepted {
  outcome: 'accepted';
  event: EventName;
  kind: RecordKind;
  /** The record as it was read, with nothing added for people. */
  record: ServiceRecord;
  delivery: Delivered;
  /** Keys under which this delivery is known again; claim all of them before acting on it. Empty where nothing tells it from a new event. */
  claims: string[];
}

export type Opened =
  | Accepted
  | { outcome: 'ignored'; message: string }
  | {
      outcome: 'refused';
      /** For the sender: 401 where the signature is at fault, 400 where the content is. */
      status: 400 | 401;
      check: Check;
      /** One sentence, fit for a log and for the answer: no secret, nothing of the body. */
      message: string;
    };

const headerName = (name: string) => `${brand.headerPrefix}-${name}`;

const verdicts: Record<Exclude<Verdict, 'valid'>, { check: Check; message: string }> = {
  secretless: {
    check: 'secret',
    message:
      'No signing secret is stored for this subscription, so the delivery cannot be verified. Turn the trigger off and on again to renew the subscription.',
  },
  missing: { check: 'signature-missing', message: `The delivery has no ${headerName('Signature')} header.` },
  prefix: { check: 'signature-prefix', message: `The ${headerName('Signature')} header does not begin with "sha256=".` },
  format: {
    check: 'signature-format',
    message: `The ${headerName('Signature')} header does not hold 64 lowercase hexadecimal digits after "sha256=".`,
  },
  mismatch: {
    check: 'signature',
    message: 'The signature does not match: the body was changed in transit, or it was signed with another secret.',
  },
};

/** A delivery that is surely of the service, without the hash that it is known by. */
export interface Unkeyed extends Omit<Accepted, 'delivery' | 'claims'> {
  delivery: Omit<Delivered, 'delivery_key' | 'change_key'>;
  /** What its key is the hash of. */
  keyParts: readonly (string | undefined)[];
  /** What the key of its change is the hash of. */
  changeParts: readonly string[];
  /** Whether the key tells this delivery from any other. */
  isKnownAgain: boolean;
}

/** What a delivery turned out to be, before its key is hashed. */
export type Judged = Exclude<Opened, Accepted> | Unkeyed;

/** The one signature that came with a delivery; none where it is absent, empty or repeated. */
export const signatureIn = (headers: RawDelivery['headers']): string | undefined => header(headers, headerName('Signature'));

/** Completes a delivery with its key and that of its change: the SHA-256, in hexadecimal, of their parts. */
export const keyed = ({ event, kind, record, delivery, isKnownAgain }: Unkeyed, key: string, change: string): Accepted => ({
  outcome: 'accepted',
  event,
  kind,
  record,
  delivery: { event, delivery_id: delivery.delivery_id, delivered_at: delivery.delivered_at, delivery_key: key, change_key: change },
  claims: isKnownAgain ? [key] : [],
});

/**
 * Opens a delivery: verifies the raw body first (section 6), then reads it (G13). Fails closed and never throws: whatever
 * is not surely ours is refused, with the name of the check.
 *
 * Only the body is signed. The event header decides where the body does not contradict it; the timestamp decides nothing but,
 * where it is asked for, the age; the delivery id is a label, and tells bytes apart only where they cannot do so themselves.
 */
export function openDelivery(delivery: RawDelivery, expected: Expected): Opened {
  const { rawBody, headers } = delivery;
  const judged = judge(delivery, expected, rawBody === undefined ? 'mismatch' : verify(rawBody, signatureIn(headers), expected.secret));
  return judged.outcome === 'accepted' ? keyed(judged, deliveryKey(...judged.keyParts), deliveryKey(...judged.changeParts)) : judged;
}

/**
 * The same, once somebody has checked the signature.
 *
 * @param verdict on the signature that {@link signatureIn} gives, over these very bytes
 */
export function judge({ rawBody, headers }: RawDelivery, expected: Omit<Expected, 'secret'>, verdict: Verdict): Judged {
  if (rawBody === undefined) return refused(400, 'raw-body', 'The body of the delivery was already parsed, so it cannot be verified.');
  const read = (name: string) => header(headers, headerName(name));
  if (verdict === 'missing') return refused(401, 'signature-missing', verdicts.missing.message + otherPrefix(headers));
  if (verdict !== 'valid') return refused(401, verdicts[verdict].check, verdicts[verdict].message);

  const body = parse(rawBody);
  if (body === undefined) return refused(400, 'body', 'The body of the delivery is not a JSON object.');
  const named = read('Event');
  const inBody = body[deliveryBody.eventKey];
  if (named !== undefined && isEventName(inBody) && inBody !== named) {
    return refused(400, 'event', `The ${headerName('Event')} header says ${named.slice(0, 40)}, the signed body says ${inBody}.`);
  }
  const event = named ?? inBody;
  if (event === undefined || event === '')
    return refused(400, 'event', `Neither the ${headerName('Event')} header nor the body names the event.`);
  if (!isEventName(event) || !expected.events.includes(event)) return { outcome: 'ignored', message: 'This event was not subscribed to.' };

  const timestamp = read('Timestamp');
  if (expected.maximumAgeSeconds !== undefined) {
    const age = (expected.now - Date.parse(timestamp ?? '')) / 1000;
    // A timestamp that cannot be read is NaN, which is not within any age.
    if (!(Math.abs(age) <= expected.maximumAgeSeconds))
      return refused(
        400,
        'age',
        `By its ${headerName('Timestamp')} header, the delivery was not sent within the last ${expected.maximumAgeSeconds} seconds.`,
      );
  }
  const kind = events[event].record;
  const holders = holdersIn(body, [...deliveryBody.recordKeys, kind]);
  const atRoot = holders[0] === body;
  const record = holders.map((holder) => readRecord(kind, holder)).find((found) => found !== undefined);
  if (record === undefined) {
    const inexact = holders.map((holder) => inexactId(kind, holder)).find((field) => field !== undefined);
    if (inexact !== undefined) return refused(400, 'body', `The body's ${kind} has ${inexactWords(inexact)}.`);
    return refused(
      400,
      'body',
      `The body holds no ${kind} with an id under "${deliveryBody.recordKeys[0]}"; its keys are ${Object.keys(body)
        .slice(0, 12)
        .map((key) => `"${key.slice(0, 40)}"`)
        .join(', ')}.`,
    );
  }
  const deliveryId = read('Delivery-ID');
  const bodyTime = (atRoot ? [] : deliveryBody.timeKeys).map((key) => body[key]).find((value) => typeof value === 'string');
  // The signature is right, so it stands for the bytes. An id that is not signed never makes other bytes a repeat.
  const isTold = tellsItself(body, atRoot);
  return {
    outcome: 'accepted',
    event,
    kind,
    record,
    delivery: { event, delivery_id: deliveryId ?? null, delivered_at: timestamp ?? bodyTime ?? null },
    keyParts: [expected.subscriptionId, signatureIn(headers), isTold ? undefined : deliveryId],
    changeParts: changeParts(eventRow(event, events[event]), record),
    isKnownAgain: isTold || deliveryId !== undefined,
  };
}

/** What a delivery is handed out as: its record as Get gives it, or its main fields alone, and what the delivery adds. */
export const deliveredRecord = ({ kind, record, delivery }: Accepted, shape: Shape): ServiceRecord =>
  showWith(kind, record, { ...delivery }, shape);

const refused = (status: 400 | 401, check: Check, message: string): Extract<Opened, { outcome: 'refused' }> => ({
  outcome: 'refused',
  status,
  check,
  message,
});

/**
 * Whether a body carries a time or an id of its own, so that the same bytes can only be the same event: under another
 * delivery id, which is not signed, they are then a replay. A body that carries neither cannot be told from a new event,
 * and passes.
 */
const tellsItself = (body: Record<string, unknown>, atRoot: boolean): boolean =>
  (atRoot ? deliveryBody.ownKeysAtRoot : deliveryBody.ownKeys).some(
    (key) => typeof body[key] === 'string' || typeof body[key] === 'number',
  );

/** A header's value; none where it is absent, empty or repeated, for of two values either might be the forged one. */
function header(headers: RawDelivery['headers'], name: string): string | undefined {
  const wanted = name.toLowerCase();
  let found: string | undefined;
  // The lengths first: putting every name of a request into small letters, four times a delivery, would cost as much as its hash.
  for (const key of Object.keys(headers)) {
    if (key.length !== wanted.length || key.toLowerCase() !== wanted) continue;
    const given = headers[key];
    const value = typeof given === 'string' || given === undefined ? given : given[0];
    if (value === undefined || found !== undefined || (typeof given !== 'string' && given?.length !== 1)) return undefined;
    found = value;
  }
  return found === '' ? undefined : found;
}

/** A wrong prefix must not be silence: names another signature header that came instead of ours. */
function otherPrefix(headers: RawDelivery['headers']): string {
  const other = Object.entries(headers).find(([key, value]) => /^[\w-]{1,60}-signature$/i.test(key) && String(value).startsWith('sha256='));
  return other === undefined
    ? ''
    : ` It has ${other[0]} instead: set "headerPrefix" in brand.json to "${other[0].slice(0, -'-signature'.length)}".`;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function parse(rawBody: Uint8Array | string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(typeof rawBody === 'string' ? rawBody : decoder.decode(rawBody));
    return isObject(value) ? value : undefined;
  } catch {
    // Not UTF-8, not JSON, or nested deeper than the engine goes: the caller refuses it by name.
    return undefined;
  }
}
