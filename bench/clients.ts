import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { createClient, type Client } from '../shared/api/client.ts';
import { patient } from '../shared/api/retry.ts';
import { networkFault, type Clock, type Transport } from '../shared/api/transport.ts';

export const realTime: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: () => Math.random(),
};

/** Connections to one service that are kept open, as a program written with nothing but Node.js would keep them. */
export class Connections {
  readonly #agent: Agent;
  readonly #to: { hostname: string; port: string };

  constructor(origin: string, most: number) {
    const { hostname, port } = new URL(origin);
    this.#to = { hostname, port };
    this.#agent = new Agent({ keepAlive: true, maxSockets: most });
  }

  /** @param path including the query; `body` is sent as it is */
  send(
    path: string,
    { method, headers, body = '' }: { method: string; headers: Readonly<Record<string, string>>; body?: string },
  ): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
    return new Promise((resolve, reject) => {
      const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
      const sent = request({ ...this.#to, path, method, headers: { ...headers, ...length }, agent: this.#agent }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(pieces).toString() }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The core's transport port over connections that are kept open. */
export function pooledTransport(connections: Connections, token: string): Transport {
  return async ({ method, url, query, headers, body }) => {
    let path = url.slice(url.indexOf('/', 'https://'.length));
    let mark = '?';
    for (const name in query) {
      path += `${mark}${name}=${encodeURIComponent(query[name] ?? '')}`;
      mark = '&';
    }
    try {
      const response = await connections.send(path, {
        method,
        headers: { ...headers, authorization: `Bearer ${token}` },
        ...(body && { body: JSON.stringify(body) }),
      });
      return {
        status: response.status,
        headers: plain(response.headers),
        body: response.text === '' ? undefined : (JSON.parse(response.text) as unknown),
      };
    } catch (error) {
      throw networkFault(error) ?? error;
    }
  };
}

function plain(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name in headers) if (headers[name] !== undefined) all[name] = String(headers[name]);
  return all;
}

/** The core's client for a service, over connections that are kept open. */
export function serviceClient(baseUrl: string, token: string): { client: Client; close: () => void } {
  const connections = new Connections(new URL(baseUrl).origin, 1);
  const client = createClient({ baseUrl, transport: pooledTransport(connections, token), clock: realTime, patience: patient });
  return { client, close: () => connections.close() };
}
