import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brand } from '../../shared/brand.ts';

const idHeader = `${brand.headerPrefix}-Delivery-ID`.toLowerCase();

/** A request on its way, to be handed on as it is or changed. */
export interface OnItsWay {
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/** Somebody between the service and the platform, who can change what goes by. */
export interface Meddler {
  origin: string;
  /** Where requests go in the end; set it before the first one comes. */
  target: string;
  /** What is done to each request; by default nothing. */
  change: (request: OnItsWay) => OnItsWay;
  /**
   * The status that the target answered to each delivery, oldest first. What the service sends again afterwards is not handed on: it would arrive
   * in the middle of whatever is tried next, on a slow machine.
   */
  answers: Map<string, number>;
  stop(): Promise<void>;
}

export async function startMeddler(): Promise<Meddler> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const id = String(request.headers[idHeader]);
      if (meddler.answers.has(id)) {
        response.writeHead(200).end();
        return;
      }
      const { body, headers } = meddler.change({ body: Buffer.concat(chunks), headers: request.headers });
      const own = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);
      const kept = Object.entries(headers).flatMap(([name, value]) =>
        own.has(name) || value === undefined ? [] : [[name, String(value)] as [string, string]],
      );
      fetch(meddler.target + request.url, { method: request.method ?? 'POST', headers: kept, body: new Uint8Array(body) }).then(
        async (answer) => {
          meddler.answers.set(id, answer.status);
          response.writeHead(answer.status).end(await answer.text());
        },
        (error: Error) => response.writeHead(502).end(error.message),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const meddler: Meddler = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    change: (request) => request,
    answers: new Map(),
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return meddler;
}

/** The same bytes but one: the last letter of the record's name for itself. */
export function oneByteChanged(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  const at = changed.lastIndexOf('"') - 1;
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}
