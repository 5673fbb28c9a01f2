import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type CreateMcpHandlerOptions,
  type McpHandlerRequestOptions,
  type Server,
} from '@modelcontextprotocol/server';
import type { EventEmitter } from 'node:events';

/** The forms of an answer. */
const [whole, stream] = ['application/json', 'text/event-stream'];

/** Some proxies end a connection on which nothing comes for twice as long. Milliseconds. */
const silentMs = 15_000;

/**
 * Serves both generations of the protocol over HTTP. Each call is answered with one JSON text: nothing comes before an answer here, and
 * clients notice at once that a JSON text breaks off, while the official ones wait for the rest of a broken stream until their time is over.
 */
export function httpHandler(factory: (given: Pick<McpHandlerRequestOptions, 'authInfo'>) => Server, options: CreateMcpHandlerOptions) {
  const handler = createMcpHandler(factory, options);
  /** The SDK's handler answers the older generation with streams. */
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
 * Two layers of one client, or a proxy, write a header once more, and it arrives as `2025-11-25, 2025-11-25`: equal copies are one. A version
 * without a digit is what libraries write that know none yet.
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

/** While an answer takes its time, white space goes before it, which means nothing in JSON. */
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
  return new Response(body, { headers: { 'content-type': whole } });
}

/**
 * Serves a caller in a form that it takes. The protocol asks callers to name both, and some name one, or a wildcard, or nothing, which means
 * each (RFC 9110). Only a caller that takes neither is refused.
 */
async function inFormOf({ headers }: Request, serve: () => Promise<Response>): Promise<Response> {
  const ranges = (headers.get('accept') || '*/*').split(',').map((range) => (range.split(';')[0] ?? '').trim().toLowerCase());
  const isTaken = (form: string): boolean => [form, `${form.split('/', 1)[0] ?? ''}/*`, '*/*'].some((range) => ranges.includes(range));
  if (isTaken(whole) || isTaken(stream)) headers.set('accept', `${whole}, ${stream}`);
  const answer = await serve();
  if (isTaken(whole) || !answer.ok || answer.headers.get('content-type') !== whole) return answer;
  // As it comes, so that what keeps a long call alive does so here too: JSON has no line breaks.
  const around = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('event: message\ndata: ')),
    flush: (controller) => controller.enqueue(new TextEncoder().encode('\n\n')),
  });
  return new Response(answer.body?.pipeThrough(around), { status: answer.status, headers: { 'content-type': stream } });
}

/** Whether the connection took the whole answer: otherwise nobody can have read it. */
export const isSentBy = (outgoing: EventEmitter): Promise<boolean> =>
  new Promise((resolve) => void outgoing.once('finish', () => resolve(true)).once('close', () => resolve(false)));
