import { brokenOff, checkLength, Gathered, tooSlow, UnreadableBody, type Bounds } from './body.ts';
import { Patience } from './patience.ts';
import { noHeaders, type Answer, type Incoming, type Receiver } from './receiver.ts';

/** The part of Node.js's request that is used to read a delivery. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Repeated headers are kept apart: if there are two signatures, either one may be forged. */
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
  /** By lower-case names, with the values of repeated headers joined. Node.js makes it for every request. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly readableDidRead: boolean;
  readonly destroyed: boolean;
  on(event: string, listener: (given: unknown) => void): NodeRequest;
  resume(): unknown;
}

/** The part of Node.js's response that is used to answer. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  write(text: string): unknown;
  end(text?: string): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** How long the rest of an unwanted body is still read, so that the sender can read the answer. Milliseconds. */
const lingerMs = 1_000;

/**
 * A handler for `node:http`, and for every framework that gives access to Node.js's request and response. It reads the raw body itself, so
 * nothing may read the body before.
 *
 * @example
 * ```ts
 * const deliveries = nodeHandler(receiver);
 * createServer((request, response) => (request.url === '/deliveries' ? deliveries(request, response) : response.writeHead(404).end()));
 * ```
 */
export const nodeHandler = (receiver: Receiver): ((request: NodeRequest, response: NodeResponse) => Promise<void>) => {
  const patience = new Patience();
  return async (request, response) => send(request, response, await receiver.receive(new Delivered(request, patience)));
};

/** A request as it arrived. Its parts are only computed when they are needed. */
class Delivered implements Incoming {
  readonly #request: NodeRequest;
  readonly #patience: Patience;

  constructor(request: NodeRequest, patience: Patience) {
    this.#request = request;
    this.#patience = patience;
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get url(): string {
    return this.#request.url ?? '';
  }

  get headers(): Incoming['headers'] {
    return this.#request.headersDistinct;
  }

  get joined(): Incoming['joined'] {
    return this.#request.headers;
  }

  body(bounds: Bounds): Promise<Uint8Array> {
    const request = this.#request;
    const kept = keptBytes(request);
    if (kept !== undefined) return Promise.resolve(kept);
    if (request.readableDidRead)
      throw new UnreadableBody(
        'readBefore',
        'The body of the delivery was read before it came to this handler, so its signature cannot be checked. A body parser such as express.json() did that. Put the delivery route before it, or use only express.raw({ type: "*/*" }) for that route.',
      );
    checkLength(lengthOf(request), bounds);
    return gathered(request, bounds, this.#patience);
  }
}

/** The declared length of the body. Node.js itself refuses requests with several different ones. */
function lengthOf(request: NodeRequest): string | undefined {
  const given = (request.headers ?? request.headersDistinct)['content-length'];
  return typeof given === 'string' ? given : given?.[0];
}

/**
 * The bytes of the body if something else has read and kept them: `express.raw()` as the body, cloud functions and the `verify` option of a
 * parser as `rawBody`.
 */
function keptBytes(request: object): Uint8Array | undefined {
  const { rawBody, body } = request as { rawBody?: unknown; body?: unknown };
  return rawBody instanceof Uint8Array ? rawBody : body instanceof Uint8Array ? body : undefined;
}

function gathered(request: NodeRequest, bounds: Bounds, patience: Patience): Promise<Uint8Array> {
  const whole = new Gathered(bounds);
  return new Promise((resolve, reject) => {
    // The listeners stay: removing one costs as much as adding it, and after the end they do nothing.
    let isOver = false;
    const stop = (): boolean => {
      if (isOver) return false;
      isOver = true;
      patience.end(waiting);
      return true;
    };
    const take = (piece: unknown): void => {
      if (isOver) return;
      try {
        if (!(piece instanceof Uint8Array)) throw new UnreadableBody('readBefore', asText);
        whole.add(piece);
      } catch (error) {
        stop();
        reject(error instanceof Error ? error : brokenOff());
      }
    };
    const end = (): void => {
      if (stop()) resolve(whole.bytes);
    };
    const breakOff = (): void => {
      if (stop()) reject(brokenOff());
    };
    const late = (): void => {
      if (stop()) reject(tooSlow(bounds));
    };
    const waiting = patience.begin(late, bounds.bodyMs);
    // The last listener is always needed: an error without a listener would end the process.
    request.on('data', take).on('end', end).on('close', breakOff).on('error', breakOff);
  });
}

const asText =
  'The body of the delivery comes as text instead of bytes, so its signature cannot be checked. Do not call setEncoding() on the request.';

const encoder = new TextEncoder();

/** The number of bytes in a text. Nearly all texts are plain ASCII, which needs no encoding to count. */
const bytesIn = (text: string): number => (/^[\0-\x7f]*$/.test(text) ? text.length : encoder.encode(text).length);

function send(request: NodeRequest, response: NodeResponse, { status, text, headers }: Answer): void {
  const usual = { 'content-type': 'text/plain; charset=utf-8', 'content-length': bytesIn(text), 'cache-control': 'no-store' };
  // Copying the headers of an answer costs as much as sending them, and the usual answer adds none.
  response.writeHead(status, headers === noHeaders ? usual : { ...usual, ...headers });
  if (headers['connection'] !== 'close' || request.destroyed) {
    response.end(text);
    return;
  }
  // Closing the connection at once would lose the answer for a sender that is still writing.
  response.write(text);
  const timer = setTimeout(() => response.end(), lingerMs);
  response.once('close', () => clearTimeout(timer));
  request.on('end', () => response.end());
  request.resume();
}
