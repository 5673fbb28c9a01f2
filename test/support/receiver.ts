import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

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
