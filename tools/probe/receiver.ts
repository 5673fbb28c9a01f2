import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** The status that it was answered with. */
  status: 200 | 500;
}

/** A server that receives deliveries. */
export interface Receiver {
  /** The port on this machine that it listens on. */
  port: number;
  received: Received[];
  /** Answers the next delivery with 500, to see whether it is sent again. */
  failNext(): void;
  close(): Promise<void>;
}

/** @param port 0 uses any free port */
export async function startReceiver(port: number): Promise<Receiver> {
  const received: Received[] = [];
  let failing = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const status = failing ? 500 : 200;
      failing = false;
      received.push({ headers: request.headersDistinct, body: Buffer.concat(chunks), status });
      response.writeHead(status, { connection: 'close' }).end();
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    failNext: () => {
      failing = true;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
