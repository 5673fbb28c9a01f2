import { brokenOff, checkLength, Gathered, inTime, UnreadableBody, type Bounds } from './body.ts';
import type { Receiver } from './receiver.ts';

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
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
    });
  };

async function bytesOf(request: Request, bounds: Bounds): Promise<Uint8Array> {
  if (request.bodyUsed)
    throw new UnreadableBody(
      'readBefore',
      'The body of the delivery was read before it came to this handler, so its signature cannot be checked. Pass the request on before anything calls json(), text() or formData() on it. If something else must read it too, give that a request.clone().',
    );
  checkLength(request.headers.get('content-length'), bounds);
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  try {
    return await inTime(gathered(reader, bounds), bounds);
  } catch (error) {
    // A stream that has already failed cannot be cancelled.
    void reader.cancel().catch(() => undefined);
    throw error instanceof UnreadableBody ? error : brokenOff();
  }
}

async function gathered(reader: ReadableStreamDefaultReader<Uint8Array>, bounds: Bounds): Promise<Uint8Array> {
  const body = new Gathered(bounds);
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) body.add(piece.value);
  return body.bytes;
}
