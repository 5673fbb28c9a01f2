import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brand } from '../../shared/brand.ts';
import { parsed } from '../../shared/values.ts';

export interface ReceivedRequest {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  json: unknown;
  /** The status of the response to it. */
  status: 200 | 500;
}

export const headerOf = ({ headers }: ReceivedRequest, name: string): string =>
  [headers[`${brand.headerPrefix}-${name}`.toLowerCase()] ?? ''].flat()[0] ?? '';

export type ProbeReceiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts a server that receives deliveries. @param port on this machine; 0 for any free one */
export async function startReceiver(port: number) {
  const received: ReceivedRequest[] = [];
  let failing = false;
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const status = failing ? 500 : 200;
      failing = false;
      received.push({ headers: request.headersDistinct, body, json: parsed(body.toString()), status });
      response.writeHead(status, { connection: 'close' }).end();
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    /** Responds to the next delivery with 500, to see whether it is sent again. */
    failNext: () => void (failing = true),
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
