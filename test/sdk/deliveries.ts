import { createHmac, randomUUID } from 'node:crypto';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { brand } from '../../shared/brand.ts';

export const subscribed = { id: 'sub_1', signing_secret: 'whsec_the-right-one' };

export const header = (suffix: string): string => `${brand.headerPrefix}-${suffix}`;

/** Computed here and not by the package, as an independent check of the signature. */
export const signatureOf = (body: Buffer | string, secret = subscribed.signing_secret): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

let bookings = 0;
/** A booking that nobody has seen before. */
export const bookingBody = (more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    event: 'BOOKING_CREATED',
    created_at: '2030-01-02T08:00:00Z',
    data: { id: `bkg_${(bookings += 1)}`, status: 'CONFIRMED', invitee_email: 'ada@example.com', ...more },
  });

export const idIn = (body: string): string => (JSON.parse(body) as { data: { id: string } }).data.id;

export interface Sent {
  body: Buffer | string;
  signature?: string | string[];
  event?: string;
  more?: Record<string, string>;
}

export const headersOf = ({ body, signature = signatureOf(body), event = 'BOOKING_CREATED', more = {} }: Sent) => ({
  'content-type': 'application/json',
  [header('Signature')]: signature,
  [header('Event')]: event,
  [header('Delivery-ID')]: `dlv_${randomUUID()}`,
  [header('Timestamp')]: '2030-01-02T08:00:00Z',
  ...more,
});

export interface Answered {
  status: number;
  text: string;
  headers: Record<string, string | string[] | undefined>;
}

/** Sends a request exactly as given: a repeated header stays repeated, and nothing is corrected. */
export const send = (
  url: string,
  { method = 'POST', headers, body }: { method?: string; headers: OutgoingHttpHeaders; body?: Buffer | string },
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sending = httpRequest(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => (text += chunk))
        .on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    sending.on('error', reject);
    sending.end(body);
  });

/** Delivers like the service. */
export const deliver = (url: string, sent: Sent): Promise<Answered> => send(url, { headers: headersOf(sent), body: sent.body });

/** What a server answers to a text that is sent unchanged. `isOpen`: the sender stops writing without saying so. */
export const raw = (url: string, text: string, { isOpen = false } = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => (isOpen ? socket.write(text) : socket.end(text)));
    let answer = '';
    socket
      .on('data', (chunk: Buffer) => (answer += chunk.toString()))
      .on('close', () => resolve(answer))
      .on('error', reject);
  });

export const statusIn = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
