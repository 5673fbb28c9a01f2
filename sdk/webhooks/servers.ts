import { hasValue } from '../../shared/values.ts';
import { incomingOf, peek, streamIn } from './request.ts';
import type { Answer, Receiver } from './receiver.ts';

/** A request of Node.js, over HTTP/1 or HTTP/2, or of a framework based on it. Its other properties are looked up. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The part of Node.js's response, over HTTP/1 or HTTP/2, that is used to respond. */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  /** Exists only over HTTP/2. */
  readonly stream?: { close(): void };
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  write(text: string): unknown;
  end(): unknown;
  end(text: string): unknown;
  on(event: 'close' | 'error', listener: (given: unknown) => void): unknown;
}

/** Fastify's reply, which contains Node.js's response. */
export interface WrappedResponse {
  readonly raw: NodeResponse;
  /** Tells Fastify that the response is sent without it. */
  hijack(): unknown;
}

const usualHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

/** How long the rest of an unwanted body is still read, so that the sender can read the response. Milliseconds. */
const lingerMs = 1_000;

/**
 * A handler for `node:http`, `node:http2`, and every framework that gives access to Node.js's request and response. It reads the raw body
 * itself, so nothing may read the body before.
 *
 * It never rejects. If the application has already responded, for example after a timeout, it writes nothing and calls the receiver's
 * `onError`.
 *
 * @example
 * ```ts
 * const deliveries = nodeHandler(receiver);
 * createServer((request, response) => (request.url === '/deliveries' ? deliveries(request, response) : response.writeHead(404).end()));
 * ```
 */
export const nodeHandler =
  (receiver: Receiver): ((request: NodeRequest, response: NodeResponse | WrappedResponse) => Promise<void>) =>
  async (request, given) => {
    try {
      const response = 'hijack' in given ? given.raw : given;
      if ('hijack' in given) given.hijack();
      // An error without a listener would end the process.
      streamIn(request)?.on('error', () => undefined);
      response.on('error', (error) => receiver.report(error));
      let hasLeft = false;
      response.on('close', () => (hasLeft = true));
      const answer = await receiver.receive(incomingOf(request));
      if (response.headersSent || response.writableEnded) throw new Error(answeredBefore);
      if (!hasLeft) send(request, response, answer);
      // For a refusal, the receiver has already reported the reason.
      else if (answer.status < 400 || answer.status >= 500) throw new Error(leftBefore);
    } catch (error) {
      receiver.report(error);
    }
  };

const answeredBefore =
  'Your application had answered a delivery before it was handled here, for example after a timeout. The service got that response and may send the delivery again.';

const leftBefore = 'The service closed the connection before it got the response to a delivery. It may send the delivery again.';

function send(request: NodeRequest, response: NodeResponse, { status, text, headers }: Answer): void {
  const stream = streamIn(request);
  const isHttp1 = response.stream === undefined;
  const { connection, ...others } = headers;
  response.writeHead(status, {
    ...usualHeaders,
    'content-length': new TextEncoder().encode(text).length,
    ...others,
    // HTTP/2 has no `connection` header.
    ...(connection !== undefined && isHttp1 && { connection }),
  });
  if (connection !== 'close' || stream === undefined || stream.destroyed === true) {
    response.end(text);
    return;
  }
  // If the connection closed at once, a sender that is still writing would lose the response. Over HTTP/2, only this stream is closed: the
  // others go on.
  const end = (): void => void (response.writableEnded || response.end());
  const timer = setTimeout(() => (isHttp1 ? end() : response.stream?.close()), lingerMs);
  response.on('close', () => clearTimeout(timer));
  if (!isHttp1) {
    response.end(text);
    return;
  }
  response.write(text);
  stream.on('end', end).resume?.();
}

/**
 * A handler for Express 4 and 5. It reads the raw body itself: add it before `express.json()`, or after `express.raw()`. It responds to
 * failures and passes them to the receiver's `onError`, so you need no error handler in Express.
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
    const { status, text, headers } = await receiver.receive(incomingOf(request));
    const isHead = peek(request, 'method') === 'HEAD';
    return new Response(isHead ? null : text, {
      status,
      headers: { ...usualHeaders, ...headers },
    });
  };

/** The part of an event of API Gateway, a function URL or a load balancer that is used to read a delivery. */
export interface LambdaEvent {
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined;
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
}

/** The response in the form that the event's sender reads. */
export interface LambdaAnswer {
  statusCode: number;
  headers: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  body: string;
}

/**
 * A handler for AWS Lambda behind API Gateway (both versions), a function URL or a load balancer, and for hosts with the same events, such
 * as Netlify Functions.
 *
 * @example
 * ```ts
 * export const handler = lambdaHandler(receiver);
 * ```
 */
export const lambdaHandler =
  (receiver: Receiver) =>
  async (event: LambdaEvent): Promise<LambdaAnswer> => {
    const { status, text, headers } = await receiver.receive(incomingOf(event));
    // The `connection` header is left to the gateway.
    const { connection, ...others } = headers;
    const all: Record<string, string> = { ...usualHeaders, ...others };
    const several = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]]));
    // A load balancer that sends its headers in this form also expects those of the response in it.
    return {
      statusCode: status,
      headers: all,
      ...(hasValue(peek(event, 'multiValueHeaders')) && { multiValueHeaders: several }),
      body: text,
    };
  };
