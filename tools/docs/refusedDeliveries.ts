import { brand } from '../../shared/brand.ts';
import { openDelivery, type RawDelivery } from '../../shared/webhooks/delivery.ts';
import { sign } from '../../shared/webhooks/signature.ts';
import type { Case } from './troubleshooting.ts';

const secret = 'whsec_example';
const header = (name: string): string => `${brand.headerPrefix}-${name}`;
const body = JSON.stringify({ event: 'BOOKING_CREATED', data: { id: 'bkg_9fWd4KsA' } });
const right = {
  [header('Signature')]: sign(body, secret),
  [header('Event')]: 'BOOKING_CREATED',
  [header('Delivery-ID')]: 'dlv_1',
  [header('Timestamp')]: '2030-01-02T08:00:00Z',
};

interface Provoked {
  delivery: RawDelivery;
  secret?: string;
  maximumAgeSeconds?: number;
  why: string;
  remedy: string;
}

const signed = (text: string, event = 'BOOKING_CREATED'): RawDelivery => ({
  rawBody: text,
  headers: { ...right, [header('Event')]: event, [header('Signature')]: sign(text, secret) },
});
const without = (name: string): RawDelivery['headers'] => Object.fromEntries(Object.entries(right).filter(([key]) => key !== header(name)));

const provoked: Provoked[] = [
  {
    delivery: { rawBody: body, headers: right },
    secret: '',
    why: 'The subscription was created by something that did not save the secret',
    remedy: 'Turn the trigger off and on',
  },
  {
    delivery: { rawBody: body, headers: without('Signature') },
    why: 'It was not sent by the service, or a proxy removes headers',
    remedy: 'If your own deliveries are refused, check what is between the service and n8n',
  },
  {
    delivery: { rawBody: body, headers: { ...without('Signature'), 'X-Other-Signature': right[header('Signature')] } },
    why: 'The service uses another header name than the one that is set',
    remedy: 'Set the prefix and build again',
  },
  {
    delivery: { rawBody: body, headers: { ...right, [header('Signature')]: 'md5=abc' } },
    why: 'It is not in the documented form',
    remedy: 'Check who sent it',
  },
  {
    delivery: { rawBody: body, headers: { ...right, [header('Signature')]: 'sha256=ABC' } },
    why: 'It is not in the documented form',
    remedy: 'Check who sent it',
  },
  {
    delivery: { rawBody: `${body} `, headers: right },
    why: 'Something changed the body, such as a proxy that rewrites JSON, or the secret belongs to another subscription',
    remedy: 'Turn the trigger off and on. If that does not help, check what is between the service and n8n',
  },
  {
    delivery: { rawBody: undefined, headers: right },
    why: 'The signed bytes are no longer available',
    remedy: 'Check what is between the service and n8n',
  },
  { delivery: signed('[1]'), why: 'It is signed, but its content cannot be read', remedy: 'Report it to the maker' },
  {
    delivery: signed(body, 'BOOKING_CANCELLED'),
    why: 'The body is signed and the header is not: they must agree',
    remedy: 'Report it to the maker, or check who sent it',
  },
  {
    delivery: signed('{"event":"BOOKING_CREATED","data":{}}'),
    why: 'The record fits none of the [assumed forms](assumptions.md) (G13)',
    remedy: 'Report the message to the maker',
  },
  {
    delivery: { rawBody: body, headers: right },
    maximumAgeSeconds: 300,
    why: '*Maximum Age* is set, and the delivery was sent earlier: late retries are real events',
    remedy: 'Raise it or turn it off. The timestamp is not signed, so it [does not stop forgeries](../guides/verification.md)',
  },
];

/** Each refusal, in the words that the core uses when it happens. */
export const deliveryCases = (): Case[] =>
  provoked.map(({ delivery, secret: kept = secret, maximumAgeSeconds, why, remedy }) => {
    const opened = openDelivery(delivery, {
      secret: kept,
      events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'],
      subscriptionId: 'sub_1',
      now: Date.parse('2030-01-02T09:00:00Z'),
      maximumAgeSeconds,
    });
    if (opened.outcome !== 'refused')
      throw new Error(
        `A delivery should have been refused but is ${opened.outcome}: the troubleshooting page describes something that no longer happens.`,
      );
    return { message: opened.message, why, remedy };
  });
