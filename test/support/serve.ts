import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server on this machine, which ends with the test. @returns its port */
export async function serve(listener: RequestListener, server = createServer(listener)): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export interface Received {
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
  /** The path with the query. */
  path: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** What to answer; 200 at first. */
  status: number;
  close(): Promise<void>;
}

/**
 * A plain HTTP server that keeps what is posted to it, byte for byte.
 *
 * @param answer the status for each request; 200 at first where it is absent
 */
export async function startReceiver(answer?: (received: Received) => number | Promise<number>): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { headers: request.headers, rawBody: Buffer.concat(chunks), path: request.url ?? '' };
      received.push(one);
      void Promise.resolve(answer?.(one) ?? receiver.status).then((status) => response.writeHead(status, { connection: 'close' }).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    status: 200,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return receiver;
}
