import { createAdaptorServer } from '@hono/node-server';
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
  type Server,
} from '@modelcontextprotocol/server';
import type { EventEmitter } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parsed } from '../shared/values.ts';
import { isSame } from '../sdk/oauth/random.ts';
import { gathered, UnreadableBody } from '../sdk/webhooks/body.ts';
import { httpHandler, isSentBy } from './adapter/answerForms.ts';
import { asMeant, bearerIn } from './adapter/requestForms.ts';

export interface HttpListening {
  port: number;
  /** The key that a caller must send as a bearer token; `undefined` if none is needed. */
  key: string | undefined;
  log: (line: string) => void;
}

/** Larger than any call, and longer than any takes to arrive. */
const bounds = { bodyBytes: 1_000_000, bodyMs: 60_000 };

/** The message in a request, or why there is none. */
async function messageIn(request: Request): Promise<{ parsedBody?: unknown } | Response> {
  if (request.method !== 'POST' || request.body === null) return {};
  try {
    const bytes = await gathered(bounds, request.headers.get('content-length'), async (take) => {
      for await (const piece of request.body as AsyncIterable<Uint8Array>) take(piece);
    });
    return { parsedBody: asMeant(parsed(new TextDecoder().decode(bytes))) ?? null };
  } catch (error) {
    // What is left of it is not read, so nothing else can come over this connection.
    const headers = { connection: 'close' };
    if (error instanceof UnreadableBody && error.fault === 'tooLong')
      return new Response('The message is too long.', { status: 413, headers });
    return new Response('The message did not arrive completely.', { status: 400, headers });
  }
}

/** Whether the page belongs to this server itself. Other pages on this machine have another port. */
function isSameOrigin({ headers }: Request): boolean {
  const origin = headers.get('origin') ?? '';
  return URL.canParse(origin) && new URL(origin).host === headers.get('host');
}

export interface HttpHandle {
  address: string;
  close(): Promise<void>;
}

/**
 * Serves the protocol over HTTP to programs on this machine. Browser pages are refused, even those of this machine. An unknown host name
 * means that someone has directed it to this machine.
 *
 * @throws an error for people if the port is taken
 */
export async function serveHttp(factory: () => Server, { port, key, log }: HttpListening): Promise<HttpHandle> {
  const handler = httpHandler(factory, {
    onerror: ({ name }) => log(`A request failed (${name}).`),
  });
  const fetch = async (request: Request, { outgoing }: { outgoing: EventEmitter }): Promise<Response> => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      (isSameOrigin(request) ? undefined : originValidationResponse(request, []));
    if (refused !== undefined) return refused;
    if (!/^\/mcp\/?$/.test(new URL(request.url).pathname)) return new Response('The address ends in /mcp.', { status: 404 });
    if (key !== undefined && !isSame(bearerIn(request), key))
      return new Response('The key is missing or wrong.', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
    const authInfo = { token: '', clientId: '', scopes: [], extra: { isSent: isSentBy(outgoing) } };
    const message = await messageIn(request);
    return message instanceof Response ? message : handler.fetch(request, { authInfo, ...message });
  };
  const server = createAdaptorServer({ fetch, createServer, overrideGlobalObjects: false }) as HttpServer;
  // Longer than clients and what stands before this server keep an idle connection, so that none sends a call on one that is being closed.
  server.keepAliveTimeout = 75_000;
  // A client that is silent for longer than any call takes has gone, or does not read.
  server.setTimeout(120_000);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`Port ${port} is taken. Choose another with --http.`) : error),
    );
    server.listen({ port, host: '127.0.0.1' }, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${bound}/mcp`,
    async close() {
      await handler.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
