import { brokenOff, checkLength, Gathered, tooSlow, UnreadableBody, type Bounds } from './body.ts';
import type { Answer, Receiver } from './receiver.ts';

/** The part of Node.js's request that is used to read a delivery. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Repeated headers are kept apart: if there are two signatures, either one may be forged. */
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
  readonly readableDidRead: boolean;
  readonly destroyed: boolean;
  on(event: string, listener: (given: unknown) => void): NodeRequest;
  off(event: string, listener: (given: unknown) => void): NodeRequest;
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
export const nodeHandler =
  (receiver: Receiver) =>
  async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const given = await receiver.receive({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headersDistinct,
      body: (bounds) => bytesOf(request, bounds),
    });
    send(request, response, given);
  };

async function bytesOf(request: NodeRequest, bounds: Bounds): Promise<Uint8Array> {
  const kept = keptBytes(request);
  if (kept !== undefined) return kept;
  if (request.readableDidRead)
    throw new UnreadableBody(
      'readBefore',
      'The body of the delivery was read before it came to this handler, so its signature cannot be checked. A body parser such as express.json() did that. Put the delivery route before it, or use only express.raw({ type: "*/*" }) for that route.',
    );
  checkLength(request.headersDistinct['content-length']?.[0], bounds);
  return gathered(request, bounds);
}

/**
 * The bytes of the body if something else has read and kept them: `express.raw()` as the body, cloud functions and the `verify` option of a
 * parser as `rawBody`.
 */
function keptBytes(request: object): Uint8Array | undefined {
  const { rawBody, body } = request as { rawBody?: unknown; body?: unknown };
  return [rawBody, body].find((value) => value instanceof Uint8Array);
}

function gathered(request: NodeRequest, bounds: Bounds): Promise<Uint8Array> {
  const whole = new Gathered(bounds);
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('close', breakOff);
    };
    const fail = (error: unknown): void => {
      stop();
      reject(error instanceof Error ? error : brokenOff());
    };
    const take = (piece: unknown): void => {
      try {
        if (!(piece instanceof Uint8Array)) throw new UnreadableBody('readBefore', asText);
        whole.add(piece);
      } catch (error) {
        fail(error);
      }
    };
    const end = (): void => {
      stop();
      resolve(whole.bytes);
    };
    const breakOff = (): void => fail(brokenOff());
    const timer = setTimeout(() => fail(tooSlow(bounds)), bounds.bodyMs);
    // This listener stays: a later error without a listener would end the process.
    request.on('data', take).on('end', end).on('close', breakOff).on('error', breakOff);
  });
}

const asText =
  'The body of the delivery comes as text instead of bytes, so its signature cannot be checked. Do not call setEncoding() on the request.';

const encoder = new TextEncoder();

function send(request: NodeRequest, response: NodeResponse, { status, text, headers }: Answer): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': encoder.encode(text).length,
    'cache-control': 'no-store',
    ...headers,
  });
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
