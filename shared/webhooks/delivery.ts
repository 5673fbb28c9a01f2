import { readDelivered, recordless } from '../reading/index.ts';
import type { RecordKind, ServiceRecord } from '../records/fields.ts';
import { deliveryBody } from '../assumptions.ts';
import { eventNamed, eventRows, isEventName, type EventName, type EventRow } from '../events.ts';
import { showWith, type OutputShape } from '../records/outputs.ts';
import { comparableTime } from '../time/time.ts';
import { isObject } from '../values.ts';
import { headerName, isRepeated, otherPrefix, readHeaders, type WebhookHeaders } from './headers.ts';
import { changeKey, deliveryKey } from './key.ts';
import { checkSignature, type DeliveryCrypto, type Hash, type Secret, type Verdict } from './signature.ts';

/** A delivery as it arrived over HTTP. */
export interface RawDelivery {
  /** The bytes of the body, unparsed. `undefined` if the platform could not provide them: then nothing can be verified. */
  rawBody: Uint8Array | string | undefined;
  /** In any letter case. A repeated header may be a list. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface ExpectedDelivery {
  /** The subscription's signing secret. Each of our subscriptions has one; if it is missing, the delivery is refused. */
  secret: Secret | undefined;
  /** The subscribed events. */
  events: readonly string[];
  /** Part of the delivery's key, because the same bytes may be sent for another subscription. */
  subscriptionId: string;
  /** The current time in milliseconds since the epoch; only for `maximumAgeSeconds`. */
  now: number;
  /** Refuses deliveries whose timestamp is older. Off by default, because the timestamp is not signed and late retries are genuine. */
  maximumAgeSeconds?: number | undefined;
}

/** The check that failed. */
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

/** What a delivery adds to its record. */
export interface Delivered {
  event: EventName;
  /** The id in the unsigned header. Only a label: anyone who relays a delivery can change it. */
  delivery_id: string | null;
  delivered_at: string | null;
  /**
   * A hash of the subscription and the signed content: the same for every repeat and replay, however often it is signed, different for
   * other content, and the same on every platform. If only the header names the event, the event is part of the hash. If the body has
   * neither a time nor an event id, the delivery id is part of it.
   */
  delivery_key: string;
  /** A hash of what changed, as far as the record shows it. A polling trigger computes the same hash for the same change. */
  change_key: string;
}

/** A delivery that is certainly from the service. */
export interface Accepted {
  state: 'accepted';
  event: EventName;
  kind: RecordKind;
  /** The record as it was read, without the fields that are added for people. */
  record: ServiceRecord;
  delivery: Delivered;
  /**
   * The keys that this delivery shares with its repeats; claim all of them before you act on it. Empty if nothing distinguishes it from a
   * new event.
   */
  repeatKeys: string[];
}

export type DeliveryResult =
  | Accepted
  | { state: 'ignored'; message: string }
  | {
      state: 'refused';
      /**
       * The status of the response: 401 if the signature is wrong, 400 if the content is. 503 if the secret is missing here: that says
       * nothing about the delivery, so the service should send it again.
       */
      status: 400 | 401 | 503;
      check: Check;
      /** One sentence for a log and for the response, without secrets and without any part of the body. */
      message: string;
    };

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
    message: `The ${headerName('Signature')} header does not have 64 lowercase hexadecimal digits after "sha256=".`,
  },
  mismatch: {
    check: 'signature',
    message: 'The signature does not match: the body was changed in transit, or it was signed with another secret.',
  },
};

type RefusedDelivery = Extract<DeliveryResult, { state: 'refused' }>;

/**
 * Opens a delivery: verifies the raw body (section 6), then reads it (G13). Never throws. A delivery that is not certainly from the service
 * is refused, with the name of the failed check.
 *
 * Only the body is signed. The event header counts only if the body does not contradict it. The timestamp is used only to check the age, if
 * a maximum age is set. The delivery id is a label, and distinguishes deliveries only if their bytes cannot.
 */
export function verifyDelivery(
  { rawBody, headers: sent }: RawDelivery,
  expected: ExpectedDelivery,
  crypto: DeliveryCrypto,
): DeliveryResult {
  if (rawBody === undefined) return refused(400, 'raw-body', 'The body of the delivery was already parsed, so it cannot be verified.');
  const headers = readHeaders(sent);
  const verdict = checkSignature(rawBody, headers.signature, expected.secret, crypto);
  if (verdict === 'valid') return parseEvent(rawBody, headers, expected, crypto.sha256);
  const { check, message } = verdicts[verdict];
  return refused(verdict === 'secretless' ? 503 : 401, check, verdict === 'missing' ? whyMissing(sent) : message);
}

/** Whether the signature is right, regardless of the content. */
export const isVerified = (result: DeliveryResult): boolean =>
  result.state !== 'refused' || ['body', 'event', 'age'].includes(result.check);

const whyMissing = (headers: RawDelivery['headers']): string =>
  isRepeated(headers, 'Signature')
    ? `The delivery has several ${headerName('Signature')} headers.`
    : verdicts.missing.message + otherPrefix(headers);

/** Reads a verified delivery (G13). Never throws. */
function parseEvent(rawBody: Uint8Array | string, headers: WebhookHeaders, expected: ExpectedDelivery, sha256: Hash): DeliveryResult {
  const text = textOf(rawBody);
  const body = text === undefined ? undefined : parse(text);
  if (text === undefined || body === undefined) return refused(400, 'body', 'The body of the delivery is not a JSON object.');
  const { timestamp, deliveryId } = headers;
  const named = headers.event && eventNamed(headers.event);
  const said = body[deliveryBody.eventKey];
  const inBody = typeof said === 'string' ? eventNamed(said) : said;
  if (named !== undefined && isEventName(inBody) && inBody !== named) {
    return refused(400, 'event', `The ${headerName('Event')} header says ${named.slice(0, 40)}, the signed body says ${inBody}.`);
  }
  const event = named ?? inBody;
  if (event === undefined || event === '')
    return refused(400, 'event', `Neither the ${headerName('Event')} header nor the body names the event.`);
  if (!isEventName(event) || !expected.events.includes(event)) return { state: 'ignored', message: 'This event was not subscribed to.' };
  if (!isRecent(timestamp, expected))
    return refused(
      400,
      'age',
      `The ${headerName('Timestamp')} header does not name a time within the last ${expected.maximumAgeSeconds} seconds.`,
    );

  const row = rowOf[event];
  const kind = row.record;
  const { record, isTold, at } = readDelivered(kind, body);
  if (record === undefined) return refused(400, 'body', recordless(kind, body));

  // The id is not signed, so it never makes different bytes a repeat. It counts only if the bytes have no time or id of their own. The
  // event in the header counts only if the signed body does not name it: otherwise a relay could turn a repeat into a new delivery.
  const unsigned = [isTold ? undefined : deliveryId, ...(typeof inBody === 'string' && inBody !== '' ? [] : [event])];
  const key = deliveryKey(sha256, expected.subscriptionId, text, ...unsigned);
  return {
    state: 'accepted',
    event,
    kind,
    record,
    delivery: {
      event,
      delivery_id: deliveryId ?? null,
      delivered_at: timestamp ?? at,
      delivery_key: key,
      change_key: changeKey(sha256, row, record),
    },
    repeatKeys: isTold || deliveryId !== undefined ? [key] : [],
  };
}

/**
 * Whether the delivery is recent enough by its timestamp, if a maximum age is set. A time without an offset is in UTC. An unreadable
 * timestamp is never recent.
 */
function isRecent(timestamp: string | undefined, { now, maximumAgeSeconds }: Pick<ExpectedDelivery, 'now' | 'maximumAgeSeconds'>): boolean {
  const at = comparableTime(timestamp) ?? Number.NaN;
  return maximumAgeSeconds === undefined || Math.abs(now - at) / 1000 <= maximumAgeSeconds;
}

const rowOf = Object.fromEntries(eventRows.map((row) => [row.name, row])) as Readonly<Record<EventName, EventRow>>;

/** The item for a delivery: its record as Get returns it, plus what the delivery adds, or the short form of both. */
export const deliveredRecord = ({ event, record, delivery }: Accepted, shape: OutputShape): ServiceRecord =>
  showWith(rowOf[event], record, { ...delivery }, shape);

/**
 * The item for a delivery where nothing is polled and people choose single values: of the keys, only the one by which it is handled once.
 */
export function deliveredAlone(accepted: Accepted): ServiceRecord {
  const { delivery_id: _label, change_key: _polled, ...item } = deliveredRecord(accepted, 'mapped');
  return item;
}

const refused = (status: RefusedDelivery['status'], check: Check, message: string): RefusedDelivery => ({
  state: 'refused',
  status,
  check,
  message,
});

/** The text of a body; `undefined` if it is not UTF-8. */
function textOf(rawBody: Uint8Array | string): string | undefined {
  if (typeof rawBody === 'string') return rawBody.replace(/^\uFEFF/, '');
  // Created here instead of at the top, because test environments for browser pages import this file but have no `TextDecoder`.
  const decoder = new TextDecoder('utf8', { fatal: true });
  try {
    return decoder.decode(rawBody);
  } catch {
    return undefined;
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // The body may be a form, as Acuity sends it, or JSON that is nested too deeply for the engine, which the caller refuses.
    return /^[\w.-]+=[^={}]*(?:&[\w.-]+=[^={}]*)*$/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined;
  }
}
