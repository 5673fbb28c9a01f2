import { Pool } from 'undici';
import { createClient, type Client } from '../shared/api/client.ts';
import { patient } from '../shared/api/retry.ts';
import { networkFault, type Clock, type Transport } from '../shared/api/transport.ts';

export const realTime: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: () => Math.random(),
};

/** The core's port over connections that are kept open, as a program of one's own would have it. */
export function pooledTransport(pool: Pool, token: string): Transport {
  return async ({ method, url, query, headers, body }) => {
    let path = url.slice(url.indexOf('/', 'https://'.length));
    let mark = '?';
    for (const name in query) {
      path += `${mark}${name}=${encodeURIComponent(query[name] ?? '')}`;
      mark = '&';
    }
    try {
      const response = await pool.request({
        method,
        path,
        headers: { ...headers, authorization: `Bearer ${token}` },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.body.text();
      return {
        status: response.statusCode,
        headers: plain(response.headers),
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
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

/** The core's client on a service, over connections that are kept open. */
export function serviceClient(baseUrl: string, token: string, { connections = 1 } = {}): { client: Client; close: () => Promise<void> } {
  const pool = new Pool(new URL(baseUrl).origin, { connections });
  const client = createClient({ baseUrl, transport: pooledTransport(pool, token), clock: realTime, patience: patient });
  return { client, close: () => pool.close() };
}
