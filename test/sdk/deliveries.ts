import { createHmac, randomUUID } from 'node:crypto';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brand } from '../../shared/brand.ts';
import { delivered, deliveredIn } from '../support/wire.ts';

export const subscribed = { id: 'sub_1', signing_secret: 'whsec_the-right-one' };

export const header = (suffix: string): string => `${brand.headerPrefix}-${suffix}`;

/** Computed here and not by the package, as an independent check of the signature. */
export const signatureOf = (body: Buffer | string, secret = subscribed.signing_secret): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

let bookings = 0;
/** A booking that nobody has seen before. */
export const bookingBody = (more: Record<string, unknown> = {}): string =>
  JSON.stringify(
    delivered('BOOKING_CREATED', { id: `bkg_${(bookings += 1)}`, status: 'CONFIRMED', invitee_email: 'ada@example.com', ...more }),
  );

export const idIn = (body: string): string => deliveredIn<{ id: string }>(JSON.parse(body)).id;

interface Sent {
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

interface Answered {
  status: number;
  text: string;
  headers: Record<string, string | string[] | undefined>;
}

interface Request {
  method?: string;
  headers: OutgoingHttpHeaders;
  body?: Buffer | string;
}

/** Sends a request exactly as given: a repeated header stays repeated, and nothing is corrected. Over HTTP/2 to an address with `h2c:`. */
export const send = (url: string, request: Request): Promise<Answered> =>
  url.startsWith('h2c:') ? over2(url, request) : over1(url, request);

const over1 = (url: string, { method = 'POST', headers, body }: Request): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sending = httpRequest(url, { method, headers, agent: false }, (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((text) => resolve({ status, text, headers }), reject);
    });
    sending.on('error', reject);
    sending.end(body);
  });

/** The answer has the status 0 if the stream was closed without one. @param isOpen the sender stops writing without saying so */
const over2 = (url: string, { method = 'POST', headers, body = '' }: Request, isOpen = false): Promise<Answered> =>
  new Promise((resolve) => {
    const { host, pathname } = new URL(url);
    const session = connectHttp2(`http://${host}`).on('error', () => undefined);
    const stream = session.request({ ':method': method, ':path': pathname, ...headers }, { endStream: false });
    const answered: Answered = { status: 0, text: '', headers: {} };
    stream.on('error', () => undefined);
    stream.on('response', (given) => Object.assign(answered, { status: Number(given[':status']), headers: given }));
    stream.setEncoding('utf8').on('data', (piece: string) => (answered.text += piece));
    stream.on('close', () => {
      session.destroy();
      resolve(answered);
    });
    if (!isOpen) stream.end(body);
    else if (body !== '') stream.write(body);
  });

/**
 * Sends the beginning of a delivery and no more, without saying so.
 *
 * @param length what it says its length is; unknown if absent
 * @returns the status of the answer, once the connection is closed
 */
export async function begin(url: string, body: string, length?: number): Promise<number> {
  if (!url.startsWith('h2c:')) return statusIn(await raw(url, beginning(body, length), { isOpen: true }));
  return (await over2(url, { headers: length === undefined ? {} : { 'content-length': length }, body }, true)).status;
}

function beginning(body: string, length?: number): string {
  const framing = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  const piece = length === undefined ? `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n` : body;
  return `POST /deliveries HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n${piece}`;
}

/**
 * Sends the beginning of a delivery and breaks off the connection, or over HTTP/2 the stream. Its frames are written by hand, because
 * Node.js's own client ends a body before it resets the stream.
 */
export async function breakOff(url: string, body: string): Promise<void> {
  const { port, protocol, pathname } = new URL(url);
  const isHttp2 = protocol === 'h2c:';
  const frame = (type: number, flags: number, stream: number, ...payload: number[]): Buffer =>
    Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, stream, ...payload]);
  const field = (name: number, value: string): number[] => [name, value.length, ...Buffer.from(value)];
  const begun = Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame(4, 0, 0),
    frame(1, 4, 1, 0x83, 0x86, ...field(4, pathname), ...field(1, 'x')),
    frame(0, 0, 1, ...Buffer.from(body)),
  ]);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  // The receiver says that it has begun to read: that the sender may go on, or over HTTP/2 that it knows the settings.
  const sign = isHttp2 ? frame(4, 1, 0) : Buffer.from('HTTP/1.1 100 Continue');
  let said = Buffer.alloc(0);
  await new Promise<void>((resolve) => {
    socket.on('data', (piece: Buffer) => {
      said = Buffer.concat([said, piece]);
      if (said.includes(sign)) resolve();
    });
    socket.write(isHttp2 ? begun : beginning(body, 100).replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'));
  });
  if (isHttp2) socket.end(frame(3, 0, 1, 0, 0, 0, constants.NGHTTP2_NO_ERROR));
  else socket.resetAndDestroy();
}

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
