import { events, sentSample, type EventName } from '../../shared/events.ts';
import { headerName } from '../../shared/webhooks/headers.ts';
import type { Secret } from '../../shared/webhooks/signature.ts';
import { asText } from '../../shared/values.ts';
import { randomText } from '../oauth/random.ts';
import { newDeliveryId, sign, signedBody, type TestDelivery } from '../webhooks/open.ts';

export type { TestDelivery };
export type { EventName } from '../../shared/events.ts';
export type { Secret } from '../../shared/webhooks/signature.ts';

/** What a test can change about a delivery. */
export interface TestDeliveryOptions {
  /** Fields of the booking or the contact that replace those of the sample. Default for `id`: a new one. */
  record?: Readonly<Record<string, unknown>> | undefined;
  /** The delivery's id. Default: a new one. With the same id and the same other options, it counts as a repeat of the same delivery. */
  deliveryId?: string | undefined;
  /** When the event happened and was delivered. Default: the event happened when the record was last changed, and is delivered now. */
  at?: Date | undefined;
}

/**
 * A signed delivery with a sample record, to test your own receiver without the service (section 6). Each is a new event of a new record.
 *
 * @param secret the signing secret of the subscription that your receiver knows
 * @example
 * ```ts
 * const { headers, body } = await signedDelivery('BOOKING_CREATED', secret, { record: { invitee_email: 'ada@example.com' } });
 * const response = await app.request('/deliveries', { method: 'POST', headers, body });
 * ```
 */
export async function signedDelivery(event: EventName, secret: Secret, options: TestDeliveryOptions = {}): Promise<TestDelivery> {
  const { record, deliveryId = newDeliveryId(), at } = options;
  const sample = sentSample(events[event]);
  const own = { id: `${asText(sample['id'])}-${deliveryId}`, ...record };
  const happened = at === undefined ? asText(sample['updated_at']) : secondOf(at);
  const body = { event, created_at: happened, data: { ...sample, ...own } };
  return signedBody(event, body, secret, { deliveryId, at: secondOf(at ?? new Date()) });
}

/** A time as the service writes it. */
const secondOf = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

/**
 * Deliveries that your receiver must refuse with 401, by what is wrong with each: no signature, one made with another secret, one of
 * another body, or one without its `sha256=`.
 *
 * @param secret the signing secret that your receiver knows
 * @example
 * ```ts
 * for (const [what, { headers, body }] of Object.entries(await forgedDeliveries('BOOKING_CREATED', secret)))
 *   test(what, async () => expect((await app.request('/deliveries', { method: 'POST', headers, body })).status).toBe(401));
 * ```
 */
export async function forgedDeliveries(event: EventName, secret: Secret): Promise<Record<string, TestDelivery>> {
  const { headers, body } = await signedDelivery(event, secret);
  const name = headerName('Signature');
  const { [name]: signature = '', ...unsigned } = headers;
  const signed = (value: string, content = body): TestDelivery => ({ headers: { ...unsigned, [name]: value }, body: content });
  return {
    'no signature': { headers: unsigned, body },
    'another secret': signed(sign(body, randomText(16))),
    'another body': signed(signature, body.replace('{', '{ ')),
    'a signature without its prefix': signed(signature.replace('sha256=', '')),
  };
}
