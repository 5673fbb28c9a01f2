import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type CreateMcpHandlerOptions,
  type McpHandlerRequestOptions,
  type Server,
} from '@modelcontextprotocol/server';
import type { EventEmitter } from 'node:events';

/** The content types of a response. */
const [whole, stream] = ['application/json', 'text/event-stream'];

/** How often to send something. Some proxies close a connection that is silent for twice as long. Milliseconds. */
const silentMs = 15_000;

/**
 * Serves both generations of the protocol over HTTP. Each call is answered with a single JSON text, because this server sends nothing
 * before the result. Clients notice at once if a JSON text breaks off, while the official ones wait for the rest of a broken stream until
 * they time out.
 */
export function httpHandler(factory: (given: Pick<McpHandlerRequestOptions, 'authInfo'>) => Server, options: CreateMcpHandlerOptions) {
  const handler = createMcpHandler(factory, options);
  /** Serves the older generation, which the SDK's handler would answer with streams. */
  const older = async (request: Request, given: McpHandlerRequestOptions): Promise<Response> => {
    const server = factory(given);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    const left = new Promise<Response>((resolve) => {
      request.signal.addEventListener('abort', () => void server.close().then(() => resolve(new Response(null, { status: 499 }))), {
        once: true,
      });
    });
    return Promise.race([transport.handleRequest(request, given), left]);
  };
  return {
    async fetch(request: Request, given: McpHandlerRequestOptions): Promise<Response> {
      headersOnce(request.headers);
      const isOlder = request.method === 'POST' && (await isLegacyRequest(request, given.parsedBody));
      return inFormOf(request, () => keptAlive(isOlder ? older(request, given) : handler.fetch(request, given)));
    },
    close: () => handler.close(),
  };
}

/**
 * If two layers of a client, or a proxy, add the same header, it arrives as `2025-11-25, 2025-11-25`, so equal copies are merged. Libraries
 * that know no protocol version yet send one without a digit, which is removed.
 */
function headersOnce(headers: Headers): void {
  for (const name of ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const [said = '', ...others] = new Set(
      headers
        .get(name)
        ?.split(',')
        .map((copy) => copy.trim()),
    );
    if (name === 'mcp-protocol-version' && !/\d/.test(said)) headers.delete(name);
    else if (others.length === 0 && headers.has(name)) headers.set(name, said);
  }
}

/** Keeps the connection of a slow call open with spaces before the result, which JSON ignores. */
async function keptAlive(coming: Promise<Response>): Promise<Response> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, silentMs, 'late')));
  const answer = await Promise.race([coming, late]).finally(() => clearTimeout(timer));
  if (answer !== 'late') return answer;
  const space = new TextEncoder().encode(' ');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const say = (): void => controller.enqueue(space);
      say();
      timer = setInterval(say, silentMs);
      void coming
        .then(async (answered) => {
          const bytes = new Uint8Array(await answered.arrayBuffer());
          controller.enqueue(bytes);
          controller.close();
        })
        .catch((error: unknown) => controller.error(error))
        .finally(() => clearInterval(timer));
    },
    cancel: () => clearInterval(timer),
  });
  // Without this header, nginx would keep the spaces to itself.
  return new Response(body, { headers: { 'content-type': whole, 'x-accel-buffering': 'no' } });
}

/**
 * Serves a caller in a form that it accepts. The protocol requires callers to accept both. Some name only one, a wildcard, or nothing,
 * which means any (RFC 9110). Only a caller that accepts neither is refused.
 */
async function inFormOf({ headers }: Request, serve: () => Promise<Response>): Promise<Response> {
  const ranges = (headers.get('accept') || '*/*').split(',').map((range) => (range.split(';')[0] ?? '').trim().toLowerCase());
  const isTaken = (form: string): boolean => [form, `${form.split('/', 1)[0] ?? ''}/*`, '*/*'].some((range) => ranges.includes(range));
  if (isTaken(whole) || isTaken(stream)) headers.set('accept', `${whole}, ${stream}`);
  const answer = await serve();
  if (isTaken(whole) || !answer.ok || answer.headers.get('content-type') !== whole) return answer;
  // Passed on piece by piece, so that the spaces of a long call keep this connection open, too. One `data:` line is enough, because the
  // JSON has no line breaks.
  const around = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('event: message\ndata: ')),
    flush: (controller) => controller.enqueue(new TextEncoder().encode('\n\n')),
  });
  answer.headers.set('content-type', stream);
  return new Response(answer.body?.pipeThrough(around), { status: answer.status, headers: answer.headers });
}

/** Whether the connection took the whole response. If not, nobody can have read it. */
export const isSentBy = (outgoing: EventEmitter): Promise<boolean> =>
  new Promise((resolve) => void outgoing.once('finish', () => resolve(true)).once('close', () => resolve(false)));
