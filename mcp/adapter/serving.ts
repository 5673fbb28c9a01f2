import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brokenOff, gathered, UnreadableBody, type Bounds } from '../../sdk/webhooks/body.ts';

/**
 * Longer than proxies keep an idle connection, so that none sends a call on a connection that is being closed: 2 minutes in Caddy, 10 in
 * Google's load balancer, 15 in Cloudflare. Milliseconds.
 */
const keepAliveTimeout = 16 * 60_000;

/**
 * Serves requests on a port.
 *
 * @param at.chosenBy the option with which people choose another port
 * @throws an error for people if the port is taken
 */
export async function listenAt(
  { host, port, chosenBy }: { host: string; port: number; chosenBy: string },
  answer: (request: Request, bindings: HttpBindings) => Response | Promise<Response>,
  more: ServerOptions = {},
): Promise<{ server: Server; address: string }> {
  const server = createAdaptorServer({
    fetch: (request, bindings) => answer(request, bindings as HttpBindings),
    createServer,
    serverOptions: { keepAliveTimeout, ...more },
    overrideGlobalObjects: false,
  }) as Server;
  // Where idle connections take all places, the next caller gets one of theirs.
  server.on('drop', () => server.closeIdleConnections());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`Port ${port} is taken. Choose another with ${chosenBy}.`) : error),
    );
    server.listen({ port, host }, resolve);
  });
  return { server, address: `http://${host}:${(server.address() as AddressInfo).port}` };
}

/**
 * The text of a body, whether its length was announced or not.
 *
 * @throws UnreadableBody if it is too long or incomplete: see {@link unreadAnswer}
 */
export async function textOf(incoming: IncomingMessage, bounds: Bounds): Promise<string> {
  try {
    const bytes = await gathered(bounds, incoming.headers['content-length'], async (take) => {
      // The response needs the same connection, so it stays open.
      for await (const piece of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) take(piece);
    });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    throw error instanceof UnreadableBody ? error : brokenOff();
  }
}

/** The response to a request whose body could not be read. The rest of the body is not read, so the connection cannot be reused. */
export const unreadAnswer = ({ fault }: UnreadableBody): Response => {
  const isTooLong = fault === 'tooLong';
  const text = isTooLong ? 'The message is too long.' : 'The message did not arrive completely.';
  return new Response(text, { status: isTooLong ? 413 : 400, headers: { connection: 'close' } });
};
