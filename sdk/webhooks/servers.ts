import { brokenOff, gathered, UnreadableBody, type Bounds } from './body.ts';
import type { Answer, Incoming, Receiver } from './receiver.ts';

/** The part of Node.js's request, over HTTP/1 or HTTP/2, that is used to read a delivery. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersionMajor: number;
  /** Names and values in turn, as they were sent. Repeated headers are kept apart: if there are two signatures, either one may be forged. */
  readonly rawHeaders: readonly string[];
  readonly readableDidRead: boolean;
  readonly destroyed: boolean;
  on(event: string, listener: (given: unknown) => void): NodeRequest;
  resume(): unknown;
}

/** The part of Node.js's response, over HTTP/1 or HTTP/2, that is used to answer. */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  /** Only HTTP/2 has it. */
  readonly stream?: { close(): void };
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  write(text: string): unknown;
  end(): unknown;
  end(text: string): unknown;
  on(event: 'close' | 'error', listener: (given: unknown) => void): unknown;
}

const usualHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

/** How long the rest of an unwanted body is still read, so that the sender can read the answer. Milliseconds. */
const lingerMs = 1_000;

/**
 * A handler for `node:http`, `node:http2`, and every framework that gives access to Node.js's request and response. It reads the raw body
 * itself, so nothing may read the body before.
 *
 * It never rejects. If the application has already answered, for example after a timeout, it writes nothing and tells the receiver's
 * `onError`.
 *
 * @example
 * ```ts
 * const deliveries = nodeHandler(receiver);
 * createServer((request, response) => (request.url === '/deliveries' ? deliveries(request, response) : response.writeHead(404).end()));
 * ```
 */
export const nodeHandler =
  (receiver: Receiver): ((request: NodeRequest, response: NodeResponse) => Promise<void>) =>
  async (request, response) => {
    try {
      // An error without a listener would end the process.
      request.on('error', () => undefined);
      response.on('error', (error) => receiver.report(error));
      let hasLeft = false;
      response.on('close', () => (hasLeft = true));
      const answer = await receiver.receive(incomingOf(request));
      if (response.headersSent || response.writableEnded) throw new Error(answeredBefore);
      if (!hasLeft) send(request, response, answer);
      // The receiver has reported why it refused something.
      else if (answer.status < 400 || answer.status >= 500) throw new Error(leftBefore);
    } catch (error) {
      receiver.report(error);
    }
  };

const answeredBefore =
  'Your application had answered a delivery before it was handled here, for example after a timeout. The service got that answer and may send the delivery again.';

const leftBefore = 'The service closed the connection before it got the answer to a delivery. It may send the delivery again.';

const incomingOf = (request: NodeRequest): Incoming => ({
  method: request.method ?? '',
  url: request.url ?? '',
  headers: headersOf(request),
  async body(bounds) {
    const kept = keptBytes(request);
    if (kept !== undefined) return kept;
    if (request.readableDidRead)
      throw new UnreadableBody(
        'readBefore',
        'The body of the delivery was read before it came to this handler, so its signature cannot be checked. A body parser such as express.json() did that. Put the delivery route before it, or use only express.raw({ type: "*/*" }) for that route.',
      );
    return bytesOfNode(request, bounds);
  },
});

/** Each header's values, by its lower-case name. */
function headersOf({ rawHeaders }: NodeRequest): Record<string, string[]> {
  // A sender may name a header like a member of every object.
  const headers = Object.create(null) as Record<string, string[]>;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    (headers[String(rawHeaders[at]).toLowerCase()] ??= []).push(String(rawHeaders[at + 1]));
  return headers;
}

/**
 * The bytes of the body if something else has read and kept them: `express.raw()` as the body, cloud functions and the `verify` option of a
 * parser as `rawBody`.
 */
function keptBytes(request: object): Uint8Array | undefined {
  const { rawBody, body } = request as { rawBody?: unknown; body?: unknown };
  return rawBody instanceof Uint8Array ? rawBody : body instanceof Uint8Array ? body : undefined;
}

// Node.js itself refuses requests with several different lengths.
const bytesOfNode = (request: NodeRequest, bounds: Bounds): Promise<Uint8Array> =>
  gathered(bounds, headersOf(request)['content-length']?.[0], (take) => {
    if (request.destroyed) throw brokenOff();
    return new Promise((resolve, reject) => {
      const breakOff = (): void => reject(brokenOff());
      const takeBytes = (piece: unknown): void => {
        try {
          if (!(piece instanceof Uint8Array)) throw new UnreadableBody('readBefore', asText);
          take(piece);
        } catch (error) {
          reject(error instanceof Error ? error : brokenOff());
        }
      };
      // Over HTTP/2, a body that is broken off may end like a whole one, after `aborted`.
      request.on('data', takeBytes).on('aborted', breakOff).on('error', breakOff).on('close', breakOff);
      request.on('end', () => resolve());
    });
  });

const asText =
  'The body of the delivery comes as text instead of bytes, so its signature cannot be checked. Do not call setEncoding() on the request.';

function send(request: NodeRequest, response: NodeResponse, { status, text, headers }: Answer): void {
  const isHttp1 = request.httpVersionMajor < 2;
  const { connection, ...others } = headers;
  response.writeHead(status, {
    ...usualHeaders,
    'content-length': new TextEncoder().encode(text).length,
    ...others,
    // HTTP/2 has no such header.
    ...(connection !== undefined && isHttp1 && { connection }),
  });
  if (connection !== 'close' || request.destroyed) {
    response.end(text);
    return;
  }
  // Closing the connection at once would lose the answer for a sender that is still writing. Over HTTP/2, only its stream is closed: the
  // others go on.
  const end = (): void => void (response.writableEnded || response.end());
  const timer = setTimeout(() => (isHttp1 ? end() : response.stream?.close()), lingerMs);
  response.on('close', () => clearTimeout(timer));
  if (!isHttp1) {
    response.end(text);
    return;
  }
  response.write(text);
  request.on('end', end);
  request.resume();
}

/**
 * A handler for Express 4 and 5. It reads the raw body itself: add it before `express.json()`, or after `express.raw()`. Failures are
 * answered and passed to the receiver's `onError`, so you need no error handler in Express.
 *
 * @example
 * ```ts
 * app.all('/deliveries', expressHandler(receiver));
 * app.use(express.json());
 * ```
 */
export const expressHandler = (receiver: Receiver): ((request: NodeRequest, response: NodeResponse) => void) => {
  const handle = nodeHandler(receiver);
  return (request, response) => void handle(request, response);
};

/**
 * A handler for servers with the Fetch API: Hono, Next.js, SvelteKit, Cloudflare Workers, Deno, Bun. It reads the raw body itself, so
 * nothing may read the body before.
 *
 * @example
 * ```ts
 * const deliveries = fetchHandler(receiver);
 * app.post('/deliveries', (context) => deliveries(context.req.raw));
 * ```
 */
export const fetchHandler =
  (receiver: Receiver) =>
  async (request: Request): Promise<Response> => {
    const { status, text, headers } = await receiver.receive({
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: (bounds) => bytesOf(request, bounds),
    });
    const isHead = request.method === 'HEAD';
    return new Response(isHead ? null : text, {
      status,
      headers: { ...usualHeaders, ...headers },
    });
  };

async function bytesOf(request: Request, bounds: Bounds): Promise<Uint8Array> {
  if (request.bodyUsed)
    throw new UnreadableBody(
      'readBefore',
      'The body of the delivery was read before it came to this handler, so its signature cannot be checked. Pass the request on before anything calls json(), text() or formData() on it. If something else must read it too, give that a request.clone().',
    );
  const reader = request.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    return await gathered(bounds, request.headers.get('content-length'), async (take) => {
      for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) take(piece.value);
    });
  } catch (error) {
    // A stream that has already failed cannot be cancelled.
    void reader?.cancel().catch(() => undefined);
    throw error instanceof UnreadableBody ? error : brokenOff();
  }
}
