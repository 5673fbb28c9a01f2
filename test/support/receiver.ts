import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Listens on a free port of this machine, and keeps idle connections longer than any client does. @returns the port */
export async function listen(server: Server): Promise<number> {
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

interface Received {
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
  /** The path with the query. */
  path: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  close(): Promise<void>;
}

/** An HTTP server that records what is posted to it, byte for byte, and responds with the status that `answer` returns. */
export async function startReceiver(answer: (received: Received) => number | Promise<number> = () => 200): Promise<Receiver> {
  const received: Received[] = [];
  const keep = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = { headers: request.headers, rawBody: await buffer(request), path: request.url ?? '' };
    received.push(one);
    response.writeHead(await answer(one), { connection: 'close' }).end();
  };
  const server = createServer((request, response) => void keep(request, response));
  const url = `http://127.0.0.1:${await listen(server)}/hooks`;
  return { url, received, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
